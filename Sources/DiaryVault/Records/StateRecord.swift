internal import Bytes
internal import Entries

/// A leaf of the directory: up to 128 pages in order.
struct Section: Sendable, Equatable {
  static let capacity = 128
  static let sizeLimit = 64 << 10

  var pages: [PageRef] = []
  /// What a later version adds, kept.
  private var unknown: [UInt8] = []

  var count: Int { pages.reduce(0) { $0 + Int($1.count) } }
  var trashed: Int { pages.reduce(0) { $0 + Int($1.trashed) } }

  func plain() -> [UInt8] {
    var writer = ByteWriter(reserving: 16 + pages.count * 72)
    writer.put(RecordVersion.first)
    writer.put(UInt32(pages.count))
    for page in pages {
      writer.put(page.id)
      page.ref.write(to: &writer)
      writer.put(page.first.date)
      writer.put(page.first.added)
      writer.put(page.count)
      writer.put(page.trashed)
    }
    writer.put(unknown)
    return Padding.pad(writer.bytes)
  }

  init(pages: [PageRef] = []) { self.pages = pages }

  init(plain: [UInt8]) throws(SealingError) {
    var reader = ByteReader(try Padding.unpad(plain))
    try reader.expectVersion()
    let count = try reader.uint32()
    for _ in 0..<count {
      pages.append(
        PageRef(
          id: try reader.int64(), ref: try Ref(&reader),
          first: PageKey(date: try reader.int64(), added: try reader.uint64()),
          count: try reader.uint32(), trashed: try reader.uint32()))
    }
    unknown = try reader.bytes(reader.remaining)
  }
}

/// A section as the state record knows it.
struct SectionRef: Sendable, Equatable {
  let id: Int64
  var ref: Ref
  var first: PageKey
  var count: UInt64
  var trashed: UInt64
}

/// What the vault knows of one device.
struct DeviceState: Sendable, Equatable {
  /// How many times this device has written the vault.
  var counter: UInt64
  private var faces: Faces

  private enum Faces: Sendable, Equatable {
    case none
    /// BLAKE2b-256 of the sealed templates.
    case enrolled([UInt8])
    case retired
  }

  init(counter: UInt64, templates: [UInt8]?) {
    self.counter = counter
    faces = templates.map { .enrolled($0) } ?? .none
  }

  /// A device that was given another key and so has another name. Its counter stays: one that vanished would look
  /// like an older copy to a device that remembers it.
  static func retired(counter: UInt64) -> DeviceState {
    var state = DeviceState(counter: counter, templates: nil)
    state.faces = .retired
    return state
  }

  var isRetired: Bool { faces == .retired }

  /// BLAKE2b-256 of the device's sealed templates; nil when it has none. One that is retired gets none any more.
  var templates: [UInt8]? {
    get { if case .enrolled(let digest) = faces { digest } else { nil } }
    set { if !isRetired { faces = newValue.map { .enrolled($0) } ?? .none } }
  }
}

/// An incarnation that ended when an older copy was accepted, and every device's counter then: a device that remembers no more than
/// that has missed nothing the owner did not know of when accepting it.
struct PastIncarnation: Sendable, Equatable {
  static let limit = 16
  /// Devices that ever wrote a vault. With this many in it and in each incarnation that ended, an anchor still has room.
  static let deviceLimit = 256
  let incarnation: [UInt8]
  let counters: [[UInt8]: UInt64]

  /// Whether its counters are at least as high for every device.
  func covers(_ other: [[UInt8]: UInt64]) -> Bool {
    other.allSatisfy { counters[$0.key] ?? 0 >= $0.value }
  }

