internal import CommandLine
internal import Dates
internal import Entries

/// Org's markup as Markdown, line by line; what it does not know stays as it is.
struct MarkdownFromOrg {
  private enum Block { case code, quote, verse }

  private var lines = JoinedLines()
  private var block: Block?
  /// Whether the lines are those of a drawer, such as `:LOGBOOK:`.
  private var isInDrawer = false
  /// Markdown headings begin below this level of Org's.
  private let level: Int

  init(below level: Int) { self.level = level }

  /// The text so far.
  var text: String { lines.text.trimmedLines }

  mutating func take(_ line: String) {
    let trimmed = line.trimmed
    let lower = trimmed.lowercased()
    if let block {
      if lower.hasPrefix("#+end_") {
        if block == .code { lines.append("```") }
        self.block = nil
      } else {
        switch block {
        case .code: lines.append(line)
        case .quote: lines.append("> " + Self.inline(line))
        // A verse keeps its lines.
        case .verse: lines.append("> " + Self.inline(line) + "  ")
        }
      }
      return
    }
    if isInDrawer {
      isInDrawer = lower != ":end:"
    } else if lower.hasPrefix("#+begin_") {
      begin(lower, trimmed)
    } else if Self.drawerName(trimmed) != nil {
      isInDrawer = true
    } else if trimmed.hasPrefix("#+") || trimmed == "#" || trimmed.hasPrefix("# ") {
      // A keyword or a comment says nothing of the text.
    } else if let heading = OrgHeading(line) {
      let depth = min(6, max(1, heading.level - level) + 1)
      lines.append(String(repeating: "#", count: depth) + " " + Self.inline(heading.title))
    } else if trimmed.hasPrefix("|") {
      lines.append(Self.row(trimmed))
    } else {
      lines.append(Self.item(line))
    }
  }

  private mutating func begin(_ lower: String, _ line: String) {
    let words = line.split(separator: " ")
    if lower.hasPrefix("#+begin_src") {
      block = .code
      lines.append("```" + (words.count > 1 ? words[1] : ""))
    } else if lower.hasPrefix("#+begin_example") || lower.hasPrefix("#+begin_export") {
      block = .code
      lines.append("```")
    } else {
      block = lower.hasPrefix("#+begin_verse") ? .verse : .quote
    }
  }

  /// `:NAME:` alone on its line.
  static func drawerName(_ line: String) -> Substring? {
    guard line.count > 2, line.hasPrefix(":"), line.hasSuffix(":") else { return nil }
    let name = line.dropFirst().dropLast()
    return name.allSatisfy { $0.isLetter || $0.isNumber || "-_".contains($0) } ? name : nil
  }

  /// A row of a table; the line below its head has plus signs in Org.
  private static func row(_ line: String) -> String {
    guard line.hasPrefix("|-") else { return inline(line) }
    let columns = line.split(separator: "|").first?.split(separator: "+").count ?? 1
    return "|" + String(repeating: " --- |", count: columns)
  }

  /// A list's item, or any other line.
  private static func item(_ line: String) -> String {
    let indent = line.prefix { $0 == " " || $0 == "\t" }
    var rest = line[indent.endIndex...]
    var mark = ""
    if rest.hasPrefix("- ") || rest.hasPrefix("+ ") || !indent.isEmpty && rest.hasPrefix("* ") {
      (mark, rest) = ("- ", rest.dropFirst(2))
    } else {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      let after = rest[digits.endIndex...]
      if (1...9).contains(digits.count), after.hasPrefix(") ") || after.hasPrefix(". ") {
        (mark, rest) = (digits + ". ", after.dropFirst(2))
      }
    }
    if mark.isEmpty { return indent + inline(String(rest)) }
    for (box, ours) in [("[ ] ", "[ ] "), ("[X] ", "[x] "), ("[x] ", "[x] "), ("[-] ", "[ ] ")]
    where rest.hasPrefix(box) {
      return indent + mark + ours + inline(String(rest.dropFirst(4)))
    }
    // `term :: what it means`
    if let parts = rest.firstRange(of: " :: ") {
      return indent + mark + "**" + inline(String(rest[..<parts.lowerBound])) + "**: "
        + inline(String(rest[parts.upperBound...]))
    }
    return indent + mark + inline(String(rest))
  }

  private static let signs: [Character: String] = ["*": "**", "/": "*", "+": "~~", "_": "*"]

