/// How many scores fell where: bins of 10⁻⁶ over [−1, 1], fine enough for models whose scores all lie
/// between 0.995 and 1.
package struct ScoreHistogram: Sendable {
  package static let resolution = 1e-6
  private static let binCount = 2_000_001

  private var bins: [UInt32]
  package private(set) var total = 0

  package init() { bins = [UInt32](repeating: 0, count: Self.binCount) }

  static func bin(_ score: Float) -> Int {
    // Half a bin more and cut: `rounded()` is a function call where SSE4.1 is not given. Within [−1, 1]
    // nothing can leave the bins.
    Int(min(max(Double(score) + 1, 0), 2) * 1e6 + 0.5)
  }

  /// The score a bin stands for.
  static func score(_ bin: Int) -> Double { Double(bin) * resolution - 1 }

  package mutating func add(_ score: Float) {
    bins[Self.bin(score)] += 1
    total += 1
  }

  /// Lends a way to add many scores fast: the bins are held once, not looked up a score at a time.
  mutating func adding(_ body: ((Float) -> Void) -> Void) {
    var added = 0
    unsafe bins.withUnsafeMutableBufferPointer { bins in
      body { score in
        unsafe bins[Self.bin(score)] += 1
        added += 1
      }
    }
    total += added
  }

  package mutating func add(_ other: ScoreHistogram) {
    for index in bins.indices { bins[index] += other.bins[index] }
    total += other.total
  }

  /// The bins that hold any, from the highest score down, with how many scores are at or above each.
  package func descending() -> [(bin: Int, atOrAbove: Int)] {
    var list: [(Int, Int)] = []
    var above = 0
    for index in bins.indices.reversed() where bins[index] > 0 {
      above += Int(bins[index])
      list.append((index, above))
    }
    return list
  }

  /// How many scores are in bins from `bin` on.
  package func atOrAbove(_ bin: Int) -> Int {
    guard bin < Self.binCount else { return 0 }
    return bins[max(0, bin)...].reduce(0) { $0 + Int($1) }
  }
}
