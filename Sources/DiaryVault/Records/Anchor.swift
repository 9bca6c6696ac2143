package import Bytes
package import Entries
internal import Sealing

/// What a device remembers of the vault, so that an older copy put back is noticed.
package struct Anchor: Sendable, Equatable {
  /// The most that one takes, sealed, of any state record that is read.
  package static let sizeLimit = 128 << 10

  let incarnation: [UInt8]
  /// Incarnations before it.
  let past: [PastIncarnation]
  /// The vault key then, and all before it.
  let known: KnownLineage
  /// The vault key's name.
  package var keyID: [UInt8] { known.keyID }
  /// Every device's counter when this device last saw the vault.
  var counters: [[UInt8]: UInt64]
  /// Devices among them that were given another key: what an old copy of their store remembers proves nothing.
  var retired: Set<[UInt8]>
  /// The state record's nonce ‖ tag then.
  let state: Ref
  /// The ways in there were, what the owner asked for, and which faces of this device opened it: what stays in force
  /// when an older copy is accepted.
  let slots: KnownSlots
  package let policy: SealedPolicy
  let templates: [UInt8]?
  /// Entries there were, and how many had ever been added.
  let entries: UInt64
  let added: UInt64
  /// The value of the chip's counter when it was kept; nil where no chip counts.
  package var chip: ChipCount?

  /// Whether the vault's state is now the one that was remembered; no key is needed to see that.
  package func isOfState(in path: String, settings: VaultSettings) -> Bool {
    guard
      let sealed = try? VaultRows(path, .readOnly, settings: settings)
        .blob(.state, limit: StateRecord.sizeLimit)
    else { return false }
    return unsafe Ref(sealed: sealed.span.bytes) == state
  }

  package func encoded() -> [UInt8] {
    var writer = ByteWriter(reserving: 256 + counters.count * 24)
    writer.put(UInt8(4))
    writer.put(incarnation)
    known.write(to: &writer)
    writer.put(UInt8(past.count))
    for incarnation in past { incarnation.write(to: &writer) }
    state.write(to: &writer)
    slots.write(to: &writer)
    policy.write(to: &writer)
    writer.put(UInt8(templates == nil ? 0 : 1))
    if let templates { writer.put(templates) }
    writer.put(entries)
    writer.put(added)
    writer.put(UInt32(counters.count))
    for (id, counter) in counters.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      writer.put(id)
      writer.put(counter)
      writer.put(UInt8(retired.contains(id) ? 1 : 0))
    }
    writer.put(UInt8(chip.map { $0.isRising ? 2 : 1 } ?? 0))
    if let chip { writer.put(chip.value) }
    return writer.bytes
  }

  /// - Parameters:
  ///   - known: the vault's key, and those before it.
  ///   - device: whose anchor it is.
  init(_ record: StateRecord, at ref: Ref, known: KnownLineage, device: [UInt8]) {
    incarnation = record.incarnation
    past = record.past
    self.known = known
    counters = record.counters
    retired = record.retired
    state = ref
    slots = record.slots
    policy = record.policy
    templates = record.devices[device]?.templates
    entries = UInt64(max(0, record.count - record.trashed))
    added = record.added
  }

  package init(_ encoded: [UInt8]) throws(SealingError) {
    var reader = ByteReader(encoded)
    guard try reader.uint8() == 4 else { throw .malformed }
    incarnation = try reader.bytes(16)
    known = try KnownLineage(&reader)
    var past: [PastIncarnation] = []
    let pastCount = try reader.uint8()
    guard pastCount <= PastIncarnation.limit else { throw .malformed }
    for _ in 0..<pastCount { past.append(try PastIncarnation(&reader)) }
    self.past = past
    state = try Ref(&reader)
    slots = try KnownSlots(&reader)
    policy = try SealedPolicy(&reader)
    let flag = try reader.uint8()
    guard flag <= 1 else { throw .malformed }
    templates = flag == 1 ? try reader.bytes(32) : nil
    entries = try reader.uint64()
    added = try reader.uint64()
    let count = try reader.uint32()
    guard count <= PastIncarnation.deviceLimit else { throw .malformed }
    (counters, retired) = ([:], [])
    for _ in 0..<count {
      let id = try reader.bytes(16)
      counters[id] = try reader.counter()
      let flag = try reader.uint8()
      guard flag <= 1 else { throw .malformed }
      if flag == 1 { retired.insert(id) }
    }
    switch try reader.uint8() {
    case 0: chip = nil
    case let state where state <= 2:
      chip = ChipCount(value: try reader.uint64(), isRising: state == 2)
    default: throw .malformed
    }
    try reader.expectEnd()
  }

  enum Finding: Equatable, CaseIterable {
    case same, ahead, rolledBack, forked
    /// The owner accepted an older copy on another device, which knew all that this one did.
    case acceptedElsewhere
  }

  /// Whether a record goes on from this one after its incarnation ended: over an older copy that was accepted elsewhere, or
  /// under a key that followed.
  ///
  /// The device that ended it must have known all that this one did: its counters then cover ours, and count no writes of ours
  /// that we know nothing of. A way in that we do not know may be new, or one that was removed: then the owner is asked, unless
  /// all of them are new with the key.
  private func follows(
    _ record: StateRecord, under key: KnownLineage.Finding?, device: [UInt8]
  ) -> Finding {
    guard let ended = record.past.last(where: { $0.incarnation == incarnation }),
      ended.covers(counters), ended.counters[device] ?? 0 <= (counters[device] ?? 0) &+ 1
    else { return .forked }
    if key == .continued {
      let isOwn = record.devices[device]?.counter ?? 0 <= (counters[device] ?? 0) &+ 1
      return !isOwn ? .forked : record.added < added ? .acceptedElsewhere : .ahead
    }
    let isKnown =
      record.slots.digests.allSatisfy(slots.digests.contains)
      && (policy.allowsPlainFaces || !record.policy.allowsPlainFaces)
    return isKnown ? .acceptedElsewhere : .forked
  }

  /// Compares a state record with what is remembered.
  ///
  /// Own counter below = an older copy. One ahead = the crash between a commit and its anchor. More,
  /// or equal with another tag and no other device ahead = written by somebody else as us.
  ///
  /// - Parameter key: how the record's key relates to the one that is remembered.
  func compare(
    _ record: StateRecord, at ref: Ref, under key: KnownLineage.Finding?, device: [UInt8]
  ) -> Finding {
    guard record.incarnation == incarnation else {
      // A copy from before an older one was accepted here: also the very one, when a kill came between this device's memory of the
      // acceptance and the acceptance itself.
      let isPast = past.contains {
        $0.incarnation == record.incarnation && $0.covers(record.counters)
      }
      return isPast ? .rolledBack : follows(record, under: key, device: device)
    }
    if ref == state { return .same }
    let now = record.counters
    let isAhead = now.contains { $0.value > counters[$0.key] ?? 0 }
    // If one counter is below and another ahead, somebody went on from an older copy: a fork.
    if counters.contains(where: { (now[$0.key] ?? 0) < $0.value }) {
      return isAhead ? .forked : .rolledBack
    }
    let own = (now[device] ?? 0) - (counters[device] ?? 0)
    let othersAhead = now.contains { $0.key != device && $0.value > (counters[$0.key] ?? 0) }
    if own > 1 || (own == 0 && !othersAhead) { return .forked }
    return .ahead
  }
}

