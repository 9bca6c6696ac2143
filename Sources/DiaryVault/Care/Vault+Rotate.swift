package import Bytes
package import Entries
internal import SealedFiles
package import Sealing

extension Vault {
  /// Replaces the vault key: everything is sealed anew in place, in one change.
  ///
  /// The new key is never wrapped under the old one, nor the old under it: a secret that is not at hand to make a slot for
  /// the new key has none afterwards. Attachments keep their own random keys, which are wrapped anew; anybody who had
  /// those keys had the files. Old copies of the vault keep opening with the old key.
  ///
  /// A diary that shares with other devices leaves its space: who has an old copy is the same device there, and reads and writes
  /// as it does until it is taken out.
  ///
  /// - Parameters:
  ///   - recovery: the new recovery code, shown to its owner before.
  ///   - passphrase: kept as a way in; nil for none.
  ///   - deviceKey: keeps this device's face slot, when it has a plain one.
  ///   - shown: the slots that its owner was shown; nil for those that there are now.
  ///   - progress: called with entries done and entries there.
  /// - Throws: ``VaultError`` `conflict` where the slots are others meanwhile: that change must not be undone unseen.
  /// - Returns: which device of its space this diary was, when it had to leave one.
  @discardableResult
  package func rotate(
    recovery: borrowing SecretBytes, passphrase: SecretBytesBox?, limits: Argon2Cost,
    deviceKey: borrowing SecretBytes, shown: [KeySlot]? = nil,
    progress: (Int, Int) -> Void = { _, _ in }
  ) throws(VaultError) -> FormerDevice? {
    try requireRotatable()
    let before = Set((shown ?? keyring.slots).map(\.id))
    let new: VaultKeys
    do throws(SealingError) {
      new = try VaultKeys(
        try SecretBytes.random(), vaultID: keyring.vaultID, keyID: settings.randomness.bytes(16))
    } catch {
      throw VaultError(error, .vaultKey)
    }
    let kept = try slots(of: new, recovery: recovery, passphrase, limits, deviceKey: deviceKey)
    var former: FormerDevice?
    // Of a vault whose key slots are not all there, too: it has other ones then.
    try replace(repairing: true) { catalogue throws(VaultError) in
      guard Set(keyring.slots.map(\.id)) == before else {
        throw VaultError(.conflict, .keySlots, "", .wasChangedMeanwhile)
      }
      former = try catalogue.formerDevice()
      var state = try Resealing(catalogue, with: new).run(progress)
      // Faces of devices whose key is not here open nothing any more.
      for id in state.devices.keys where id != device { state.devices[id]?.templates = nil }
      try carryOver(catalogue.state, to: &state, new)
      // Devices that are used no more, as those of a temporary directory, do not count for ever.
      let most = PastIncarnation.deviceLimit / 2
      let retired = state.devices.values.count(where: \.isRetired)
      if max(retired, state.devices.count - retired) > most {
        state.forgetDevices(
          but: device, keepingRetired: retired <= most,
          beginning: settings.randomness.bytes(16))
      }
      return Replacement(
        state: state, keys: new,
        keyring: Keyring(
          vaultID: keyring.vaultID, keyID: new.keyID, slots: kept,
          generation: keyring.generation + 1),
        device: device)
    }
    missingSlots = 0
    // Who replaced the key goes on by what opens the diary now.
    openedBy = kept[passphrase == nil ? 0 : 1].id
    if former != nil { clearMirror() }
    return former
  }

  /// The ways in that there are after a rotation.
  private func slots(
    of new: VaultKeys, recovery: borrowing SecretBytes, _ passphrase: SecretBytesBox?,
    _ limits: Argon2Cost, deviceKey: borrowing SecretBytes
  ) throws(VaultError) -> [KeySlot] {
    var slots = [try new.slot(.recovery, secret: recovery, settings: settings)]
    if let passphrase {
      slots.append(
        try new.slot(.passphrase, secret: passphrase.secret, limits: limits, settings: settings))
    }
    if keyring.slots.contains(where: { $0.kind == .face && $0.device == device }) {
      slots.append(try new.slot(.face, secret: deviceKey, device: device, settings: settings))
    }
    if let passphrase, let both = try faceSlot(openedBy: passphrase, deviceKey: deviceKey) {
      let joined = try unsealing(.keySlot, part: .keySlot) { () throws(SealingError) in
        try deviceKey.followed(by: passphrase.secret)
      }
      slots.append(
        try new.slot(
          .facePassphrase, secret: joined, device: device, limits: both.limits, settings: settings))
    }
    return slots
  }

  /// - Throws: ``VaultError`` `conflict` when the key was replaced as often as it can be.
  package func requireRotatable() throws(VaultError) {
    if let known = latestState, known.lineage.links.count >= Lineage.limit {
      throw VaultError(.conflict, .vaultKey, .atMost(Lineage.limit))
    }
  }

  /// What happens to everything made from the present key when another key replaces it.
  private func carryOver(
    _ old: StateRecord, to state: inout StateRecord, _ new: VaultKeys
  ) throws(VaultError) {
    for part in Derived.allCases {
      switch part {
      // Sealed anew, and put where the new key says: `Resealing`.
      case .state, .pages, .bodies, .past: break
      // Removed after the commit, and made again.
      case .index: break
      // Each object has its own key in its header; only new files get keys made from the salt.
      case .objects: break
      case .drafts:
        // What was typed and kept under the present key is opened under the one that follows, too.
        let seed = try unsealing(.draftKey) { () throws(SealingError) in try keys.draftSeed() }
        state.takeDrafts(old.earlierDrafts + [seed])
      case .lineage: try state.lineage.add(replacing: keys, by: new)
      }
    }
  }

