internal import Access
internal import Bytes
internal import Client
internal import Dates
internal import Entries
internal import Formats
internal import Platform
internal import Requests
internal import SealedFiles
internal import Words

/// The open diary, as the page's server has it: connections to the process that holds the keys, and what the page was told of it.
final class OpenDiary {
  let connection: KeeperConnection
  /// Tells of changes, and of the end.
  let watch: SessionWatch
  /// Text that could not be saved is sealed to this key.
  private let draftKey: [UInt8]
  private let kept: KeptTexts
  /// Whether `#word` in a text is a tag.
  let inlineTags: Bool
  private var notices: [DiaryNotice] = []
  private var pictures = PictureAddresses(secret: Randomness.system.bytes(32))
  private var uploads: [String: Upload] = [:]
  /// What an edit that is being typed began from: it can be kept when the diary is closed, too.
  private var bases: [Base: Entry] = [:]

  private struct Base: Hashable {
    let id: EntryID
    let revision: UInt64
  }

  /// Reads times as people type them, now.
  var dates: DateParser { DateParser.typed }

  /// A file on its way in, piece by piece.
  private struct Upload {
    let name: String
    let size: Int
    let sealer: ObjectSealer
    var type: String?
    var done = 0
    /// Once it is whole and sealed: until an entry has it.
    var sealed: SealedAttachment?
  }

  /// A person drops a few photos at once, not thousands.
  private static let uploadLimit = Attachment.countLimit
  /// Bytes of a picture that is shown; a larger one is only named.
  static let pictureLimit = 64 << 20

  init(
    _ connection: KeeperConnection, _ watch: SessionWatch, _ kept: KeptTexts, inlineTags: Bool
  ) throws {
    (self.connection, self.watch, self.kept) = (connection, watch, kept)
    self.inlineTags = inlineTags
    draftKey = try connection.run(DraftKey())
    connection.heed = { [unowned self] in notices += $0 }
  }

  /// Another page shows it: what the page before was given, and had begun, counts no more.
  func beginAnew() {
    pictures = PictureAddresses(secret: Randomness.system.bytes(32))
    (uploads, bases) = ([:], [:])
  }

  // MARK: Pictures and files

  /// The address of a picture; nil for a file that no browser shows.
  func address(_ attachment: Attachment, of entry: EntryID) -> String? {
    guard MediaType.pictures.contains(attachment.type), attachment.size <= Self.pictureLimit
    else { return nil }
    return pictures.address(of: attachment.name, in: entry)
  }

  /// A picture's bytes, and the type that they have, whatever the entry says.
  func picture(_ word: String) throws -> (type: String, bytes: [UInt8])? {
    guard let (entry, name) = pictures.file(word) else { return nil }
    let bytes = try file(name, of: entry)
    let type = MediaType.of(Array(bytes.prefix(64)), name: "")
    return MediaType.pictures.contains(type) ? (type, bytes) : nil
  }

