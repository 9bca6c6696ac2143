internal import Bytes

/// The segments that a replica has merged, as a tree for each device: a branch wherever two continue the same one.
///
/// A device that lies may make any number of branches, so nothing here costs more for a branch than for a segment that
/// continues one, but for a factor of at most ``depthLimit``.
struct Logs: Sendable {
  struct Entry: Sendable {
    let device: DeviceID
    let sequence: UInt64
    /// nil while it is written here.
    var hash: Hash?
    /// Where its predecessor stands.
    let previous: Int?
    /// Where the ends stand that it names, its predecessor too. It has seen these, and what its predecessor had seen.
    let ends: [Int]
    /// Whether its author had heard of no other device, so that it tells of what the author brought along.
    let isAlone: Bool
    fileprivate(set) var chain: Int
    let firstLamport: UInt64
    var count: Int
    var lastLamport: UInt64 { firstLamport + UInt64(count) - 1 }
  }

  /// A part of a log without branches: segments that continue one another.
  private struct Chain {
    /// The segment it branches off behind, nil for a log's first.
    let entry: Int?
    /// How many chains lead to it.
    let depth: Int
    /// Its own segments, one number after the other.
    var own: [Int] = []
    /// What its segments had seen of other chains: from which segment's number on, and up to which number. Both rise.
    var seen: [Int: [(from: UInt64, upTo: UInt64)]] = [:]
  }

  /// The most chains that may lead to one, and what may be noted for each segment, before all chains are chosen anew. Where each goes
  /// on with its longest branch, 17 at most lead to one of 100,000 segments.
  private static let (depthLimit, notesLimit) = (128, 64)

  private(set) var entries: [Entry] = []
  private var places: [Hash: Int] = [:]
  private var chains: [Chain] = []
  /// How much is noted of what was seen; and how many segments there were, and how much was noted, when chains were last chosen.
  private var notes = 0
  private var chosen = (segments: 0, notes: 0)
  /// The highest number of an operation.
  private(set) var lamport: UInt64 = 0
  /// Where the segments stand that do not count.
  private(set) var void: Set<Int> = []

  /// Says anew which segments do not count.
  mutating func count(allBut void: Set<Int>) {
    self.void = void
    voidChanges += 1
    generation += 1
  }

  private(set) var voidChanges = 0
  /// Rises whenever ``Seen`` of before means nothing any more.
  private(set) var generation = 0

  /// Whether an author told of an operation before it had heard of any other device.
  func isAlone(_ dot: Dot) -> Bool { entries[dot.segment].isAlone }

  func place(of hash: Hash) -> Int? { places[hash] }

  /// Takes a segment.
  ///
  /// - Parameters:
  ///   - previous: where its predecessor stands.
  ///   - ends: where everything stands that it names, the predecessor too.
  ///   - isVoid: whether it does not count.
  mutating func append(
    _ device: DeviceID, _ sequence: UInt64, hash: Hash?, previous: Int?, ends: [Int], count: Int,
    isVoid: Bool = false
  ) -> Int {
    let firstLamport = (ends.map { entries[$0].lastLamport }.max() ?? 0) + 1
    let place = entries.count
    entries.append(
      Entry(
        device: device, sequence: sequence, hash: hash, previous: previous, ends: ends,
        isAlone: ends.allSatisfy { $0 == previous && entries[$0].isAlone }, chain: 0,
        firstLamport: firstLamport, count: count))
    // Where another continues it already, this is a branch.
    chain(place, goesOn: previous.map { chains[entries[$0].chain].own.last == $0 } ?? false)
    // As often as what it costs is small beside what was appended since.
    let isDeep =
      chains[entries[place].chain].depth > Self.depthLimit
      && entries.count - chosen.segments > chosen.segments / 8 + Self.depthLimit
    if isDeep || notes > 2 * chosen.notes + Self.notesLimit * (entries.count + 64) {
      chooseChains()
    }
    if let hash { places[hash] = place }
    // Nothing is known of it yet that would change with it.
    if isVoid { void.insert(place) }
    if count > 0 { lamport = max(lamport, entries[place].lastLamport) }
    return place
  }

