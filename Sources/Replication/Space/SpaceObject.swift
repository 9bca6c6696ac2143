package import Bytes
package import Sealing

/// The form of what travels: sealed under a key of its epoch, and signed by its author inside the seal.
///
/// `"FDs1" ‖ kind ‖ epoch 16 ‖ nonce 24 ‖ ciphertext ‖ tag 16`; the content is `content ‖ signature 64`, padded to a Padmé length
/// of at least 1 KiB. Its name in the store ends in the BLAKE2b-256 of all its bytes.
package enum SpaceObject {
  package enum Kind: UInt8, Sendable {
    case segment = 1
    case roster, request, answer, pack
  }

  private static let magic: StaticString = "FDs1"
  static let headBytes = 5 + EpochKey.idBytes

  /// The name of an object: `b2sum -l 256` of its bytes.
  package static func hash(_ bytes: [UInt8]) -> Hash { Hash(FileDigest.of(bytes)) }

  package static func head(_ kind: Kind, epoch: [UInt8]) -> [UInt8] {
    var writer = ByteWriter(reserving: headBytes)
    writer.put(magic)
    writer.put(kind.rawValue)
    writer.put(epoch)
    return writer.bytes
  }

  static func readHead(
    _ kind: Kind, _ reader: inout ByteReader
  ) throws(SealingError) -> (epoch: [UInt8], bytes: [UInt8]) {
    let found = try reader.bytes(4)
    guard found == head(kind, epoch: []).dropLast() else {
      // Another generation of this form is no damage.
      throw found.starts(with: Array("FDs".utf8)) ? .newer : .malformed
    }
    guard try reader.uint8() == kind.rawValue else { throw .malformed }
    let epoch = try reader.bytes(EpochKey.idBytes)
    return (epoch, head(kind, epoch: epoch))
  }

  private static func associated(_ head: [UInt8], _ space: Identity) -> [UInt8] {
    var writer = ByteWriter(reserving: head.count + 16)
    writer.put(head)
    space.encode(to: &writer)
    return writer.bytes
  }

  /// What is signed: the content, as content of this kind in this space.
  static func statement(_ kind: Kind, _ space: Identity, _ content: [UInt8]) -> [UInt8] {
    var writer = ByteWriter(reserving: content.count + 32)
    writer.put("FDv2 signed")
    writer.put(kind.rawValue)
    space.encode(to: &writer)
    writer.put(content)
    return writer.bytes
  }

  /// - Parameter head: ``head(_:epoch:)``, with whatever else of the kind stands in clear.
  package static func seal(
    _ content: [UInt8], _ kind: Kind, head: [UInt8], in space: Identity, key: EpochKey,
    by signing: SigningKey
  ) throws(SealingError) -> [UInt8] {
    try seal(
      signed: content + signing.sign(statement(kind, space, content)), kind, head: head, in: space,
      key: key)
  }

  /// The fewest bytes that are sealed.
  private static let least = 1024

  /// - Parameter signed: has a signature in it already.
  static func seal(
    signed: [UInt8], _ kind: Kind, head: [UInt8], in space: Identity, key: EpochKey
  ) throws(SealingError) -> [UInt8] {
    let data = associated(head, space)
    let plain = Padding.pad(signed, least: least)
    let subkey = try key.subkey(kind)
    return unsafe head
      + AEAD.seal(plain.span.bytes, associatedData: data.span.bytes, key: subkey)
  }

  /// What was sealed, and the signature, which is not verified yet.
  static func open(
    _ sealed: [UInt8], _ kind: Kind, head: [UInt8], in space: Identity, key: EpochKey
  ) throws(SealingError) -> SignedContent {
    let signed = try openSigned(sealed, kind, head: head, in: space, key: key)
    guard signed.count >= SigningKey.signatureBytes else { throw .malformed }
    let content = Array(signed.dropLast(SigningKey.signatureBytes))
    return SignedContent(
      content: content, statement: statement(kind, space, content),
      signature: Array(signed.suffix(SigningKey.signatureBytes)))
  }

  static func openSigned(
    _ sealed: [UInt8], _ kind: Kind, head: [UInt8], in space: Identity, key: EpochKey
  ) throws(SealingError) -> [UInt8] {
    let data = associated(head, space)
    let subkey = try key.subkey(kind)
    let plain = unsafe try AEAD.open(
      sealed.span.bytes, associatedData: data.span.bytes, key: subkey)
    return try Padding.unpad(plain, least: least)
  }
}

/// A content, and the device that claims to have written it.
package struct SignedContent {
  let content: [UInt8]
  fileprivate let statement: [UInt8]
  fileprivate let signature: [UInt8]

  package func isSigned(by publicKey: [UInt8]) -> Bool {
    SigningKey.verify(signature, of: statement, by: publicKey)
  }
}

extension Segment {
  /// The most bytes of a segment's object: several of the longest texts there are, in conflict, and room.
  package static let sizeLimit = 128 << 20
}

extension SignedSegment {
  package init(
    _ segment: Segment, in space: Identity, by signing: SigningKey,
    randomness: Randomness = .system
  ) {
    self.init(segment) {
      randomness.bytes(OperationCopy.saltBytes)
    } sign: { header in
      signing.sign(SpaceObject.statement(.segment, space, header.encoded()))
    }
  }

  package func isSigned(by publicKey: [UInt8], in space: Identity) -> Bool {
    Self.isSigned(header, signature, by: publicKey, in: space)
  }

  private static func isSigned(
    _ header: SegmentHeader, _ signature: [UInt8], by publicKey: [UInt8], in space: Identity
  ) -> Bool {
    SigningKey.verify(
      signature, of: SpaceObject.statement(.segment, space, header.encoded()), by: publicKey)
  }

  /// As an object of the store.
  package func sealed(in space: Identity, key: EpochKey) throws(SealingError) -> [UInt8] {
    try SpaceObject.seal(
      signed: encoded(), .segment, head: SpaceObject.head(.segment, epoch: key.id), in: space,
      key: key)
  }

  /// The epoch an object says it is sealed under.
  package static func epoch(of object: [UInt8]) throws(SealingError) -> [UInt8] {
    var reader = ByteReader(object)
    return try SpaceObject.readHead(.segment, &reader).epoch
  }

  /// - Parameter signer: the public key of a device, nil for one that nobody knows.
  /// - Throws: ``SealingError``: `notAuthentic`, also for what another device signed; `malformed`; `newer`.
  package init(
    object: [UInt8], in space: Identity, key: EpochKey, signer: (DeviceID) -> [UInt8]?
  ) throws(SealingError) {
    var reader = ByteReader(object)
    let head = try SpaceObject.readHead(.segment, &reader).bytes
    let signed = try SpaceObject.openSigned(
      try reader.bytes(reader.remaining), .segment, head: head, in: space, key: key)
    try self.init(signed) { header, signature in
      guard let publicKey = signer(header.device) else { return false }
      return Self.isSigned(header, signature, by: publicKey, in: space)
    }
    // By itself a segment is whole.
    guard isWhole else { throw .malformed }
  }
}
