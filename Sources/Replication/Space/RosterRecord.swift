package import Bytes
internal import Sealing

/// A device that takes part in a diary's space.
package struct Member: Hashable, Sendable {
  package static let nameLimit = 128
  package let id: Identity
  /// As its owner calls it.
  package let name: String
  /// Ed25519 and X25519.
  package let signingKey: [UInt8]
  package let boxKey: [UInt8]

  package init(_ id: Identity, name: String, _ keys: SpaceIdentity) {
    self.id = id
    self.name = name
    signingKey = keys.signing.publicKey
    boxKey = keys.box.publicKey
  }

  func encode(to writer: inout ByteWriter) {
    id.encode(to: &writer)
    writer.putCounted(name)
    writer.put(signingKey)
    writer.put(boxKey)
  }

  init(_ reader: inout ByteReader) throws(SealingError) {
    id = try Identity(&reader)
    name = try reader.text()
    guard (1...Self.nameLimit).contains(name.utf8.count),
      !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { throw .malformed }
    signingKey = try reader.bytes(32)
    boxKey = try reader.bytes(32)
  }
}

/// One change of who takes part.
package struct RosterRecord: Hashable, Sendable {
  package enum Action: Hashable, Sendable {
    /// The space is made, by its recovery code and its first device.
    case space(recoverySigning: [UInt8], recoveryBox: [UInt8], Member)
    case add(Member)
    /// From now on nothing of a device counts but what leads to these ends. By the recovery code.
    case revoke(Identity, ends: [LogEnd])
    /// A new epoch for those who take part: after two changes that did not know of one another.
    case renew
  }

  /// The records it follows, in order.
  package let previous: [Hash]
  /// nil for the recovery code.
  package let author: Identity?
  package let action: Action
  /// The keys of all epochs that came before, `id ‖ key` each, in the order of their ids.
  let before: [[UInt8]]

  func encoded() -> [UInt8] {
    var writer = ByteWriter(reserving: 256)
    writer.putVarint(UInt64(previous.count))
    for hash in previous { hash.encode(to: &writer) }
    writer.put(UInt8(author == nil ? 0 : 1))
    author?.encode(to: &writer)
    switch action {
    case .space(let signing, let box, let member):
      writer.put(UInt8(1))
      writer.put(signing)
      writer.put(box)
      member.encode(to: &writer)
    case .add(let member):
      writer.put(UInt8(2))
      member.encode(to: &writer)
    case .revoke(let device, let ends):
      writer.put(UInt8(3))
      device.encode(to: &writer)
      ends.encode(to: &writer)
    case .renew: writer.put(UInt8(4))
    }
    writer.putVarint(UInt64(before.count))
    for key in before { writer.put(key) }
    return writer.bytes
  }

  init(_ bytes: [UInt8]) throws(SealingError) {
    var reader = ByteReader(bytes)
    var previous: [Hash] = []
    for _ in 0..<(try reader.varint()) {
      let hash = try Hash(&reader)
      guard previous.last.map({ $0 < hash }) ?? true else { throw .malformed }
      previous.append(hash)
    }
    self.previous = previous
    author = try reader.flag() ? try Identity(&reader) : nil
    switch try reader.uint8() {
    case 1:
      action = .space(
        recoverySigning: try reader.bytes(32), recoveryBox: try reader.bytes(32),
        try Member(&reader))
    case 2: action = .add(try Member(&reader))
    case 3: action = .revoke(try Identity(&reader), ends: try [LogEnd](&reader))
    case 4: action = .renew
    default: throw .newer
    }
    var before: [[UInt8]] = []
    for _ in 0..<(try reader.varint()) {
      let key = try reader.bytes(EpochKey.idBytes + AEAD.keyBytes)
      guard before.last.map({ $0.lexicographicallyPrecedes(key) }) ?? true else { throw .malformed }
      before.append(key)
    }
    self.before = before
    try reader.expectEnd()
    guard encoded() == bytes else { throw .malformed }
  }

  init(previous: [Hash], author: Identity?, _ action: Action, before: [EpochKey]) {
    self.previous = previous
    self.author = author
    self.action = action
    self.before = before.map {
      var writer = ByteWriter(reserving: 48)
      $0.write(to: &writer)
      return writer.bytes
    }.sorted { $0.lexicographicallyPrecedes($1) }
  }
}
