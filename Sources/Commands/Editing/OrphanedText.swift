internal import Access
internal import Bytes
internal import Dates
internal import Entries
internal import Formats
internal import Platform
internal import Requests

/// What was saved in an editor whose command was killed: whoever finds its directory seals it as a draft, with the key that lies beside
/// it. That key opens nothing.
@MainActor
struct OrphanedText {
  nonisolated static let fileName = "entry.md"
  /// Where an editor puts what was not saved when it is told to end: nano does so by itself.
  nonisolated static let rescueSuffix = ".save"
  /// The digest of the text as the editor got it, or as it was kept last.
  private static let keptName = "kept"
  static let noteName = "draft-key"

  /// The key that drafts are sealed to, and the directory where they are kept.
  private let key: [UInt8]
  private let directory: String

  init(key: [UInt8], directory: String) {
    self.key = key
    self.directory = directory
  }

  /// Leaves what is needed in an editor's directory.
  func leave(in place: MemoryDirectory, began text: String) throws {
    _ = try place.write(Array((Base32.encode(key) + "\n" + directory).utf8), as: Self.noteName)
    _ = try place.write(Self.digest(Array(text.utf8)), as: Self.keptName)
  }

  /// What an editor left that was told to end: what it rescued beside the file, or what it had saved. Both, one below the other, where
  /// what it rescued is less than half as long: it may be cut off, or what is left of a text that was taken out.
  ///
  /// - Parameter isNew: whether what it had saved is wanted, too.
  static func left(_ saved: [UInt8], in directory: String, isNew: Bool) -> [UInt8] {
    guard let path = rescued(in: directory), let rescued = read(path),
      !StoredText.decoding(rescued).text.allSatisfy(\.isWhitespace)
    else { return saved }
    guard isNew, rescued.count < saved.count / 2 else { return rescued }
    return saved + Array("\n\n".utf8) + rescued
  }

  private static func read(_ path: String) -> [UInt8]? {
    try? Descriptor.open(path, [.noFollow, .nonBlocking]).readAll(limit: 64 << 20)
  }

  /// What an editor wrote beside the file when it was told to end with text that was not saved: `entry.md.save`, ed's `ed.hup`.
  private static func rescued(in directory: String) -> String? {
    let names = ((try? FileSystem.names(in: directory)) ?? [])
      .filter { $0.hasPrefix(fileName + rescueSuffix) || $0 == "ed.hup" }
    func stamp(_ path: String) -> [UInt64] {
      (try? FileStatus(path).stamp.suffix(3)).map(Array.init) ?? []
    }
    return names.map { directory + "/" + $0 }
      .max { stamp($0).lexicographicallyPrecedes(stamp($1)) }
  }

  /// Notes that a text is kept.
  static func note(kept text: [UInt8], in place: MemoryDirectory) {
    try? place.rewrite(digest(text), as: keptName)
  }

  private static func digest(_ text: [UInt8]) -> [UInt8] {
    Digest.blake2b(text, domain: "FDv2 text in an editor")
  }

  /// Keeps what was saved in the directory of a killed command and was not kept yet.
  ///
  /// - Returns: whether nothing is left there that anybody would miss.
  static func keep(from path: String) -> Bool {
    // A kill may have come while the digest was written.
    let kept = read(path + "/" + keptName)
    let written = path + "/" + fileName
    guard let file = FileSystem.exists(written) ? read(written) : [] else { return false }
    let saved = left(file, in: path, isNew: digest(file) != kept)
    guard digest(saved) != kept,
      let note = read(path + "/" + noteName).map({ String(decoding: $0, as: UTF8.self) }),
      let end = note.firstIndex(of: "\n"), let key = Base32.decode(String(note[..<end]))
    else { return true }
    let dates = DateParser.typed
    let draft = EntryDraft(date: dates.now, zone: dates.zone.name, body: "")
    let text = StoredText.decoding(saved).text
    let content = EntryInEditor(draft.content, hasFiles: false, dates: dates).understood(text)
    guard !text.allSatisfy(\.isWhitespace) else { return true }
    do {
      let directory = DeviceDirectory(String(note[note.index(after: end)...]))
      try directory.make()
      // More than an entry can hold becomes several.
      var rest = content.body[...]
      repeat {
        var part = content
        var end =
          rest.utf8.index(rest.startIndex, offsetBy: EntryDraft.bodyLimit, limitedBy: rest.endIndex)
          ?? rest.endIndex
        while end.samePosition(in: content.body.unicodeScalars) == nil {
          end = rest.utf8.index(before: end)
        }
        part.body = String(rest[..<end])
        rest = rest[end...]
        _ = try directory.keepText(try UnsavedText(adding: EntryDraft(part)).sealed(to: key))
      } while !rest.isEmpty
      return true
    } catch {
      return false
    }
  }
}
