internal import Bytes
internal import Entries
internal import Replication
internal import Sealing

/// Which device of which space the diary is.
extension Catalogue {
  /// What this device keeps of its space; nil when the diary shares nothing.
  func spaceRecord() throws(VaultError) -> SpaceRecord? {
    try keptSpaceRecord().flatMap { if case .left = $0.standing { nil } else { $0 } }
  }

  /// The same, also of a space that it left.
  func keptSpaceRecord() throws(VaultError) -> SpaceRecord? {
    guard let ref = state.space else { return nil }
    let plain = try ReplicaRow(self, SpaceRecord.Row.record).content(ref)
    return try unsealing(.otherDevices) { () throws(SealingError) in
      try SpaceRecord(plain: plain)
    }
  }

  /// What something gives; nil where it is damaged.
  func ifWhole<Result>(
    _ body: () throws(VaultError) -> Result?
  ) throws(VaultError) -> Result? {
    do throws(VaultError) { return try body() } catch {
      guard [.damaged, .tampered].contains(error.code) else { throw error }
      return nil
    }
  }

  /// What this device keeps of its space; nil also where it is damaged.
  func spaceRecordIfWhole() throws(VaultError) -> SpaceRecord? {
    try ifWhole { () throws(VaultError) in try spaceRecord() }
  }

  /// The device that the diary is in its space, for leaving it; nil when there is none.
  func formerDevice() throws(VaultError) -> FormerDevice? {
    guard state.space != nil else { return nil }
    let kept = try ifWhole { () throws(VaultError) in try keptSpaceRecord() }
    if case .left? = kept?.standing { return nil }
    return FormerDevice(kept)
  }
}

/// The device that a diary was in a space that it had to leave. Whoever has a copy of the diary from before can still act as it.
package struct FormerDevice: Sendable, Equatable {
  /// Empty, like the name, where the record of it cannot be read.
  package let id: String
  package let name: String

  fileprivate init(_ record: SpaceRecord?) {
    (id, name) = (record?.member.id.text ?? "", record?.member.name ?? "")
  }
}