  /// The slots that ``rotate(recovery:passphrase:limits:deviceKey:progress:)`` will drop, for naming them first.
  package func slotsDropped(
    keeping passphrase: SecretBytesBox?, deviceKey: borrowing SecretBytes
  ) throws(VaultError) -> [KeySlot] {
    var both: KeySlot?
    if let passphrase { both = try faceSlot(openedBy: passphrase, deviceKey: deviceKey) }
    // A new code replaces every old one; another slot stays if its secret is at hand.
    return keyring.slots.filter { slot in
      let isGiven = slot.kind == .passphrase && passphrase != nil && slot.id == openedBy
      let isThisFace = slot.kind == .face && slot.device == device
      return !isGiven && !isThisFace && slot.id != both?.id
    }
  }

  /// This device's face+passphrase slot, when this is its passphrase.
  package func faceSlot(
    openedBy passphrase: SecretBytesBox, deviceKey: borrowing SecretBytes
  ) throws(VaultError) -> KeySlot? {
    guard
      let slot = keyring.slots.first(where: { $0.kind == .facePassphrase && $0.device == device })
    else { return nil }
    let both = try joining(deviceKey, passphrase)
    return try slot.keys(with: both, of: keyring, leastMemory: settings.leastMemory) == nil
      ? nil : slot
  }
}

/// Everything of a catalogue, opened with one key and sealed with another.
final class Resealing {
  private let catalogue: Catalogue
  private let new: VaultKeys

  init(_ catalogue: Catalogue, with new: VaultKeys) {
    self.catalogue = catalogue
    self.new = new
  }

  private var vault: Vault { catalogue.vault }

  func run(_ progress: (Int, Int) -> Void) throws(VaultError) -> StateRecord {
    var state = catalogue.state
    if state.register != nil {
      state.register = try put(
        .register, try catalogue.register().plain(), .register, object: VaultKeys.nowhere)
    }
    if state.templates != nil {
      state.templates = try put(
        .templates, try catalogue.templates().plain(), .templates,
        object: VaultKeys.nowhere)
    }
    // Every copy from before has the space's secrets under the old key. They are good for as long as this device has them, so the
    // new key takes none of them over, and the diary leaves the space.
    state.space = try catalogue.leftSpace(sealing: new)
    let total = state.count
    var done = 0
    for index in state.sections.indices {
      var section = try catalogue.section(state.sections[index])
      for pageIndex in section.pages.indices {
        let known = section.pages[pageIndex]
        let page = try catalogue.page(known, keeping: false)
        var fresh = HeaderPage()
        for record in 0..<page.count {
          let header = try unsealing(.header) { () throws(SealingError) in
            try page.header(record)
          }
          let resealed = try reseal(header)
          _ = fresh.insert(resealed.encoded(), key: resealed.key)
        }
        section.pages[pageIndex].ref = try put(
          .page(known.id), fresh.plain(), .page, object: VaultKeys.object(known.id))
        done += page.count
        progress(done, total)
      }
      let id = state.sections[index].id
      state.sections[index].ref = try put(
        .section(id), section.plain(), .section, object: VaultKeys.object(id))
    }
    return state
  }

  private func put(
    _ place: VaultRows.Place, _ plain: [UInt8], _ kind: ObjectKind, object: [UInt8]
  ) throws(VaultError) -> Ref {
    let sealed = new.seal(plain, kind, object: object, randomness: vault.settings.randomness)
    try catalogue.store.put(sealed, place)
    return unsafe Ref(sealed: sealed.span.bytes)!
  }

  /// Its row number, too, is made from the key.
  private func putPast(
    _ sealed: [UInt8], _ part: VaultKeys.PastPart, of entry: Int64, revision: UInt64
  ) throws(VaultError) {
    try catalogue.store.remove(
      vault.keys.past(part, of: entry, revision: revision), from: .history)
    try catalogue.store.put(sealed, .past(new.past(part, of: entry, revision: revision)))
  }

  /// An entry with all its revisions, the oldest first: each names the one before.
  private func reseal(_ header: Header) throws(VaultError) -> Header {
    let object = VaultKeys.object(header.id.key)
    var bodies: [Ref: Ref] = [:]
    var previous: (revision: UInt64, ref: Ref)?
    var result = header
    for revision in try catalogue.revisions(of: header).reversed() {
      var own = revision.header
      let old = own.body
      if let known = bodies[old] {
        own.body = known
      } else {
        let sealed = new.seal(
          try catalogue.paddedBody(revision), .body, object: object, revision: own.bodyRevision,
          randomness: vault.settings.randomness)
        own.body = unsafe Ref(sealed: sealed.span.bytes)!
        bodies[old] = own.body
        if let at = revision.bodyAt {
          try putPast(sealed, .text, of: own.id.key, revision: at)
        } else {
          try catalogue.store.put(sealed, .body(own.id.key))
        }
      }
      own.previous = previous
      result = own
      guard own.revision != header.revision else { break }
      let sealed = new.seal(
        own.past, .history, object: object, revision: own.revision,
        randomness: vault.settings.randomness)
      try putPast(sealed, .header, of: own.id.key, revision: own.revision)
      previous = unsafe (own.revision, Ref(sealed: sealed.span.bytes)!)
    }
    return result
  }
}