  func write(to writer: inout ByteWriter) {
    writer.put(incarnation)
    writer.put(UInt32(counters.count))
    for (id, counter) in counters.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      writer.put(id)
      writer.put(counter)
    }
  }

  init(incarnation: [UInt8], counters: [[UInt8]: UInt64]) {
    self.incarnation = incarnation
    self.counters = counters
  }

  /// Every device's counter.
  static func counters(_ reader: inout ByteReader) throws(SealingError) -> [[UInt8]: UInt64] {
    let count = try reader.uint32()
    guard count <= deviceLimit else { throw .malformed }
    var counters: [[UInt8]: UInt64] = [:]
    for _ in 0..<count { counters[try reader.bytes(16)] = try reader.counter() }
    return counters
  }

  init(_ reader: inout ByteReader) throws(SealingError) {
    incarnation = try reader.bytes(16)
    counters = try Self.counters(&reader)
  }
}

/// The root of everything: one sealed row whose nonce ‖ tag the anchor remembers.
struct StateRecord: Sendable, Equatable {
  static let format: UInt16 = 2
  static let sizeLimit = 4 << 20

  enum Role: UInt8, Sendable {
    case live = 1
    case backup = 2
  }

  var role = Role.live
  /// When the backup was made, seconds since 1970; 0 in a live vault.
  var made: Int64 = 0
  /// Random; drawn anew when an older copy is accepted on purpose.
  var incarnation: [UInt8]
  /// Incarnations before it, the newest last.
  private(set) var past: [PastIncarnation] = []
  var devices: [[UInt8]: DeviceState] = [:]
  /// The key slots there are.
  var slots: KnownSlots
  /// How many entries were ever added.
  var added: UInt64 = 0
  var latest: EntryID?
  /// Where the names of journals and kinds are.
  var register: Ref?
  var templates: Ref?
  var policy = SealedPolicy()
  var sections: [SectionRef] = []
  /// What is kept of the other devices, when there are any.
  var space: Ref?
  /// What the draft keys of earlier vault keys are made of, the newest last: a text that was kept before a rotation, or by
  /// an editor that was open meanwhile, is opened after it. They open nothing else.
  private(set) var earlierDrafts: [[UInt8]] = []
  static let earlierDraftsLimit = Lineage.limit
  /// The vault keys before the present one.
  var lineage = Lineage()
  /// Fields of a later minor version, kept.
  var unknown: [UInt8] = []

  /// Every device's counter.
  var counters: [[UInt8]: UInt64] { devices.mapValues(\.counter) }

  /// The devices that were given another key.
  var retired: Set<[UInt8]> { Set(devices.filter { $0.value.isRetired }.keys) }

  /// Lets no device's counter be below what an anchor remembers, and lets none count that it knows as retired.
  mutating func raise(to remembered: Anchor) {
    for (id, counter) in remembered.counters {
      devices[id, default: DeviceState(counter: 0, templates: nil)].counter =
        max(devices[id]?.counter ?? 0, counter)
    }
    retire(remembered.retired)
  }

  /// Lets devices count no more that were given another key.
  mutating func retire(_ ids: Set<[UInt8]>) {
    for id in ids { devices[id] = .retired(counter: devices[id]?.counter ?? 0) }
  }

  /// Keeps an incarnation that ended; what is known of the same one already is counted with it.
  mutating func end(_ incarnation: [UInt8], _ counters: [[UInt8]: UInt64]) {
    let known = past.first { $0.incarnation == incarnation }?.counters ?? [:]
    past.removeAll { $0.incarnation == incarnation }
    past.append(
      PastIncarnation(incarnation: incarnation, counters: known.merging(counters) { max($0, $1) }))
    past.removeFirst(max(0, past.count - PastIncarnation.limit))
  }

  /// Keeps the draft seeds of a state that this one replaces, the newest last.
  mutating func takeDrafts(_ seeds: [[UInt8]]) {
    earlierDrafts.removeAll(where: seeds.contains)
    earlierDrafts = (earlierDrafts + seeds).suffix(Self.earlierDraftsLimit)
  }

