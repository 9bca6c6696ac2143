internal import Platform
internal import Sealing

/// An attachment with what opens it.
package struct AttachedFile: Sendable, Codable {
  package let attachment: Attachment
  let object: ObjectName
  let key: [UInt8]
  /// Whose it is, for messages.
  let entry: String

  init(_ stored: StoredAttachment, of entry: EntryID) {
    attachment = stored.attachment
    object = stored.object
    key = stored.key
    self.entry = entry.short
  }

  var subject: String { "attachment \(attachment.name) of entry \(entry)" }
}

extension Snapshot {
  /// - Throws: ``VaultError`` `notFound` with the names there are.
  package func attachment(
    _ name: String, of reference: EntryReference
  ) throws(VaultError) -> AttachedFile {
    let header = try header(reference)
    guard let stored = header.attachments.first(where: { $0.attachment.name == name }) else {
      throw VaultError(
        .notFound, .attachment, name, candidates: header.attachments.map(\.attachment.name))
    }
    return AttachedFile(stored, of: header.id)
  }
}

/// An attachment's bytes, from its object.
package final class ObjectReader {
  private static let chunksAtOnce = 8

  package let attachment: Attachment
  private let subject: String
  private let file: Descriptor
  private let key: SecretBytes
  private let chunks: Int
  private var done = 0
  private var left: Int
  private var isOver = false

  /// - Throws: ``VaultError`` `tampered` when its object is missing or has another length.
  package init(_ attached: AttachedFile, in folder: VaultFolder) throws(VaultError) {
    attachment = attached.attachment
    subject = attached.subject
    left = attachment.size
    guard let (file, size) = try Self.open(attached.object, in: folder) else {
      throw VaultError(.tampered, subject, "objects/\(attached.object.text) is missing")
    }
    let plain = Attachment.padded(attachment.size)
    guard size == SealedFile.sealedSize(plain: plain) else {
      throw VaultError(.tampered, subject, "objects/\(attached.object.text) has another length")
    }
    chunks = SealedFile.chunkCount(plain: plain)
    self.file = file
    var copy = attached.key
    key = try unsealing(subject) { () throws(SealingError) in try SecretBytes(wiping: &copy) }
  }

  /// The file of an object and its length: in the diary's folder or, of a backup, beside it, where backups share theirs.
  static func open(
    _ object: ObjectName, in folder: VaultFolder
  ) throws(VaultError) -> (Descriptor, size: Int)? {
    for place in folder.objectPlaces {
      do throws(PlatformError) {
        let file = try Descriptor.open(place + "/" + object.text, [.noFollow, .nonBlocking])
        let status = try file.status()
        guard status.kind == .regular else { continue }
        return (file, status.size)
      } catch {
        guard error.isMissing || error.reason == .link else { throw VaultError(error) }
      }
    }
    return nil
  }

  /// Whether an object is there with the length it must have, and its last chunk opens.
  static func isWhole(_ stored: StoredAttachment, in folder: VaultFolder) -> Bool {
    let attached = AttachedFile(stored, of: EntryID(bytes: [UInt8](repeating: 0, count: 16)))
    guard let reader = try? ObjectReader(attached, in: folder) else { return false }
    return (try? reader.chunk(reader.chunks - 1, reader.read(reader.chunks - 1, 1))) != nil
  }

  private func read(_ number: Int, _ count: Int) throws(VaultError) -> [UInt8] {
    try onDisk { () throws(PlatformError) in
      try file.read(count * SealedFile.sealedChunk, at: number * SealedFile.sealedChunk)
    }
  }

  private func chunk(_ number: Int, _ sealed: [UInt8]) throws(SealingError) -> [UInt8] {
    unsafe try SealedFile.open(sealed.span.bytes, number, of: chunks, key: key)
  }

  /// The next bytes, nil after the last: at most 512 KiB.
  package func next() throws(VaultError) -> [UInt8]? {
    guard left > 0, done < chunks else { return nil }
    let count = min(Self.chunksAtOnce, chunks - done)
    let sealed = try read(done, count)
    let half = (count + 1) / 2
    var isRight = (true, true)
    let size = max(0, sealed.count - count * AEAD.tagBytes)
    var plain = unsafe [UInt8](unsafeUninitializedCapacity: size) { out, filled in
      let out = UnsafeMutableRawBufferPointer(out)
      Parallel.both {
        isRight.0 = unsafe open(sealed, 0..<half, into: out)
      } and: {
        isRight.1 = unsafe open(sealed, half..<count, into: out)
      }
      filled = isRight == (true, true) ? size : 0
    }
    guard isRight == (true, true) else {
      throw VaultError(.notAuthentic, subject)
    }
    done += count
    if plain.count > left { plain.removeLast(plain.count - left) }
    left -= plain.count
    guard left == 0 || done < chunks else {
      throw VaultError(.tampered, subject, "is cut")
    }
    return plain
  }

  /// Opens some of the chunks in `sealed`, each to its place in `out`.
  private func open(
    _ sealed: [UInt8], _ range: Range<Int>, into out: UnsafeMutableRawBufferPointer
  ) -> Bool {
    for index in range {
      let start = index * SealedFile.sealedChunk
      let end = min(sealed.count, start + SealedFile.sealedChunk)
      let place = index * SealedFile.chunk
      guard end - start >= AEAD.tagBytes, place <= out.count else { return false }
      let part = unsafe UnsafeMutableRawBufferPointer(
        rebasing: out[place..<min(out.count, place + end - start - AEAD.tagBytes)])
      guard
        unsafe SealedFile.open(
          sealed.span.bytes.extracting(start..<end), done + index, of: chunks, key: key,
          into: part)
      else { return false }
    }
    return true
  }
}

/// Whether the bytes of an object are those its name says, a slice of time after another.
final class ObjectCheck {
  private let file: Descriptor
  private let object: ObjectName
  private let digest = FileDigest()
  private var place = 0

  /// - Throws: ``VaultError`` `tampered` when it is missing or has another length.
  init(_ attached: AttachedFile, in folder: VaultFolder) throws(VaultError) {
    // What the reader refuses, this refuses, too.
    _ = try ObjectReader(attached, in: folder)
    guard let (file, _) = try ObjectReader.open(attached.object, in: folder) else {
      throw VaultError(.tampered, attached.subject, .missing)
    }
    self.file = file
    object = attached.object
  }

  /// Goes on by a few megabytes; nil when it is not at the end.
  func step() throws(VaultError) -> Bool? {
    let bytes = try onDisk { () throws(PlatformError) in try file.read(4 << 20, at: place) }
    guard bytes.isEmpty else {
      digest.add(bytes)
      place += bytes.count
      return nil
    }
    return digest.finish() == object.bytes
  }
}
