/// Rates that were measured for a threshold, each from 0 to 1.
public struct MeasuredRates: Sendable, Equatable, Codable {
  /// Pairs of different persons that were accepted.
  public let fmr: Double
  /// Of one person that were refused.
  public let fnmr: Double
  /// Owners that vectors made to pass opened within five tries; nil when that was not measured.
  public let chosen: Double?

  public init(fmr: Double, fnmr: Double, chosen: Double?) {
    self.fmr = fmr
    self.fnmr = fnmr
    self.chosen = chosen
  }

  public var isValid: Bool {
    ([fmr, fnmr] + [chosen].compactMap { $0 }).allSatisfy((0...1).contains)
  }
}