  /// - Throws: ``Failure`` for one too large for a page.
  func file(_ name: String, of entry: EntryID) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try connection.read(name, of: .id(entry)) { piece in
      guard bytes.count + piece.count <= Self.pictureLimit else {
        throw Failure(.invalid, WindowMessage.fileTooLarge)
      }
      bytes += piece
    }
    return bytes
  }

  /// Begins a file; answers its name for the pieces.
  func beginUpload(_ name: String, size: Int) throws -> String {
    guard uploads.count < Self.uploadLimit, size >= 0 else {
      throw Failure(.invalid, WindowMessage.tooManyFiles)
    }
    let word = Base32.encode(Randomness.system.bytes(10))
    uploads[word] = Upload(
      name: Attachment.usableName(name), size: size,
      sealer: try connection.objectStore().begin(size: size))
    return word
  }

  /// Takes the next piece of a file.
  func take(_ bytes: [UInt8], of word: String) throws {
    guard var upload = uploads[word], upload.sealed == nil, upload.done + bytes.count <= upload.size
    else {
      uploads[word] = nil
      throw Failure(.invalid, WindowMessage.uploadBroken)
    }
    if upload.type == nil {
      upload.type = MediaType.of(Array(bytes.prefix(4096)), name: upload.name)
    }
    try upload.sealer.take(bytes)
    upload.done += bytes.count
    uploads[word] = upload
  }

  func dropUpload(_ word: String) { uploads[word] = nil }

  /// The files of uploads that are whole, for an entry to take. They stay until ``dropUpload(_:)``: the entry may be refused.
  func finish(_ words: [String]) throws -> [SealedAttachment] {
    try words.map { word in
      guard let upload = uploads[word], upload.done == upload.size else {
        throw Failure(.invalid, WindowMessage.uploadBroken)
      }
      if let sealed = upload.sealed { return sealed }
      let sealed = try upload.sealer.finish(
        name: upload.name, type: upload.type ?? MediaType.of([], name: upload.name))
      uploads[word]?.sealed = sealed
      return sealed
    }
  }

  // MARK: Unsaved text

  /// Those of these uploads that are whole.
  func whole(_ words: [String]) throws -> [SealedAttachment] {
    try finish(words.filter { uploads[$0].map { $0.done == $0.size } ?? false })
  }

  /// Seals what is being typed, in the place of what was kept of the same text before.
  func keep(_ text: UnsavedText, as draft: String) throws {
    try kept.keep(try text.sealed(to: draftKey), as: draft)
  }

  func drop(_ draft: String) { kept.drop(draft) }

  /// What the owner has to know, which the process with the keys told while something was done.
  func takeNotices() -> [DiaryNotice] {
    defer { notices = [] }
    return notices
  }

  /// A text that is kept and that no page is writing.
  struct Draft {
    let name: String
    /// When, in seconds since 1970.
    let kept: Int64
    /// nil for one that cannot be opened.
    let description: UnsavedText.Description?
  }

  /// The most texts that are described at once; the others follow when these are decided about.
  private static let draftLimit = 50

  func drafts() throws -> [Draft] {
    try kept.others().prefix(Self.draftLimit).compactMap { name in
      guard let (sealed, time) = try kept.read(name) else { return nil }
      do {
        return Draft(
          name: name, kept: time, description: try connection.run(DescribeDraft(sealed)))
      } catch let error as SessionError {
        throw error
      } catch {
        return Draft(name: name, kept: time, description: nil)
      }
    }
  }

  /// Deletes one of them.
  func discardKept(_ name: String) throws {
    guard try kept.others().contains(name) else { throw Self.noDraft }
    try kept.remove(name)
  }

  private static var noDraft: Failure { Failure(.notFound, WritingMessage.nothingToRecover) }

  /// Saves one of them; what cannot be saved stays.
  ///
  /// - Returns: the entry; nil for a template. Whether it is another than the one that was edited, and what is missing of it.
  func recover(_ name: String) throws -> (saved: EntryID?, isNew: Bool, trouble: Failure?) {
    guard try kept.others().contains(name), let (sealed, _) = try kept.read(name) else {
      throw Self.noDraft
    }
    let done = try connection.run(RecoverDraft(sealed))
    try kept.remove(name)
    guard case .entry(let entry, let missing, let other) = done else { return (nil, false, nil) }
    return (
      entry.id, other != nil,
      missing.isEmpty ? nil : Failure(.notFound, WritingMessage.filesNotThere(missing))
    )
  }

  // MARK: Entries

  /// The revision of an entry that an edit begins from.
  func base(of id: EntryID, _ revision: UInt64) throws -> Entry {
    if let known = bases[Base(id: id, revision: revision)] { return known }
    let found = try entry(id, revision: revision)
    remember(found)
    return found
  }

  /// An edit may begin from what is shown.
  func remember(_ entry: Entry) {
    if bases.count >= 32 { bases = [:] }
    bases[Base(id: entry.id, revision: entry.revision)] = entry
  }

  /// The entry, or one of its revisions.
  func entry(
    _ id: EntryID, revision: UInt64? = nil, isInTrash: Bool = false, isForChange: Bool = false
  ) throws -> Entry {
    var found: Entry?
    _ = try connection.run(
      ShowEntries(
        [.id(id)], revision: revision, isInTrash: isInTrash, isForChange: isForChange)
    ) { found = $0 }
    guard let found else { throw VaultError(.notFound, .entry, id.short) }
    return found
  }
}

/// The folder of this device where text waits that could not be saved, sealed. The page keeps there what is being typed.
final class KeptTexts {
  private let directory: DeviceDirectory
  /// The files of what is being written in this window, by the page's names for it.
  private var own: [String: (name: String, use: FileLock?)] = [:]

  init(_ path: String) { directory = DeviceDirectory(path) }

  func keep(_ sealed: [UInt8], as draft: String) throws {
    let before = own[draft]
    own[draft] = try directory.keepText(sealed)
    if let before { try? directory.remove(before.name) }
  }

  func drop(_ draft: String) {
    if let one = own.removeValue(forKey: draft) { try? directory.remove(one.name) }
  }

  /// Those that nobody is writing, neither here nor in an editor or another window.
  func others() throws -> [String] { try directory.leftTexts() }

  /// The page has gone: nobody writes any more what it had kept.
  func forget() { own = [:] }

  /// - Returns: the text, and when it was kept, in seconds since 1970.
  func read(_ name: String) throws -> (sealed: [UInt8], time: Int64)? {
    guard let status = try? FileStatus(directory.path + "/" + name),
      let sealed = try directory.read(name, limit: DiaryLocation.keptTextLimit)
    else { return nil }
    return (sealed, status.modified)
  }

  func remove(_ name: String) throws { try directory.remove(name) }
}
