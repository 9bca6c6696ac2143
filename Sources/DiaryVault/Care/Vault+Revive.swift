package import Bytes
package import Entries
internal import SealedFiles
package import Sealing

/// What a device still knows of a diary whose rows are gone.
package struct LostDiary {
  package let anchor: Anchor?
  package let spare: SpareSlots?
  /// Whether this device opened the diary before, or cannot tell.
  package let wasKnown: Bool

  package init(anchor: Anchor?, spare: SpareSlots?, wasKnown: Bool) {
    (self.anchor, self.spare, self.wasKnown) = (anchor, spare, wasKnown)
  }

  /// Whether what is known of it is sealed, or there is nothing to know.
  package var isSure: Bool { anchor != nil || !wasKnown }

  /// The id of the key that the diary had; nil where nothing says so.
  package var keyID: [UInt8]? { anchor?.keyID ?? spare?.keyring.keyID }
}

/// The key and the ways in with which a diary goes on that is made of a backup.
package struct TodaysWays {
  enum Kind {
    /// The backup's own key. Of its ways in those count that the anchor knows, where there is one of the same key.
    case ofBackup
    /// The backup's own key. The ways in were changed since, as far as a spare says that nobody sealed.
    case changed(Keyring)
    /// The key that the diary had, under which everything is sealed anew.
    case ofAnotherKey(VaultKeys, Lineage, Keyring)
  }
  let kind: Kind
  /// Whether the backup's key followed the one that this device knew: another device replaced that, or a thief of it did.
  package var isOfLaterKey = false
}

/// A diary that was made of a backup.
package struct Revived {
  /// Which device of its space the diary was by the backup, when it has left that space.
  package var former: FormerDevice?
  /// Ways in of today, without those by face, that nothing here has any more or proves to be the owner's.
  package var lostWays = 0
}

extension Vault {
  /// Decides how a diary goes on that is made of this backup.
  ///
  /// The anchor is sealed and decides where there is one. The spare of the slots is not sealed: what the backup itself proves goes
  /// before it, and of its ways in those come along that the backup has, too, or that the secret of today opens.
  ///
  /// - Parameters:
  ///   - secret: opens the diary today, as far as this device knows.
  ///   - place: the device store, for errors.
  /// - Throws: ``VaultError``: `wrongSecret` with reason `isNoLongerValid`; `forked` for the backup of a key that has nothing to do
  ///   with the one that is known; `damaged` where nothing says which ways in count today.
  package func waysOfToday(
    _ lost: LostDiary, _ kind: SlotKind, _ secret: borrowing SecretBytes, place: String
  ) throws(VaultError) -> TodaysWays {
    guard let record = latestState, lost.anchor != nil || lost.wasKnown else {
      return TodaysWays(kind: .ofBackup)
    }
    let own = known(record)
    if let anchor = lost.anchor {
      let isLater = follows(anchor, lost.spare)
      if isLater, anchor.keyID == keyring.keyID { return TodaysWays(kind: .ofBackup) }
      // Also for the backup of a key that followed: whoever had an earlier one could make it, with ways in of their own.
      let today = try lost.keys(kind, secret, place, settings)
      guard KnownLineage(anchor.known.lineage, today.keys) == anchor.known else {
        throw LostDiary.noSpare(place)
      }
      if isLater { return TodaysWays(kind: .ofBackup, isOfLaterKey: true) }
      return TodaysWays(
        kind: .ofAnotherKey(today.keys, anchor.known.lineage, lost.spare?.keyring ?? keyring))
    }
    guard let spare = lost.spare else { throw LostDiary.noSpare(place) }
    if spare.keyring.keyID == keyring.keyID {
      guard spare.keyring.generation > record.slots.generation else {
        return TodaysWays(kind: .ofBackup)
      }
      let today = try lost.keys(kind, secret, place, settings)
      return TodaysWays(
        kind: .changed(spare.keyring.with { $0 == today.slot || record.slots.contains($0) }))
    }
    switch spare.known.compare(own, vaultID: keyring.vaultID) {
    case .same: return TodaysWays(kind: .ofBackup)
    case .continued:
      _ = try lost.keys(kind, secret, place, settings)
      return TodaysWays(kind: .ofBackup, isOfLaterKey: true)
    case .foreign: throw VaultError(.forked, path, .keyIsForeign)
    case .retired: break
    }
    let today = try lost.keys(kind, secret, place, settings)
    guard KnownLineage(spare.known.lineage, today.keys) == spare.known,
      own.compare(spare.known, vaultID: keyring.vaultID) == .continued
    else { throw VaultError(.forked, path, .keyIsForeign) }
    return TodaysWays(
      kind: .ofAnotherKey(
        today.keys, spare.known.lineage, spare.keyring.with { $0 == today.slot }))
  }

