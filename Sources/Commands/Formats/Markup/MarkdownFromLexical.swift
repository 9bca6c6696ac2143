internal import DiaryVault
internal import JSONText

/// The JSON of the editor Lexical as Markdown: nodes of a kind with children.
///
/// Form: https://lexical.dev; the bits of a text's `format` are those of its `LexicalConstants.ts`.
enum MarkdownFromLexical {
  /// - Returns: nil for what is none.
  static func text(_ json: String) -> String? {
    var bytes: [UInt8]? = Array(json.utf8)
    guard
      var reader = try? JSONReader(source: {
        defer { bytes = nil }
        return bytes ?? []
      }), case .beginObject? = try? reader.next()
    else { return nil }
    var budget = 2 * EntryDraft.bodyLimit
    guard let whole = try? JSONValue(.beginObject, &reader, budget: &budget),
      let root = whole["root"]
    else { return nil }
    return blocks(of: root).joined(separator: "\n\n")
  }

  private static func blocks(of node: JSONValue) -> [String] {
    (node["children"]?.list ?? []).map(block).filter { !$0.isEmpty }
  }

  private static func block(_ node: JSONValue) -> String {
    switch node["type"]?.text {
    case "heading":
      let level = node["tag"]?.text?.last?.wholeNumberValue ?? 1
      return String(repeating: "#", count: min(max(level, 1), 6)) + " " + inline(node)
    case "quote": return lines(inline(node), before: "> ")
    case "code": return "```\(node["language"]?.text ?? "")\n\(plain(node))\n```"
    case "horizontalrule": return "---"
    case "list": return list(node)
    case "table":
      let rows = (node["children"]?.list ?? []).map { row in
        let cells = (row["children"]?.list ?? []).map { cell in
          blocks(of: cell).joined(separator: " ").replacing("\n", with: " ")
            .replacing("|", with: "\\|")
        }
        return "| " + cells.joined(separator: " | ") + " |"
      }
      guard let first = rows.first else { return "" }
      let columns = node["children"]?.list?.first?["children"]?.list?.count ?? 1
      let rule = "|" + String(repeating: " --- |", count: columns)
      return ([first, rule] + rows.dropFirst()).joined(separator: "\n")
    case "collapsible-title": return "**\(inline(node))**"
    case "paragraph", "text", "link", "autolink", nil: return inline(node)
    default:
      let below = node["children"]?.list ?? []
      // What holds blocks, or text of a kind that is not known.
      return below.contains { $0["type"]?.text == "text" }
        ? inline(node) : blocks(of: node).joined(separator: "\n\n")
    }
  }

  private static func list(_ node: JSONValue) -> String {
    var number = 0
    return (node["children"]?.list ?? []).map { item in
      let below = item["children"]?.list ?? []
      // A list in a list is an item of its own.
      if below.count == 1, below[0]["type"]?.text == "list" {
        return lines(list(below[0]), before: "  ")
      }
      number += 1
      let mark =
        switch node["listType"]?.text {
        case "number": "\(number). "
        case "check": "- [\(item["checked"]?.flag == true ? "x" : " ")] "
        default: "- "
        }
      return mark + inline(item)
    }.joined(separator: "\n")
  }

  private static func lines(_ text: String, before: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { before + $0 }
      .joined(separator: "\n")
  }

  /// The text of a node without signs.
  private static func plain(_ node: JSONValue) -> String {
    if node["type"]?.text == "linebreak" { return "\n" }
    return node["text"]?.text ?? (node["children"]?.list ?? []).map(plain).joined()
  }

  private static func inline(_ node: JSONValue) -> String {
    switch node["type"]?.text {
    case "linebreak": return "\n"
    case "link", "autolink":
      let label = (node["children"]?.list ?? []).map(inline).joined()
      guard let target = node["url"]?.text, target != label else { return label }
      return "[\(label)](\(target))"
    case "list": return "\n" + lines(list(node), before: "  ")
    default: break
    }
    guard let text = node["text"]?.text else {
      return (node["children"]?.list ?? []).map(inline).joined()
    }
    let format = Int(node["format"]?.number.map { min(max($0, 0), 1e6) } ?? 0)
    let inner = text.trimmed
    guard format != 0, !inner.isEmpty else { return text }
    // Code's signs are the innermost.
    let signed = [(16, "`"), (2, "*"), (4, "~~"), (1, "**")].reduce(inner) { text, bit in
      format & bit.0 == 0 ? text : bit.1 + text + bit.1
    }
    let after = String(text.reversed().prefix { $0.isWhitespace }.reversed())
    return text.prefix { $0.isWhitespace } + signed + after
  }
}
