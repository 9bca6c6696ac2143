internal import Client
internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import JSONText
internal import Platform
internal import Requests
internal import Words

/// `import`: all of a file or folder, or nothing.
@MainActor
enum ImportCommand {
  /// How many lost parts are named in text; as JSON, all are.
  private static let shownLost = 20

  static let declaration = Command<Invocation>(
    "import", Form(Operand("FILE", completion: .file)), summary: CommandHelp.importing,
    options: [
      Options.importFormat, Options.attachmentsFrom, Options.dryRun, Options.onConflict,
      Options.skipBad,
    ],
    details: CommandHelp.importDetails
  ) { invocation in
    var path = invocation.operands[0]
    let progress = invocation.progress("import") { [language = invocation.language] in
      ExchangeMessage.entriesRead($0).text(in: language)
    }
    @MainActor func open(_ path: String) throws -> ImportInput {
      try ImportInput(
        path, file: FileSystem.isDirectory(path) ? nil : try invocation.input(path, as: .entries),
        zone: invocation.dates.zone, attachments: invocation.arguments[Options.attachmentsFrom])
    }
    var input = try open(path)
    var archive: UnpackedZip?
    if path != "-", ZipSignature.begins(input.beginning) {
      archive = try UnpackedZip(path, invocation)
      path = archive?.path ?? path
      input = try open(path)
    }
    defer { withExtendedLifetime(archive) {} }
    do {
      return try await run(invocation, path, input, archive, progress)
    } catch {
      throw archive?.naming(error) ?? error
    }
  }

  private static func run(
    _ invocation: Invocation, _ path: String, _ input: ImportInput, _ archive: UnpackedZip?,
    _ progress: ProgressLine
  ) async throws -> Outcome {
    let isFolder = FileSystem.isDirectory(path)
    let format = try invocation.arguments[Options.importFormat] ?? input.recognised()
    guard format.shapes.contains(isFolder ? .folder : .file) else {
      throw Failure(
        .usage,
        isFolder
          ? ExchangeMessage.isFolder(path: path, format: format.name)
          : ExchangeMessage.markdownWantsFolder(path))
    }
    defer { progress.end() }
    var source = try format.open(input)
    let isDryRun = invocation.arguments[Options.dryRun]
    let connection = try await invocation.connection()
    let skipsBad = invocation.arguments[Options.skipBad]
    var bad = BadEntries()
    func conflict(_ error: VaultError) -> any Error {
      guard error.code == .conflict else { return error }
      let failure = Failure(error)
      return Failure(failure.code, failure.message, hint: ExchangeMessage.conflictChoices)
    }
    var counts: ImportCounts
    var examples = ImportExamples()
    var tags = ImportedTags(
      areTaken: try invocation.configuration().inlineTags, of: format)
    do {
      counts = try connection.importing(
        ImportEntries(
          isDryRun: isDryRun, onConflict: invocation.arguments[Options.onConflict] ?? .refuse),
        items: {
          while true {
            do {
              let item = tags.take(try source.next())
              if case .entry = item { progress.add(1) }
              if isDryRun, let item { examples.look(at: item) }
              return item
            } catch let error as BadEntry {
              guard skipsBad else { throw refusal(error, &source) }
              bad.add(error)
            }
          }
        })
    } catch let error as VaultError { throw conflict(error) }
    if !isDryRun { invocation.keepIndex(through: connection, ofSession: true) }
    let left = counts.skipped
    counts.skipped += bad.count
    var everything = source.lost
    everything.add(bad.places)
    return outcome(
      counts, bad: bad, left: left, lost: everything.parts,
      examples: isDryRun ? examples.found : nil, tags.left, archive, invocation)
  }

