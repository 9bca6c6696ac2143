internal import Client
internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import JSONText
internal import Requests
internal import Words

extension Invocation {
  /// Fails, before anything is opened, if there is nobody to ask and `--yes` is missing.
  func requireYes(_ name: String? = nil) throws {
    if !arguments[Options.yes], !Terminal.canAsk {
      throw Failure(.usage, UsageMessage.needsYes(name ?? command))
    }
  }

  /// - Throws: ``Failure`` `declined` when the answer is no.
  func confirm(_ question: some Message) throws {
    if arguments[Options.yes] { return }
    guard try Terminal.confirm(text(question)) else {
      throw Failure(.declined, FailureMessage.nothingChanged)
    }
  }
}

extension KeeperConnection {
  /// Each entry once, however often and by whatever reference it was named.
  func distinctEntries(_ words: [String], isInTrash: Bool = false) throws -> [EntryReference] {
    var seen: Set<EntryID> = []
    var distinct: [EntryReference] = []
    _ = try run(
      ShowEntries(words.map { EntryReference($0) }, isInTrash: isInTrash, isForChange: true)
    ) { entry in
      if seen.insert(entry.id).inserted { distinct.append(.id(entry.id)) }
    }
    return distinct
  }
}

extension Outcome {
  /// How many there were.
  static func count(_ count: Int, _ said: @escaping (Int) -> NamesMessage) -> Outcome {
    .object {
      $0.member("count", count)
    } text: {
      $0.note(said(count))
    }
  }
}
