internal import Sealing

/// A file that is sealed in the vault and belongs to no entry yet.
public struct StagedAttachment: Sendable, Equatable, Codable {
  public let attachment: Attachment
  let row: Int64

  init(_ attachment: Attachment, row: Int64) {
    self.attachment = attachment
    self.row = row
  }
}

/// An attachment as a header knows it.
struct StoredAttachment: Sendable, Equatable {
  var attachment: Attachment
  let row: Int64
  /// Of its wrapped key, which is new with every attachment: whoever holds the key has the chunks.
  let ref: Ref

  func write(to writer: inout ByteWriter) {
    writer.put(row)
    ref.write(to: &writer)
    writer.putVarint(UInt64(attachment.size))
    writer.putCounted(attachment.type)
    writer.putCounted(attachment.name)
  }

  init(_ attachment: Attachment, row: Int64, ref: Ref) {
    self.attachment = attachment
    self.row = row
    self.ref = ref
  }

  init(_ reader: inout ByteReader) throws(SealingError) {
    row = try reader.int64()
    ref = try Ref(&reader)
    let size = try reader.varint()
    guard AttachmentChunk.rows.contains(row), size <= UInt64(AttachmentChunk.sizeLimit) else {
      throw .malformed
    }
    let type = try reader.text()
    attachment = Attachment(name: try reader.text(), type: type, size: Int(size))
  }
}

/// How an attachment is cut: chunks of 64 KiB, each sealed on its own under the attachment's key with its
/// index and whether it is the last in the associated data, so that cutting and reordering are noticed and
/// any of them can be opened alone.
enum AttachmentChunk {
  static let size = 64 << 10
  /// 1 TiB.
  static let sizeLimit = 1 << 40
  /// Row numbers of attachments; a chunk's is its attachment's times 2³² plus its index.
  static let rows: ClosedRange<Int64> = 1...Int64(Int32.max)

  static func count(_ size: Int) -> Int { max(1, (size + Self.size - 1) / Self.size) }

  static func row(_ attachment: Int64, _ index: Int) -> Int64 { attachment << 32 | Int64(index) }

  /// The first and last row that chunks of an attachment may have; none for a number that no chunk's row begins with.
  static func span(of attachment: Int64) -> (first: Int64, last: Int64)? {
    guard Int32(exactly: attachment) != nil else { return nil }
    return (attachment << 32, attachment << 32 | 0xffff_ffff)
  }

  /// A name that is only a name, in any directory.
  static func check(_ attachment: Attachment) throws(VaultError) {
    let name = attachment.name
    guard (1...255).contains(name.utf8.count), name != ".", name != "..",
      !name.utf8.contains(where: { $0 < 0x20 || $0 == 0x2f || $0 == 0x7f })
    else { throw VaultError(.attachmentName, expected: .fileNameOfBytes(255)) }
    guard (1...127).contains(attachment.type.utf8.count),
      attachment.type.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
    else { throw VaultError(.attachmentType, expected: .mediaType) }
    guard (0...sizeLimit).contains(attachment.size) else {
      throw VaultError(.attachment, expected: .oneTebibyte)
    }
  }
}

extension CatalogueEdit {
  /// Files staged by this process, as a header will know them; names already in `taken` get a number.
  func link(
    _ staged: [StagedAttachment], taken: [StoredAttachment]
  ) throws(VaultError) -> [StoredAttachment] {
    var result: [StoredAttachment] = []
    let vault = catalogue.vault
    for file in staged {
      try AttachmentChunk.check(file.attachment)
      // As many bytes as were taken in, whatever whoever staged them says now.
      guard vault.staged[file.row] == file.attachment.size else {
        throw VaultError(.conflict, file.attachment.name, .isNotStaged)
      }
      let sealed = try catalogue.store.blob(.attachment(file.row), limit: 256)
      let ref = sealed.flatMap { unsafe Ref(sealed: $0.span.bytes) }
      let chunks = try catalogue.store.chunkCount(of: file.row)
      guard let ref, chunks == Int64(AttachmentChunk.count(file.attachment.size)) else {
        throw VaultError(.conflict, file.attachment.name, .wasRemovedBeforeTaken)
      }
      let name = Self.freeName(
        file.attachment.name, among: (taken + result).map(\.attachment.name))
      result.append(
        StoredAttachment(
          Attachment(name: name, type: file.attachment.type, size: file.attachment.size),
          row: file.row, ref: ref))
      linked.append(file.row)
    }
    guard taken.count + result.count <= 64 else {
      throw VaultError(.attachments, expected: .atMostPerEntry(64))
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

extension Vault {
  /// Takes attachments away that no entry has any more, chunk rows first, in transactions of a few megabytes:
  /// a death in between leaves one that was never finished.
  func deleteAttachments(_ rows: Set<Int64>) throws(VaultError) {
    var rows = Array(rows)
    while try !freeAttachments(&rows) {}
  }

  /// One piece of it: true when nothing is left of them.
  func freeAttachments(_ rows: inout [Int64]) throws(VaultError) -> Bool {
    guard let row = rows.last else { return true }
    let store = try writing()
    let ids = try store.firstChunks(of: row)
    if let first = ids.first, let last = ids.last {
      try store.looseTransaction { () throws(VaultError) in try store.removeChunks(first...last) }
      return false
    }
    try store.transaction { () throws(VaultError) in try store.remove(attachment: row) }
    rows.removeLast()
    guard rows.isEmpty else { return false }
    try store.shrink()
    return true
  }

  /// Takes away what was staged and never linked. Best effort: verify names what is left.
  func discardStaged(_ rows: some Sequence<Int64>, through nested: VaultRows? = nil) {
    for row in Array(rows) where staged[row] != nil {
      do {
        if let nested {
          try nested.remove(attachment: row)
        } else {
          try deleteAttachments([row])
        }
        staged[row] = nil
      } catch {
        // It stays in `staged`: the vault tries once more when it is let go.
      }
    }
  }
}
