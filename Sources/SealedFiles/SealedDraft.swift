internal import Sealing

/// Bytes sealed to a public key, which only a process with the open diary can open again.
package enum SealedDraft {
  /// - Parameter key: the diary's draft key, 32 bytes.
  /// - Throws: ``SealingError`` for an invalid key.
  package static func seal(_ bytes: [UInt8], to key: [UInt8]) throws -> [UInt8] {
    try SealedBox.seal(bytes, to: key)
  }
}
