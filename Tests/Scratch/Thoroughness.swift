import Foundation

/// How much the tests try that could try every place of something, as `FACEDIARY_THOROUGH` says.
///
/// Without it they try a few places, with 1 all of them. With `4:N` they try every fourth and begin with another one for each N,
/// so that four runs in a row try all; of what costs much and has no places a third is tried, another third each time.
public enum Thoroughness {
  private static let asked = ProcessInfo.processInfo.environment["FACEDIARY_THOROUGH"]

  private static let numbers = (asked ?? "").split(separator: ":").compactMap { Int($0) }

  public static let isThorough = asked != nil

  /// One place in so many is tried.
  public static let share = max(1, numbers.first ?? 1)

  /// Which of them.
  public static let turn = (numbers.count > 1 ? numbers[1] : 0) % share

  /// The places from 1 to `count` that are tried.
  ///
  /// - Parameters:
  ///   - few: about how many without `FACEDIARY_THOROUGH`.
  ///   - step: the distance between them when all are tried.
  public static func places(_ count: Int, few: Int, step: Int = 1) -> StrideThrough<Int> {
    isThorough
      ? stride(from: 1 + turn * step, through: count, by: step * share)
      : stride(from: 1, through: count, by: max(1, count / few))
  }

  /// Whether the `nth` of several things that cost much is tried.
  public static func tries(_ nth: Int) -> Bool {
    isThorough && (share == 1 || (nth - turn) % 3 == 0)
  }
}
