/// A state record, sealed as a backup's.
package struct SealedBackup: Sendable, Equatable, Codable {
  package let bytes: [UInt8]
  /// Whether the vault it was copied from is a backup itself, as its own record says.
  package let isOfBackup: Bool

  /// Photos and files that the diary should have and has not: a backup has them no more than the diary.
  package let missing: Int

  package init(_ bytes: [UInt8], isOfBackup: Bool, missing: Int) {
    (self.bytes, self.isOfBackup, self.missing) = (bytes, isOfBackup, missing)
  }
}
