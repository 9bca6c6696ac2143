/// The scores of pairs of different persons: all counted, the highest kept with whose they are.
///
/// A threshold at a false match rate lies among the highest; its interval over persons asks which of them
/// remain when one person is left out.
package struct ImpostorScores: Sendable {
  package struct Pair: Sendable {
    package let score: Float
    package let one: Int32
    package let other: Int32

    init(score: Float, one: Int, other: Int) {
      self.score = score
      self.one = Int32(truncatingIfNeeded: one)
      self.other = Int32(truncatingIfNeeded: other)
    }
  }

  package private(set) var histogram = ScoreHistogram()
  /// At least the highest of ``keeping``, in no order.
  package private(set) var highest: [Pair] = []
  private let keeping: Int
  /// Below it a score is only counted.
  private var least: Float = -2
  private var pruneAt: Int

  /// - Parameter pairs: how many there will be at most. Twice the share that the report asks for is kept,
  ///   and never fewer than 65,536.
  package init(pairs: Int, targetFMR: Double) {
    let share = 1.5 * max(targetFMR, Calibration.rates[0])
    self.init(keeping: max(65_536, Int(share * Double(pairs))))
  }

  package init(keeping: Int) {
    self.keeping = keeping
    pruneAt = 2 * keeping
  }

  package mutating func add(_ score: Float, _ one: Int, _ other: Int) {
    histogram.add(score)
    guard score >= least else { return }
    highest.append(Pair(score: score, one: one, other: other))
    if highest.count >= pruneAt { prune() }
  }

  /// Adds the scores of a tile, row by row: of shots of `ones` with shots of `others`.
  mutating func add(
    _ scores: UnsafeBufferPointer<Float>, of ones: ArraySlice<Int>, with others: ArraySlice<Int>
  ) {
    unsafe histogram.add(scores, least: least) { place in
      let (row, column) = place.quotientAndRemainder(dividingBy: others.count)
      highest.append(
        Pair(
          score: unsafe min(1, max(-1, scores[place])), one: ones[ones.startIndex + row],
          other: others[others.startIndex + column]))
    }
    if highest.count >= pruneAt { prune() }
  }

  package mutating func add(_ other: ImpostorScores) {
    histogram.add(other.histogram)
    highest += other.highest
  }

  private mutating func prune() {
    // One bin lower than must be, because a score is anywhere in its bin.
    least = Float(
      ScoreHistogram.score(histogram.bin(holding: keeping)) - ScoreHistogram.resolution)
    highest.removeAll { $0.score < least }
    // Equal scores cannot be told apart and all stay.
    pruneAt = 2 * max(keeping, highest.count)
  }
}
