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
    let found = try connection.conflicts(invocation.operands.first.map { EntryReference($0) })
    invocation.startPaging()
    return .array(found) { json, entry in
      json.member("id", entry.id.description)
      json.member("versions", array: entry.versions) { json, each in
        let (version, body) = each
        json.member("revision", version.revision)
        json.member("device", version.device)
        json.member("modified", utc(version.modified))
        json.member("title", version.title)
        json.member("body", body)
      }
    } text: { page in
      for entry in found {
        try page.line(SyncMessage.conflictHeading(id: entry.id.short, count: entry.versions.count))
        // A conflict of titles repeats no text.
        var shown: Set<String> = []
        for (version, body) in entry.versions {
          try page.line(
            SyncMessage.version(
              revision: version.revision,
              device: version.device ?? page.text(SyncMessage.someDevice),
              when: localTime(version.modified)))
          if let title = version.title { try page.line(visible(title)) }
          if shown.insert(body).inserted { try page.line(visible(body)) }
          try page.line("")
        }
      }
      let none = invocation.operands.first.map { SyncMessage.oneText($0) } ?? .noConflicts
      page.note(found.isEmpty ? none : .editEnds)
    }
  }
}
