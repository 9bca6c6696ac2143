internal import CommandLine
internal import Dates
internal import Words

/// The JSON of the editor Lexical as Markdown: nodes of a kind with children.
///
/// Form: https://lexical.dev; the bits of a text's `format` are those of its `LexicalConstants.ts`.
struct MarkdownFromLexical {
  let text: String
  /// Unknown kinds of nodes without text.
  private(set) var unknown: Set<String> = []

  /// nil when the text is not Lexical's JSON.
  init?(_ json: String) {
    guard let root = JSONValue(object: json)?["root"] else { return nil }
    var unknown: Set<String> = []
    text = Self.blocks(of: root, &unknown).joined(separator: "\n\n")
    self.unknown = unknown
  }

  private static func children(_ node: JSONValue) -> [JSONValue] { node["children"]?.list ?? [] }

  private static func blocks(of node: JSONValue, _ unknown: inout Set<String>) -> [String] {
    var blocks: [String] = []
    for child in children(node) {
      let block = block(child, &unknown)
      if !block.isEmpty { blocks.append(block) }
    }
    return blocks
  }

  private static func block(_ node: JSONValue, _ unknown: inout Set<String>) -> String {
    switch node["type"]?.text {
    case "heading":
      let level = node["tag"]?.text?.last?.wholeNumberValue ?? 1
      return String(repeating: "#", count: min(max(level, 1), 6)) + " " + inline(node, &unknown)
    case "quote": return lines(inline(node, &unknown), before: "> ")
    case "code":
      let code = plain(node)
      let fence = MarkdownSigns.fence(code, least: 3)
      return "\(fence)\(node["language"]?.text?.oneLine ?? "")\n\(code)\n\(fence)"
    case "horizontalrule": return "---"
    case "list": return list(node, &unknown)
    case "table": return table(node, &unknown)
    case "collapsible-title": return "**\(inline(node, &unknown).trimmed)**"
    case "paragraph", "text", "link", "autolink", nil: return inline(node, &unknown)
    case let kind?:
      let below = children(node)
      if below.isEmpty { return leaf(node, kind, &unknown) }
      // A node that holds blocks, or text of an unknown kind.
      return below.contains { $0["type"]?.text == "text" }
        ? inline(node, &unknown) : blocks(of: node, &unknown).joined(separator: "\n\n")
    }
  }

  /// A picture or an embedded page is its address.
  private static func leaf(
    _ node: JSONValue, _ kind: String, _ unknown: inout Set<String>
  ) -> String {
    if let source = node["src"]?.text ?? node["url"]?.text, !source.hasPrefix("data:") {
      let alt = node["alt"]?.text ?? node["altText"]?.text ?? ""
      return kind.contains("image")
        ? "![\(alt.filter { !"[]\n".contains($0) })](\(MarkdownSigns.target(source)))"
        : MarkdownSigns.target(source)
    }
    if let text = node["text"]?.text { return MarkdownSigns.escaped(text) }
    unknown.insert(kind)
    return ""
  }

  private static func table(_ node: JSONValue, _ unknown: inout Set<String>) -> String {
    var rows: [String] = []
    for row in children(node) {
      var cells: [String] = []
      for cell in children(row) {
        cells.append(
          blocks(of: cell, &unknown).joined(separator: " ").replacing("\n", with: " ")
            .replacing("|", with: "\\|"))
      }
      rows.append("| " + cells.joined(separator: " | ") + " |")
      if rows.count == 1 {
        rows.append("|" + String(repeating: " --- |", count: max(1, cells.count)))
      }
    }
    return rows.joined(separator: "\n")
  }

  private static func list(_ node: JSONValue, _ unknown: inout Set<String>) -> String {
    var number = Int(min(max(node["start"]?.number ?? 1, 0), 1e9))
    var width = 2
    var items: [String] = []
    for item in children(node) {
      let below = children(item)
      // Lexical wraps a nested list in an item of its own.
      if below.count == 1, below[0]["type"]?.text == "list" {
        let before = String(repeating: " ", count: width)
        items.append(lines(list(below[0], &unknown), before: before))
        continue
      }
      let mark =
        switch node["listType"]?.text {
        case "number": "\(number). "
        case "check": "- [\(item["checked"]?.flag == true ? "x" : " ")] "
        default: "- "
        }
      width = mark.prefix { $0 != "[" }.count
      number += 1
      let isBlocks = below.contains { $0["type"]?.text == "paragraph" }
      let text =
        isBlocks ? blocks(of: item, &unknown).joined(separator: "\n") : inline(item, &unknown)
      let rest = lines(text, before: String(repeating: " ", count: width)).dropFirst(width)
      items.append(mark + rest)
    }
    return items.joined(separator: "\n")
  }

  private static func lines(_ text: String, before: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { before + $0 }
      .joined(separator: "\n")
  }

  /// The plain text of a node.
  private static func plain(_ node: JSONValue) -> String {
    if node["type"]?.text == "linebreak" { return "\n" }
    return node["text"]?.text ?? children(node).map(plain).joined()
  }

  private static func inline(_ node: JSONValue, _ unknown: inout Set<String>) -> String {
    var result = ""
    for child in children(node) {
      let line = result.hasSuffix("\n") || result.isEmpty ? "" : "x"
      result += piece(child, after: line, &unknown)
    }
    return children(node).isEmpty ? piece(node, after: "", &unknown) : result
  }

  private static func piece(
    _ node: JSONValue, after line: String, _ unknown: inout Set<String>
  ) -> String {
    switch node["type"]?.text {
    case "linebreak": return "\n"
    case "link", "autolink":
      guard let target = node["url"]?.text else { return plain(node) }
      return MarkdownSigns.link(plain(node), to: target)
    case "list": return "\n" + lines(list(node, &unknown), before: "  ")
    default: break
    }
    guard let text = node["text"]?.text else {
      if !children(node).isEmpty { return inline(node, &unknown) }
      return node["type"]?.text == "paragraph" || node["type"] == nil
        ? "" : leaf(node, node["type"]?.text ?? "", &unknown)
    }
    let format = Int(min(max(node["format"]?.number ?? 0, 0), 1e6))
    let inner = text.trimmed
    guard format & 23 != 0, !inner.isEmpty else {
      return MarkdownSigns.escaped(text, after: line)
    }
    let code = MarkdownSigns.fence(inner, least: 1)
    // The markers of code are the innermost.
    var signed =
      format & 16 != 0
      ? (code.count > 1 ? "\(code) \(inner) \(code)" : code + inner + code)
      : MarkdownSigns.escaped(inner, after: "x")
    for (bit, sign) in [(2, "*"), (4, "~~"), (1, "**")] where format & bit != 0 {
      signed = sign + signed + sign
    }
    let after = String(text.reversed().prefix { $0.isWhitespace }.reversed())
    return text.prefix { $0.isWhitespace } + signed + after
  }
}
