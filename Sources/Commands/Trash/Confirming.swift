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

  /// - Parameter names: what it is about, shown above the question.
  /// - Throws: ``Failure`` `declined` when the answer is no.
  func confirm(_ question: some Message, about names: [String] = []) throws {
    if arguments[Options.yes] { return }
    for name in names { Output.say(name) }
    guard try Terminal.confirm(text(question)) else {
      throw Failure(.declined, FailureMessage.nothingChanged)
    }
  }
}

extension KeeperConnection {
  /// Each entry once, however often and by whatever reference it was named.
  ///
  /// - Returns: with the date and the beginning of each, where they are few.
  func distinctEntries(
    _ words: [String], isInTrash: Bool = false
  ) throws -> (entries: [EntryReference], names: [String]) {
    var seen: Set<EntryID> = []
    var named: [String] = []
    var distinct: [EntryReference] = []
    _ = try run(
      ShowEntries(words.map { EntryReference($0) }, isInTrash: isInTrash, isForChange: true)
    ) { entry in
      guard seen.insert(entry.id).inserted else { return }
      distinct.append(.id(entry.id))
      if named.count < Self.namedLimit { named.append(Self.name(entry)) }
    }
    return (distinct, distinct.count > named.count ? [] : named)
  }

  /// The date and the beginning of each entry in the trash, where they are few.
  func trashed(_ count: Int) throws -> [String] {
    guard count <= Self.namedLimit else { return [] }
    var (filter, named) = (EntryFilter(), [String]())
    filter.trash = true
    _ = try run(ListEntries(filter)) { named.append(Self.name($0)) }
    return named
  }

  private static let namedLimit = 10

  private static func name(_ entry: Entry) -> String {
    let text = entry.title ?? entry.preview ?? String(entry.body?.prefix { !$0.isNewline } ?? "")
    return CivilDate(number: entry.date.day).text + "  " + clipped(visible(text), to: 50)
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
