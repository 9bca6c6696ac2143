internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import JSONText
internal import Requests
internal import Words

/// `tags`: all of them, and how often each is used.
@MainActor
enum TagsCommand {
  static let declaration = Command<Invocation>("tags", summary: CommandHelp.tags) { invocation in
    let tags = try await invocation.connection().run(Tally(.tags))
    return .array(tags) { json, tag in
      json.member("name", tag.name)
      json.member("count", tag.count)
    } text: { page in
      for tag in tags { try page.line(padLeft(String(tag.count), 6) + "  #" + visible(tag.name)) }
      if tags.isEmpty { page.note(WritingMessage.noTags) }
    }
  }
}
