internal import CommandLine
internal import DiaryVault
internal import FaceDiary
internal import Platform

/// A format entries come in from.
struct ImportFormat: Sendable {
  /// As `--format` names it.
  let name: String
  /// Whether it is a folder, or else one file.
  let isFolder: Bool
  let open: @MainActor @Sendable (ImportInput) throws -> any EntrySource

  /// Every one there is; the first of each shape is the default.
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

  /// - Parameter file: nil for a folder.
  init(_ path: String, file: InputFile?, zone: LocalZone, attachments: String?) {
    self.path = path
    self.file = file
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
  func pieces() -> () throws -> [UInt8] { { [file] in try file?.piece() ?? [] } }
}

/// Somewhere entries come from, one by one.
protocol EntrySource {
  /// - Throws: ``Failure`` `invalid` naming the place and the field.
  mutating func next() throws -> ImportItem?
  /// How many files entries named that were not there.
  var attachmentsLeft: Int { get }
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