  /// Puts a segment into a chain.
  ///
  /// - Parameter goesOn: whether it goes on with that of its predecessor.
  private mutating func chain(_ place: Int, goesOn: Bool) {
    let before = entries[place].previous.map { entries[$0].chain }
    if let before, goesOn {
      entries[place].chain = before
    } else {
      entries[place].chain = chains.count
      let depth = before.map { chains[$0].depth + 1 } ?? 0
      chains.append(Chain(entry: entries[place].previous, depth: depth))
    }
    let chain = entries[place].chain
    chains[chain].own.append(place)
    for end in entries[place].ends {
      // Back along the log of each end, as far as that was not seen before.
      var next: Int? = end
      while let here = next, !has(place, seen: here) {
        let other = entries[here].chain
        chains[chain].seen[other, default: []].append(
          (entries[place].sequence, entries[here].sequence))
        notes += 1
        next = chains[other].entry
      }
    }
  }

  /// Goes on with the branch that most follow, everywhere, so that few chains lead to any.
  private mutating func chooseChains() {
    var followers = [Int](repeating: 0, count: entries.count)
    var longest: [Int: Int] = [:]
    for place in entries.indices.reversed() {
      guard let previous = entries[place].previous else { continue }
      followers[previous] += followers[place] + 1
      if longest[previous].map({ followers[$0] <= followers[place] }) ?? true {
        longest[previous] = place
      }
    }
    (chains, notes) = ([], 0)
    generation += 1
    defer { chosen = (entries.count, notes) }
    for place in entries.indices {
      chain(place, goesOn: entries[place].previous.map { longest[$0] == place } ?? false)
    }
  }

  /// Takes the last segment back.
  mutating func removeLast() {
    let entry = entries.removeLast()
    if let hash = entry.hash { places[hash] = nil }
    generation += 1
    void.remove(entries.count)
    for (other, seen) in chains[entry.chain].seen where seen.last?.from == entry.sequence {
      let left = seen.filter { $0.from < entry.sequence }
      chains[entry.chain].seen[other] = left
      notes -= seen.count - left.count
    }
    chains[entry.chain].own.removeLast()
    if chains[entry.chain].own.isEmpty { chains.removeLast() }
    lamport = entries.lazy.filter { $0.count > 0 }.map(\.lastLamport).max() ?? 0
  }

  mutating func extend(_ place: Int) {
    entries[place].count += 1
    lamport = max(lamport, entries[place].lastLamport)
  }

  mutating func seal(_ place: Int, as hash: Hash) {
    entries[place].hash = hash
    places[hash] = place
  }

  /// Where every log ends, branches too, without what is written here.
  var ends: [Int] {
    let sealed = chains.filter { entries[$0.own[0]].hash != nil }
    let continued = Set(sealed.compactMap(\.entry))
    return sealed.compactMap { chain in
      let last = chain.own[chain.own.count - 1]
      return entries[last].hash == nil ? entries[last].previous : last
    }.filter { !continued.contains($0) }
  }

  /// Where a log ends, along the chain of one of its segments.
  func end(of place: Int) -> Int { chains[entries[place].chain].own.last ?? place }

  /// The segment of a number on the way to an end.
  func ancestor(_ end: Int, _ sequence: UInt64) -> Int? {
    var end = end
    while entries[end].sequence >= sequence {
      let chain = chains[entries[end].chain]
      let first = entries[chain.own[0]].sequence
      if sequence >= first { return chain.own[Int(sequence - first)] }
      guard let entry = chain.entry else { return nil }
      end = entry
    }
    return nil
  }

  // MARK: What was seen

