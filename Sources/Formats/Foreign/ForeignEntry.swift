internal import Bytes
internal import CommandLine
internal import Dates
internal import Entries
internal import Platform
internal import Words

/// An entry of another program: those parts that a diary here has a place for.
struct ForeignEntry {
  /// A photo or file of it.
  enum File {
    /// Below the folder that is read.
    case path(String)
    /// As it is written in the text.
    case bytes([UInt8], name: String)
  }

  /// For errors: a file, or a line of one.
  let place: String
  var draft: EntryDraft
  var id: EntryID?
  var created: Int64?
  var modified: Int64?
  var files: [File] = []

  init(_ place: String, at date: ZonedTime) {
    self.place = place
    draft = EntryDraft(date: date, body: "")
  }
}

extension Sequence where Element: Hashable {
  /// Each once, at most one more than an entry may have: a small file may name very many, for very many entries.
  var distinctTags: [Element] {
    var (tags, seen): ([Element], Set<Element>) = ([], [])
    for tag in self where seen.insert(tag).inserted {
      tags.append(tag)
      if tags.count > EntryDraft.tagCountLimit { break }
    }
    return tags
  }
}

extension ForeignEntry {
  /// A missing or invalid date.
  static func wrongDate(_ place: String, _ field: String) -> Failure {
    Failure(
      .invalid,
      ExchangeMessage.fileField(
        file: place, field: field, expected: ImportExpectation.aDateAndTime))
  }
}

/// Entries of another program, one by one.
protocol ForeignEntries {
  /// - Throws: ``BadEntry`` when the next one may be asked for.
  mutating func next() throws -> ForeignEntry?
  /// What it met until now that no entry takes.
  var lost: LostParts { get }
  /// Whether a file of the folder is a source of entries, or holds only what they hold.
  func isOwn(_ path: String) -> Bool
}

extension ForeignEntries {
  func isOwn(_ path: String) -> Bool { false }
}

/// Objects of another program, a JSON file each.
struct ForeignFiles {
  let folder: InputFolder
  private let read: @MainActor (String) throws -> JSONValue
  private var names: [String]
  var lost = LostParts()

  @MainActor
  init(_ input: ImportInput, _ folder: InputFolder) {
    self.folder = folder
    read = { try input.object($0) }
    names = input.jsonFiles.reversed()
  }

  /// The next object that has one of some fields; the files of others are reported.
  ///
  /// - Throws: ``BadEntry``.
  mutating func next(having fields: [String]) throws -> (object: JSONValue, name: String)? {
    while let name = names.popLast() {
      do {
        let object = try MainActor.assumeIsolated { try read(name) }
        if fields.contains(where: { object[$0] != nil }) { return (object, name) }
        lost.add(.file, name)
      } catch { throw BadEntry(failure: error, place: name) }
    }
    return nil
  }
}

/// Texts of another program, a file each.
struct ForeignTexts {
  private let folder: InputFolder
  private let limit: Int
  private var names: [String]

  /// - Parameters:
  ///   - names: below the folder, in order.
  ///   - limit: bytes of one of them.
  init(_ names: [String], in folder: InputFolder, limit: Int = 4 * EntryDraft.bodyLimit) {
    self.names = names.reversed()
    self.folder = folder
    self.limit = limit
  }

  /// The next text.
  ///
  /// - Throws: ``BadEntry`` for one that cannot be read.
  mutating func next() throws -> (text: String, name: String)? {
    guard let name = names.popLast() else { return nil }
    do {
      let bytes = try InputFile(name, in: folder).contents(limit: limit)
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw Failure.notText(name)
      }
      return (text, name)
    } catch { throw BadEntry(failure: error, place: name) }
  }
}

/// Lists of objects of another program, a file each.
struct ForeignLists {
  private let folder: InputFolder
  private let list: String?
  private var names: [String]
  private var objects: JSONEntryObjects?
  /// The file that is being read; empty for the objects that came first.
  private var name = ""

  /// - Parameters:
  ///   - names: below the folder, in order.
  ///   - list: the member of each file that holds its objects; nil where the file is the list.
  ///   - first: objects that come before those of the files.
  init(
    _ names: [String], list: String?, in folder: InputFolder, first: JSONEntryObjects? = nil
  ) {
    (self.names, self.list, self.folder) = (names.reversed(), list, folder)
    objects = first
  }

  /// The next object, where it begins, and the name of its file.
  mutating func next() throws -> (object: JSONValue, place: String, name: String)? {
    while true {
      if let object = try objects?.next() { return (object, objects?.place ?? "", name) }
      objects = nil
      guard let next = names.popLast() else { return nil }
      name = next
      let file = try InputFile(next, in: folder)
      objects = try JSONEntryObjects(name: file.descriptor.name, list: list) { try file.piece() }
    }
  }
}

/// Turns another program's entries into entries of the diary: fields within their limits, files that exist.
struct ForeignSource: EntrySource {
  private var entries: any ForeignEntries
  private let folder: InputFolder?
  private var pending: PendingEntry?
  /// Folders that could not be read.
  private var closed = LostParts()
  private var lostHere = LostParts()
  /// Files that nothing has read yet.
  private var unread: Set<String>

  /// - Parameters:
  ///   - folder: where paths of files begin.
  ///   - files: all that are in it.
  init(_ entries: any ForeignEntries, in folder: InputFolder?, files: [String] = []) {
    self.entries = entries
    self.folder = folder
    unread = Set(files)
  }

