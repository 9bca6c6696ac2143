internal import CSimilarity

/// How many scores fell where: bins of 5 · 10⁻⁶ over [−1, 1], fine enough for models whose scores all lie
/// between 0.995 and 1.
package struct ScoreHistogram: Sendable {
  package static let resolution = 1 / Double(binsPerUnit)
  private static let binsPerUnit = 200_000
  private static let binCount = 2 * binsPerUnit + 1

  private var bins: [UInt64]
  package private(set) var total = 0

  package init() { bins = [UInt64](repeating: 0, count: Self.binCount) }

  static func bin(_ score: Float) -> Int {
    // Half a bin more and cut: `rounded()` is a function call where SSE4.1 is not given. Within [−1, 1]
    // nothing can leave the bins.
    Int(min(max(Double(score) + 1, 0), 2) * Double(binsPerUnit) + 0.5)
  }

  /// The score a bin stands for.
  static func score(_ bin: Int) -> Double { Double(bin) * resolution - 1 }

  /// The threshold that accepts what the bin and those above it hold, and nothing else.
  static func threshold(accepting bin: Int) -> Double { max(-1, score(bin) - resolution / 2) }

  package mutating func add(_ score: Float) {
    bins[Self.bin(score)] += 1
    total += 1
  }

  /// Adds those of a tile, and calls `keep` with the place of each that is at or above `least`.
  mutating func add(
    _ scores: UnsafeBufferPointer<Float>, least: Float, keep: (Int) -> Void
  ) {
    guard let start = scores.baseAddress else { return }
    precondition(scores.count <= 1024)
    total += scores.count
    unsafe withUnsafeTemporaryAllocation(of: UInt16.self, capacity: scores.count + 1) { kept in
      let count = unsafe bins.withUnsafeMutableBufferPointer {
        unsafe csimilarity_count(
          start, scores.count, Self.binsPerUnit, $0.baseAddress!, least, kept.baseAddress!)
      }
      for index in 0..<count { unsafe keep(Int(kept[index])) }
    }
  }

  package mutating func add(_ other: ScoreHistogram) {
    for index in bins.indices { bins[index] += other.bins[index] }
    total += other.total
  }

  /// The bins that hold any, from the highest score down, with how many scores are at or above each.
  package func descending() -> [(bin: Int, atOrAbove: Int)] {
    var list: [(bin: Int, atOrAbove: Int)] = []
    var above = 0
    for index in bins.indices.reversed() where bins[index] > 0 {
      above += Int(bins[index])
      list.append((index, above))
    }
    return list
  }

  /// The highest bin that has, with those above it, at least `wanted` scores; the lowest of all when fewer.
  func bin(holding wanted: Int) -> Int {
    var above = 0
    for index in bins.indices.reversed() {
      above += Int(bins[index])
      if above >= wanted { return index }
    }
    return 0
  }

  /// How many scores are in bins from `bin` on.
  package func atOrAbove(_ bin: Int) -> Int {
    guard bin < Self.binCount else { return 0 }
    return bins[max(0, bin)...].reduce(0) { $0 + Int($1) }
  }
}
