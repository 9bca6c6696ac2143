internal import Bytes
package import Entries
internal import Platform
internal import Sealing

/// Takes files into a diary's folder as sealed objects, for entries to take afterwards.
///
/// It needs no vault key, because each object has its own key. The process that has the diary open
/// makes the key of a small file from a digest of its content. While an object store exists,
/// objects without an entry are not removed.
package final class ObjectStore {
  fileprivate let folder: VaultFolder
  /// Makes the key of a small file, so that the same file is the same object.
  fileprivate let key: (_ digest: [UInt8]) throws -> [UInt8]
  fileprivate let isDry: Bool
  private var lock: ObjectLock?

  /// - Parameters:
  ///   - isDry: seals nothing; what it gives only counts.
  ///   - key: 32 bytes, made from the 64 bytes of a content's digest by the process with the open diary: `Vault.objectKey(of:)`.
  package init(
    _ folder: VaultFolder, isDry: Bool = false, key: @escaping ([UInt8]) throws -> [UInt8]
  ) {
    self.key = key
    self.folder = folder
    self.isDry = isDry
  }

  /// Begins a file.
  ///
  /// - Parameter size: how long it will be, when that is known: a long one need not be kept in memory first.
  package func begin(size: Int? = nil) throws(VaultError) -> ObjectSealer {
    if lock == nil, !isDry { lock = try folder.joinObjects() }
    return try ObjectSealer(self, size: size)
  }

  /// Seals a whole file from its pieces; nil ends it.
  package func seal(
    name: String, type: String, size: Int? = nil, _ pieces: () throws -> [UInt8]?
  ) throws -> SealedAttachment {
    let sealer = try begin(size: size)
    while let piece = try pieces() { try sealer.take(piece) }
    return try sealer.finish(name: name, type: type)
  }
}

/// One file on its way in. It appears under its name when it is whole and on the disk; before, it has none.
package final class ObjectSealer {
  /// Files up to here are kept in memory first: their key is made of their bytes.
  private static let small = 32 << 20
  private static let batch = 1 << 20

  /// Whether two are the same file. For long ones, whose keys are random, name, type and size must do, as for
  /// one that was only counted.
  package static func isSame(_ one: SealedAttachment, _ other: SealedAttachment) -> Bool {
    one.attachment == other.attachment
      && (one.object == other.object || one.attachment.size > small
        || other.object.bytes.allSatisfy { $0 == 0 })
  }

  private let store: ObjectStore
  private var pending: [UInt8] = []
  private var size = 0
  private var writer: ObjectWriter?

  fileprivate init(_ store: ObjectStore, size: Int?) throws(VaultError) {
    self.store = store
    if let size, size > Self.small, !store.isDry { try beginWriting() }
  }

  deinit { writer?.wait() }

  /// Begins to write the object, under a random key.
  private func beginWriting() throws(VaultError) {
    writer = try ObjectWriter(store.folder, key: Randomness.system.bytes(AEAD.keyBytes))
  }

  /// Takes the next bytes.
  package func take(_ bytes: [UInt8]) throws(VaultError) {
    size += bytes.count
    guard size <= Attachment.sizeLimit else {
      throw VaultError(.attachment, expected: .oneTebibyte)
    }
    if store.isDry { return }
    pending += bytes
    if writer == nil, pending.count > Self.small { try beginWriting() }
    guard let writer else { return }
    try seal(into: writer)
  }

  /// Whole batches; what may be the last one stays.
  private func seal(into file: ObjectWriter) throws(VaultError) {
    var start = 0
    while pending.count - start > Self.batch {
      try file.seal(pending, start..<(start + Self.batch), isLast: false)
      start += Self.batch
    }
    pending.removeSubrange(..<start)
  }

  /// Ends it: what an entry or an edit can then take.
  package func finish(name: String, type: String) throws -> SealedAttachment {
    let attachment = Attachment(name: name, type: type, size: size)
    try attachment.check()
    guard !store.isDry else {
      return SealedAttachment(
        attachment, object: ObjectName(bytes: [UInt8](repeating: 0, count: 32))!,
        key: [UInt8](repeating: 0, count: AEAD.keyBytes))
    }
    let file: ObjectWriter
    if let writer {
      file = writer
    } else {
      file = try ObjectWriter(store.folder, key: try key(of: pending))
    }
    // The zeros behind may be many: they come batch by batch, too.
    var left = Attachment.padded(size) - size
    try seal(into: file)
    while true {
      let more = min(left, Self.batch - pending.count)
      pending += [UInt8](repeating: 0, count: more)
      left -= more
      guard left > 0 else { break }
      try file.seal(pending, 0..<pending.count, isLast: false)
      pending.removeAll(keepingCapacity: true)
    }
    try file.seal(pending, 0..<pending.count, isLast: true)
    pending = []
    let object = try file.finish()
    return SealedAttachment(attachment, object: object, key: file.key)
  }

  /// The key of a file whose bytes are all here: the same bytes in the same diary make the same object.
  private func key(of bytes: [UInt8]) throws -> [UInt8] {
    try store.key(Digest.blake2b(bytes, count: 64, domain: "FDv2 object content"))
  }
}

/// The sealed form of a file, written batch by batch: while one is sealed, those before it are hashed and written.
private final class ObjectWriter {
  let key: [UInt8]
  private let secret: SecretBytes
  private let folder: VaultFolder
  private let file: AtomicFile
  private let digest = FileDigest()
  /// Hashes and writes.
  private let behind = Lane()
  private var failure: VaultError?
  private var chunks = 0
  /// The batch that is being hashed and written, and memory for the next.
  private var sealed: [UInt8] = []
  private var next: [UInt8] = []

  init(_ folder: VaultFolder, key: [UInt8]) throws(VaultError) {
    self.key = key
    self.folder = folder
    var copy = key
    secret = try unsealing(.object) { () throws(SealingError) in try SecretBytes(wiping: &copy) }
    file = try onDisk { () throws(PlatformError) in
      try AtomicFile(folder.objects + "/.sealing")
    }
  }

  /// Whole chunks, but for the last.
  func seal(_ plain: [UInt8], _ range: Range<Int>, isLast: Bool) throws(VaultError) {
    next.removeAll(keepingCapacity: true)
    unsafe SealedFile.seal(
      plain.span.bytes.extracting(range), chunks, isLast: isLast, key: secret, onto: &next)
    chunks += SealedFile.chunkCount(plain: range.count)
    try settle()
    swap(&sealed, &next)
    behind.start { [self] in
      digest.add(sealed)
      do throws(VaultError) {
        try onDisk { () throws(PlatformError) in try file.write(sealed) }
      } catch {
        failure = error
      }
    }
  }

  /// Waits for what is under way.
  func wait() { behind.wait() }

  private func settle() throws(VaultError) {
    wait()
    if let failure { throw failure }
  }

  func finish() throws(VaultError) -> ObjectName {
    try settle()
    let name = ObjectName(bytes: digest.finish())!
    try onDisk { () throws(PlatformError) in
      // One that is there already has the same bytes, or is damaged.
      try file.commit(as: name.text)
      try FileSystem.synchronize(directory: folder.objects)
    }
    return name
  }
}
