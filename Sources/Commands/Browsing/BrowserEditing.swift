internal import Client
internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import Platform
internal import Requests
internal import Words

/// The timeline gives its terminal to an editor.
extension Browser {
  func edit(_ entry: Entry) async throws {
    try await away {
      let whole = try self.connection.entry(.id(entry.id))
      Self.endIfInterrupted(
        try await EditCommand.editInEditor(
          whole, expected: nil, self.invocation, self.connection))
    }
    try timeline.refresh(entry.id)
  }

  /// Lets the owner write an entry, and chooses it.
  func write() async throws {
    var written: EntryID?
    try await away {
      let dates = DateParser.typed
      var draft = EntryDraft(date: dates.now, zone: dates.zone.name, body: "")
      if self.tab > 0 { draft.journal = self.journals[self.tab - 1].name }
      Self.endIfInterrupted(
        try await WriteCommand.writeInEditor(
          draft, self.invocation, self.connection, saved: { written = $0 }))
    }
    try reload()
    if let written { try timeline.choose(written) }
  }

  /// A signal that ended the editor ends us, too.
  private static func endIfInterrupted(_ outcome: Outcome) {
    if outcome.exitCode > 128 { ThisProcess.end(outcome.exitCode) }
  }

  /// Gives the terminal to an editor; what goes wrong there is said at the foot.
  func away(_ body: () async throws -> Void) async throws {
    screen.suspend()
    defer { lastKey = SystemClock.sinceBoot }
    do {
      try await body()
    } catch let error as SessionError {
      throw error
    } catch {
      remark = invocation.text(Failure(error).message)
    }
    try screen.resume()
  }
}
