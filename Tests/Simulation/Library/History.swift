import Replication

/// One history of some devices and a bad store, from a seed; at its end everything must be as it should.
package struct History {
  /// What happened in it.
  package struct Counts: Sendable {
    package var histories = 0
    package var texts = 0
    package var segments = 0
    package var conflicts = 0
    package var purges = 0
    package var crashes = 0
    package var restores = 0
    package var clones = 0
    package var rollbacks = 0
    package var damaged = 0

    package init() {}

    package mutating func add(_ other: Counts) {
      histories += other.histories
      texts += other.texts
      segments += other.segments
      conflicts += other.conflicts
      purges += other.purges
      crashes += other.crashes
      restores += other.restores
      clones += other.clones
      rollbacks += other.rollbacks
      damaged += other.damaged
    }
  }

  private var random: Seeded
  private var store = FaultyStore()
  private var devices: [Device] = []
  private var backups: [Device] = []
  private var judge = Judge()
  private var entries: [Identity] = []
  private var registers: [Identity] = []
  private var hasClone = false
  private var counts = Counts()

  /// - Throws: ``Violation``.
  package static func run(seed: UInt64) throws -> Counts {
    var history = History(seed)
    return try history.run()
  }

  private init(_ seed: UInt64) {
    random = Seeded(seed)
    for _ in 0..<(2 + random.below(4)) { devices.append(Device(random.identity())) }
    registers = (0..<2).map { _ in random.identity() }
  }

  private mutating func run() throws -> Counts {
    for _ in 0..<(20 + random.below(60)) { try step() }
    try comeToRest()
    try check()
    counts.histories = 1
    counts.texts = judge.texts
    counts.segments = store.objects.count
    return counts
  }

  // MARK: Happening

  private mutating func step() throws {
    let index = random.below(devices.count)
    switch random.below(100) {
    case 0..<12: write(index)
    case 12..<38: edit(index)
    case 38..<42: purge(index)
    case 42..<46: set(index)
    case 46..<68: try push(index)
    case 68..<88: try pull(index)
    case 88..<90:
      // What is open would become two revisions, which the judge could not tell apart.
      devices[index].seal(&judge)
      backups.append(devices[index])
    case 90..<92: restore(index)
    case 92: clone(index)
    case 93: join()
    case 94: if devices.count > 2 { devices.remove(at: index) }
    case 95: store.lose(&random)
    case 96:
      store.rollBack(&random)
      counts.rollbacks += 1
    default: store.remember()
    }
  }

  /// Texts are numbers, so that they are told apart.
  private static func bytes(_ text: Int) -> [UInt8] { Array(String(text).utf8) }
  private static func number(_ bytes: [UInt8]) -> Int {
    Int(String(decoding: bytes, as: UTF8.self)) ?? 0
  }

  private mutating func revise(
    _ index: Int, _ entry: Identity, _ changes: [Field: [[UInt8]]], _ number: Int
  ) {
    let known = devices[index].known
    devices[index].replica.edit(entry, changes)
    devices[index].known.insert(number)
    let texts = devices[index].replica.revisions(of: entry).first?[Device.text] ?? []
    devices[index].deeds.append(
      .revision(
        entry,
        Deed.Revision(
          number: number, texts: Set(texts.map(Self.number)), known: known,
          trashes: changes[Device.trash] == [[1]])))
  }

  private mutating func write(_ index: Int) {
    let entry = random.identity()
    entries.append(entry)
    let number = judge.newRevision()
    let text = judge.newText(by: number)
    revise(
      index, entry, [Device.text: [Self.bytes(text)], Device.star: [[0]], Device.trash: [[]]],
      number)
  }

  private mutating func edit(_ index: Int) {
    let there = entries.filter { devices[index].replica.shown($0) != nil }
    guard let entry = there.randomElement(using: &random) else { return write(index) }
    let number = judge.newRevision()
    var changes: [Field: [[UInt8]]] = [:]
    switch random.below(6) {
    case 0...2: changes[Device.text] = [Self.bytes(judge.newText(by: number))]
    case 3: changes[Device.star] = [[UInt8(random.below(2))]]
    case 4:
      var tags = devices[index].replica.shown(entry)?.values[Device.tags] ?? []
      if !tags.isEmpty, random.chance(2) {
        tags.remove(at: random.below(tags.count))
      } else {
        tags.append([UInt8(random.below(5))])
      }
      changes[Device.tags] = Array(Set(tags))
    default: changes[Device.trash] = [random.chance(3) ? [] : [1]]
    }
    revise(index, entry, changes, number)
  }

  private mutating func purge(_ index: Int) {
    let there = entries.filter { devices[index].replica.shown($0) != nil }
    guard let entry = there.randomElement(using: &random) else { return }
    devices[index].deeds.append(.purge(entry, known: devices[index].known))
    devices[index].replica.purge(entry)
    counts.purges += 1
  }

  private mutating func set(_ index: Int) {
    devices[index].deeds.append(.other)
    devices[index].replica.set(registers[random.below(2)], [UInt8(random.below(200))])
  }

  /// Killed after any write; the next push begins anew with what stood on the disk.
  private mutating func push(_ index: Int) throws {
    devices[index].seal(&judge)
    if random.chance(10) {
      counts.crashes += 1
      return
    }
    let (names, isWhole) = store.list(&random)
    let comparison = devices[index].replica.compare(names, stored: devices[index].stored)
    try judgeListing(comparison, isWhole, index)
    devices[index].stored.formUnion(names.map(\.hash).filter(devices[index].replica.has))
    if isWhole, !comparison.cloned.isEmpty { become(index) }
    for name in comparison.put {
      guard let segment = devices[index].segments[name.hash] else {
        throw Violation("an own segment is not held")
      }
      let put = store.put(name, segment.bytes, &random)
      if random.chance(10) {
        counts.crashes += 1
        return
      }
      if put == .done { devices[index].stored.insert(name.hash) }
    }
  }

  private mutating func pull(_ index: Int) throws {
    devices[index].seal(&judge)
    if random.chance(4) { try devices[index].reopen() }
    let (names, isWhole) = store.list(&random)
    let comparison = devices[index].replica.compare(names, stored: devices[index].stored)
    try judgeListing(comparison, isWhole, index)
    if isWhole, !comparison.cloned.isEmpty { become(index) }
    for name in comparison.fetch.shuffled(using: &random) {
      guard let bytes = store.get(name, &random) else { continue }
      if bytes != store.objects[name] { counts.damaged += 1 }
      try devices[index].take(name, bytes, judge)
      if devices[index].segments[name.hash] != nil { devices[index].stored.insert(name.hash) }
      if random.chance(20) {
        counts.crashes += 1
        return
      }
    }
  }

  /// What is said about the store is true, and said by the first who can know.
  private func judgeListing(_ comparison: Comparison, _ isWhole: Bool, _ index: Int) throws {
    guard isWhole else { return }
    if !comparison.lost.isEmpty, !store.hasLost {
      throw Violation("a loss is reported without one")
    }
    let device = devices[index]
    let held = device.segments.values.filter {
      device.stored.contains($0.name.hash) && device.replica.has($0.name.hash)
    }
    for segment in held where store.objects[segment.name] == nil {
      guard comparison.lost.contains(segment.name) else {
        throw Violation("a loss is not reported")
      }
    }
    if !comparison.cloned.isEmpty, !hasClone { throw Violation("a clone is reported without one") }
  }

  private mutating func become(_ index: Int) { devices[index].replica.become(random.identity()) }

  /// An old copy is put back. Now and then nobody notices, and it goes on under the old id.
  private mutating func restore(_ index: Int) {
    guard let backup = backups.randomElement(using: &random) else { return }
    devices[index] = backup
    devices[index].seal(&judge)
    counts.restores += 1
    if random.chance(3) { hasClone = true } else { become(index) }
  }

  private mutating func clone(_ index: Int) {
    guard devices.count < 6 else { return }
    devices[index].seal(&judge)
    devices.append(devices[index])
    hasClone = true
    counts.clones += 1
  }

  private mutating func join() {
    if devices.count < 6 { devices.append(Device(random.identity())) }
  }

  // MARK: Judging

  /// The store is whole again, everybody gives it what he has, and takes what is there.
  private mutating func comeToRest() throws {
    store.isFaulty = false
    for index in devices.indices { devices[index].seal(&judge) }
    for device in devices {
      for segment in device.segments.values { _ = store.put(segment.name, segment.bytes, &random) }
    }
    store.isRepaired()
    for index in devices.indices {
      for name in store.objects.keys.shuffled(using: &random) {
        guard let bytes = store.objects[name] else { continue }
        try devices[index].take(name, bytes, judge)
      }
    }
  }

  private mutating func check() throws {
    // What waits for a segment that nobody holds any more waits for ever, and says so.
    let merged = Set(devices[0].replica.merged.map(\.hash))
    let expected = judge.expected(from: merged)
    let first = devices[0].replica
    for device in devices {
      guard Set(device.replica.merged.map(\.hash)) == merged else {
        throw Violation("devices merged different segments")
      }
      guard device.replica.digest() == first.digest() else {
        throw Violation("the same segments have different digests")
      }
      for entry in entries {
        let shown = device.replica.shown(entry)
        guard shown == first.shown(entry) else {
          throw Violation("the same segments show different entries")
        }
        let kept = device.replica.revisions(of: entry).reduce(into: Set<Int>()) {
          $0.formUnion(($1[Device.text] ?? []).map(Self.number))
        }
        let wanted = expected[entry] ?? Judge.Expected()
        guard kept == wanted.kept else {
          throw Violation("of the texts \(wanted.kept.sorted()) there are \(kept.sorted())")
        }
        let texts = Set((shown?.values[Device.text] ?? []).map(Self.number))
        guard texts == wanted.shown else {
          throw Violation(
            "of the texts \(wanted.shown.sorted()) there are shown \(texts.sorted())")
        }
        let isTrashed = shown?.values[Device.trash]?.first?.isEmpty == false
        guard !isTrashed || wanted.mayBeTrashed else {
          throw Violation("a text is in the trash that nobody knew who put it there")
        }
        if shown?.conflicts.isEmpty == false, device.replica.device == first.device {
          counts.conflicts += 1
        }
      }
      for register in registers
      where device.replica.value(of: register) != first.value(of: register) {
        throw Violation("the same segments set different registers")
      }
    }
    // Everything that anybody holds was merged, unless what it stands on is gone.
    let held = devices.reduce(into: Set<Hash>()) { $0.formUnion($1.segments.keys) }
    let waiting = devices.reduce(into: Set<Hash>()) { $0.formUnion($1.waiting.keys) }
    guard held.isSubset(of: merged.union(waiting)) else {
      throw Violation("a segment that is held was not merged")
    }
    // An earlier state has the digest it had: recomputed from what is here now.
    for device in devices.dropFirst() {
      let ends = device.replica.ends
      guard first.digest(within: ends) == device.replica.digest(within: ends) else {
        throw Violation("a state has two digests")
      }
    }
  }
}
