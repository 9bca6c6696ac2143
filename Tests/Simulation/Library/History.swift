internal import Bytes
import Replication

/// One history of some devices and a bad store, from a seed; at its end everything must be as it should.
package struct History {
  /// What can happen in it.
  package enum Event: String, CaseIterable, Sendable {
    case histories, texts, segments, conflicts, purges, crashes, restores, clones, rollbacks
    case damaged = "damaged answers"
    case packs
    case deleted = "segments deleted"
    case revocations
    case undecided = "undecided for ever"
  }

  var random: Seeded
  var store = FaultyStore()
  var devices: [Device] = []
  var backups: [Device] = []
  var judge = Judge()
  var entries: [Identity] = []
  var registers: [Identity] = []
  var hasClone = false
  /// What the store has of them, where there may be any.
  var revocations: [Revocation] = []
  let hasRevocations: Bool
  var counts = Tally<Event>()

  /// - Throws: ``Violation``.
  package static func run(seed: UInt64) throws -> Tally<Event> {
    var history = History(seed)
    return try history.run()
  }

  private init(_ seed: UInt64) {
    random = Seeded(seed)
    hasRevocations = random.chance(2)
    for _ in 0..<(2 + random.below(4)) { devices.append(Device(random.device())) }
    registers = (0..<2).map { _ in random.identity() }
  }

  mutating func run() throws -> Tally<Event> {
    for _ in 0..<(20 + random.below(60)) { try step() }
    devices.removeAll { device in revocations.contains { $0.device == device.replica.device } }
    if devices.isEmpty { join() }
    try comeToRest()
    // What nobody has any more could have said what counts.
    if devices.contains(where: \.isUndecided) {
      counts[.undecided] += 1
    } else {
      try check()
      try compact()
      try check()
    }
    counts[.histories] = 1
    counts[.texts] = judge.texts
    counts[.segments] = store.objects.count
    return counts
  }

  // MARK: Happening

  mutating func step() throws {
    let index = random.below(devices.count)
    switch random.below(116) {
    case 110..<116 where hasRevocations: try revoke(index)
    case 106..<116: try lie(index)
    case 100..<103: try pack(index)
    case 103..<106: try clean(index)
    case 0..<12: write(index)
    case 12..<38: edit(index)
    case 38..<42: purge(index)
    case 42..<46: set(index)
    case 46..<68: try push(index)
    case 68..<88: try pull(index)
    case 88..<90:
      // What is open would become two revisions, which the judge could not tell apart.
      try devices[index].seal(&judge)
      backups.append(devices[index])
    case 90..<92: try restore(index)
    case 92: try clone(index)
    case 93: join()
    case 94: if devices.count > 2, active.count > 1 { devices.remove(at: index) }
    case 95: store.lose(&random)
    case 96:
      store.rollBack(&random)
      counts[.rollbacks] += 1
    default: store.remember()
    }
  }

  /// Texts are numbers, so that they are told apart.
  static func bytes(_ text: Int) -> [UInt8] { Array(String(text).utf8) }
  static func number(_ bytes: [UInt8]) -> Int {
    Int(String(decoding: bytes, as: UTF8.self)) ?? 0
  }

  mutating func revise(_ index: Int, _ entry: Identity, _ change: (inout Deed.Revision) -> Void) {
    let known = devices[index].known
    let void = devices[index].void(judge)
    var revision = Deed.Revision(
      number: judge.newNumber(), lamport: tick(index),
      known: judge.seen(entry, of: known, void: void))
    change(&revision)
    var changes = FieldValues()
    if let text = revision.text { changes[Device.text] = [Self.bytes(text)] }
    if let star = revision.star { changes[Device.star] = [[UInt8(star)]] }
    if let tags = revision.tags { changes[Device.tags] = Few(tags.lazy.map { [UInt8($0)] }) }
    if let files = revision.files { changes[Device.files] = Few(files.lazy.map { [UInt8($0)] }) }
    if let isTrashed = revision.isTrashed { changes[Device.trash] = [isTrashed ? [1] : []] }
    devices[index].replica.edit(entry, changes)
    devices[index].known.insert(revision.number)
    devices[index].deeds.append(.revision(entry, revision))
    judge.add(
      entry, revision, known: known, void: void, lacking: devices[index].lackingNumbers)
  }

  /// The devices that take part.
  private var active: Set<DeviceID> {
    Set(devices.map(\.replica.device)).subtracting(revocations.map(\.device))
  }

  /// One device takes another out, and lists what it has of it. It goes on writing, and so do others that have not heard.
  mutating func revoke(_ index: Int) throws {
    let author = devices[index].replica.device
    let others = random.chance(2) ? active.subtracting([author]) : Set(revocations.map(\.device))
    guard active.contains(author), let device = others.sorted().randomElement(using: &random)
    else { return }
    try devices[index].seal(&judge)
    let replica = devices[index].replica
    var own = replica.merged.filter { $0.device == device }
    // As one does who knows less: others have merged what is not listed, until another lists it.
    if !random.chance(4), let last = own.randomElement(using: &random) {
      own = own.filter { $0.sequence <= last.sequence }
    }
    revocations.append(Revocation(device: device, ends: own))
    counts[.revocations] += 1
    try devices[index].hear(revocations, judge)
  }

  private mutating func tick(_ index: Int) -> Int {
    devices[index].lamport += 1
    return devices[index].lamport
  }

  mutating func write(_ index: Int) {
    let entry = random.identity()
    entries.append(entry)
    let text = judge.newText()
    revise(index, entry) { ($0.text, $0.star, $0.isTrashed) = (text, 0, false) }
  }

  mutating func edit(_ index: Int) {
    let there = entries.filter { devices[index].replica.shown($0) != nil }
    guard let entry = there.randomElement(using: &random) else { return write(index) }
    switch random.below(7) {
    case 0...2:
      let text = judge.newText()
      revise(index, entry) { $0.text = text }
    case 3:
      let star = random.below(2)
      revise(index, entry) { $0.star = star }
    case 4:
      let tags = changed(index, entry, Device.tags)
      revise(index, entry) { $0.tags = tags }
    case 5:
      let files = changed(index, entry, Device.files)
      revise(index, entry) { $0.files = files }
    default:
      let isTrashed = !random.chance(3)
      revise(index, entry) { $0.isTrashed = isTrashed }
    }
  }

  /// The elements of a field with one more or less.
  private mutating func changed(_ index: Int, _ entry: Identity, _ field: Field) -> Set<Int> {
    let shown = devices[index].replica.shown(entry)?.values[field] ?? []
    var elements = Set(shown.compactMap(\.first).map(Int.init))
    if let one = elements.sorted().randomElement(using: &random), random.chance(2) {
      elements.remove(one)
    } else {
      elements.insert(random.below(5))
    }
    return elements
  }

  mutating func purge(_ index: Int) {
    let there = entries.filter { devices[index].replica.shown($0) != nil }
    guard let entry = there.randomElement(using: &random) else { return }
    let purge = Deed.Purge(
      number: judge.newNumber(), lamport: tick(index), known: devices[index].known)
    judge.add(entry, purge)
    devices[index].known.insert(purge.number)
    devices[index].deeds.append(.purge(entry, purge))
    devices[index].replica.purge(entry)
    counts[.purges] += 1
  }

  mutating func set(_ index: Int) {
    let register = registers[random.below(2)]
    let setting = Deed.Setting(
      number: judge.newNumber(), lamport: tick(index), known: devices[index].known,
      value: UInt8(random.below(200)))
    devices[index].known.insert(setting.number)
    devices[index].deeds.append(.set(register, setting))
    devices[index].replica.set(register, [setting.value])
  }

  /// Killed after any write; the next push begins anew with what stood on the disk.
  mutating func push(_ index: Int) throws {
    try devices[index].seal(&judge)
    if random.chance(10) {
      counts[.crashes] += 1
      return
    }
    let (names, comparison) = try list(index)
    devices[index].stored.formUnion(names.map(\.hash).filter(devices[index].replica.has))
    for (hash, (bytes, _)) in devices[index].packs.sorted(by: { $0.key < $1.key })
    where !names.contains(.pack(hash)) && !devices[index].stored.contains(hash) {
      if store.put(.pack(hash), bytes, &random) == .done { devices[index].stored.insert(hash) }
    }
    for name in comparison.put {
      // Of what came in a pack there is nothing to put.
      guard let segment = devices[index].segments[name.hash] else {
        guard
          devices[index].packs.values.contains(where: { pack in
            pack.decoded.items.contains { $0.hash == name.hash }
          })
        else { throw Violation("an own segment is not held") }
        continue
      }
      let put = store.put(.log(name), segment.bytes, &random)
      if random.chance(10) {
        counts[.crashes] += 1
        return
      }
      if put == .done { devices[index].stored.insert(name.hash) }
    }
  }

  mutating func pull(_ index: Int) throws {
    try devices[index].seal(&judge)
    if random.chance(4) { try devices[index].reopen() }
    if !random.chance(3) { try devices[index].hear(revocations, judge) }
    let (names, comparison) = try list(index)
    for case .pack(let hash) in names.sorted(by: { $0.hash < $1.hash })
    where devices[index].packs[hash] == nil {
      if let bytes = store.get(.pack(hash), &random) {
        try devices[index].take(pack: hash, bytes, judge)
        if devices[index].packs[hash] != nil { devices[index].stored.insert(hash) }
      }
    }
    if random.chance(8) {
      counts[.crashes] += 1
      return
    }
    for name in comparison.fetch.shuffled(using: &random) {
      guard let bytes = store.get(.log(name), &random) else { continue }
      if bytes != store.objects[.log(name)] { counts[.damaged] += 1 }
      try devices[index].take(name, bytes, judge)
      if devices[index].segments[name.hash] != nil { devices[index].stored.insert(name.hash) }
      if random.chance(20) {
        counts[.crashes] += 1
        return
      }
    }
  }

  /// What the store shows, and what there is to do about it.
  mutating func list(
    _ index: Int
  ) throws -> (names: Set<ObjectPath>, comparison: Comparison) {
    let (names, isWhole) = store.list(&random)
    let device = devices[index]
    let packed = Set(
      device.answers.filter { names.contains(.pack($0.key)) }.values.flatMap {
        $0.answered + $0.others
      })
    let ends = names.compactMap { if case .log(let end) = $0 { end } else { nil } }
    let comparison = device.replica.compare(Set(ends), stored: device.stored, packed: packed)
    try judgeListing(comparison, isWhole, packed, index)
    return (names, comparison)
  }

  /// What was merged, in packs.
  mutating func pack(_ index: Int) throws {
    try devices[index].seal(&judge)
    try take(devices[index].pack(&random), index)
  }

  /// As whoever lies writes them.
  mutating func lie(_ index: Int) throws {
    try devices[index].seal(&judge)
    try take(devices[index].lie(&random), index)
  }

  private mutating func take(_ packs: [[UInt8]], _ index: Int) throws {
    for bytes in packs {
      try devices[index].take(pack: Device.name(bytes), bytes, judge)
      counts[.packs] += 1
    }
  }

  /// Deletes from the store what packs replace.
  mutating func clean(_ index: Int) throws {
    let names = try list(index).names
    guard let replacement = devices[index].replacement(names) else { return }
    for name in names.sorted(by: { $0.hash < $1.hash }) {
      switch name {
      case .log(let end)
      where replacement.segments.contains(end.hash)
        && !devices[index].lacking.contains(end.hash):
        counts[.deleted] += 1
        guard store.packed.contains(end.hash) else {
          throw Violation("a segment is deleted that no pack in the store has")
        }
      case .pack(let hash) where replacement.packs.contains(hash): break
      default: continue
      }
      store.delete(name)
      if store.isFaulty, random.chance(10) {
        counts[.crashes] += 1
        return
      }
    }
    for hash in replacement.segments { devices[index].segments[hash] = nil }
    for hash in replacement.packs {
      devices[index].packs[hash] = nil
      devices[index].answers[hash] = nil
    }
  }

  /// What is said about the store is true, and said by the first who can know.
  func judgeListing(
    _ comparison: Comparison, _ isWhole: Bool, _ packed: Set<Hash>, _ index: Int
  ) throws {
    guard isWhole else { return }
    // One that went back in time has yet to see the packs that replace what it misses.
    let unseen = store.packed
    if !store.hasLost, !comparison.lost.allSatisfy({ unseen.contains($0.hash) }) {
      throw Violation("a loss is reported without one")
    }
    let device = devices[index]
    let held = device.segments.values.filter {
      device.stored.contains($0.name.hash) && device.replica.has($0.name.hash)
    }
    for segment in held
    where store.objects[.log(segment.name)] == nil && !packed.contains(segment.name.hash) {
      guard comparison.lost.contains(segment.name) else {
        throw Violation("a loss is not reported")
      }
    }
    if !comparison.cloned.isEmpty, !hasClone { throw Violation("a clone is reported without one") }
  }

  /// An old copy is put back, and goes on under its id.
  mutating func restore(_ index: Int) throws {
    guard let backup = backups.randomElement(using: &random) else { return }
    devices[index] = backup
    try devices[index].seal(&judge)
    counts[.restores] += 1
    hasClone = true
  }

  mutating func clone(_ index: Int) throws {
    guard devices.count < 6 else { return }
    try devices[index].seal(&judge)
    devices.append(devices[index])
    hasClone = true
    counts[.clones] += 1
  }

  mutating func join() {
    if devices.count < 6 { devices.append(Device(random.device())) }
  }
}
