internal import Client
internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import JSONText
internal import Requests
internal import Words

extension KeeperConnection {
  /// How many entries each has.
  func counts(_ subject: TallySubject) throws -> [String: Int] {
    Dictionary(try run(Tally(subject)).map { ($0.name, $0.count) }) { $1 }
  }
}

extension Invocation {
  /// Changes a journal or a kind and says so.
  func change(
    _ change: NamesChange, name: String, _ done: NamesMessage,
    through open: KeeperConnection? = nil
  ) async throws -> Outcome {
    var connection = open
    if connection == nil { connection = try await self.connection() }
    let count = try connection?.run(ChangeNames(change)) ?? 0
    return .object { json in
      json.member("name", name.trimmed)
      json.member("count", count)
    } text: {
      $0.note(done)
    }
  }
}
