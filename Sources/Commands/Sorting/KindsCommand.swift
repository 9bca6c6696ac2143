internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import JSONText
internal import Requests
internal import Words

/// `kinds`: what sort of entry each is.
@MainActor
enum KindsCommand {
  static let declaration = Command<Invocation>(
    "kinds", Form("list", isDefault: true), Form("add", Operand("NAME")),
    Form("rename", Operand("A", completion: .kind), Operand("B")),
    Form("remove", Operand("K", completion: .kind)),
    summary: CommandHelp.kinds,
    options: [Options.kindEmoji, Options.yes],
    details: CommandHelp.kindsDetails
  ) { invocation in
    let words = invocation.operands
    switch invocation.verb {
    case "add":
      let kind = Kind(
        name: words[0].trimmed, emoji: invocation.arguments[Options.kindEmoji] ?? "")
      return try await invocation.change(
        .addKind(kind), name: kind.name, NamesMessage.madeKind(kind.name))
    case "rename":
      return try await invocation.change(
        .renameKind(words[0], to: words[1].trimmed), name: words[1],
        NamesMessage.renamed(old: words[0], new: words[1]))
    case "remove":
      try invocation.requireYes("kinds remove")
      let connection = try await invocation.connection()
      _ = try connection.run(ListNames(requiring: nil, kind: words[0]))
      try invocation.confirm(NamesMessage.askToRemoveKind(words[0]))
      return try await invocation.change(
        .removeKind(words[0]), name: words[0], NamesMessage.removedKind(words[0]),
        through: connection)
    default: return try await list(invocation)
    }
  }

  private static func list(_ invocation: Invocation) async throws -> Outcome {
    let connection = try await invocation.connection()
    let kinds = try connection.run(ListNames()).kinds
    let counts = try connection.counts(.kinds)
    return .array(kinds) { json, kind in
      json.member("name", kind.name)
      json.member("count", counts[kind.name] ?? 0)
      json.member("emoji", kind.emoji)
      json.member("otherNames", kind.otherNames)
    } text: { page in
      for kind in kinds {
        try page.line(
          padLeft(String(counts[kind.name] ?? 0), 6) + "  "
            + (kind.emoji.isEmpty ? "" : visible(kind.emoji) + " ")
            + visible(invocation.language.kindName(kind.name)))
      }
    }
  }
}
