internal import Client
internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import JSONText
internal import Requests
internal import Words

/// `history`: every revision of an entry, and what changed.
@MainActor
enum HistoryCommand {
  static let declaration = Command<Invocation>(
    "history", Form(.id), summary: CommandHelp.history, options: [Options.showsDifference],
    details: CommandHelp.historyDetails
  ) { invocation in
    let connection = try await invocation.connection()
    var revisions: [Entry] = []
    _ = try connection.run(EntryHistory(EntryReference(invocation.operands[0]))) {
      revisions.append($0)
    }
    let wantsDifference = invocation.arguments[Options.showsDifference]
    if wantsDifference, !invocation.isJSON { invocation.startPaging() }
    return .array(revisions) { json, entry in
      json.member("revision", entry.revision)
      json.member("modified", utc(entry.modified))
      json.member("title", entry.title)
    } text: { [revisions] page in
      var newer: Entry?
      for (index, entry) in revisions.enumerated() {
        let title = visible(entry.title ?? entry.preview ?? "")
        let line = "\(entry.revision)  \(localTime(entry.modified))  \(title)"
        guard wantsDifference else {
          try page.line(line)
          continue
        }
        if index > 0 { try page.line("") }
        try page.line(Style(page.usesColor).bold(line))
        guard index + 1 < revisions.count else { break }
        let whole = try newer ?? connection.revision(entry.revision, of: entry.id)
        let older = try connection.revision(revisions[index + 1].revision, of: entry.id)
        try page.changes(from: older, to: whole)
        newer = older
      }
    }
  }
}

extension KeeperConnection {
  /// An entry as it was.
  func revision(_ number: UInt64, of id: EntryID) throws -> Entry {
    var found: Entry?
    _ = try run(ShowEntries([.id(id)], revision: number)) { found = $0 }
    return found!
  }
}

extension Page {
  /// The fields and lines that differ.
  fileprivate func changes(from old: Entry, to new: Entry) throws {
    for (before, after) in zip(fields(old), fields(new)) where before != after {
      if !before.isEmpty { try line(.removed(before)) }
      if !after.isEmpty { try line(.added(after)) }
    }
    for each in TextDifference(from: old.body ?? "", to: new.body ?? "").lines { try line(each) }
  }

  private func fields(_ entry: Entry) -> [String] {
    // Under the names that they have where they are written.
    let named: [String] = EntryField.lines.dropFirst().map { line in
      entry.content[line.content].map { "\(line.name): \($0)" } ?? ""
    }
    let rest: [String] = [
      dayHeading(entry.date.day) + " " + entry.hours,
      entry.journal ?? "", entry.kind.map(language.kindName) ?? "",
      entry.tags.map { "#" + $0 }.joined(separator: " "), entry.starred ? "★" : "",
      entry.attachments.map { "📎 " + $0.name }.joined(separator: "  "),
    ]
    return [entry.title ?? ""] + named + rest
  }

  private func line(_ line: TextDifference.Line) throws {
    let style = Style(usesColor)
    switch line {
    case .same(let text): try self.line("  " + visible(text))
    case .removed(let text): try self.line(style.removed("- " + visible(text)))
    case .added(let text): try self.line(style.added("+ " + visible(text)))
    case .gap(let count): try self.line(style.dim("  … " + text(ReadingMessage.sameLines(count))))
    }
  }
}
