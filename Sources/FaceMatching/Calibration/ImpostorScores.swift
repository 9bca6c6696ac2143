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
    if highest.count > keeping { prune() }
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

/// The highest impostor scores from the highest bin down, and where among them those of each person stand: what would be
/// the highest without a person is then found without looking at all of them again.
struct ImpostorTail {
  private let bins: [Int32]
  /// The places in ``bins`` of the scores of person p, rising: `places[starts[p]..<starts[p + 1]]`.
  private let places: [Int32]
  private let starts: [Int]

  init(_ highest: [ImpostorScores.Pair], persons: Int) {
    // Sorted by counting: within a bin no order is asked for.
    let found = highest.map { Int32(ScoreHistogram.bin($0.score)) }
    let least = found.min() ?? 0
    let most = found.max() ?? 0
    var next = [Int](repeating: 0, count: Int(most - least) + 2)
    for bin in found { next[Int(most - bin) + 1] += 1 }
    for index in 1..<next.count { next[index] += next[index - 1] }
    var order = [Int32](repeating: 0, count: found.count)
    for (index, bin) in found.enumerated() {
      order[next[Int(most - bin)]] = Int32(index)
      next[Int(most - bin)] += 1
    }
    bins = order.map { found[Int($0)] }

    var starts = [Int](repeating: 0, count: persons + 1)
    for pair in highest {
      starts[Int(pair.one) + 1] += 1
      starts[Int(pair.other) + 1] += 1
    }
    for person in 0..<persons { starts[person + 1] += starts[person] }
    self.starts = starts
    var places = [Int32](repeating: 0, count: 2 * highest.count)
    for (place, index) in order.enumerated() {
      let pair = highest[Int(index)]
      for person in [pair.one, pair.other] {
        places[starts[Int(person)]] = Int32(place)
        starts[Int(person)] += 1
      }
    }
    self.places = places
  }

  /// The least threshold whose false match rate is within `rate`, of so many pairs: all, or those without one person.
  func threshold(pairs: Int, rate: Double, without person: Int? = nil) -> Double? {
    guard pairs > 0 else { return nil }
    // The first impostor too many must stay below: one step of the histogram above its score.
    var first = Int((rate * Double(pairs)).rounded(.down))
    if let person {
      for place in places[starts[person]..<starts[person + 1]] {
        if place > first { break }
        first += 1
      }
    }
    guard first < bins.count else { return nil }
    return min(1, ScoreHistogram.score(Int(bins[first])) + ScoreHistogram.resolution)
  }
}
