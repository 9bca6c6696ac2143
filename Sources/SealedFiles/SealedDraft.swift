internal import Sealing

/// Bytes sealed to a public key, which only whoever has the diary open can open again.
package enum SealedDraft {
  /// - Parameter key: the diary's draft key, 32 bytes.
  /// - Throws: ``SealingError`` for a key that is none.
  package static func seal(_ bytes: [UInt8], to key: [UInt8]) throws -> [UInt8] {
    try SealedBox.seal(bytes, to: key)
  }
}
