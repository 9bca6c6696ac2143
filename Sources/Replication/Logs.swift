internal import Bytes

/// The segments that a replica has merged, as a tree for each device: a branch wherever two continue the same one.
struct Logs: Sendable {
  struct Entry: Sendable {
    let device: DeviceID
    let sequence: UInt64
    /// nil while it is written here.
    var hash: Hash?
    /// Where its predecessor stands.
    let previous: Int?
    /// Where the ends stand that its author had merged, its predecessor too.
    let ends: [Int]
    let chain: Int
    /// What its author had seen: of each chain, the segments up to a number.
    let limits: [Int: UInt64]
    let firstLamport: UInt64
    var count: Int
    var lastLamport: UInt64 { firstLamport + UInt64(count) - 1 }
  }

  private(set) var entries: [Entry] = []
  private var places: [Hash: Int] = [:]
  /// The segment each chain branches off behind, nil for a log's first, and its own, one number after the other.
  private var chains: [(entry: Int?, own: [Int])] = []
  /// How many chains a device has.
  private var branches: [DeviceID: Int] = [:]
  /// The highest number of an operation.
  private(set) var lamport: UInt64 = 0
  /// Where the segments stand that do not count.
  var void: Set<Int> = []

  func place(of hash: Hash) -> Int? { places[hash] }

  /// Takes a segment.
  ///
  /// - Parameters:
  ///   - previous: where its predecessor stands.
  ///   - ends: where everything stands that it had seen, the predecessor too.
  mutating func append(
    _ device: DeviceID, _ sequence: UInt64, hash: Hash?, previous: Int?, ends: [Int], count: Int
  ) -> Int {
    let firstLamport = (ends.map { entries[$0].lastLamport }.max() ?? 0) + 1
    let place = entries.count
    var chain = previous.map { entries[$0].chain } ?? chains.count
    // Another continues it already: this is a branch.
    if let previous, chains[chain].own.last != previous { chain = chains.count }
    if chain == chains.count {
      chains.append((previous, [place]))
      branches[device, default: 0] += 1
    } else {
      chains[chain].own.append(place)
    }
    entries.append(
      Entry(
        device: device, sequence: sequence, hash: hash, previous: previous, ends: ends,
        chain: chain, limits: limits(ends), firstLamport: firstLamport, count: count))
    if let hash { places[hash] = place }
    if count > 0 { lamport = max(lamport, entries[place].lastLamport) }
    return place
  }

  /// Takes the last segment back.
  mutating func removeLast() {
    let entry = entries.removeLast()
    if let hash = entry.hash { places[hash] = nil }
    void.remove(entries.count)
    chains[entry.chain].own.removeLast()
    if chains[entry.chain].own.isEmpty {
      chains.removeLast()
      branches[entry.device, default: 1] -= 1
    }
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
    let continued = Set(chains.compactMap(\.entry))
    let lasts = chains.map { $0.own[$0.own.count - 1] }
    return lasts.compactMap { entries[$0].hash == nil ? entries[$0].previous : $0 }
      .filter { place in
        // A chain that only branches go on from ends there.
        !continued.contains(place)
          || chains[entries[place].chain].own.last == place
            && !chains.contains { $0.entry == place && entries[$0.own[0]].hash != nil }
      }
  }

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

  /// How many branches a device's log has.
  func branchCount(of device: DeviceID) -> Int { branches[device] ?? 0 }

  /// Whether a segment that follows this one, or none, is another branch of its log.
  func wouldBranch(behind previous: Int?) -> Bool {
    previous.map { chains[entries[$0].chain].own.last != $0 } ?? true
  }

  // MARK: What was seen

  /// Everything up to some ends.
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

  /// Whether the author of an operation had seen another one.
  func has(_ author: Dot, seen dot: Dot) -> Bool {
    if dot.segment == author.segment { return dot.index < author.index }
    return has(entries[author.segment].limits, dot)
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
