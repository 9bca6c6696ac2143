/// A state record, sealed as a backup's.
package struct SealedBackup: Sendable, Equatable, Codable {
  package let bytes: [UInt8]
  /// Whether the vault it was copied from is a backup itself, as its own record says.
  package let isOfBackup: Bool

  package init(_ bytes: [UInt8], isOfBackup: Bool) {
    (self.bytes, self.isOfBackup) = (bytes, isOfBackup)
  }
}
