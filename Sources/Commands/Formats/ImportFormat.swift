internal import CommandLine
internal import DiaryVault
internal import FaceDiary
internal import Platform

/// A format entries come in from.
struct ImportFormat: Sendable {
  /// As `--format` names it.
  let name: String
  /// What it comes as.
  let shapes: Set<Shape>
  let open: @MainActor @Sendable (ImportInput) throws -> any EntrySource

  enum Shape { case file, folder }

  static let all: [ImportFormat] = [.json, .jrnl, .dayOne, .markdown]

  static func named(_ name: String) -> ImportFormat? { all.first { $0.name == name } }
}

/// What an import was asked to read.
@MainActor
struct ImportInput {
  let path: String
  let zone: LocalZone
  /// Where `--attachments` says that photos and files are.
  let attachments: String?
  private let file: InputFile?
  /// The beginning of the file, read to see what it is.
  let beginning: [UInt8]

  /// - Parameter file: nil for a folder.
  init(_ path: String, file: InputFile?, zone: LocalZone, attachments: String?) throws {
    self.path = path
    self.file = file
    beginning = try file?.beginning(64 << 10) ?? []
    self.zone = zone
    self.attachments = attachments
  }

  /// For errors.
  var name: String { path == "-" ? "standard input" : path }

  /// The file's own name, without its ending; nil for standard input.
  var stem: String? {
    guard path != "-", let last = path.split(separator: "/").last else { return nil }
    return last.lastIndex(of: ".").map { String(last[..<$0]) } ?? String(last)
  }

  /// The folder the file is in, or that it is.
  func folder() throws -> InputFolder {
    try InputFolder(
      FileSystem.isDirectory(path)
        ? path : path.contains("/") ? FileSystem.parent(of: path) : ".")
  }

  /// The next bytes, none at the end.
  func pieces() -> () throws -> [UInt8] {
    var first: [UInt8]? = beginning.isEmpty ? nil : beginning
    return { [file] in
      defer { first = nil }
      return try first ?? file?.piece() ?? []
    }
  }

  /// What it looks like to be.
  ///
  /// - Throws: ``Failure`` `invalid` for an archive.
  func recognised() throws -> ImportFormat {
    guard file != nil else {
      let folder = try folder()
      let isDayOne =
        try !DayOneFolder.journals(in: folder).isEmpty
        && !folder.contents().files.contains { $0.lowercased().hasSuffix(".md") }
      return isDayOne ? .dayOne : .markdown
    }
    let bytes = beginning.starts(with: [0xef, 0xbb, 0xbf]) ? beginning[3...] : beginning[...]
    if UnpackedArchive.begins(with: bytes) {
      throw Failure(.invalid, ExchangeMessage.zipped(name), hint: ExchangeMessage.unzipFirst)
    }
    let text = bytes.drop { [0x20, 0x09, 0x0a, 0x0d].contains($0) }
    guard text.first == 0x7b else {
      // A date in brackets or, until jrnl 2, without; or what jrnl encrypts.
      let start = text.prefix(2).map { Character(Unicode.Scalar($0)) }
      let isJrnl = start.first == "[" ? start.last?.isNumber ?? false : start.first?.isNumber
      return isJrnl ?? false || text.starts(with: JrnlEntries.encrypted) ? .jrnl : .json
    }
    func has(_ word: String) -> Bool { ByteSearch.first(Array(word.utf8), in: beginning) != nil }
    if has("\"creationDate\"") { return .dayOne }
    // Ours says its format; jrnl's entries have a time beside their date.
    return !has("\"format\"") && has("\"time\"") && has("\"entries\"") ? .jrnl : .json
  }
}

/// One entry that cannot be imported; those after it can.
struct BadEntry: Error {
  let failure: any Error
  /// A file, or a line of one.
  let place: String
}

/// Somewhere entries come from, one by one.
protocol EntrySource {
  /// - Throws: ``BadEntry`` when the next one may be asked for; ``Failure`` `invalid` naming the place and the field.
  mutating func next() throws -> ImportItem?
  /// What it met until now that no entry takes.
  var lost: LostParts { get }
}

/// Files on their way in before the entry they belong to.
struct PendingEntry {
  private var files: [(path: String, name: String)]
  private let folder: InputFolder?
  private var open: (file: InputFile, first: [UInt8]?, type: String)?
  private var entry: ImportItem?

  /// - Parameters:
  ///   - files: each by its path from `folder`, and the name it gets.
  init(
    _ entry: ImportedEntry, files: [(path: String, name: String)] = [], in folder: InputFolder?
  ) {
    self.files = files
    self.folder = folder
    self.entry = .entry(entry)
  }

  mutating func next() throws -> ImportItem? {
    guard let folder, let file = files.first else {
      defer { entry = nil }
      return entry
    }
    if open == nil {
      let input = try InputFile(file.path, in: folder)
      let first = try input.piece()
      open = (input, first, MediaType.of(first, name: file.name))
    }
    let piece: [UInt8]
    if let first = open!.first {
      piece = first
      open!.first = nil
    } else {
      piece = try open!.file.piece()
    }
    if !piece.isEmpty { return .piece(piece) }
    defer {
      open = nil
      files.removeFirst()
    }
    return .attachment(name: file.name, type: open!.type)
  }
}