  /// Makes a copy of a backup the live vault: for a diary whose rows are gone.
  ///
  /// - Parameters:
  ///   - backup: where its objects are.
  ///   - lost: what this device knows of the diary that is gone; the change then looks like its next.
  ///   - ways: ``waysOfToday(_:_:_:place:)``.
  ///   - policy: makes the policy from the backup's, or from none where that is under a replaced key: who has it could name any
  ///     program as the camera.
  package func revive(
    from backup: Vault, _ lost: LostDiary, _ ways: TodaysWays,
    working: () -> Void = {}, policy: (SealedPolicy) -> SealedPolicy
  ) throws(VaultError) -> Revived {
    let lock = try takeObjects(of: try Snapshot(backup), working: working)
    defer { withExtendedLifetime(lock) {} }
    var revived = Revived()
    try replace(reviving: true) { catalogue throws(VaultError) in
      var state = catalogue.state
      guard state.role == .backup else { throw VaultError(.conflict, path, .isNoBackup) }
      guard latest?.ref == backup.latest?.ref else {
        throw VaultError(.conflict, backup.path, .wasReplacedWhileOpen)
      }
      try catalogue.requireWhole(working)
      var today = keys
      if case .ofAnotherKey(let new, let lineage, _) = ways.kind {
        today = new
        revived.former = try catalogue.formerDevice()
        state = try Resealing(catalogue, with: new).run { _, _ in working() }
        try unsealing(.stateRecord) { () throws(SealingError) in try state.keepContentsAlone() }
        state.lineage = lineage
        let seed = try unsealing(.draftKey) { () throws(SealingError) in
          // Of the backup's key: what was kept under it before the diary got today's.
          try keys.draftSeed()
        }
        state.takeDrafts([seed])
      }
      state.goOn(from: lost.anchor) { settings.randomness.bytes(16) }
      state.policy = policy(state.policy)
      // What was enrolled or removed since the backup is not known: nobody's face opens it.
      for id in state.devices.keys { state.devices[id]?.templates = nil }
      let slots = slotsOfToday(lost, ways, &state, &revived)
      return Replacement(state: state, keys: today, keyring: slots, device: device)
    }
    return revived
  }

  /// The ways in that a revived diary gets, without those by face.
  private func slotsOfToday(
    _ lost: LostDiary, _ ways: TodaysWays, _ state: inout StateRecord, _ revived: inout Revived
  ) -> Keyring {
    var slots: Keyring
    var todays: [KeySlot] = []
    // The spare is not sealed, so its number leaves room for all the changes that are to come.
    let spare = min(lost.spare?.keyring.generation ?? 0, 1 << 62)
    var least = lost.anchor?.slots.generation ?? 0
    switch ways.kind {
    case .ofBackup:
      slots = keyring
      least = max(least, keyring.generation)
    case .changed(let known):
      (slots, todays) = (known, lost.spare?.keyring.slots ?? [])
      least = max(least, keyring.generation, spare)
    case .ofAnotherKey(_, _, let known):
      (slots, todays) = (known, lost.spare?.keyring.slots ?? [])
      least = max(least, spare)
    }
    if let anchor = lost.anchor, anchor.known.keyID == slots.keyID {
      // The ways in that were there last.
      state.slots = anchor.slots
      (slots, revived.lostWays) = anchor.slots.keyring(
        of: slots.slots + foundSlots + keyring.slots, vaultID: keyring.vaultID, keyID: slots.keyID)
    } else {
      revived.lostWays = todays.count { !$0.kind.needsFace && !slots.slots.contains($0) }
    }
    slots.slots.removeAll { $0.kind.needsFace }
    slots.generation = least + 1
    return slots
  }
}

extension LostDiary {
  fileprivate static func noSpare(_ place: String) -> VaultError {
    VaultError(.damaged, place, .nothingSaysWhatOpens)
  }

  fileprivate func keys(
    _ kind: SlotKind, _ secret: borrowing SecretBytes, _ place: String, _ settings: VaultSettings
  ) throws(VaultError) -> (keys: VaultKeys, slot: KeySlot) {
    guard let spare, anchor.map({ spare.keyring.keyID == $0.keyID }) ?? true else {
      throw Self.noSpare(place)
    }
    guard
      let today = try spare.keys(openedBy: secret, kind: kind, known: anchor, settings: settings)
    else {
      throw VaultError(.wrongSecret, place, .isNoLongerValid, slot: kind)
    }
    return today
  }
}

extension Keyring {
  /// The same with only some of its slots.
  fileprivate func with(_ isKept: (KeySlot) -> Bool) -> Keyring {
    var copy = self
    copy.slots.removeAll { !isKept($0) }
    return copy
  }
}
