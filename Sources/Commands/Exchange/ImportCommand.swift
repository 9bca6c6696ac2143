internal import CommandLine
internal import DiaryVault
internal import FaceDiary
internal import JSONText
internal import Platform

/// `import`: all of a file or folder, or nothing.
@MainActor
enum ImportCommand {
  static let declaration = Command<Invocation>(
    "import", Form(Operand("FILE", completion: .file)),
    summary: CommandHelp.importing,
    options: [Options.importFormat, Options.attachmentsFrom, Options.dryRun],
    details: CommandHelp.importDetails
  ) { invocation in
    let path = invocation.operands[0]
    let isFolder = DirectoryListing.isDirectory(path)
    let format = invocation.arguments[Options.importFormat] ?? (isFolder ? "markdown" : "json")
    guard isFolder == (format == "markdown") else {
      throw Failure(
        .usage,
        isFolder
          ? ExchangeMessage.isFolder(path: path, format: format)
          : ExchangeMessage.markdownWantsFolder(path))
    }
    let dryRun = invocation.arguments[Options.dryRun]
    let name = path == "-" ? "standard input" : path
    let zone = invocation.dates.zone
    var source: any EntrySource
    if format == "markdown" {
      source = try MarkdownEntries(path, zone: zone)
    } else {
      let file = try invocation.input(path, as: .entries)
      let folder = path.contains("/") ? String(path[..<path.lastIndex(of: "/")!]) : "."
      switch format {
      case "jrnl": source = try JrnlEntries(name: name, zone: zone) { try file.piece() }
      case "dayone":
        let journal = name.split(separator: "/").last.map {
          String($0).replacing(".json", with: "")
        }
        source = try DayOneEntries(
          name: name, journal: path == "-" ? nil : journal, folder: folder
        ) { try file.piece() }
      default:
        source = try JSONEntries(
          name: name, zone: zone, folder: invocation.arguments[Options.attachmentsFrom]
        ) { try file.piece() }
      }
    }
    let connection = try await invocation.connection()
    let counts = try connection.run(
      ImportEntries(isDryRun: dryRun), items: { try source.next() })
    if source.attachmentsLeft > 0 {
      invocation.note(
        ExchangeMessage.filesMissing(source.attachmentsLeft)
      )
    }
    if invocation.isJSON {
      try invocation.json { json in
        json.beginObject()
        json.member("imported", counts.imported)
        json.member("duplicates", counts.duplicates)
        json.endObject()
      }
    } else {
      invocation.note(
        dryRun
          ? ExchangeMessage.wouldImport(imported: counts.imported, duplicates: counts.duplicates)
          : ExchangeMessage.imported(imported: counts.imported, duplicates: counts.duplicates))
    }
    return 0
  }
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
  private var open: (file: InputFile, first: [UInt8]?, type: String)?
  private var entry: ImportItem?

  init(_ entry: ImportedEntry, files: [(path: String, name: String)] = []) {
    self.files = files
    self.entry = .entry(entry)
  }

  mutating func next() throws -> ImportItem? {
    guard let file = files.first else {
      defer { entry = nil }
      return entry
    }
    if open == nil {
      let input = try InputFile(entryFile: file.path)
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

/// The names in a folder.
enum DirectoryListing {
  static func isDirectory(_ path: String) -> Bool { FileSystem.isDirectory(path) }

  static func isFile(_ path: String) -> Bool { (try? FileStatus(path))?.kind == .regular }

  /// Without those that begin with a dot, sorted.
  static func names(_ path: String) throws -> [String] {
    try FileSystem.names(in: path).filter { !$0.hasPrefix(".") }.sorted()
  }
}
