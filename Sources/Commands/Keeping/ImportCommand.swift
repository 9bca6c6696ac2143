internal import CommandLine
internal import DiaryVault
internal import FaceDiary
internal import JSONText
internal import Platform

/// `import`: all of a file or folder, or nothing.
@MainActor
enum ImportCommand {
  static let declaration = Command<Invocation>(
    "import", Form(Operand("FILE", completion: .file)), summary: CommandHelp.importing,
    options: [Options.importFormat, Options.attachmentsFrom, Options.dryRun],
    details: CommandHelp.importDetails
  ) { invocation in
    let path = invocation.operands[0]
    let isFolder = FileSystem.isDirectory(path)
    let format =
      invocation.arguments[Options.importFormat]
      ?? (isFolder ? ImportFormat.markdown : ImportFormat.json)
    guard isFolder == format.isFolder else {
      throw Failure(
        .usage,
        isFolder
          ? ExchangeMessage.isFolder(path: path, format: format.name)
          : ExchangeMessage.markdownWantsFolder(path))
    }
    var source = try format.open(
      ImportInput(
        path, file: isFolder ? nil : try invocation.input(path, as: .entries),
        zone: invocation.dates.zone, attachments: invocation.arguments[Options.attachmentsFrom]))
    let isDryRun = invocation.arguments[Options.dryRun]
    let connection = try await invocation.connection()
    let counts = try connection.importing(
      ImportEntries(isDryRun: isDryRun), items: { try source.next() })
    if !isDryRun { invocation.keepIndex(through: connection) }
    if source.attachmentsLeft > 0 {
      invocation.note(ExchangeMessage.filesMissing(source.attachmentsLeft))
    }
    return .object { json in
      json.member("imported", counts.imported)
      json.member("duplicates", counts.duplicates)
    } text: { page in
      page.note(
        isDryRun
          ? ExchangeMessage.wouldImport(imported: counts.imported, duplicates: counts.duplicates)
          : .imported(imported: counts.imported, duplicates: counts.duplicates))
    }
  }
}
