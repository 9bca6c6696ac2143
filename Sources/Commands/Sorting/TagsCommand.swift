internal import Client
internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import JSONText
internal import Requests
internal import Text
internal import Words

/// `tags`: all of them, how often each is used, and other names for them.
@MainActor
enum TagsCommand {
  static let declaration = Command<Invocation>(
    "tags", Form("list", isDefault: true),
    Form("rename", Operand("OLD", completion: .tag), Operand("NEW")),
    Form("merge", Operand("TAG", repeats: true, completion: .tag)),
    summary: CommandHelp.tags, details: CommandHelp.tagsDetails
  ) { invocation in
    switch invocation.verb {
    case "rename": return try await rename(invocation)
    case "merge": return try await merge(invocation)
    default: return try await list(invocation)
    }
  }

  private static func list(_ invocation: Invocation) async throws -> Outcome {
    let tags = try await invocation.connection().run(Tally(.tags))
    return .array(tags) { json, tag in
      json.member("name", tag.name)
      json.member("count", tag.count)
    } text: { page in
      for tag in tags { try page.line(padLeft(String(tag.count), 6) + "  #" + visible(tag.name)) }
      if tags.isEmpty { page.note(WritingMessage.noTags) }
    }
  }

  private static func rename(_ invocation: Invocation) async throws -> Outcome {
    let new = try newTag(invocation.operands[1])
    let connection = try await invocation.connection()
    let known = try connection.run(Tally(.tags)).map(\.name)
    let old = try tag(invocation.operands[0], among: known)
    guard
      SearchQuery.areEqual(old, new) || !known.contains(where: { SearchQuery.areEqual($0, new) })
    else {
      throw Failure(
        .conflict, NamesMessage.tagIsThere(new), hint: NamesMessage.mergeTags(old: old, new: new))
    }
    return try replace([old], by: new, known, connection)
  }

  private static func merge(_ invocation: Invocation) async throws -> Outcome {
    guard invocation.operands.count > 1 else {
      throw Failure(
        .usage, UsageMessage.usage("tags merge TAG… INTO"), hint: UsageMessage.seeHelpOf("tags"))
    }
    let connection = try await invocation.connection()
    let known = try connection.run(Tally(.tags)).map(\.name)
    let given = invocation.operands
    // What it becomes may be one that is there.
    let last = given[given.count - 1]
    let target = try (try? tag(last, among: known)) ?? newTag(last)
    let others = try given.dropLast().map { try tag($0, among: known) }.filter {
      !SearchQuery.areEqual($0, target)
    }
    return try replace(Array(others), by: target, known, connection)
  }

  /// Each entry that has one of some tags gets another in its place, as a new revision.
  private static func replace(
    _ old: [String], by new: String, _ known: [String], _ connection: KeeperConnection
  ) throws -> Outcome {
    var changed: Set<EntryID> = []
    for tag in old {
      guard known.contains(where: { SearchQuery.areEqual($0, tag) }) else {
        throw Failure(.notFound, NamesMessage.noTag(tag))
      }
    }
    for tag in old {
      var filter = EntryFilter()
      filter.tags = [tag]
      var found: [EntryID] = []
      _ = try connection.run(ListEntries(filter)) { found.append($0.id) }
      var change = EntryChange()
      (change.removeTags, change.addTags) = ([tag], [new])
      for id in found { _ = try connection.run(EditEntry(.id(id), change)) }
      changed.formUnion(found)
    }
    return .object { [changed] json in
      json.member("name", new)
      json.member("entries", changed.count)
    } text: { [changed] page in
      page.note(NamesMessage.tagged(new, entries: changed.count))
    }
  }

  /// A tag that is there, as it is typed: with or without its mark, and in quotes where it has a comma.
  private static func tag(_ text: String, among known: [String]) throws -> String {
    let whole = TagWords.tags(in: [text])
    for tags in [whole, TagWords.split([text])] where tags.count == 1 {
      if known.contains(where: { SearchQuery.areEqual($0, tags[0]) }) { return tags[0] }
    }
    throw Failure(whole.isEmpty ? .invalid : .notFound, NamesMessage.noTag(text))
  }

  /// One that is to be.
  private static func newTag(_ text: String) throws -> String {
    let tags = TagWords.split([text])
    guard !tags.isEmpty else { throw Failure(.invalid, WritingMessage.newTagEmpty) }
    guard tags.count == 1 else { throw Failure(.invalid, WritingMessage.oneTagWanted(text)) }
    // Without a comma nothing has to be in quotes.
    return text.contains { ",、，".contains($0) } ? tags[0] : TagWords.tags(in: [text])[0]
  }
}
