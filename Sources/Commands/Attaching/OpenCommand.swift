internal import Client
internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import Platform
internal import Words

/// `open`: a photo or file shown by another program, from memory.
@MainActor
enum OpenCommand {
  static let declaration = Command<Invocation>(
    "open", Form(.id, Operand("NAME", optional: true, completion: .attachment)),
    summary: CommandHelp.open, options: [Options.viewer],
    details: CommandHelp.openDetails
  ) { invocation in
    let viewer = try invocation.arguments[Options.viewer].map(ShellWords.split)
    // A program that the desktop starts outlives this one: somebody must say when it is done.
    guard viewer != nil || Terminal.isTerminal(0) else {
      throw Failure(
        .usage, ReadingMessage.openNeedsTerminal, hint: Verbatim("facediary open ID --with 'CMD …'")
      )
    }
    let connection = try await invocation.connection()
    let entry = try connection.entry(EntryReference(invocation.operands[0]))
    let name = invocation.operands.dropFirst().first
    try await open(try file(name, of: entry), of: entry, with: viewer, invocation, connection)
    return .written()
  }

  /// The file named, or the only one.
  private static func file(_ name: String?, of entry: Entry) throws -> Attachment {
    let names = entry.attachments.map(\.name)
    if let name { return try entry.attachment(named: name) }
    guard let first = entry.attachments.first else {
      throw Failure(.notFound, WritingMessage.noFiles)
    }
    guard names.count == 1 else {
      throw Failure(
        .ambiguous, ReadingMessage.severalFiles(entry: entry.id.short, count: names.count),
        hint: Verbatim(names.map(visible).joined(separator: ", ")))
    }
    return first
  }

  /// - Parameter viewer: a program that ends when the file has been looked at; nil is the desktop's own.
  static func open(
    _ attachment: Attachment, of entry: Entry, with viewer: [String]?, _ invocation: Invocation,
    _ connection: KeeperConnection
  ) async throws {
    let directory = try MemoryDirectory(in: MemoryDirectory.bases(invocation.environment))
    defer { directory.remove() }
    let path = directory.path + "/" + AttachmentName.inFolder(attachment.name)
    try ExtractCommand.save(
      attachment, of: .id(entry.id), to: path, replacing: false, connection, invocation)
    let words = (viewer ?? ["xdg-open"]) + [path]
    let end: ChildProcess.ForegroundEnd
    do {
      end = try ChildProcess.runInForeground(
        words, extraEnvironment: desktop, meanwhile: connection.stayAwake)
    } catch let error as ChildProcessError where viewer == nil && error.problem == .notFound {
      throw Failure(
        .notFound, ReadingMessage.noViewer, hint: Verbatim("facediary open ID --with 'CMD …'"))
    }
    switch end {
    case .ended(0): break
    case .ended(let status):
      throw Failure(
        .declined, ReadingMessage.viewerFailed(words[0], status: Int(status)),
        hint: Verbatim("facediary open ID NAME --with 'CMD …'"))
    case .interrupted(let signal):
      directory.remove()
      ThisProcess.end(128 + signal)
    }
    if viewer == nil { try askWhetherSeen(attachment, invocation) }
  }

  /// Waits until somebody has looked.
  static func askWhetherSeen(_ attachment: Attachment, _ invocation: Invocation) throws {
    _ = try Terminal.ask(
      invocation.text(ReadingMessage.pressEnterWhenSeen(visible(attachment.name))) + " ")
  }

  /// What a desktop's program needs besides to find its session.
  private static let desktop = [
    "XDG_CURRENT_DESKTOP", "XDG_DATA_DIRS", "XDG_CONFIG_HOME", "DBUS_SESSION_BUS_ADDRESS",
    "XAUTHORITY", "BROWSER",
  ]
}
