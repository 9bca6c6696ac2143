package import Bytes
internal import Sealing

/// What stands in clear beside a roster record: the epoch that the record begins, if it begins one.
///
/// The new key is sealed to each device that takes part from then on, and to the recovery code. The keys of all earlier epochs are
/// sealed under the new one, so that a device which opens the newest opens the past. Each sealed key follows from the new key and its
/// receiver alone: a device that opens its own computes all others, and sees whether they are right.
package struct EpochOpening: Sendable {
  package let id: [UInt8]
  /// The new key, sealed for each receiver in the order of their ids, and for the recovery code at the end.
  package let boxes: [[UInt8]]
  /// `id ‖ key` of earlier epochs, in order, sealed under the new key.
  package let earlier: [UInt8]

  /// The most devices that an epoch is sealed to, and the recovery code.
  private static let boxLimit: UInt64 = 512
  /// The most bytes of earlier keys.
  private static let earlierLimit = 1 << 18

  /// About how many bytes it takes.
  var byteCount: Int { 64 + boxes.count * EpochKey.sealedBytes + earlier.count }

  // MARK: Its form

  package static func encoded(_ opening: EpochOpening?) -> [UInt8] {
    var writer = ByteWriter(reserving: 256)
    writer.put(UInt8(opening == nil ? 0 : 1))
    if let opening {
      writer.put(opening.id)
      writer.putVarint(UInt64(opening.boxes.count))
      for box in opening.boxes { writer.put(box) }
      writer.putCounted(opening.earlier)
    }
    return writer.bytes
  }

  static func read(_ reader: inout ByteReader) throws(SealingError) -> EpochOpening? {
    guard try reader.flag() else { return nil }
    let id = try reader.bytes(EpochKey.idBytes)
    let count = try reader.varint()
    guard (1...boxLimit).contains(count) else { throw .malformed }
    var boxes: [[UInt8]] = []
    for _ in 0..<count { boxes.append(try reader.bytes(EpochKey.sealedBytes)) }
    let earlier = try reader.counted()
    guard earlier.count <= earlierLimit else { throw .malformed }
    return EpochOpening(id: id, boxes: boxes, earlier: earlier)
  }

  package init(id: [UInt8], boxes: [[UInt8]], earlier: [UInt8]) {
    self.id = id
    self.boxes = boxes
    self.earlier = earlier
  }

  /// The digest that the signed record contains.
  package static func digest(_ opening: EpochOpening?) -> [UInt8] {
    Digest.blake2b(encoded(opening), domain: "FDv2 epoch opening")
  }

  // MARK: Making and opening it

  /// - Parameters:
  ///   - receivers: box keys of the devices, in the order of their ids.
  ///   - earlier: the epochs that came before.
  package init(
    _ key: EpochKey, to receivers: [[UInt8]], recovery: [UInt8], earlier: [EpochKey],
    in space: Identity
  ) throws(SealingError) {
    id = key.id
    boxes = try Self.boxes(of: key, to: receivers, recovery: recovery)
    self.earlier = try key.sealedEarlier(earlier, in: space)
  }

  private static func boxes(
    of key: EpochKey, to receivers: [[UInt8]], recovery: [UInt8]
  ) throws(SealingError) -> [[UInt8]] {
    var boxes: [[UInt8]] = []
    for receiver in receivers + [recovery] { boxes.append(try key.sealed(to: receiver)) }
    return boxes
  }

  /// The new key, for one of the receivers; nil for anybody else.
  ///
  /// - Parameter most: how many boxes are tried, the recovery code's first; lowered by those that were.
  func key(for box: SealedBox, trying most: inout Int) throws(SealingError) -> EpochKey? {
    for sealed in boxes.suffix(1) + boxes.dropLast() {
      guard most > 0 else { return nil }
      most -= 1
      if let key = try EpochKey.opened(sealed, id: id, for: box) { return key }
    }
    return nil
  }

  /// The earlier keys that it gives to those who have the new one.
  func keys(_ key: EpochKey, in space: Identity) throws(SealingError) -> [EpochKey] {
    try key.openedEarlier(earlier, in: space)
  }

  /// Whether it is sealed to exactly these receivers.
  func isSealed(
    _ key: EpochKey, to receivers: [[UInt8]], recovery: [UInt8]
  ) throws(SealingError) -> Bool {
    guard boxes.count == receivers.count + 1 else { return false }
    return try Self.boxes(of: key, to: receivers, recovery: recovery) == boxes
  }

  /// The ids of the earlier epochs whose keys it gives; nil when it is not sealed to exactly these receivers, or cannot be opened.
  func earlierIDs(
    _ key: EpochKey, to receivers: [[UInt8]], recovery: [UInt8], in space: Identity
  ) throws(SealingError) -> Set<[UInt8]>? {
    guard try isSealed(key, to: receivers, recovery: recovery),
      let keys = try authentic({ () throws(SealingError) in try keys(key, in: space) })
    else { return nil }
    return Set(keys.map(\.id))
  }
}

