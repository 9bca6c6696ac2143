package import Bytes
internal import Entries
internal import Sealing

/// The vault keys a diary has had before its present one. Each signed the name of the one that followed, so that nobody who
/// has an earlier key can pass another off as the successor of a later one.
struct Lineage: Sendable, Equatable {
  /// One replacement of the vault key.
  struct Link: Sendable, Equatable {
    /// The name of the key that was replaced, 16 bytes.
    let retired: [UInt8]
    /// The public key that the following one signs with, 32 bytes.
    let successor: [UInt8]
    /// 64 bytes, by the replaced key.
    let signature: [UInt8]
  }

  /// How often the key of a diary can be replaced.
  static let limit = 100

  private(set) var links: [Link] = []

  /// What a key signs when it is replaced; `number` is 1 for the first replacement.
  static func message(
    _ number: Int, vaultID: [UInt8], retired: [UInt8], next: [UInt8], successor: [UInt8]
  ) -> [UInt8] {
    var writer = ByteWriter(reserving: 96)
    writer.put("FDv2 lineage")
    writer.put(UInt32(number))
    writer.put(vaultID)
    writer.put(retired)
    writer.put(next)
    writer.put(successor)
    return writer.bytes
  }

  /// Adds the replacement of one key by another.
  ///
  /// - Throws: ``VaultError`` `conflict` at the ``limit``.
  mutating func add(replacing old: VaultKeys, by new: VaultKeys) throws(VaultError) {
    guard links.count < Self.limit else {
      throw VaultError(.conflict, .vaultKey, .atMost(Self.limit))
    }
    let message = Self.message(
      links.count + 1, vaultID: old.vaultID, retired: old.keyID, next: new.keyID,
      successor: new.lineage.publicKey)
    links.append(
      Link(
        retired: old.keyID, successor: new.lineage.publicKey, signature: old.lineage.sign(message)))
  }

  func write(to writer: inout ByteWriter) {
    writer.put(UInt8(links.count))
    for link in links {
      writer.put(link.retired)
      writer.put(link.successor)
      writer.put(link.signature)
    }
  }

  init() {}

  init(_ reader: inout ByteReader) throws(SealingError) {
    let count = try reader.uint8()
    guard count <= Self.limit else { throw .malformed }
    for _ in 0..<count {
      links.append(
        Link(
          retired: try reader.bytes(16), successor: try reader.bytes(SigningKey.publicBytes),
          signature: try reader.bytes(SigningKey.signatureBytes)))
    }
  }
}

/// What a device remembers of the keys of its diary: the present one, and all that were before.
struct KnownLineage: Sendable, Equatable {
  /// The present key's name, and what it signs with.
  let keyID: [UInt8]
  let publicKey: [UInt8]
  let lineage: Lineage

  init(_ lineage: Lineage, _ keys: VaultKeys) {
    keyID = keys.keyID
    publicKey = keys.lineage.publicKey
    self.lineage = lineage
  }

  enum Finding: Equatable, CaseIterable {
    case same
    /// The key was replaced since, by who had it.
    case continued
    /// A key that was replaced before: what is sealed under it is an older copy, whatever it says of itself.
    case retired
    /// A key that does not come from the one that is remembered.
    case foreign
  }

  /// Compares the keys of a vault that opened with what is remembered.
  func compare(_ other: KnownLineage, vaultID: [UInt8]) -> Finding {
    if other.keyID == keyID {
      return other == self ? .same : .foreign
    }
    if hasRetired(other, vaultID) { return .retired }
    let links = other.lineage.links
    let known = lineage.links.count
    guard links.count > known, Array(links.prefix(known)) == lineage.links,
      links[known].retired == keyID
    else { return .foreign }
    var signer = publicKey
    for number in known..<links.count {
      let link = links[number]
      let next = number + 1 < links.count ? links[number + 1].retired : other.keyID
      let message = Lineage.message(
        number + 1, vaultID: vaultID, retired: link.retired, next: next, successor: link.successor)
      guard SigningKey.verify(link.signature, of: message, by: signer) else { return .foreign }
      signer = link.successor
    }
    return signer == other.publicKey ? .continued : .foreign
  }

  /// Whether another key was replaced by one of these: it signed so. A name alone could be given by anybody who can write what this
  /// was read from.
  private func hasRetired(_ other: KnownLineage, _ vaultID: [UInt8]) -> Bool {
    let links = lineage.links
    guard let number = links.firstIndex(where: { $0.retired == other.keyID }) else { return false }
    let next = number + 1 < links.count ? links[number + 1].retired : keyID
    let message = Lineage.message(
      number + 1, vaultID: vaultID, retired: other.keyID, next: next,
      successor: links[number].successor)
    return SigningKey.verify(links[number].signature, of: message, by: other.publicKey)
  }

  func write(to writer: inout ByteWriter) {
    writer.put(keyID)
    writer.put(publicKey)
    lineage.write(to: &writer)
  }

  init(_ reader: inout ByteReader) throws(SealingError) {
    keyID = try reader.bytes(16)
    publicKey = try reader.bytes(SigningKey.publicBytes)
    lineage = try Lineage(&reader)
  }
}

/// A device's copy of the key slots, not sealed, with the lineage of the vault key. It is what remains to check against when the
/// vault's own copies are broken, or the anchor is.
///
/// `keyring, counted ‖ key id 16 ‖ public key 32 ‖ links ‖ checksum 16`.
package struct SpareSlots: Sendable {
  package let keyring: Keyring
  let known: KnownLineage

  init(_ keyring: Keyring, _ known: KnownLineage) {
    self.keyring = keyring
    self.known = known
  }

  package func encoded() -> [UInt8] {
    var writer = ByteWriter(reserving: 512)
    writer.putCounted(keyring.encoded())
    known.write(to: &writer)
    return writer.bytes + Self.checksum(writer.bytes)
  }

  private static func checksum(_ content: [UInt8]) -> [UInt8] {
    Digest.blake2b(content, count: 16, domain: "FDv2 spare checksum")
  }

  /// - Throws: ``SealingError`` for one that is not whole.
  package init(_ encoded: [UInt8]) throws(SealingError) {
    guard encoded.count > 16 else { throw .malformed }
    let content = Array(encoded.dropLast(16))
    guard Digest.areEqual(Array(encoded.suffix(16)), Self.checksum(content)) else {
      throw .notAuthentic
    }
    var reader = ByteReader(content)
    keyring = try Keyring(try reader.counted())
    known = try KnownLineage(&reader)
    try reader.expectEnd()
    guard keyring.isWhole, keyring.keyID == known.keyID else { throw .malformed }
  }
}
