internal import CommandLine
internal import DiaryVault
internal import FaceDiary
internal import JSONText
internal import Platform

/// `attach`, `attachments`, `extract`, `detach`.
@MainActor
enum AttachCommands {
  static let attach = Command<Invocation>(
    "attach", Form(.id, Operand("FILE", repeats: true, completion: .file)),
    summary: CommandHelp.attach,
    details: CommandHelp.attachDetails
  ) { invocation in
    let files = Array(invocation.operands.dropFirst())
    let inputs = try files.map { try invocation.input($0, as: .file) }
    let connection = try await invocation.connection()
    let reference = try EntryReference(invocation.operands[0]).resolved(connection)
    var change = EntryChange()
    for (file, input) in zip(files, inputs) {
      change.attach.append(try stage(file, input, connection, invocation))
    }
    return try WriteCommands.answer(
      invocation, try connection.run(EditEntry(reference, change))
    ) { WritingMessage.attached(count: files.count, entry: $0) }
  }

  /// Seals a file in the vault; an entry takes it afterwards.
  static func stage(
    _ path: String, _ input: InputFile, _ connection: KeeperConnection, _ invocation: Invocation
  ) throws -> StagedAttachment {
    let name =
      path == "-" ? "standard-input" : path.split(separator: "/").last.map(String.init) ?? ""
    let first = try input.piece()
    let progress = ProgressLine(
      name, of: input.size, shows: Terminal.isTerminal(2) && !invocation.isQuiet)
    defer { progress.end() }
    var piece: [UInt8]? = first
    return try connection.run(
      StageFile(name: name, type: MediaType.of(first, name: name)),
      items: {
        guard let bytes = piece, !bytes.isEmpty else { return nil }
        progress.add(bytes.count)
        piece = try input.piece()
        return .piece(bytes)
      })
  }

  static let attachments = Command<Invocation>(
    "attachments", Form(.id), summary: CommandHelp.attachments
  ) {
    invocation in
    let connection = try await invocation.connection()
    let entry = try entry(EntryReference(invocation.operands[0]), connection)
    if invocation.isJSON {
      try invocation.json { json in
        json.array(entry.attachments) { json, attachment in json.write(attachment) }
      }
    } else {
      for attachment in entry.attachments {
        try invocation.output.line(
          padLeft(byteCount(attachment.size), 10) + "  " + visible(attachment.name) + "  "
            + attachment.type)
      }
      if entry.attachments.isEmpty { invocation.note(WritingMessage.nothingFound) }
    }
    return 0
  }

  static let extract = Command<Invocation>(
    "extract", Form(.id, Operand("NAME", completion: .attachment)),
    summary: CommandHelp.extract,
    options: [Options.extractOutput],
    details: CommandHelp.extractDetails
  ) { invocation in
    let name = invocation.operands[1]
    let connection = try await invocation.connection()
    let reference = try EntryReference(invocation.operands[0]).resolved(connection)
    let output = invocation.arguments[Options.extractOutput]
    if output == "-" {
      _ = try connection.run(ReadAttachment(name, of: reference)) {
        try invocation.output.write($0)
      }
      return 0
    }
    let known = try entry(reference, connection).attachments
    guard let attachment = known.first(where: { $0.name == name }) else {
      throw Failure(VaultError(.notFound, .attachment, name, candidates: known.map(\.name)))
    }
    try save(
      attachment, of: reference, to: output ?? AttachmentName.inFolder(attachment.name),
      replacing: output != nil, connection, invocation)
    if invocation.isJSON {
      try invocation.json { json in
        json.beginObject()
        json.write(attachment)
        json.endObject()
      }
    } else {
      invocation.note(
        WritingMessage.wroteFile(output ?? AttachmentName.inFolder(attachment.name)))
    }
    return 0
  }

  static func save(
    _ attachment: Attachment, of reference: EntryReference, to path: String, replacing: Bool,
    _ connection: KeeperConnection, _ invocation: Invocation
  ) throws {
    let file = try AtomicFile(path, existing: replacing ? .replaced : .refused)
    let progress = ProgressLine(
      attachment.name, of: attachment.size, shows: Terminal.isTerminal(2) && !invocation.isQuiet)
    defer { progress.end() }
    _ = try connection.run(ReadAttachment(attachment.name, of: reference)) { bytes in
      try file.write(bytes)
      progress.add(bytes.count)
    }
    try file.commit()
  }

  static let detach = Command<Invocation>(
    "detach", Form(.id, Operand("NAME", completion: .attachment)),
    summary: CommandHelp.detach,
    details: CommandHelp.detachDetails
  ) { invocation in
    let connection = try await invocation.connection()
    var change = EntryChange()
    change.detach = [invocation.operands[1]]
    return try WriteCommands.answer(
      invocation,
      try connection.run(EditEntry(EntryReference(invocation.operands[0]), change))
    ) { WritingMessage.tookAway(name: invocation.operands[1], entry: $0) }
  }

  static func entry(
    _ reference: EntryReference, _ connection: KeeperConnection
  ) throws -> Entry {
    var found: Entry?
    _ = try connection.run(ShowEntries([reference])) { found = $0 }
    guard let found else { throw VaultError(.notFound, .entry, "\(reference)") }
    return found
  }
}

extension EntryReference {
  /// The entry it names now, by its whole id: `@last` may be another one a moment later.
  @MainActor
  func resolved(_ connection: KeeperConnection) throws -> EntryReference {
    .id(try AttachCommands.entry(self, connection).id)
  }
}
