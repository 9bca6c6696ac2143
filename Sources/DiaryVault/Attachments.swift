internal import RowStore
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

/// Taking a file in: sealed piece by piece, in transactions of a few megabytes, and linked to an entry by
/// a change of its own afterwards. What is never linked is taken away again.
package final class AttachmentStage {
  private static let chunksPerTransaction = 16

  private let vault: Vault
  private let store: RowStore
  /// Inside a change that is under way (an import), which commits for us.
  private let isNested: Bool
  private let key: SecretBytes
  private let row: Int64
  private var pending: [UInt8] = []
  private var sealed: [[UInt8]] = []
  private var written = 0
  private var size = 0
  private var isOver = false

  /// - Parameter edit: the change to do it in; nil makes transactions of its own.
  init(_ vault: Vault, in edit: CatalogueEdit?) throws(VaultError) {
    self.vault = vault
    isNested = edit != nil
    let store: RowStore
    if let edit { store = edit.catalogue.store } else { store = try vault.writing() }
    self.store = store
    let key = try unsealing("attachment") { () throws(SealingError) in try SecretBytes.random() }
    let row = try Self.freshRow(vault, store)
    let wrapped = vault.keys.wrap(key, attachment: row, randomness: vault.settings.randomness)
    self.key = key
    self.row = row
    try inTransaction { () throws(StoreError) in
      try store.run(
        "INSERT INTO attachment(id, sealed) VALUES(?, ?)", [.integer(row), .blob(wrapped)])
    }
    vault.staged.insert(row)
  }

  package convenience init(_ vault: Vault) throws(VaultError) { try self.init(vault, in: nil) }

  deinit { if !isOver { vault.discardStaged([row], through: isNested ? store : nil) } }

  private static func freshRow(_ vault: Vault, _ store: RowStore) throws(VaultError) -> Int64 {
    while true {
      let row = Int64(vault.settings.randomness.uint64() >> 33)
      guard AttachmentChunk.rows.contains(row) else { continue }
      var isTaken = false
      try storing(vault.path) { () throws(StoreError) in
        try store.run("SELECT 1 FROM attachment WHERE id=?", [.integer(row)]) {
          _ throws(StoreError) in
          isTaken = true
          return false
        }
      }
      if !isTaken { return row }
    }
  }

  private func inTransaction(_ body: () throws(StoreError) -> Void) throws(VaultError) {
    try storing(vault.path) { () throws(StoreError) in
      if isNested { try body() } else { try store.looseTransaction(body) }
    }
  }

  /// Takes the next bytes.
  package func take(_ bytes: [UInt8]) throws(VaultError) {
    guard size + bytes.count <= AttachmentChunk.sizeLimit else {
      throw VaultError(.attachment, expected: .oneTebibyte)
    }
    size += bytes.count
    pending += bytes
    // The last chunk says that it is: one is held back until more comes.
    var start = 0
    while pending.count - start > AttachmentChunk.size {
      seal(pending[start..<(start + AttachmentChunk.size)], isLast: false)
      start += AttachmentChunk.size
    }
    pending.removeFirst(start)
    if sealed.count >= Self.chunksPerTransaction { try flush() }
  }

  private func seal(_ plain: ArraySlice<UInt8>, isLast: Bool) {
    let data = vault.keys.associatedData(
      .chunk, object: VaultKeys.object(row), index: UInt32(written + sealed.count), final: isLast)
    sealed.append(
      unsafe AEAD.seal(
        plain.span.bytes, associatedData: data.span.bytes, key: key,
        randomness: vault.settings.randomness))
  }

  private func flush() throws(VaultError) {
    var isThere = false
    try inTransaction { () throws(StoreError) in
      // Another process may have emptied the trash, and what belonged to nobody with it.
      try store.run("SELECT 1 FROM attachment WHERE id=?", [.integer(row)]) {
        _ throws(StoreError) in
        isThere = true
        return false
      }
      guard isThere else { return }
      for (index, chunk) in sealed.enumerated() {
        try store.run(
          "INSERT INTO chunk(id, sealed) VALUES(?, ?)",
          [.integer(AttachmentChunk.row(row, written + index)), .blob(chunk)])
      }
    }
    guard isThere else {
      throw VaultError(.conflict, .attachment, "", .wasRemovedByAnother)
    }
    written += sealed.count
    sealed = []
  }

  /// Ends it: what an entry or an edit can then take.
  package func finish(name: String, type: String) throws(VaultError) -> StagedAttachment {
    let attachment = Attachment(name: name, type: type, size: size)
    try AttachmentChunk.check(attachment)
    seal(pending[...], isLast: true)
    try flush()
    isOver = true
    return StagedAttachment(attachment, row: row)
  }
}

