internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import JSONText
internal import Requests
internal import Words

/// `conflicts`: entries with more than one text, all of them.
@MainActor
enum ConflictsCommand {
  static let declaration = Command<Invocation>(
    "conflicts", Form(Operand("ID", optional: true, completion: .entry)),
    summary: CommandHelp.conflicts, details: CommandHelp.conflictsDetails
  ) { invocation in
    let connection = try await invocation.connection()
    let found = try connection.run(
      ListConflicts(invocation.operands.first.map { EntryReference($0) }))
    invocation.startPaging()
    return .array(found) { json, entry in
      json.member("id", entry.id.description)
      json.member("versions", array: entry.versions) { json, version in
        json.member("revision", version.revision)
        json.member("device", version.device)
        json.member("modified", utc(version.modified))
        json.member("title", version.title)
        json.member("body", version.body)
      }
    } text: { page in
      for entry in found {
        try page.line(SyncMessage.conflictHeading(id: entry.id.short, count: entry.versions.count))
        // A conflict of titles repeats no text.
        var shown: Set<String> = []
        for version in entry.versions {
          try page.line(
            SyncMessage.version(
              revision: version.revision,
              device: version.device ?? page.text(SyncMessage.someDevice),
              when: utc(version.modified)))
          if let title = version.title { try page.line(visible(title)) }
          if shown.insert(version.body).inserted { try page.line(visible(version.body)) }
          try page.line("")
        }
      }
      page.note(found.isEmpty ? SyncMessage.noConflicts : .editEnds)
    }
  }
}

extension ConflictingEntry {
  /// All its texts as one to be edited: the first, then each other one under a line that says whose it is.
  @MainActor func text(_ invocation: Invocation) -> String {
    guard let first = versions.first else { return "" }
    var text = first.body
    var shown: Set<String> = [first.body]
    for version in versions.dropFirst() {
      let heading = invocation.text(
        SyncMessage.alsoWritten(
          device: version.device ?? invocation.text(SyncMessage.someDevice),
          when: utc(version.modified)))
      text += "\n\n---\n\(heading)\n\n"
      if let title = version.title, title != first.title { text += title + "\n\n" }
      if shown.insert(version.body).inserted { text += version.body }
    }
    return text
  }
}
