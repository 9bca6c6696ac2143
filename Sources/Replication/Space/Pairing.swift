package import Bytes
package import Sealing

/// The one-time code by which a device comes in, and what goes through the store for it.
///
/// The joining device puts its public keys, sealed under a key of the code; the inviting one, when its owner has compared
/// the check symbols, answers with the space and the roster that it let it into, sealed to them. Somebody who learns the code afterwards can
/// open the request, which holds nothing secret, but not the answer.
package final class Pairing: Sendable {
  /// Where request and answer stand.
  package let id: Identity
  private let key: EpochKey

  /// - Parameter code: 16 random bytes, ``RecoveryCode``.
  package init(_ code: borrowing SecretBytes) throws(SealingError) {
    let name = try KeyDerivation.bind(code, to: Array("FDv2 join id".utf8))
    let bytes = unsafe name.withUnsafeBytes { unsafe Array($0.prefix(16)) }
    guard let id = Identity(bytes: bytes) else { throw .malformed }
    self.id = id
    key = try EpochKey(try KeyDerivation.bind(code, to: Array("FDv2 join key".utf8)))
  }

  /// The joining device's request, signed to prove that it has the keys it names.
  package func request(
    _ member: Member, _ keys: SpaceIdentity
  ) throws(SealingError) -> [UInt8] {
    var writer = ByteWriter(reserving: 128)
    member.encode(to: &writer)
    return try SpaceObject.seal(
      writer.bytes, .request, head: SpaceObject.head(.request, epoch: key.id), in: id, key: key,
      by: keys.signing)
  }

  /// Who asks.
  package func member(request: [UInt8]) throws(SealingError) -> Member {
    let signed = try open(request, .request)
    var reader = ByteReader(signed.content)
    let member = try Member(&reader)
    try reader.expectEnd()
    guard signed.isSigned(by: member.signingKey) else { throw .notAuthentic }
    return member
  }

  /// Ten symbols that both devices show.
  package func check(_ request: [UInt8]) -> String {
    let digest = Digest.blake2b(
      SpaceObject.hash(request).bytes + id.bytes, count: 16, domain: "FDv2 join check")
    return String(Base32.encode(digest).uppercased().prefix(10))
  }

  /// What a device that comes in is told: the roster gives it the keys.
  package struct Welcome: Equatable, Sendable {
    package let space: Identity
    /// The records of the roster that nothing follows.
    package let heads: [Hash]
    /// Where the logs end that the inviting device had merged, in order: the place cannot show who comes in an older day.
    package let ends: [LogEnd]

    package init(space: Identity, heads: [Hash], ends: [LogEnd]) {
      self.space = space
      self.heads = heads
      self.ends = Array(ends.prefix(Self.endLimit))
    }

    /// An answer is a small object.
    static let endLimit = 10_000
  }

  /// - Parameter welcome: nil says no.
  package func answer(
    _ welcome: Welcome?, to member: Member, _ keys: SpaceIdentity
  ) throws(SealingError) -> [UInt8] {
    var writer = ByteWriter(reserving: 256)
    if let welcome {
      welcome.space.encode(to: &writer)
      writer.putVarint(UInt64(welcome.heads.count))
      for head in welcome.heads { writer.put(head.bytes) }
      welcome.ends.encode(to: &writer)
    }
    return try SpaceObject.seal(
      try SealedBox.seal(writer.bytes, to: member.boxKey), .answer,
      head: SpaceObject.head(.answer, epoch: key.id), in: id, key: key, by: keys.signing)
  }

  /// - Returns: what it says, and who signed it: to be checked against the roster that it leads to; nil for a no.
  package func welcome(
    _ answer: [UInt8], _ keys: SpaceIdentity
  ) throws(SealingError) -> (welcome: Welcome, signature: SignedContent)? {
    let signed = try open(answer, .answer)
    let plain = try keys.box.open(signed.content)
    if plain.isEmpty { return nil }
    var reader = ByteReader(plain)
    let space = try Identity(&reader)
    var heads: [Hash] = []
    for _ in 0..<(try reader.varint()) { heads.append(try Hash(&reader)) }
    let ends = try [LogEnd](&reader)
    try reader.expectEnd()
    return (Welcome(space: space, heads: heads, ends: ends), signed)
  }

  private func open(
    _ object: [UInt8], _ kind: SpaceObject.Kind
  ) throws(SealingError) -> SignedContent {
    var reader = ByteReader(object)
    let head = try SpaceObject.readHead(kind, &reader).bytes
    return try SpaceObject.open(
      try reader.bytes(reader.remaining), kind, head: head, in: id, key: key)
  }

  // MARK: The code as text

  /// Symbols of the space's name after the code: the device that answers must be of that space.
  package static let spaceSymbols = 12

  /// `XXXX-…` as a recovery code, and three groups more for the space.
  package static func text(
    of code: borrowing SecretBytes, space: String
  ) throws(SealingError) -> SecretBytes {
    let symbols = Array(space.uppercased().utf8.prefix(spaceSymbols))
    guard symbols.count == spaceSymbols else { throw .malformed }
    var groups: [UInt8] = []
    for (index, symbol) in symbols.enumerated() {
      if index % 4 == 0 { groups.append(UInt8(ascii: "-")) }
      groups.append(symbol)
    }
    let name = Array(space.lowercased().utf8.prefix(spaceSymbols))
    return try RecoveryCode.text(of: code, before: name).followed(by: groups)
  }

  /// Reads what a person typed: the code, and what the space's name begins with.
  ///
  /// - Throws: ``SealingError`` `malformed`.
  package static func parse(
    _ typed: borrowing SecretBytes
  ) throws(SealingError) -> (code: SecretBytesBox, space: String) {
    let symbols = unsafe typed.withUnsafeBytes { bytes in
      unsafe bytes.filter { $0 != UInt8(ascii: "-") && $0 > 0x20 }
    }
    guard symbols.count == RecoveryCode.symbols + spaceSymbols else { throw .malformed }
    var code = Array(symbols.prefix(RecoveryCode.symbols))
    let space = String(decoding: symbols.suffix(spaceSymbols), as: UTF8.self).lowercased()
    guard let values = Base32.values(of: space) else { throw .malformed }
    let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
    let typedCode = try SecretBytes(wiping: &code)
    let name = values.map { alphabet[Int($0)] }
    return (
      SecretBytesBox(try RecoveryCode.parse(typedCode, before: name)),
      String(decoding: name, as: UTF8.self)
    )
  }
}