  /// - Parameter examples: some of what would be imported; nil where it was.
  private static func outcome(
    _ counts: ImportCounts, bad: BadEntries, left: Int,
    lost: [(what: LostPart, place: String, count: Int)], examples: [ImportExamples.One]?,
    _ withWords: Int, _ archive: UnpackedZip?, _ invocation: Invocation
  ) -> Outcome {
    let isNothing = counts.imported + counts.duplicates + counts.updated + left == 0
    let entries: Set<LostPart> = [.file, .entry, .trashed, .empty]
    let hasLost = lost.contains { entries.contains($0.what) }
    // What was left out is the reason; without any there was nothing in it.
    let failure =
      isNothing && hasLost ? Failure(.invalid, ExchangeMessage.nothingImported) : nil
    return .object(failure: failure) { json in
      json.member("imported", counts.imported)
      json.member("duplicates", counts.duplicates)
      json.member("updated", counts.updated)
      json.member("skipped", counts.skipped)
      json.member("lost", array: lost) { json, part in
        json.member("what", part.what.rawValue)
        json.member("where", part.place)
        json.member("count", part.count)
      }
      guard let examples else { return }
      json.member("examples", array: examples) { json, example in
        json.member("date", example.date)
        json.member("title", example.title)
        json.member("files", example.files)
      }
    } text: { page in
      for example in examples ?? [] {
        try page.line(
          invocation.text(
            ExchangeMessage.wouldBring(
              date: String(example.date.prefix(10)), title: visible(example.title),
              files: example.files)))
      }
      if let examples {
        let more = counts.imported + counts.updated - examples.count
        if more > 0 { try page.line(invocation.text(ExchangeMessage.wouldBringMore(more))) }
      }
      for entry in bad.shown {
        page.note(Failure(archive?.naming(entry.failure) ?? entry.failure).message)
      }
      for part in lost.filter({ $0.what != .entry }).prefix(shownLost) {
        page.note(ExchangeMessage.lost(part.what, visible(part.place), count: part.count))
      }
      if lost.count > shownLost { page.note(ExchangeMessage.moreLost(lost.count - shownLost)) }
      page.note(
        examples != nil
          ? ExchangeMessage.wouldImport(imported: counts.imported, duplicates: counts.duplicates)
          : .imported(imported: counts.imported, duplicates: counts.duplicates))
      if isNothing, !hasLost { page.note(ExchangeMessage.noEntries) }
      if withWords > 0 {
        page.note(examples == nil ? ExchangeMessage.wordsStayed(withWords) : .wordsStay(withWords))
      }
      if counts.updated > 0 { page.note(ExchangeMessage.updated(counts.updated)) }
      if left > 0 { page.note(ExchangeMessage.leftAsItIs(left)) }
      if bad.count > 0 { page.note(ExchangeMessage.skipped(bad.count)) }
    }
  }

  /// How much is read after a bad entry to look for more bad ones. Photos could take long.
  private static let readOn = 256 << 20

  /// The first bad entry, and the names of those behind it.
  private static func refusal(_ first: BadEntry, _ source: inout any EntrySource) -> Failure {
    var places: [String] = []
    var count = 0
    var left = readOn
    while left > 0 {
      do {
        guard let item = try source.next() else { break }
        if case .piece(let bytes) = item { left -= bytes.count } else { left -= 1 }
      } catch let bad as BadEntry {
        count += 1
        // A file without line breaks has one place for all of them.
        let place = visible(bad.place)
        if places.count < shownLost, !places.contains(place) { places.append(place) }
      } catch { break }
    }
    let failure = Failure(first.failure)
    return Failure(
      failure.code, failure.message,
      hint: count > 0
        ? ExchangeMessage.moreBad(count, places: places)
        : failure.hint ?? ExchangeMessage.skipBadOnes)
  }
}

/// Entries that are left out: a small file may have millions of them.
private struct BadEntries {
  /// How many are named with what is wrong with them.
  private static let limit = 20
  private(set) var shown: [BadEntry] = []
  private(set) var places = LostParts()
  private(set) var count = 0

  mutating func add(_ entry: BadEntry) {
    count += 1
    places.add(.entry, entry.place)
    if shown.count < Self.limit { shown.append(entry) }
  }
}

/// The first entries of a file that is only looked at.
private struct ImportExamples {
  struct One {
    let date: String
    /// Its title, or how its text begins.
    let title: String
    let files: Int
  }

  private static let limit = 10
  private(set) var found: [One] = []
  /// Files that came for the next entry.
  private var files = 0

  mutating func look(at item: ImportItem) {
    switch item {
    case .attachment: files += 1
    case .entry(let entry):
      if found.count < Self.limit {
        found.append(One(date: entry.draft.date.iso, title: Self.title(entry.draft), files: files))
      }
      files = 0
    default: break
    }
  }

  private static func title(_ draft: EntryDraft) -> String {
    let text = draft.title ?? draft.body
    let lines = text.split(whereSeparator: \.isNewline)
    let line = lines.first { !$0.allSatisfy(\.isWhitespace) } ?? ""
    return line.count > 60 ? line.prefix(59) + "…" : String(line)
  }
}
