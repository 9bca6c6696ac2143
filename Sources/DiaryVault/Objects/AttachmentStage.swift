internal import Sealing

/// Taking a file in: sealed piece by piece, in transactions of a few megabytes, and linked to an entry by
/// a change of its own afterwards. What is never linked is taken away again.
package final class AttachmentStage {
  private static let chunksPerTransaction = 16

  private let vault: Vault
  private let store: VaultRows
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
    let store: VaultRows
    if let edit { store = edit.catalogue.store } else { store = try vault.writing() }
    self.store = store
    let key = try unsealing("attachment") { () throws(SealingError) in try SecretBytes.random() }
    let row = try Self.freshRow(vault, store)
    let wrapped = vault.keys.wrap(key, attachment: row, randomness: vault.settings.randomness)
    self.key = key
    self.row = row
    try inTransaction { () throws(VaultError) in try store.put(wrapped, .attachment(row)) }
    vault.staged[row] = .some(nil)
  }

  package convenience init(_ vault: Vault) throws(VaultError) { try self.init(vault, in: nil) }

  deinit { if !isOver { vault.discardStaged([row], through: isNested ? store : nil) } }

  private static func freshRow(_ vault: Vault, _ store: VaultRows) throws(VaultError) -> Int64 {
    while true {
      let row = Int64(vault.settings.randomness.uint64() >> 33)
      guard AttachmentChunk.rows.contains(row) else { continue }
      if try store.blob(.attachment(row), limit: 256) == nil { return row }
    }
  }

  private func inTransaction(_ body: () throws(VaultError) -> Void) throws(VaultError) {
    if isNested { try body() } else { try store.looseTransaction(body) }
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
    try inTransaction { () throws(VaultError) in
      // Another process may have emptied the trash, and what belonged to nobody with it.
      guard try store.blob(.attachment(row), limit: 256) != nil else {
        throw VaultError(.conflict, .attachment, "", .wasRemovedByAnother)
      }
      for (index, chunk) in sealed.enumerated() {
        try store.put(chunk, .chunk(AttachmentChunk.row(row, written + index)))
      }
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
    vault.staged[row] = size
    return StagedAttachment(attachment, row: row)
  }
}
