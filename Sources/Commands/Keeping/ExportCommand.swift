internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import Platform
internal import Requests
internal import Words

/// `export`: plain text leaves the vault.
@MainActor
enum ExportCommand {
  static let declaration = Command<Invocation>(
    "export", summary: CommandHelp.export,
    options: Options.filters + [
      Options.exportFormat, Options.exportOutput, Options.attachmentsTo, Options.photoMetadata,
      Options.withHistory,
    ],
    details: CommandHelp.exportDetails
  ) { invocation in
    let format = invocation.arguments[Options.exportFormat] ?? .json
    let output = invocation.arguments[Options.exportOutput].flatMap { $0 == "-" ? nil : $0 }
    let files = invocation.arguments[Options.attachmentsTo]
    if format.isFolder, output == nil { throw Failure(.usage, ExchangeMessage.markdownIsFolder) }
    if files != nil, format != .json {
      throw Failure(.usage, ExchangeMessage.attachmentsAreForJSON)
    }
    if invocation.arguments[Options.withHistory], format != .json {
      throw Failure(.usage, ExchangeMessage.historyIsForJSON)
    }
    let filter = try invocation.filter()
    let connection = try await invocation.connection()
    if Terminal.isTerminal(2) { invocation.note(ExchangeMessage.exportedUnsealed) }
    let conflicts = try connection.conflicts().map { ($0.id, $0.text(invocation)) }
    var file: AtomicFile?
    if let output, !format.isFolder { file = try invocation.outputFile(output) }
    let folder = format.isFolder ? try output.map { try invocation.newFolder($0) } : nil
    let attachments = try files.map { try invocation.newFolder($0) }
    let count = try write(
      format,
      Exporter(
        filter: filter, connection: connection, invocation: invocation,
        folder: folder, attachments: attachments,
        keepsMetadata: invocation.arguments[Options.photoMetadata],
        withHistory: invocation.arguments[Options.withHistory],
        conflicts: Dictionary(conflicts) { first, _ in first }
      ) { bytes in
        if let file { try file.write(bytes) } else { try invocation.output.write(bytes) }
      })
    try file?.commit()
    try folder?.finishOnDisk()
    try attachments?.finishOnDisk()
    guard let output else { return .written() }
    invocation.note(ExchangeMessage.wroteEntries(count: count, path: output))
    return .written()
  }

  private static func write(_ format: ExportFormat, _ exporter: Exporter) throws -> Int {
    switch format {
    case .json: try JSONExport.write(exporter)
    case .markdown: try MarkdownExport.write(exporter)
    case .jrnl: try JrnlExport.write(exporter)
    case .html: try HTMLExport(exporter).run()
    case .vjournal: try CalendarExport.write(exporter)
    }
  }
}