/// The value of the counter in a device's chip, which can only rise.
package struct ChipCount: Sendable, Equatable {
  /// The last that was seen.
  package let value: UInt64
  /// Whether it was about to be raised by one: a kill leaves it raised or not.
  package let isRising: Bool

  package init(value: UInt64, isRising: Bool) {
    self.value = value
    self.isRising = isRising
  }

  package enum Finding: Equatable, CaseIterable {
    case same
    /// The chip counted sessions that the anchor does not know: vault and device store were put back together.
    case ahead
    /// Another chip, or one whose memory was put back.
    case behind
    /// The chip is there, and the counter is not.
    case gone
  }

  /// - Parameters:
  ///   - remembered: nil for an anchor from before a chip counted.
  ///   - now: what the chip says; nil when it has no counter.
  package static func compare(_ remembered: ChipCount?, now: UInt64?) -> Finding {
    guard let now else { return .gone }
    guard let remembered else { return .ahead }
    if now == remembered.value || remembered.isRising && now == remembered.value &+ 1 {
      return .same
    }
    return now > remembered.value ? .ahead : .behind
  }
}

/// What a device's chip says of its counter.
package enum ChipReading: Sendable, Equatable {
  /// No chip counts here.
  case none
  /// The value; nil when the chip has lost the counter.
  case value(UInt64?)
}

