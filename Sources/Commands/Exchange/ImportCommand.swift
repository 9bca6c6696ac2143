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
    summary: "take in entries from elsewhere: all of them, or none",
    options: [Options.importFormat, Options.attachmentsFrom, Options.dryRun],
    details: """
      json      what export wrote, an array of entries, or JSON Lines; date and body are enough
      jrnl      jrnl's JSON export, or its text: [2026-03-01 09:30] Title; @words become tags
      dayone    Day One's JSON, with its photos folder beside it; its name is the journal
      markdown  a folder of .md files with front matter between --- lines; without a date there, the name
                begins with one: 2026-03-01-name.md
      An entry that is here already is skipped; one with the id of another is a conflict. Journals and kinds
      that entries name are made. FILE may be - for standard input.
      """
  ) { invocation in
    let path = invocation.operands[0]
    let isFolder = DirectoryListing.isDirectory(path)
    let format = invocation.arguments[Options.importFormat] ?? (isFolder ? "markdown" : "json")
    guard isFolder == (format == "markdown") else {
      throw Failure(
        .usage,
        isFolder ? "\(path) is a folder, not \(format)" : "markdown is a folder, not \(path)")
    }
    let dryRun = invocation.arguments[Options.dryRun]
    let name = path == "-" ? "standard input" : path
    let zone = invocation.dates.zone
    var source: any EntrySource
    if format == "markdown" {
      source = try MarkdownEntries(path, zone: zone)
    } else {
      let file = try invocation.input(path, as: "the entries")
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
        "\(source.attachmentsLeft) photos or files the entries name were not found and not taken in"
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
          ? "would import \(counts.imported); here already: \(counts.duplicates)"
          : "imported \(counts.imported); here already: \(counts.duplicates)")
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
