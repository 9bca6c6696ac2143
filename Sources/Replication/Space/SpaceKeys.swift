package import Bytes
package import Sealing

/// The key of an epoch: of everything that is sealed between two changes of who takes part.
///
/// It is held sealed under a key of this process, and opened for the moment in which it is used: there may be more epochs than
/// there is locked memory.
package final class EpochKey: Sendable {
  package static let idBytes = 16
  /// Made from the key, so that nobody can offer another key under a known name.
  package let id: [UInt8]
  private let sealed: [UInt8]

  private static let wrapping = Result<SecretBytesBox, SealingError> { () throws(SealingError) in
    SecretBytesBox(try SecretBytes.random())
  }

  package init(_ secret: consuming SecretBytes) throws(SealingError) {
    guard secret.count == AEAD.keyBytes else { throw .malformed }
    let name = try KeyDerivation.bind(secret, to: Array("FDv2 epoch".utf8))
    id = unsafe name.withUnsafeBytes { unsafe Array($0.prefix(Self.idBytes)) }
    let wrapping = try Self.wrapping.get()
    let associated = id
    var plain = unsafe secret.withUnsafeBytes { unsafe Array($0) }
    defer { plain.wipe() }
    sealed = unsafe AEAD.seal(
      plain.span.bytes, associatedData: associated.span.bytes, key: wrapping.secret)
  }

  package func secret() throws(SealingError) -> SecretBytes {
    let (sealed, associated, wrapping) = (sealed, id, try Self.wrapping.get())
    let secret = unsafe try AEAD.openSecret(
      sealed.span.bytes, associatedData: associated.span.bytes, key: wrapping.secret)
    return secret
  }

  package static func make() throws(SealingError) -> EpochKey {
    try EpochKey(try SecretBytes.random())
  }

  /// Of objects of one kind.
  func subkey(_ kind: SpaceObject.Kind) throws(SealingError) -> SecretBytes {
    try KeyDerivation.subkey(of: try secret(), id: UInt64(kind.rawValue), context: "FDspace_")
  }
}

/// What a device, or the recovery code of a space, signs with and is sealed to.
package final class SpaceIdentity: Sendable {
  package let signing: SigningKey
  package let box: SealedBox

  /// - Parameter seed: 32 random bytes.
  package init(seed: borrowing SecretBytes) throws(SealingError) {
    signing = try SigningKey(seed: try KeyDerivation.subkey(of: seed, id: 1, context: "FDsigns_"))
    box = try SealedBox(seed: try KeyDerivation.subkey(of: seed, id: 1, context: "FDboxes_"))
  }

  /// Of a space's recovery code: 16 bytes.
  package convenience init(recovery code: borrowing SecretBytes) throws(SealingError) {
    try self.init(seed: try KeyDerivation.bind(code, to: Array("FDv2 space recovery".utf8)))
  }
}

extension EpochKey {
  /// `id ‖ key`, inside something that is sealed itself.
  ///
  /// - Throws: ``SealingError``: the machine's troubles.
  package func write(to writer: inout ByteWriter) throws(SealingError) {
    let secret = try secret()
    writer.put(id)
    var key = unsafe secret.withUnsafeBytes { unsafe Array($0) }
    writer.put(key)
    key.wipe()
  }

  package convenience init(_ reader: inout ByteReader) throws(SealingError) {
    let id = try reader.bytes(Self.idBytes)
    var key = try reader.bytes(AEAD.keyBytes)
    try self.init(try SecretBytes(wiping: &key))
    guard self.id == id else { throw .malformed }
  }
}