  /// Emphasis, code and links within a line. It takes time in proportion to the line.
  static func inline(_ line: String) -> String {
    let characters = Array(line)
    var ends = Ends(characters)
    var result = ""
    var place = 0
    var before: Character = " "
    while place < characters.count {
      let character = characters[place]
      var taken = 0
      if character == "[", let (text, count) = link(characters, place) {
        result += text
        taken = count
      } else if signs[character] != nil || "=~".contains(character),
        before.isWhitespace || "-('\"{".contains(before),
        let end = ends.next(of: character, from: place)
      {
        let inner = String(characters[(place + 1)..<end])
        if let sign = signs[character] {
          result += sign + inner + sign
        } else {
          let fence = MarkdownSigns.fence(inner, least: 1)
          result += fence + inner + fence
        }
        taken = end - place + 1
      } else {
        result.append(character)
        taken = 1
      }
      place += taken
      before = characters[place - 1]
    }
    return result
  }

  /// Where emphasis can end, for each sign; the places that are asked for only grow.
  private struct Ends {
    private let characters: [Character]
    private var places: [Character: [Int]] = [:]

    init(_ characters: [Character]) {
      self.characters = characters
      for place in characters.indices.reversed() {
        let character = characters[place]
        guard signs[character] != nil || "=~".contains(character), place > 0,
          !characters[place - 1].isWhitespace
        else { continue }
        let next = place + 1 < characters.count ? characters[place + 1] : " "
        if next.isWhitespace || "-.,:!?;'\")}[".contains(next) {
          places[character, default: []].append(place)
        }
      }
    }

    /// The end of what begins with a sign at `start`; nil when nothing does.
    mutating func next(of sign: Character, from start: Int) -> Int? {
      guard start + 1 < characters.count, !characters[start + 1].isWhitespace else { return nil }
      while let last = places[sign]?.last, last < start + 2 { places[sign]?.removeLast() }
      return places[sign]?.last
    }
  }

  /// `[[target][words]]`, `[[target]]`; pictures are shown.
  private static func link(_ characters: [Character], _ start: Int) -> (String, Int)? {
    guard start + 3 < characters.count, characters[start + 1] == "[" else { return nil }
    var place = start + 2
    var parts = [""]
    while place + 1 < characters.count {
      if characters[place] == "]" {
        if characters[place + 1] == "]" {
          let text = shown(parts[0], parts.count > 1 ? parts[1] : nil)
          return (text, place + 2 - start)
        }
        guard characters[place + 1] == "[", parts.count == 1 else { return nil }
        parts.append("")
        place += 2
      } else if characters[place] == "[" {
        // None stands in another, so that no place is read twice.
        return nil
      } else {
        parts[parts.count - 1].append(characters[place])
        place += 1
      }
    }
    return nil
  }

  private static func shown(_ target: String, _ words: String?) -> String {
    var target = target
    let isFile = target.hasPrefix("file:") || target.hasPrefix("./") || target.hasPrefix("../")
    if target.hasPrefix("file:") { target = String(target.dropFirst(5)) }
    if isFile, words == nil { return "![](\(MarkdownSigns.target(target)))" }
    // A link to another note of the same program leads nowhere here.
    let isOwn = ["id:", "*", "#"].contains { target.hasPrefix($0) }
    if isOwn { return words ?? target }
    return MarkdownSigns.link(words ?? target, to: target)
  }
}

/// `** TODO [#A] Title :tag:other:`
struct OrgHeading {
  let level: Int
  let title: String
  let tags: [String]

  init?(_ line: String) {
    let stars = line.prefix { $0 == "*" }.count
    guard stars > 0, line.dropFirst(stars).hasPrefix(" ") else { return nil }
    level = stars
    var text = line.dropFirst(stars).trimmed
    for word in ["TODO ", "DONE "] where text.hasPrefix(word) {
      text = text.dropFirst(word.count).trimmed
    }
    if text.hasPrefix("[#"), text.count > 3, text.dropFirst(3).hasPrefix("]") {
      text = text.dropFirst(4).trimmed
    }
    var tags: [String] = []
    if text.hasSuffix(":"), let start = text.lastIndex(where: \.isWhitespace) {
      let end = text[text.index(after: start)...]
      if end.hasPrefix(":"), end.count > 2,
        end.allSatisfy({ $0.isLetter || $0.isNumber || "_@#%:".contains($0) })
      {
        tags = end.split(separator: ":").map(String.init)
        text = text[..<start].trimmed
      }
    }
    title = text
    self.tags = tags
  }
}
