package import Bytes

/// What comes back with an older copy of the vault, and what does not, before it is accepted.
package struct OlderCopy: Sendable, Codable {
  /// Entries outside the trash in the copy, and when this device last saw the vault; nil when it does not remember.
  package let entries: UInt64
  package let entriesRemembered: UInt64?
  /// How many entries were added since the copy was made, and are not in it. Edits are not counted.
  package let added: UInt64
  /// Slots of the copy that were removed since; they stay removed. Kinds, with when each was made.
  package let removed: [Slot]
  /// How many of today's ways in are found nowhere here any more: they are lost.
  package let lost: Int
  /// Whether its key followed the one that this device remembers: then its own ways in will open the diary.
  package let isOfLaterKey: Bool
  /// Whether the policy was changed since: the stricter of both counts.
  package let hasOtherPolicy: Bool
  /// Whether other faces are enrolled on this device than the copy knows; those enrolled now stay.
  package let hasOtherFaces: Bool

  package struct Slot: Sendable, Codable {
    package let kind: SlotKind
    /// Seconds since 1970.
    package let created: Int64

    package init(kind: SlotKind, created: Int64) {
      self.kind = kind
      self.created = created
    }
  }

  package init(
    entries: UInt64, entriesRemembered: UInt64?, added: UInt64, removed: [Slot], lost: Int,
    isOfLaterKey: Bool, hasOtherPolicy: Bool, hasOtherFaces: Bool
  ) {
    self.entries = entries
    self.entriesRemembered = entriesRemembered
    self.added = added
    self.removed = removed
    self.lost = lost
    self.isOfLaterKey = isOfLaterKey
    self.hasOtherPolicy = hasOtherPolicy
    self.hasOtherFaces = hasOtherFaces
  }
}