/// An attachment's bytes, chunk by chunk, from one snapshot.
package final class AttachmentReader {
  package let attachment: Attachment
  /// Kept for its transaction; nil when somebody else keeps one.
  private let snapshot: Snapshot?
  private let catalogue: Catalogue
  private let stored: StoredAttachment
  private let key: SecretBytes
  private let subject: String
  private var index = 0
  private var isOver = false

  /// - Throws: ``VaultError`` `notFound` with the names there are.
  package convenience init(
    _ snapshot: Snapshot, _ reference: EntryReference, name: String
  ) throws(VaultError) {
    let header = try snapshot.header(reference)
    let names = header.attachments.map(\.attachment.name)
    guard let stored = header.attachments.first(where: { $0.attachment.name == name }) else {
      throw VaultError(.notFound, .attachment, name, candidates: names)
    }
    try self.init(snapshot, stored, of: header.id)
  }

  convenience init(
    _ snapshot: Snapshot, _ stored: StoredAttachment, of entry: EntryID
  ) throws(VaultError) {
    try self.init(snapshot.catalogue, stored, of: entry, keeping: snapshot)
  }

  init(
    _ catalogue: Catalogue, _ stored: StoredAttachment, of entry: EntryID,
    keeping snapshot: Snapshot? = nil
  ) throws(VaultError) {
    self.snapshot = snapshot
    self.catalogue = catalogue
    self.stored = stored
    attachment = stored.attachment
    subject = Self.subject(stored, entry)
    key = try Self.key(stored, of: entry, catalogue)
  }

  private static func subject(_ stored: StoredAttachment, _ entry: EntryID) -> String {
    "attachment \(stored.attachment.name) of entry \(entry.short)"
  }

  /// The attachment's own key.
  static func key(
    _ stored: StoredAttachment, of entry: EntryID, _ catalogue: Catalogue
  ) throws(VaultError) -> SecretBytes {
    let subject = subject(stored, entry)
    var wrapped: [UInt8]?
    try storing(catalogue.vault.path) { () throws(StoreError) in
      try catalogue.store.run(
        "SELECT sealed FROM attachment WHERE id=?", [.integer(stored.row)]
      ) { row throws(StoreError) in
        wrapped = try row.blob(0, limit: 256)
        return false
      }
    }
    guard let wrapped else { throw VaultError(.tampered, subject, .missing) }
    guard unsafe Ref(sealed: wrapped.span.bytes) == stored.ref else {
      throw VaultError(.tampered, subject, "not the one its entry knows")
    }
    return try unsealing(subject) { () throws(SealingError) in
      try catalogue.vault.keys.unwrap(wrapped, attachment: stored.row)
    }
  }

  /// The next bytes, nil after the last.
  package func next() throws(VaultError) -> [UInt8]? {
    if isOver { return nil }
    let vault = catalogue.vault
    let count = AttachmentChunk.count(attachment.size)
    let isLast = index == count - 1
    let data = vault.keys.associatedData(
      .chunk, object: VaultKeys.object(stored.row), index: UInt32(index), final: isLast)
    var plain: [UInt8]?
    var failure: SealingError?
    try storing(vault.path) { () throws(StoreError) in
      try catalogue.store.run(
        "SELECT sealed FROM chunk WHERE id=?", [.integer(AttachmentChunk.row(stored.row, index))]
      ) { row throws(StoreError) in
        try row.withBlob(0, limit: AttachmentChunk.size + AEAD.overhead) {
          span throws(StoreError) in
          do throws(SealingError) {
            plain = unsafe try AEAD.open(span, associatedData: data.span.bytes, key: key)
          } catch {
            failure = error
          }
        }
        return false
      }
    }
    if let failure { throw VaultError(failure, subject) }
    let wanted = isLast ? attachment.size - index * AttachmentChunk.size : AttachmentChunk.size
    guard let plain, plain.count == wanted else {
      throw VaultError(.tampered, subject, "chunk \(index + 1) of \(count) is missing or cut")
    }
    index += 1
    isOver = isLast
    return plain
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
      guard vault.staged.contains(file.row) else {
        throw VaultError(.conflict, file.attachment.name, .isNotStaged)
      }
      var ref: Ref?
      var chunks: Int64 = 0
      try storing(vault.path) { () throws(StoreError) in
        try catalogue.store.run("SELECT sealed FROM attachment WHERE id=?", [.integer(file.row)]) {
          row throws(StoreError) in
          let sealed = try row.blob(0, limit: 256)
          ref = unsafe Ref(sealed: sealed.span.bytes)
          return false
        }
        try catalogue.store.run(
          "SELECT count(*) FROM chunk WHERE id BETWEEN ? AND ?",
          [
            .integer(AttachmentChunk.row(file.row, 0)),
            .integer(AttachmentChunk.row(file.row + 1, 0) - 1),
          ]
        ) { row throws(StoreError) in
          chunks = try row.integer(0)
          return false
        }
      }
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
  static func deleteAttachment(_ row: Int64, in store: RowStore) throws(StoreError) {
    try store.run(
      "DELETE FROM chunk WHERE id BETWEEN ? AND ?",
      [
        .integer(AttachmentChunk.row(row, 0)), .integer(AttachmentChunk.row(row + 1, 0) - 1),
      ])
    try store.run("DELETE FROM attachment WHERE id=?", [.integer(row)])
  }

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
    var ids: [Int64] = []
    try storing(path) { () throws(StoreError) in
      try store.run(
        "SELECT id FROM chunk WHERE id BETWEEN ? AND ? ORDER BY id LIMIT 64",
        [.integer(AttachmentChunk.row(row, 0)), .integer(AttachmentChunk.row(row + 1, 0) - 1)]
      ) { found throws(StoreError) in
        ids.append(try found.integer(0))
        return true
      }
      if let first = ids.first, let last = ids.last {
        return try store.looseTransaction { () throws(StoreError) in
          try store.run(
            "DELETE FROM chunk WHERE id BETWEEN ? AND ?", [.integer(first), .integer(last)])
        }
      }
      try store.transaction { () throws(StoreError) in
        try store.run("DELETE FROM attachment WHERE id=?", [.integer(row)])
      }
    }
    guard ids.isEmpty else { return false }
    rows.removeLast()
    guard rows.isEmpty else { return false }
    try storing(path) { () throws(StoreError) in try store.shrink() }
    return true
  }

  /// Takes away what was staged and never linked. Best effort: verify names what is left.
  func discardStaged(_ rows: some Sequence<Int64>, through nested: RowStore? = nil) {
    for row in Array(rows) where staged.contains(row) {
      do {
        if let nested {
          try Self.deleteAttachment(row, in: nested)
        } else {
          try deleteAttachments([row])
        }
        staged.remove(row)
      } catch {
        // It stays in `staged`: the vault tries once more when it is let go.
      }
    }
  }
}