/// Where the anchor is kept: outside the vault file, on the device.
package protocol AnchorStore: AnyObject {
  /// The counter of the device's chip, read now.
  func chip() throws(VaultError) -> ChipReading
  /// Has the chip count this opening, under the device's lock.
  func beginSession() throws(VaultError)
  /// The anchor, nil when this device has none yet.
  func load() throws(VaultError) -> Anchor?
  /// What changes with every anchor that is kept; nil where that cannot be told.
  var stamp: [UInt64]? { get }
  /// Durable when it returns.
  func save(_ anchor: Anchor) throws(VaultError)
  /// Called before an anchor is saved that goes on from what another device decided: the owner is to be told, whatever happens next.
  func willFollow(acceptance: Bool, rotation: Bool) throws(VaultError)
  /// Called before an anchor is saved where there was none, over a copy that its owner accepted.
  func willForget() throws(VaultError)
  /// Keeps other processes of this device from writing the vault until the token is let go.
  func lock() throws(VaultError) -> AnyObject
}

extension AnchorStore {
  package func chip() throws(VaultError) -> ChipReading { .none }
  package func beginSession() throws(VaultError) {}
  package var stamp: [UInt64]? { nil }
  package func willFollow(acceptance: Bool, rotation: Bool) throws(VaultError) {}
  package func willForget() throws(VaultError) {}
}

extension OlderCopy {
  init(
    _ record: StateRecord, _ keyring: Keyring, _ remembered: Anchor?, _ finding: Anchor.Finding?,
    found: [KeySlot], device: [UInt8]
  ) {
    // What follows the last state that was seen has lost nothing of it.
    let missed = finding == .same || finding == .ahead ? nil : remembered
    // Ways in of another key are neither known here nor removed.
    let isOfLaterKey = remembered.map { $0.keyID != keyring.keyID } ?? false
    let known = isOfLaterKey ? nil : missed
    self.init(
      entries: UInt64(max(0, record.count - record.trashed)),
      entriesRemembered: remembered?.entries,
      added: remembered.map { $0.added > record.added ? $0.added - record.added : 0 } ?? 0,
      removed: keyring.slots.filter { !(known?.slots.contains($0) ?? true) }
        .map { Slot(kind: $0.kind, created: record.slots.made($0) ?? 0) },
      lost: known.map {
        $0.slots.keyring(of: found, vaultID: keyring.vaultID, keyID: keyring.keyID).missing
      } ?? 0,
      isOfLaterKey: isOfLaterKey,
      hasOtherPolicy: missed.map { $0.policy != record.policy } ?? false,
      hasOtherFaces: missed.map { $0.templates != record.devices[device]?.templates } ?? false)
  }
}

extension SpareSlots {
  /// The keys of the diary, by a secret that opens one of the slots that count by `known`, and that slot; nil when it opens none.
  func keys(
    openedBy secret: borrowing SecretBytes, kind: SlotKind, known: Anchor?,
    settings: VaultSettings
  ) throws(VaultError) -> (keys: VaultKeys, slot: KeySlot)? {
    var work = SlotWork()
    var failure: VaultError?
    for slot in keyring.slots where slot.kind == kind && known?.slots.contains(slot) ?? true {
      try work.spend(on: slot, settings)
      do throws(VaultError) {
        let keys = try slot.keys(with: secret, of: keyring, leastMemory: settings.leastMemory)
        if let keys { return (keys, slot) }
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
    return nil
  }
}