  /// Whether it follows one that this process saw: counters never go down, and a new incarnation says where the last one ended.
  func continuation(of seen: StateRecord) -> Anchor.Finding {
    if incarnation == seen.incarnation {
      let isOlder = seen.devices.contains {
        (devices[$0.key]?.counter ?? 0) < $0.value.counter
      }
      if isOlder { return .rolledBack }
      // Every change raises a counter, so another state with the same ones was written by somebody else.
      let hasRisen = devices.contains { $0.value.counter > (seen.devices[$0.key]?.counter ?? 0) }
      return hasRisen ? .ahead : .forked
    }
    let isKnown = past.contains { $0.incarnation == seen.incarnation && $0.covers(seen.counters) }
    return isKnown ? .acceptedElsewhere : .forked
  }

  /// Leaves nothing but contents of what somebody who has a replaced key may have written.
  ///
  /// - Throws: ``SealingError`` `malformed` where its numbers leave no room to go on.
  mutating func keepContentsAlone() throws(SealingError) {
    guard added < 1 << 62 else { throw .malformed }
    (devices, past) = ([:], [])
    (policy, earlierDrafts, unknown) = (SealedPolicy(), [], [])
  }

  /// Ends the incarnation and begins one that knows this device alone, and those that were given another key: what an old copy of
  /// their store remembers proves nothing. Every other device goes on from the counters of the one that ended.
  ///
  /// - Parameter keepingRetired: false when there are too many of them to keep.
  mutating func forgetDevices(
    but device: [UInt8], keepingRetired: Bool, beginning incarnation: [UInt8]
  ) {
    end(self.incarnation, counters)
    self.incarnation = incarnation
    devices = devices.filter { $0.key == device || keepingRetired && $0.value.isRetired }
  }

  /// Takes over the incarnations that ended, from a state whose contents this one replaces.
  mutating func takePast(_ past: [PastIncarnation]) {
    for incarnation in past { end(incarnation.incarnation, incarnation.counters) }
  }

  /// Makes a backup's state that of the diary, or the next one of it where this device remembers the last.
  mutating func goOn(from remembered: Anchor?, otherwise incarnation: () -> [UInt8]) {
    role = .live
    made = 0
    // A backup from after the end of the incarnation that is remembered goes on in its own.
    let isPast = past.contains { $0.incarnation == remembered?.incarnation }
    takePast(remembered?.past ?? [])
    if isPast, let remembered {
      end(remembered.incarnation, remembered.counters)
      retire(remembered.retired)
    } else {
      self.incarnation = remembered?.incarnation ?? incarnation()
      if let remembered { raise(to: remembered) }
    }
  }

  /// Makes a backup's state the next one of a live vault: all but its entries stays as it is there.
  mutating func goOn(from present: StateRecord) {
    role = .live
    made = 0
    lineage = present.lineage
    // The present incarnation goes on: for every device's anchor this is one more change.
    incarnation = present.incarnation
    takePast(present.past)
    for (id, now) in present.devices {
      let before = devices[id]?.counter ?? 0
      devices[id] = now
      devices[id]?.counter = max(now.counter, before)
    }
    for id in devices.keys where present.devices[id] == nil { devices[id]?.templates = nil }
    policy = present.policy
    slots = present.slots
    earlierDrafts = present.earlierDrafts
  }

  var count: Int { sections.reduce(0) { $0 + Int($1.count) } }
  var trashed: Int { sections.reduce(0) { $0 + Int($1.trashed) } }

  init(incarnation: [UInt8], slots: KnownSlots) {
    self.incarnation = incarnation
    self.slots = slots
  }

