package import Bytes
internal import Sealing

/// A device that takes part in a diary's space: its public keys, and what its owner calls it.
package struct Member: Hashable, Sendable {
  /// BLAKE2b-256 of both keys and the name, so that nobody can give a device another one.
  package let id: DeviceID
  package let name: String
  /// Ed25519, 32 bytes.
  package let signingKey: [UInt8]
  /// X25519, 32 bytes.
  package let boxKey: [UInt8]

  package init(name: String, _ keys: SpaceIdentity) {
    self.name = name
    signingKey = keys.signing.publicKey
    boxKey = keys.box.publicKey
    id = Self.id(name, signingKey, boxKey)
  }

  private static func id(_ name: String, _ signingKey: [UInt8], _ boxKey: [UInt8]) -> DeviceID {
    DeviceID(Digest.blake2b(signingKey + boxKey + Array(name.utf8), domain: "FDv2 device"))
  }

  func encode(to writer: inout ByteWriter) {
    writer.putCounted(name)
    writer.put(signingKey)
    writer.put(boxKey)
  }

  /// - Throws: ``SealingError`` `malformed`, also for a box key to which nothing can be sealed.
  init(_ reader: inout ByteReader) throws(SealingError) {
    try self.init(kept: &reader)
    _ = try SealedBox.seal([0], to: boxKey)
  }

  /// Reads one that was checked before it was kept.
  init(kept reader: inout ByteReader) throws(SealingError) {
    name = try reader.text()
    guard DeviceName.isUsable(name) else { throw .malformed }
    signingKey = try reader.bytes(32)
    boxKey = try reader.bytes(32)
    id = Self.id(name, signingKey, boxKey)
  }
}
