public import Bytes

/// A key slot, without what it holds.
public struct KeySlotFacts: Sendable, Equatable, Codable {
  /// 16 bytes.
  public let id: [UInt8]
  public let kind: SlotKind
  /// Seconds since 1970; nil while the diary is locked, because only the open diary knows it.
  public let created: Int64?
  /// The work of one guess; zeros for a slot without a passphrase.
  public let limits: Argon2Cost

  package init(id: [UInt8], kind: SlotKind, created: Int64?, limits: Argon2Cost) {
    self.id = id
    self.kind = kind
    self.created = created
    self.limits = limits
  }
}
