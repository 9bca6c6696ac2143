internal import Platform
package import Sealing

/// A file that is sealed beside the rows: what the entry that takes it keeps of it.
public struct SealedAttachment: Sendable, Equatable, Codable {
  public internal(set) var attachment: Attachment
  let object: ObjectName
  /// Opens this one object, and nothing else.
  let key: [UInt8]

  package init(_ attachment: Attachment, object: ObjectName, key: [UInt8]) {
    self.attachment = attachment
    self.object = object
    self.key = key
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
    key = try reader.bytes(AEAD.keyBytes)
    let size = try reader.varint()
    guard size <= UInt64(Attachment.sizeLimit) else { throw .malformed }
    let type = try reader.text()
    attachment = Attachment(name: try reader.text(), type: type, size: Int(size))
  }

  /// The sealed bytes of its object.
  var sealedSize: Int { SealedFile.sealedSize(plain: Attachment.padded(attachment.size)) }
}

/// The name of an object: BLAKE2b-256 of its bytes, as `b2sum -l 256` makes it, in base32.
package struct ObjectName: Sendable, Hashable, Codable {
  let bytes: [UInt8]

  package init?(bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    self.bytes = bytes
  }

  /// nil for a file name that is none.
  package init?(_ text: String) {
    guard text.utf8.count == 52, let bytes = Base32.decode(text), Base32.encode(bytes) == text
    else { return nil }
    self.init(bytes: bytes)
  }

  package var text: String { Base32.encode(bytes) }
}

extension Attachment {
  /// 1 TiB.
  static let sizeLimit = 1 << 40
  /// Of one entry.
  package static let countLimit = 64

  /// The bytes with the zeros behind them that hide how many they are: at least 1 KiB, then Padmé.
  static func padded(_ size: Int) -> Int { Padding.padme(size, least: 1024) }

  /// A name that is only a name, in any directory.
  func check() throws(VaultError) {
    guard (1...255).contains(name.utf8.count), name != ".", name != "..",
      !name.utf8.contains(where: { $0 < 0x20 || $0 == 0x2f || $0 == 0x7f })
    else { throw VaultError(.attachmentName, expected: .fileNameOfBytes(255)) }
    guard (1...127).contains(type.utf8.count),
      type.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
    else { throw VaultError(.attachmentType, expected: .mediaType) }
    guard (0...Self.sizeLimit).contains(size) else {
      throw VaultError(.attachment, expected: .oneTebibyte)
    }
  }
}

extension CatalogueEdit {
  /// Sealed files, as a header will know them; names already in `taken` get a number.
  ///
  /// - Throws: ``VaultError`` `conflict` for one whose object is not there whole.
  func link(
    _ staged: [SealedAttachment], taken: [SealedAttachment]
  ) throws(VaultError) -> [SealedAttachment] {
    guard taken.count + staged.count <= Attachment.countLimit else {
      throw VaultError(.attachments, expected: .atMostPerEntry(Attachment.countLimit))
    }
    // From the look at an object to the commit nobody takes it away.
    if !staged.isEmpty, checksObjects, objectLock == nil {
      objectLock = try VaultFolder(catalogue.vault.path).joinObjects()
    }
    var result: [SealedAttachment] = []
    for file in staged {
      try file.attachment.check()
      guard file.key.count == AEAD.keyBytes, file.object.bytes.count == 32 else {
        throw VaultError(.conflict, file.attachment.name, .isNotStaged)
      }
      // Whoever sealed it says what it is: the last chunk says whether that can be.
      if checksObjects, !ObjectReader.isWhole(file, in: VaultFolder(catalogue.vault.path)) {
        throw VaultError(.conflict, file.attachment.name, .isNotStaged)
      }
      var named = file
      named.attachment = Attachment(
        name: Self.freeName(file.attachment.name, among: (taken + result).map(\.attachment.name)),
        type: file.attachment.type, size: file.attachment.size)
      result.append(named)
    }
    return result
  }

  /// `photo.jpg`, else `photo-2.jpg`, …
  static func freeName(_ name: String, among taken: [String]) -> String {
    guard taken.contains(name) else { return name }
    let dot = name.lastIndex(of: ".").flatMap { $0 == name.startIndex ? nil : $0 }
    let stem = dot.map { String(name[..<$0]) } ?? name
    let end = dot.map { String(name[$0...]) } ?? ""
    var number = 2
    while true {
      var short = stem
      while short.utf8.count + end.utf8.count > 240, !short.isEmpty { short.removeLast() }
      let candidate = "\(short)-\(number)\(end)"
      if !taken.contains(candidate) { return candidate }
      number += 1
    }
  }
}