  func plain() -> [UInt8] {
    var writer = ByteWriter(reserving: 512 + sections.count * 80)
    writer.put(Self.format)
    writer.put(role.rawValue)
    writer.put(made)
    writer.put(incarnation)
    slots.write(to: &writer)
    writer.put(added)
    writer.put(latest?.bytes ?? [UInt8](repeating: 0, count: 16))
    writer.put(UInt8(register == nil ? 0 : 1))
    register?.write(to: &writer)
    writer.put(UInt8(templates == nil ? 0 : 1))
    templates?.write(to: &writer)
    policy.write(to: &writer)
    writer.put(UInt32(devices.count))
    for (id, device) in devices.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      writer.put(id)
      writer.put(device.counter)
      writer.put(UInt8(device.isRetired ? 2 : device.templates == nil ? 0 : 1))
      if let templates = device.templates { writer.put(templates) }
    }
    writer.put(UInt8(past.count))
    for incarnation in past { incarnation.write(to: &writer) }
    writer.put(UInt32(sections.count))
    for section in sections {
      writer.put(section.id)
      section.ref.write(to: &writer)
      writer.put(section.first.date)
      writer.put(section.first.added)
      writer.put(section.count)
      writer.put(section.trashed)
    }
    let hasLineage = !lineage.links.isEmpty || !unknown.isEmpty
    let hasDrafts = !earlierDrafts.isEmpty || hasLineage
    if space != nil || hasDrafts { writer.put(UInt8(space == nil ? 0 : 1)) }
    space?.write(to: &writer)
    if hasDrafts { writer.put(UInt8(earlierDrafts.count)) }
    for seed in earlierDrafts { writer.put(seed) }
    if hasLineage { lineage.write(to: &writer) }
    writer.put(unknown)
    return Padding.pad(writer.bytes)
  }

  /// - Throws: ``SealingError``: `newer`, `malformed`.
  init(plain: [UInt8]) throws(SealingError) {
    var reader = ByteReader(try Padding.unpad(plain))
    let format = try reader.uint16()
    guard format <= Self.format else { throw .newer }
    guard format == Self.format else { throw .malformed }
    guard let role = Role(rawValue: try reader.uint8()) else { throw .malformed }
    self.role = role
    made = try reader.int64()
    incarnation = try reader.bytes(16)
    slots = try KnownSlots(&reader)
    added = try reader.counter()
    let latest = try reader.bytes(16)
    self.latest = latest.contains { $0 != 0 } ? EntryID(bytes: latest) : nil
    register = try reader.uint8() == 0 ? nil : try Ref(&reader)
    templates = try reader.uint8() == 0 ? nil : try Ref(&reader)
    policy = try SealedPolicy(&reader)
    let deviceCount = try reader.uint32()
    guard deviceCount <= PastIncarnation.deviceLimit else { throw .malformed }
    for _ in 0..<deviceCount {
      let id = try reader.bytes(16)
      let counter = try reader.counter()
      let kind = try reader.uint8()
      guard kind <= 2 else { throw .malformed }
      devices[id] =
        kind == 2
        ? .retired(counter: counter)
        : DeviceState(counter: counter, templates: kind == 1 ? try reader.bytes(32) : nil)
    }
    let pastCount = try reader.uint8()
    guard pastCount <= PastIncarnation.limit else { throw .malformed }
    for _ in 0..<pastCount { past.append(try PastIncarnation(&reader)) }
    for _ in 0..<(try reader.uint32()) {
      let section = SectionRef(
        id: try reader.int64(), ref: try Ref(&reader),
        first: PageKey(date: try reader.int64(), added: try reader.uint64()),
        count: try reader.uint64(), trashed: try reader.uint64())
      // A section has at most 128 pages, so these sums cannot overflow.
      guard section.count <= UInt64(UInt32.max), section.trashed <= section.count else {
        throw .malformed
      }
      sections.append(section)
    }
    // The first state records of this format end here.
    if !reader.isAtEnd, try reader.uint8() == 1 { space = try Ref(&reader) }
    if !reader.isAtEnd {
      let count = try reader.uint8()
      guard count <= Self.earlierDraftsLimit else { throw .malformed }
      for _ in 0..<count { earlierDrafts.append(try reader.bytes(32)) }
    }
    if !reader.isAtEnd { lineage = try Lineage(&reader) }
    unknown = try reader.bytes(reader.remaining)
  }
}
