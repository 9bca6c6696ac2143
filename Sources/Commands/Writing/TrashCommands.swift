internal import CommandLine
internal import DiaryVault
internal import FaceDiary
internal import JSONText

/// `delete`, `restore`, `trash`, `purge`.
@MainActor
enum TrashCommands {
  static let delete = Command<Invocation>(
    "delete", Form(.ids), summary: CommandHelp.delete, options: [Options.yes]
  ) { invocation in
    let references = invocation.operands.map { EntryReference($0) }
    try requireYes(invocation)
    let connection = try await invocation.connection()
    var entries: [Entry] = []
    _ = try connection.run(ShowEntries(references)) { entries.append($0) }
    let ids = unique(entries)
    try confirm(invocation, NamesMessage.askToTrash(ids.count))
    return try count(
      invocation, try connection.run(DeleteEntries(ids)), NamesMessage.trashed)
  }

  static let restore = Command<Invocation>(
    "restore", Form(Operand("ID", repeats: true, completion: .trashed)),
    summary: CommandHelp.restore
  ) {
    invocation in
    let connection = try await invocation.connection()
    let reply = try connection.run(RestoreEntries(invocation.operands.map { EntryReference($0) }))
    return try count(invocation, reply, NamesMessage.restored)
  }

  static let trash = Command<Invocation>("trash", summary: CommandHelp.trash) { invocation in
    var filter = EntryFilter()
    filter.trash = true
    let connection = try await invocation.connection()
    let list = try EntryList(invocation, through: connection)
    try list.begin()
    _ = try connection.run(
      ListEntries(filter)
    ) { try list.add($0) }
    try list.end()
    return 0
  }

  static let purge = Command<Invocation>(
    "purge", Form(Operand("ID", optional: true, repeats: true, completion: .trashed)),
    summary: CommandHelp.purge,
    options: [Options.yes],
    details: CommandHelp.purgeDetails
  ) { invocation in
    try requireYes(invocation)
    let connection = try await invocation.connection()
    var ids: [EntryReference]?
    let number: Int
    if invocation.operands.isEmpty {
      let trashed = try connection.run(CountEntries()).trashed
      number = trashed
    } else {
      var entries: [Entry] = []
      let references = invocation.operands.map { EntryReference($0) }
      _ = try connection.run(ShowEntries(references, isInTrash: true)) { entries.append($0) }
      let named = unique(entries)
      ids = named
      number = named.count
    }
    if number > 0 { try confirm(invocation, NamesMessage.askToPurge(number)) }
    return try count(invocation, try connection.run(PurgeEntries(ids)), NamesMessage.purged)
  }

  private static func unique(_ entries: [Entry]) -> [EntryReference] {
    var seen: Set<EntryID> = []
    return entries.filter { seen.insert($0.id).inserted }.map { .id($0.id) }
  }

  /// Nobody to ask and no `--yes`: said before anything is opened.
  static func requireYes(_ invocation: Invocation, _ name: String? = nil) throws {
    if !invocation.arguments[Options.yes], !Terminal.canAsk {
      throw Failure(.usage, UsageMessage.needsYes(name ?? invocation.command))
    }
  }

  static func confirm(_ invocation: Invocation, _ question: any Message) throws {
    if invocation.arguments[Options.yes] { return }
    guard try Terminal.confirm(invocation.text(question)) else {
      throw Failure(.declined, FailureMessage.nothingChanged)
    }
  }

  private static func count(_ invocation: Invocation, _ count: Int, _ said: (Int) -> NamesMessage)
    throws -> Int32
  {
    if invocation.isJSON {
      try invocation.json { json in
        json.beginObject()
        json.member("count", count)
        json.endObject()
      }
    } else {
      invocation.note(said(count))
    }
    return 0
  }
}
