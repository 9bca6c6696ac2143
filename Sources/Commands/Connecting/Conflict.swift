internal import Client
internal import Dates
internal import Entries
internal import Requests
internal import Words

/// An entry with more than one text, and the texts.
struct Conflict {
  let id: EntryID
  let versions: [(facts: ConflictingEntry.Version, body: String)]

  /// All its texts as one to be edited: the first, then each other one under a line that says whose it is.
  @MainActor func text(_ invocation: Invocation) -> String {
    guard let first = versions.first else { return "" }
    var text = first.body
    var shown: Set<String> = [first.body]
    for (version, body) in versions.dropFirst() {
      let heading = invocation.text(
        SyncMessage.alsoWritten(
          device: version.device ?? invocation.text(SyncMessage.someDevice),
          when: localTime(version.modified)))
      text += "\n\n---\n\(heading)\n\n"
      if let title = version.title, title != first.facts.title { text += title + "\n\n" }
      if shown.insert(body).inserted { text += body }
    }
    return text
  }
}

extension KeeperConnection {
  /// The entries with more than one text, or the one that is meant. Each text comes by itself: together they may be longer than an
  /// answer.
  func conflicts(_ reference: EntryReference? = nil) throws -> [Conflict] {
    var found: [Conflict] = []
    var after: EntryID?
    while true {
      let next = try run(ListConflicts(reference, after: after))
      guard let last = next.last else { return found }
      after = last.id
      for entry in next {
        var versions: [(ConflictingEntry.Version, String)] = []
        for version in entry.versions {
          var body = ""
          _ = try run(ShowEntries([.id(entry.id)], revision: entry.textRevision(of: version))) {
            body = $0.body ?? ""
          }
          versions.append((version, body))
        }
        found.append(Conflict(id: entry.id, versions: versions))
      }
    }
  }
}
