package import Bytes

/// A file that is sealed beside the rows: what the entry that takes it keeps of it.
public struct SealedAttachment: Sendable, Equatable, Codable {
  public package(set) var attachment: Attachment
  package let object: ObjectName
  /// Opens this one object, and nothing else.
  package let key: [UInt8]
  package static let keyBytes = 32

  package init(_ attachment: Attachment, object: ObjectName, key: [UInt8]) {
    self.attachment = attachment
    self.object = object
    self.key = key
  }

  /// What a client sends is held to the same bounds as what a file has.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    attachment = try values.decode(Attachment.self, forKey: .attachment)
    object = try values.decode(ObjectName.self, forKey: .object)
    key = try values.decode([UInt8].self, forKey: .key)
    guard key.count == Self.keyBytes, (0...Attachment.sizeLimit).contains(attachment.size) else {
      throw SealingError.malformed
    }
  }

  package func write(to writer: inout ByteWriter) {
    writer.put(object.bytes)
    writer.put(key)
    writer.putVarint(UInt64(attachment.size))
    writer.putCounted(attachment.type)
    writer.putCounted(attachment.name)
  }

  package init(_ reader: inout ByteReader) throws(SealingError) {
    object = ObjectName(bytes: try reader.bytes(32))!
    key = try reader.bytes(Self.keyBytes)
    let size = try reader.varint()
    guard size <= UInt64(Attachment.sizeLimit) else { throw .malformed }
    let type = try reader.text()
    attachment = Attachment(name: try reader.text(), type: type, size: Int(size))
  }
}

/// The name of an object: BLAKE2b-256 of its bytes, as `b2sum -l 256` makes it, in base32.
package struct ObjectName: Sendable, Hashable, Codable {
  package let bytes: [UInt8]

  package init?(bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    self.bytes = bytes
  }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    guard let name = ObjectName(bytes: try values.decode([UInt8].self, forKey: .bytes)) else {
      throw SealingError.malformed
    }
    self = name
  }

  /// Returns nil if `text` is not the file name of an object.
  package init?(_ text: String) {
    guard text.utf8.count == 52, let bytes = Base32.decode(text), Base32.encode(bytes) == text
    else { return nil }
    self.init(bytes: bytes)
  }

  package var text: String { Base32.encode(bytes) }
}

extension Attachment {
  /// 1 TiB.
  package static let sizeLimit = 1 << 40
  /// The most attachments of one entry.
  package static let countLimit = 64

  /// The bytes with the zeros behind them that hide how many they are: at least 1 KiB, then Padmé.
  package static func padded(_ size: Int) -> Int { Padding.padme(size, least: 1024) }

  /// The longest name, in bytes.
  package static let nameLimit = 255

  /// The name that a file gets here: its own where that may stand, else the nearest to it. A file system allows more than an entry does.
  package static func usableName(_ name: String) -> String {
    var usable = String(
      String.UnicodeScalarView(
        name.unicodeScalars.map { $0.value < 0x20 || $0 == "/" || $0.value == 0x7f ? "-" : $0 }))
    if usable.utf8.count > nameLimit {
      let dot = usable.lastIndex(of: ".") ?? usable.endIndex
      let ending = usable[dot...].utf8.count <= 16 ? String(usable[dot...]) : ""
      usable.removeLast(ending.count)
      while usable.utf8.count + ending.utf8.count > nameLimit { usable.removeLast() }
      usable += ending
    }
    return ["", ".", ".."].contains(usable) ? "file" : usable
  }

  /// A name that is only a name, in any directory.
  package func check() throws(VaultError) {
    guard (1...Self.nameLimit).contains(name.utf8.count), name != ".", name != "..",
      !name.utf8.contains(where: { $0 < 0x20 || $0 == 0x2f || $0 == 0x7f })
    else { throw VaultError(.attachmentName, expected: .fileNameOfBytes(Self.nameLimit)) }
    guard (1...127).contains(type.utf8.count),
      type.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
    else { throw VaultError(.attachmentType, expected: .mediaType) }
    guard (0...Self.sizeLimit).contains(size) else {
      throw VaultError(.attachment, expected: .oneTebibyte)
    }
  }
}