  /// Everything up to some ends: of each chain, the segments up to a number.
  func limits(_ ends: [Int]) -> [Int: UInt64] {
    var limits: [Int: UInt64] = [:]
    for end in ends {
      var place: Int? = end
      while let here = place {
        let chain = entries[here].chain
        if limits[chain] ?? 0 >= entries[here].sequence { break }
        limits[chain] = entries[here].sequence
        place = chains[chain].entry
      }
    }
    return limits
  }

  /// Whether a segment is another one, or its author had seen that.
  func has(_ place: Int, seen other: Int) -> Bool {
    let (wanted, sequence) = (entries[other].chain, entries[other].sequence)
    var next: Int? = place
    while let here = next {
      let number = entries[here].sequence
      if entries[here].chain == wanted { return sequence <= number }
      let chain = entries[here].chain
      if let seen = chains[chain].seen[wanted], Self.last(seen, at: number) >= sequence {
        return true
      }
      next = chains[chain].entry
    }
    return false
  }

  /// Up to which number was seen at a number; 0 for none.
  private static func last(_ seen: [(from: UInt64, upTo: UInt64)], at number: UInt64) -> UInt64 {
    // Most ask about the last.
    if let last = seen.last, last.from <= number { return last.upTo }
    var (low, high) = (0, seen.count)
    while low < high {
      let middle = (low + high) / 2
      if seen[middle].from <= number { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? 0 : seen[low - 1].upTo
  }

  /// What the authors of some operations had seen, all together.
  struct Seen: Sendable {
    /// Of each chain, the segments up to a number.
    fileprivate var limits: [Int: UInt64] = [:]
    /// Of each chain the last of these operations on it, which had seen those before it.
    fileprivate var last: [Int: (sequence: UInt64, index: Int)] = [:]

    fileprivate mutating func take(_ chain: Int, upTo number: UInt64) {
      limits[chain] = max(limits[chain] ?? 0, number)
    }
  }

  func seen(by dots: [Dot]) -> Seen {
    var seen = Seen()
    // How far each chain is looked at that leads to one of them.
    var ways: [Int: UInt64] = [:]
    for dot in dots {
      var (chain, number) = (entries[dot.segment].chain, entries[dot.segment].sequence)
      if let last = seen.last[chain], last >= (number, dot.index) { continue }
      seen.last[chain] = (number, dot.index)
      while ways[chain] ?? 0 < number {
        ways[chain] = number
        guard let entry = chains[chain].entry else { break }
        (chain, number) = (entries[entry].chain, entries[entry].sequence)
        seen.take(chain, upTo: number)
      }
    }
    for (chain, number) in ways {
      for (other, noted) in chains[chain].seen {
        seen.take(other, upTo: Self.last(noted, at: number))
      }
    }
    return seen
  }

  func has(_ seen: Seen, _ dot: Dot) -> Bool {
    let entry = entries[dot.segment]
    return entry.sequence <= seen.limits[entry.chain] ?? 0
      || seen.last[entry.chain].map { (entry.sequence, dot.index) < $0 } ?? false
  }

  /// Whether the author of an operation had seen another one.
  func has(_ author: Dot, seen dot: Dot) -> Bool {
    if dot.segment == author.segment { return dot.index < author.index }
    return has(author.segment, seen: dot.segment)
  }

  func has(_ limits: [Int: UInt64], _ dot: Dot) -> Bool {
    let entry = entries[dot.segment]
    return entry.sequence <= limits[entry.chain] ?? 0
  }

  /// Whether an operation does nothing, because its segment does not count.
  func isVoid(_ dot: Dot) -> Bool { !void.isEmpty && void.contains(dot.segment) }

  func stamp(_ dot: Dot) -> Stamp {
    let entry = entries[dot.segment]
    return Stamp(
      lamport: entry.firstLamport + UInt64(dot.index), hash: entry.hash, index: dot.index)
  }
}
