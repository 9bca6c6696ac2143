package import Access
package import Bytes
internal import Entries
internal import Sealing

/// One way to the vault key.
///
/// The key-encryption key gives, by `crypto_kdf`, a wrap key (id 1) and a commitment (id 2). The
/// commitment is compared before anything is opened, because the AEAD does not commit to its key; the
/// unkeyed checksum over the whole slot tells damage from a wrong secret.
package struct KeySlot: Sendable, Equatable {
  package let id: [UInt8]
  package let kind: SlotKind
  /// Argon2id's salt; for a face the device id; random and unused for a recovery code.
  /// (A face+passphrase slot has the device id as its own ``id``, and a salt.)
  package let salt: [UInt8]
  package let limits: Argon2Cost
  let commitment: [UInt8]
  let wrapped: [UInt8]

  static let byteCount = 16 + 1 + 16 + 4 + 8 + 32 + AEAD.overhead + 32 + 16

  private var fields: [UInt8] {
    Self.fields(id: id, kind: kind, salt: salt, limits: limits)
  }

  private static func fields(
    id: [UInt8], kind: SlotKind, salt: [UInt8], limits: Argon2Cost
  ) -> [UInt8] {
    var writer = ByteWriter(reserving: 64)
    writer.put(id)
    writer.put(kind.rawValue)
    writer.put(salt)
    writer.put(limits.operations)
    writer.put(limits.memory)
    return writer.bytes
  }

  /// Fields, commitment, wrapped key, then the checksum over all of them.
  func encoded() -> [UInt8] {
    let content = fields + commitment + wrapped
    return content + Digest.blake2b(content, count: 16, domain: "FDv1 slot checksum")
  }

  /// What the state record knows the slot by.
  var digest: [UInt8] { Digest.blake2b(encoded(), domain: "FDv1 slot digest") }

  init(_ encoded: [UInt8]) throws(SealingError) {
    var reader = ByteReader(encoded)
    let content = try reader.bytes(encoded.count - 16)
    let sum = try reader.bytes(16)
    guard Digest.areEqual(sum, Digest.blake2b(content, count: 16, domain: "FDv1 slot checksum"))
    else { throw .notAuthentic }
    reader = ByteReader(content)
    id = try reader.bytes(16)
    guard let kind = SlotKind(rawValue: try reader.uint8()) else { throw .malformed }
    self.kind = kind
    salt = try reader.bytes(16)
    limits = Argon2Cost(operations: try reader.uint32(), memory: try reader.uint64())
    commitment = try reader.bytes(32)
    wrapped = try reader.bytes(AEAD.overhead + 32)
    try reader.expectEnd()
  }

  /// The device a face slot belongs to.
  package var device: [UInt8]? {
    switch kind.scheme.devicePlace {
    case .salt: salt
    case .id: id
    case nil: nil
    }
  }

  /// Wraps `vaultKey` for `secret`: a passphrase, the 16 bytes of a recovery code, a device key, or a device
  /// key followed by a passphrase.
  init(
    kind: SlotKind, secret: borrowing SecretBytes, vaultKey: borrowing SecretBytes,
    vaultID: [UInt8], keyID: [UInt8], device: [UInt8]? = nil, limits: Argon2Cost = .moderate,
    leastMemory: UInt64, randomness: Randomness
  ) throws(SealingError) {
    let place = kind.scheme.devicePlace
    id = (place == .id ? device : nil) ?? randomness.bytes(16)
    self.kind = kind
    salt = (place == .salt ? device : nil) ?? randomness.bytes(16)
    self.limits = kind.isHashed ? limits : Argon2Cost(operations: 0, memory: 0)
    let data =
      Array("FDv1 slot".utf8) + vaultID + keyID
      + Self.fields(id: id, kind: kind, salt: salt, limits: self.limits)
    let kek = try kind.scheme.keyEncryptionKey(
      secret,
      SlotParameters(
        vaultID: vaultID, id: id, salt: salt, limits: self.limits, leastMemory: leastMemory))
    let wrap = try KeyDerivation.subkey(of: kek, id: 1, context: "FDslotKW")
    commitment = try Self.commitment(of: kek)
    wrapped = unsafe vaultKey.withUnsafeBytes { key in
      unsafe AEAD.seal(
        key.bytes, associatedData: data.span.bytes, key: wrap, randomness: randomness)
    }
  }

  /// The vault key, when `secret` is this slot's.
  ///
  /// - Returns: nil when it is another secret.
  /// - Throws: ``SealingError``: `notAuthentic` when the secret is right and the slot is not.
  func open(
    with secret: borrowing SecretBytes, vaultID: [UInt8], keyID: [UInt8], leastMemory: UInt64
  ) throws(SealingError) -> SecretBytes? {
    // An app may give what somebody typed.
    guard kind != .recovery || secret.count == RecoveryCode.secretBytes else { return nil }
    let kek = try kind.scheme.keyEncryptionKey(
      secret,
      SlotParameters(
        vaultID: vaultID, id: id, salt: salt, limits: limits, leastMemory: leastMemory))
    guard Digest.areEqual(try Self.commitment(of: kek), commitment) else { return nil }
    let wrap = try KeyDerivation.subkey(of: kek, id: 1, context: "FDslotKW")
    let data = Array("FDv1 slot".utf8) + vaultID + keyID + fields
    return unsafe try AEAD.openSecret(
      wrapped.span.bytes, associatedData: data.span.bytes, key: wrap)
  }

  /// The public 32 bytes that tell whether a key is this slot's.
  private static func commitment(of kek: borrowing SecretBytes) throws(SealingError) -> [UInt8] {
    let secret = try KeyDerivation.subkey(of: kek, id: 2, context: "FDslotKW")
    return unsafe secret.withUnsafeBytes { unsafe [UInt8]($0) }
  }
}

extension KeySlotFacts {
  package init(_ slot: KeySlot, created: Int64? = nil) {
    self.init(id: slot.id, kind: slot.kind, created: created, limits: slot.limits)
  }
}

/// What slots cost that are tried one after the other: together at most ``Argon2Cost/mostWork``, no matter who wrote them.
struct SlotWork {
  private var spent: UInt64 = 0

  /// - Throws: ``VaultError`` `damaged` for a slot that would cost more than is left. One whose limits are refused costs nothing.
  mutating func spend(on slot: KeySlot, _ settings: VaultSettings) throws(VaultError) {
    guard slot.kind.isHashed, slot.limits.isAcceptable(leastMemory: settings.leastMemory) else {
      return
    }
    spent += slot.limits.work
    guard spent <= Argon2Cost.mostWork else {
      throw VaultError(.damaged, .keySlots, "", .tooMuchWork, part: .keySlot)
    }
  }
}
