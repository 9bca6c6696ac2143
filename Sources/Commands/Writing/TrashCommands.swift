internal import CommandLine
internal import DiaryVault
internal import FaceDiary
internal import JSONText

/// `delete`, `restore`, `trash`, `purge`.
@MainActor
enum TrashCommands {
  static let delete = Command<Invocation>(
    "delete", Form(.ids), summary: "move entries to the trash", options: [Options.yes]
  ) { invocation in
    let references = invocation.operands.map { EntryReference($0) }
    try requireYes(invocation)
    let connection = try await invocation.connection()
    var entries: [Entry] = []
    _ = try connection.run(ShowEntries(references)) { entries.append($0) }
    let ids = unique(entries)
    try confirm(invocation, "Move \(ids.count) to the trash?")
    return try count(
      invocation, try connection.run(DeleteEntries(ids)), "moved to the trash: {}")
  }

  static let restore = Command<Invocation>(
    "restore", Form(Operand("ID", repeats: true, completion: .trashed)),
    summary: "take entries back out of the trash"
  ) {
    invocation in
    let connection = try await invocation.connection()
    let reply = try connection.run(RestoreEntries(invocation.operands.map { EntryReference($0) }))
    return try count(invocation, reply, "restored: {}")
  }

  static let trash = Command<Invocation>("trash", summary: "what is in the trash") { invocation in
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
    summary: "remove trashed entries for good, with all their revisions",
    options: [Options.yes],
    details: "Without ID it empties the trash. Copies made before keep what they have."
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
    if number > 0 { try confirm(invocation, "Remove \(number) for good?") }
    return try count(invocation, try connection.run(PurgeEntries(ids)), "removed for good: {}")
  }

  private static func unique(_ entries: [Entry]) -> [EntryReference] {
    var seen: Set<EntryID> = []
    return entries.filter { seen.insert($0.id).inserted }.map { .id($0.id) }
  }

  /// Nobody to ask and no `--yes`: said before anything is opened.
  static func requireYes(_ invocation: Invocation, _ name: String? = nil) throws {
    if !invocation.arguments[Options.yes], !Terminal.canAsk {
      throw Failure(.usage, "\(name ?? invocation.command) needs --yes where nobody can be asked")
    }
  }

  static func confirm(_ invocation: Invocation, _ question: Text) throws {
    if invocation.arguments[Options.yes] { return }
    guard try Terminal.confirm(invocation.text(question)) else {
      throw Failure(.declined, "nothing was changed")
    }
  }

  private static func count(_ invocation: Invocation, _ count: Int, _ text: Text) throws -> Int32 {
    if invocation.isJSON {
      try invocation.json { json in
        json.beginObject()
        json.member("count", count)
        json.endObject()
      }
    } else {
      invocation.note(Text(form: text.form, values: [String(count)]))
    }
    return 0
  }
}
