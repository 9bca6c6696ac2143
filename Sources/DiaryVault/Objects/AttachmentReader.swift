internal import Sealing

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
    let wrapped = try catalogue.store.blob(.attachment(stored.row), limit: 256)
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
    _ = try catalogue.store.lend(
      .chunk(AttachmentChunk.row(stored.row, index)), limit: AttachmentChunk.size + AEAD.overhead
    ) { span throws(VaultError) in
      do throws(SealingError) {
        plain = unsafe try AEAD.open(span, associatedData: data.span.bytes, key: key)
      } catch {
        throw VaultError(error, subject)
      }
    }
    let wanted = isLast ? attachment.size - index * AttachmentChunk.size : AttachmentChunk.size
    guard let plain, plain.count == wanted else {
      throw VaultError(.tampered, subject, "chunk \(index + 1) of \(count) is missing or cut")
    }
    index += 1
    isOver = isLast
    return plain
  }
}
