internal import Bytes
package import Entries
package import Platform
internal import Sealing

/// A file of an entry, with what opens it.
package struct AttachedFile: Sendable, Codable {
  package let file: SealedAttachment
  /// Whose it is, for messages.
  package let entry: String

  package init(_ file: SealedAttachment, of entry: EntryID) {
    self.file = file
    self.entry = entry.short
  }

  package var attachment: Attachment { file.attachment }
  /// The attachment and its entry, for an error.
  package var name: String { "\(attachment.name) (\(entry))" }
}

/// An attachment's bytes, from its object.
package final class ObjectReader {
  private static let chunksAtOnce = 8

  private let name: String
  package let file: Descriptor
  private let key: SecretBytes
  private let chunks: Int
  private var done = 0
  private var left: Int

  /// - Throws: ``VaultError`` `tampered` when its object is missing or has another length.
  package convenience init(_ attached: AttachedFile, in folder: VaultFolder) throws(VaultError) {
    try self.init(attached.file, in: folder, name: attached.name)
  }

  private init(
    _ sealed: SealedAttachment, in folder: VaultFolder, name: String
  ) throws(VaultError) {
    self.name = name
    left = sealed.attachment.size
    guard let (file, size) = try Self.open(sealed.object, in: folder) else {
      throw VaultError(.tampered, .attachment, name, .objectMissing(sealed.object.text))
    }
    guard size == sealed.sealedSize else {
      throw VaultError(.tampered, .attachment, name, .objectHasOtherLength(sealed.object.text))
    }
    chunks = SealedFile.chunkCount(plain: Attachment.padded(sealed.attachment.size))
    self.file = file
    var copy = sealed.key
    key = try unsealing(.attachment, name) { () throws(SealingError) in
      try SecretBytes(wiping: &copy)
    }
  }

  /// The file of an object and its length: in the diary's folder or, of a backup, beside it, where backups share theirs.
  package static func open(
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
  package static func isWhole(_ sealed: SealedAttachment, in folder: VaultFolder) -> Bool {
    guard let reader = try? ObjectReader(sealed, in: folder, name: sealed.attachment.name) else {
      return false
    }
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
        isRight.0 = unsafe self.open(sealed, 0..<half, into: out)
      } and: {
        isRight.1 = unsafe self.open(sealed, half..<count, into: out)
      }
      filled = isRight == (true, true) ? size : 0
    }
    guard isRight == (true, true) else {
      throw VaultError(.notAuthentic, .attachment, name)
    }
    done += count
    if plain.count > left { plain.removeLast(plain.count - left) }
    left -= plain.count
    guard left == 0 || done < chunks else {
      throw VaultError(.tampered, .attachment, name, .isCut)
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

/// Whether the bytes of an object are those its name says, a few megabytes after another.
package final class ObjectCheck {
  private static let piece = 4 << 20
  private let file: Descriptor
  private let name: ObjectName
  private let digest = FileDigest()
  private let holes: Holes
  private var place = 0

  package init(_ file: Descriptor, is name: ObjectName) {
    self.file = file
    self.name = name
    holes = Holes(in: file)
  }

  /// Goes on; nil when it is not at the end.
  package func step() throws(VaultError) -> Bool? {
    let bytes = try onDisk { () throws(PlatformError) in try file.read(Self.piece, at: place) }
    guard bytes.isEmpty else {
      if holes.are(in: bytes) { return false }
      file.prefetch(2 * Self.piece, at: place + bytes.count)
      digest.add(bytes)
      place += bytes.count
      return nil
    }
    return digest.finish() == name.bytes
  }

  /// - Parameter working: called every 64 MiB.
  package func finish(_ working: () -> Void = {}) throws(VaultError) -> Bool {
    while true {
      if let isRight = try step() { return isRight }
      if place % (64 << 20) == 0 { working() }
    }
  }
}

/// Holes in a file that the file system says is mostly holes. It may be of any size, and is not read further than the first: no sealed file
/// has one. That a file system counts few blocks is no proof, because some count them late or never.
struct Holes {
  private static let page = 4096
  private let mayBe: Bool

  init(in file: Descriptor) { mayBe = (try? file.status())?.isSparse ?? false }

  /// Whether one of the pages of a piece holds nothing but zeros.
  func are(in bytes: [UInt8]) -> Bool {
    mayBe
      && stride(from: 0, to: bytes.count - Self.page + 1, by: Self.page).contains { start in
        bytes[start..<start + Self.page].allSatisfy { $0 == 0 }
      }
  }
}
