/// What comes back with an older copy of the vault, and what does not, before it is accepted.
package struct OlderCopy: Sendable, Codable {
  /// Entries outside the trash in the copy, and when this device last saw the vault; nil when it does not remember.
  package let entries: UInt64
  package let entriesRemembered: UInt64?
  /// How many entries were added since the copy was made, and are not in it. Edits are not counted.
  package let added: UInt64
  /// Slots of the copy that were removed since; they stay removed. Kinds, with when each was made.
  package let removed: [Slot]
  /// How many of today's ways in nothing here has any more: they are lost.
  package let lost: Int
  /// Whether the policy was changed since: the stricter of both counts.
  package let hasOtherPolicy: Bool
  /// Whether other faces are enrolled on this device than the copy knows; those enrolled now stay.
  package let hasOtherFaces: Bool

  package struct Slot: Sendable, Codable {
    package let kind: SlotKind
    /// Seconds since 1970.
    package let created: Int64
  }

  init(
    _ record: StateRecord, _ keyring: Keyring, _ remembered: Anchor?, found: [KeySlot],
    device: [UInt8]
  ) {
    entries = UInt64(max(0, record.count - record.trashed))
    entriesRemembered = remembered?.entries
    added = remembered.map { $0.added > record.added ? $0.added - record.added : 0 } ?? 0
    removed = keyring.slots.filter { !(remembered?.slots.contains($0) ?? true) }
      .map { Slot(kind: $0.kind, created: record.slots.made($0) ?? 0) }
    lost =
      remembered.map {
        $0.slots.keyring(of: found, vaultID: keyring.vaultID, keyID: keyring.keyID).missing
      } ?? 0
    hasOtherPolicy = remembered.map { $0.policy != record.policy } ?? false
    hasOtherFaces = remembered.map { $0.templates != record.devices[device]?.templates } ?? false
  }
}