  /// Entries of a folder, or of a file with others beside it.
  @MainActor
  init(
    _ input: ImportInput,
    _ entries: (ImportInput, InputFolder) throws -> any ForeignEntries
  ) throws {
    let folder = try input.folder()
    self.init(try entries(input, folder), in: folder, files: input.contents.files)
    for path in input.contents.closed { closed.add(.folder, path) }
  }

  var lost: LostParts {
    var all = closed
    all.add(entries.lost)
    all.add(lostHere)
    return all
  }

  mutating func next() throws -> ImportItem? {
    while true {
      if let item = try pending?.next() { return item }
      pending = nil
      guard let entry = try entries.next() else {
        for path in unread.sorted() where !entries.isOwn(path) { lostHere.add(.unread, path) }
        unread = []
        return nil
      }
      do { pending = try prepared(entry) } catch {
        throw BadEntry(failure: error, place: entry.place)
      }
    }
  }

  /// - Returns: nil for an empty one.
  private mutating func prepared(_ entry: ForeignEntry) throws -> PendingEntry? {
    var draft = entry.draft
    draft.title = draft.title.flatMap { $0.oneLine.trimmed.isEmpty ? nil : $0.oneLine.trimmed }
    draft.body = draft.body.trimmedLines
    draft.shortenTitle()
    draft.tags = draft.tags.lazy.map(Self.tag).filter { !$0.isEmpty }.distinctTags
    draft.content.location = draft.content.location.flatMap(Self.line)
    draft.content.weather = draft.content.weather.flatMap(Self.line)
    var files: [PendingEntry.File] = []
    var names: Set<String> = []
    for file in entry.files {
      let name: String
      switch file {
      case .path(let path): name = AttachmentName.inFolder(path)
      case .bytes(_, let given): name = AttachmentName.inFolder(given)
      }
      if case .path(let path) = file, folder?.hasFile(path) != true {
        lostHere.add(.attachment, String(path.prefix(255)))
      } else if files.count == Attachment.countLimit || !names.insert(name).inserted {
        lostHere.add(.attachment, name)
      } else {
        switch file {
        case .path(let path):
          files.append(.path(path, name: name))
          unread.remove(path)
        case .bytes(let bytes, _): files.append(.bytes(bytes, name: name))
        }
      }
    }
    if files.isEmpty, draft.title == nil, draft.body.allSatisfy(\.isWhitespace) {
      lostHere.add(.empty, entry.place)
      return nil
    }
    do throws(VaultError) { try draft.validate(hasAttachments: !files.isEmpty) } catch {
      throw Failure(
        .invalid,
        ExchangeMessage.fileField(
          file: entry.place, field: error.subject, expected: error.reason))
    }
    return PendingEntry(
      ImportedEntry(
        id: entry.id, draft: draft, created: entry.created, modified: entry.modified), files: files,
      in: folder)
  }

  /// A tag in one line. Of one that is far too long the beginning is enough to be refused.
  private static func tag(_ text: String) -> String {
    let text = text.drop(while: \.isWhitespace).unicodeScalars.prefix(8 * EntryDraft.tagLimit)
    return String(Substring(text)).oneLine.trimmed
  }

  /// A single line within the limit of a field; nil when it is blank.
  static func line(_ text: String) -> String? {
    var line = ""
    for character in text where !character.isNewline && character != "\0" {
      guard line.utf8.count + character.utf8.count <= EntryDraft.titleLimit else { break }
      line.append(character)
    }
    return line.trimmed.isEmpty ? nil : line.trimmed
  }

  /// `Arashiyama, Kyoto (35.00940, 135.66680)`; coordinates out of range are left out.
  static func location(_ names: [String?], latitude: Double?, longitude: Double?) -> String? {
    var parts: [String] = []
    for name in names.compactMap({ $0?.trimmed }) where !name.isEmpty && !parts.contains(name) {
      parts.append(name)
    }
    let name = parts.joined(separator: ", ")
    guard let latitude, let longitude, abs(latitude) <= 90, abs(longitude) <= 180 else {
      return line(name)
    }
    let place = Coordinates.text(latitude: latitude, longitude: longitude)
    return line(name.isEmpty ? place : "\(name) (\(place))")
  }

  /// `Mostly sunny, 12 °C`.
  static func weather(_ words: String?, celsius: Double?) -> String? {
    let degrees = celsius.flatMap { abs($0) < 200 ? "\(Int($0.rounded())) °C" : nil }
    return line(
      [words?.trimmed ?? "", degrees ?? ""].filter { !$0.isEmpty }.joined(separator: ", "))
  }
}

extension EntryID {
  /// The id of an entry that another program knows by `text`: importing it twice adds nothing.
  ///
  /// A digest, because the ids of a diary must differ in their first characters, and those of other programs may not.
  init(of program: String, _ text: String) {
    var pieces = [Array("facediary import \(program) \(text.lowercased())".utf8)]
    self.init(bytes: Array(SHA256.digest { pieces.popLast() ?? [] }.prefix(16)))
  }
}

extension LocalZone {
  /// An instant in local time: in a named zone, else at an offset, else in the zone here.
  ///
  /// - Returns: the zone's name, if it is known.
  func time(
    milliseconds: Double, zone name: String? = nil, offset: Int32? = nil
  ) throws -> (time: ZonedTime, zone: String?) {
    guard abs(milliseconds) < 1e15 else { throw Failure(.invalid, WritingMessage.dateYears) }
    let seconds = Int64((milliseconds / 1000).rounded(.down))
    if let zone = name.flatMap({ NamedZone($0) }) {
      return (try ZonedTime(seconds: seconds, offset: zone.offset(at: seconds)), zone.name)
    }
    let time = try ZonedTime(seconds: seconds, offset: offset ?? self.offset(at: seconds))
    return (time, self.name(for: time))
  }
}
