internal import CommandLine
internal import DiaryVault
internal import FaceDiary
internal import JSONText

/// `history`: every revision of an entry.
@MainActor
enum HistoryCommand {
  static let declaration = Command<Invocation>(
    "history", Form(.id), summary: CommandHelp.history
  ) { invocation in
    let connection = try await invocation.connection()
    var revisions: [Entry] = []
    _ = try connection.run(EntryHistory(EntryReference(invocation.operands[0]))) {
      revisions.append($0)
    }
    return .array(revisions) { json, entry in
      json.member("revision", Int(entry.revision))
      json.member("modified", utc(entry.modified))
      json.member("title", entry.title)
    } text: { [revisions] page in
      for entry in revisions {
        let when = try ZonedTime(
          seconds: entry.modified, offset: LocalZone().offset(at: entry.modified))
        try page.line(
          "\(entry.revision)  \(CivilDate(number: when.day).text) \(when.clock)  \(visible(entry.title ?? entry.preview ?? ""))"
        )
      }
    }
  }
}
