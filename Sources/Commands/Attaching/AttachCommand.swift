internal import Client
internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import Platform
internal import Requests
internal import SealedFiles
internal import Words

/// `attach`: photos and files into an entry.
@MainActor
enum AttachCommand {
  static let declaration = Command<Invocation>(
    "attach", Form(.id, Operand("FILE", repeats: true, completion: .file)),
    summary: CommandHelp.attach, details: CommandHelp.attachDetails
  ) { invocation in
    let files = Array(invocation.operands.dropFirst())
    let inputs = try files.map { try invocation.input($0, as: .file) }
    let connection = try await invocation.connection()
    // `@last` may be another entry once a file is in.
    let before = try connection.entry(EntryReference(invocation.operands[0]), isForChange: true)
    let entry = EntryReference.id(before.id)
    var change = EntryChange()
    for (file, input) in zip(files, inputs) {
      change.attach.append(try stage(file, input, connection, invocation))
    }
    let written = try connection.run(EditEntry(entry, change))
    let known = Set(before.attachments.map(\.name) + change.attach.map(\.attachment.name))
    for file in try connection.entry(entry).attachments where !known.contains(file.name) {
      invocation.note(WritingMessage.attachedAs(file.name))
    }
    return .written(
      written, WritingMessage.attached(count: files.count, entry: written.id.short))
  }

  /// Seals a file beside the vault's rows; an entry takes it afterwards.
  static func stage(
    _ path: String, _ input: InputFile, _ connection: KeeperConnection, _ invocation: Invocation
  ) throws -> SealedAttachment {
    let name =
      path == "-" ? "standard-input" : path.split(separator: "/").last.map(String.init) ?? ""
    let kind = try input.descriptor.status().kind
    guard kind != .other || path == "-" else { throw PlatformError(.notRegular, path) }
    let first = try input.piece()
    let progress = ProgressLine(
      name, of: input.size, shows: Terminal.isTerminal(2) && !invocation.isQuiet)
    defer { progress.end() }
    var piece = first
    var awake = SystemClock.awake
    return try connection.objectStore().seal(
      name: name, type: MediaType.of(first, name: name), size: input.size
    ) {
      guard !piece.isEmpty else { return nil }
      progress.add(piece.count)
      // Sealing a long file counts as use.
      if SystemClock.awake - awake > 10_000_000_000 {
        connection.stayAwake()
        awake = SystemClock.awake
      }
      let bytes = piece
      piece = try input.piece()
      return bytes
    }
  }
}
