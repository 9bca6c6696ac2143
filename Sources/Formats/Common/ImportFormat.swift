package import CommandLine
package import Dates
package import Entries
internal import Platform
internal import Words

/// A format that entries are imported from.
package struct ImportFormat: Sendable {
  /// As `--format` names it.
  package let name: String
  /// Whether it is a file or a folder.
  package let shapes: Set<Shape>
  /// Whether the source is in this format and in no other.
  let recognises: @MainActor @Sendable (ImportInput) throws -> Bool
  /// Whether an id says that an entry was exported from a diary, with its tags.
  package var keepsOurIDs = false
  package let open: @MainActor @Sendable (ImportInput) throws -> any EntrySource

  package enum Shape { case file, folder }
}

/// What an import was asked to read.
@MainActor
package struct ImportInput {
  let path: String
  let zone: LocalZone
  /// Where `--attachments` says that photos and files are.
  let attachments: String?
  private let file: InputFile?
  /// The beginning of the file, read to see what it is.
  package let beginning: [UInt8]
  /// What is in the folder, at any depth.
  let contents: InputFolder.Contents

  /// - Parameter file: nil for a folder.
  package init(_ path: String, file: InputFile?, zone: LocalZone, attachments: String?) throws {
    self.path = path
    self.file = file
    beginning = try file?.beginning(64 << 10) ?? []
    contents = file == nil ? try InputFolder(path).contents() : InputFolder.Contents()
    self.zone = zone
    self.attachments = attachments
  }

  /// The folder with the photos and files of an export, where it is named as the window names it.
  var folderBeside: String? {
    let folder = path + Self.filesSuffix
    return path != "-" && FileSystem.isDirectory(folder) ? folder : nil
  }

  /// What the name of an export ends with in that of the folder.
  package nonisolated static let filesSuffix = "-files"

  /// For errors.
  var name: String { path == "-" ? "standard input" : path }

  var fileName: String { path.split(separator: "/").last.map(String.init) ?? "" }

  /// The file's own name, without its ending; nil for standard input.
  var stem: String? {
    guard path != "-", !fileName.isEmpty else { return nil }
    return fileName.lastIndex(of: ".").map { String(fileName[..<$0]) } ?? fileName
  }

  /// The folder the file is in, or that it is.
  func folder() throws -> InputFolder {
    try InputFolder(
      FileSystem.isDirectory(path)
        ? path : path.contains("/") ? FileSystem.parent(of: path) : ".")
  }

  /// A file of the folder, or the file itself: standard input, too.
  func object(_ name: String) throws -> JSONValue {
    isFolder
      ? try JSONValue(file: name, in: try folder()) : try JSONValue(self.name, source: pieces())
  }

  /// The next bytes; empty at the end.
  func pieces() -> () throws -> [UInt8] {
    var first: [UInt8]? = beginning.isEmpty ? nil : beginning
    return { [file] in
      defer { first = nil }
      return try first ?? file?.piece() ?? []
    }
  }

  var isFolder: Bool { file == nil }

  /// The beginning without a byte order mark and white space.
  var text: ArraySlice<UInt8> {
    let bytes = beginning.starts(with: [0xef, 0xbb, 0xbf]) ? beginning[3...] : beginning[...]
    return bytes.drop { [0x20, 0x09, 0x0a, 0x0d].contains($0) }
  }

  var isJSONObject: Bool { text.first == UInt8(ascii: "{") }

  /// Whether the beginning contains a word.
  func has(_ word: String) -> Bool { beginning(after: word) != nil }

  /// The text after a word in the beginning.
  func beginning(after word: String) -> ArraySlice<UInt8>? {
    ByteSearch.first(Array(word.utf8), in: beginning).map { beginning[($0 + word.utf8.count)...] }
  }

  /// The JSON files of the folder, at any depth; of a file its own name.
  var jsonFiles: [String] {
    guard isFolder else { return [fileName] }
    return contents.files.filter { $0.lowercased().hasSuffix(".json") }
  }

  /// Whether the file, or the beginning of one of the folder's first JSON files, contains a word.
  func someJSON(has word: String) throws -> Bool {
    guard isFolder else { return isJSONObject && has(word) }
    let folder = try folder()
    return try jsonFiles.prefix(20).contains { name in
      let beginning = try InputFile(name, in: folder).beginning(64 << 10)
      return ByteSearch.first(Array(word.utf8), in: beginning) != nil
    }
  }

  /// All of the file.
  func whole(limit: Int) throws -> String {
    var bytes: [UInt8] = []
    let next = pieces()
    while case let piece = try next(), !piece.isEmpty {
      bytes += piece
      guard bytes.count <= limit else { throw InputTooLarge(path: name, limit: limit) }
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure.notText(name)
    }
    return text
  }

  /// The Markdown files of the folder, at any depth; of a file its own name.
  var markdownFiles: [String] {
    (isFolder ? contents.files : [fileName]).filter { $0.lowercased().hasSuffix(".md") }
  }
}

/// An entry that cannot be imported, while those after it can.
package struct BadEntry: Error {
  package let failure: any Error
  /// A file, or a line of one.
  package let place: String
}

/// A source of entries, read one by one.
package protocol EntrySource {
  /// - Throws: ``BadEntry`` when the next one may be asked for; ``Failure`` `invalid` naming the place and the field.
  mutating func next() throws -> ImportItem?
  /// The parts met so far that an entry has no place for.
  var lost: LostParts { get }
}

/// The files of an entry, which are imported before it.
struct PendingEntry {
  enum File {
    /// Below the folder that is read, and the name it gets.
    case path(String, name: String)
    case bytes([UInt8], name: String)
  }

  private var files: [File]
  private let folder: InputFolder?
  private var open: (file: InputFile?, first: [UInt8]?, name: String, type: String)?
  private var entry: ImportItem?

  init(_ entry: ImportedEntry, files: [File] = [], in folder: InputFolder?) {
    self.files = files
    self.folder = folder
    self.entry = .entry(entry)
  }

  mutating func next() throws -> ImportItem? {
    if open == nil {
      guard let file = files.first else {
        defer { entry = nil }
        return entry
      }
      files.removeFirst()
      switch file {
      case .path(let path, let name):
        guard let folder else { return try next() }
        let input = try InputFile(path, in: folder)
        let first = try input.piece()
        open = (input, first, name, MediaType.of(first, name: name))
      case .bytes(let bytes, let name):
        open = (nil, bytes, name, MediaType.of(Array(bytes.prefix(1 << 16)), name: name))
      }
    }
    let piece: [UInt8]
    if let first = open!.first {
      piece = first
      open!.first = nil
    } else {
      piece = try open!.file?.piece() ?? []
    }
    if !piece.isEmpty { return .piece(piece) }
    defer { open = nil }
    return .attachment(name: open!.name, type: open!.type)
  }
}

extension Failure {
  /// A file that is not UTF-8, which most often is in the encoding of an older program.
  static func notText(_ name: String) -> Failure {
    Failure(.invalid, ExchangeMessage.notText(name), hint: ExchangeMessage.convertFrom(name))
  }
}
