internal import Client
internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import Platform
internal import Words

/// `extract`: a photo or file out of an entry.
@MainActor
enum ExtractCommand {
  static let declaration = Command<Invocation>(
    "extract", Form(.id, Operand("NAME", completion: .attachment)),
    summary: CommandHelp.extract, options: [Options.extractOutput, Options.extractedRevision],
    details: CommandHelp.extractDetails
  ) { invocation in
    let name = invocation.operands[1]
    let connection = try await invocation.connection()
    var entry = try connection.entry(EntryReference(invocation.operands[0]))
    let revision = invocation.arguments[Options.extractedRevision]
    if let revision { entry = try connection.revision(revision, of: entry.id) }
    let output = invocation.arguments[Options.extractOutput]
    if output == "-" {
      try connection.read(name, of: .id(entry.id), revision: revision) {
        try invocation.output.write($0)
      }
      return .written()
    }
    let attachment = try entry.attachment(named: name)
    let path = output ?? AttachmentName.inFolder(attachment.name)
    try save(
      attachment, of: .id(entry.id), revision: revision, to: path, replacing: output != nil,
      connection, invocation)
    return .object {
      $0.write(attachment)
    } text: {
      $0.note(WritingMessage.wroteFile(path))
    }
  }

  static func save(
    _ attachment: Attachment, of reference: EntryReference, revision: UInt64? = nil,
    to path: String, replacing: Bool, _ connection: KeeperConnection, _ invocation: Invocation
  ) throws {
    let file = try invocation.outputFile(path, replacing: replacing)
    let progress = ProgressLine(
      attachment.name, of: attachment.size, shows: Terminal.isTerminal(2) && !invocation.isQuiet)
    defer { progress.end() }
    try connection.read(attachment.name, of: reference, revision: revision) { bytes in
      try file.write(bytes)
      progress.add(bytes.count)
    }
    try file.commit()
  }
}

extension Entry {
  /// - Throws: ``VaultError`` `notFound` with the names there are.
  func attachment(named name: String) throws -> Attachment {
    guard let found = attachments.first(where: { $0.name == name }) else {
      throw VaultError(.notFound, .attachment, name, candidates: attachments.map(\.name))
    }
    return found
  }
}