/// Nil for what somebody made wrong. The machine's own troubles are thrown: they say nothing of what was read.
func authentic<Result>(
  _ body: () throws(SealingError) -> Result
) throws(SealingError) -> Result? {
  do throws(SealingError) { return try body() } catch {
    guard [.malformed, .notAuthentic, .newer].contains(error) else { throw error }
    return nil
  }
}

extension EpochKey {
  static let sealedBytes = AEAD.keyBytes + 48

  /// The key, sealed for one receiver. The same key and receiver give the same bytes.
  fileprivate func sealed(to publicKey: [UInt8]) throws(SealingError) -> [UInt8] {
    let secret = try secret()
    var key = unsafe secret.withUnsafeBytes { unsafe Array($0) }
    defer { key.wipe() }
    return try SealedBox.seal(
      key, to: publicKey,
      sender: try KeyDerivation.bind(secret, to: Array("FDv2 epoch box".utf8) + publicKey))
  }

  /// nil when it was sealed to somebody else, or is the key of another epoch.
  fileprivate static func opened(
    _ sealed: [UInt8], id: [UInt8], for box: SealedBox
  ) throws(SealingError) -> EpochKey? {
    guard var bytes = try authentic({ () throws(SealingError) in try box.open(sealed) }),
      bytes.count == AEAD.keyBytes
    else { return nil }
    let key = try EpochKey(try SecretBytes(wiping: &bytes))
    return key.id == id ? key : nil
  }

  private func earlierKey() throws(SealingError) -> SecretBytes {
    try KeyDerivation.subkey(of: try secret(), id: 0, context: "FDspace_")
  }

  private func associated(_ space: Identity) -> [UInt8] { space.bytes + id }

  fileprivate func sealedEarlier(
    _ keys: [EpochKey], in space: Identity
  ) throws(SealingError) -> [UInt8] {
    var writer = ByteWriter(reserving: 48 * keys.count)
    for key in keys.sorted(by: { $0.id.lexicographicallyPrecedes($1.id) }) {
      try key.write(to: &writer)
    }
    var plain = writer.bytes
    defer { plain.wipe() }
    let data = associated(space)
    let subkey = try earlierKey()
    return unsafe AEAD.seal(plain.span.bytes, associatedData: data.span.bytes, key: subkey)
  }

  /// - Throws: ``SealingError``: `notAuthentic`; `malformed` also where they are not in order.
  fileprivate func openedEarlier(
    _ sealed: [UInt8], in space: Identity
  ) throws(SealingError) -> [EpochKey] {
    let data = associated(space)
    let subkey = try earlierKey()
    var plain = unsafe try AEAD.open(
      sealed.span.bytes, associatedData: data.span.bytes, key: subkey)
    defer { plain.wipe() }
    var reader = ByteReader(plain)
    var keys: [EpochKey] = []
    while reader.remaining > 0 {
      let key = try EpochKey(&reader)
      guard keys.last.map({ $0.id.lexicographicallyPrecedes(key.id) }) ?? true else {
        throw .malformed
      }
      keys.append(key)
    }
    return keys
  }
}
