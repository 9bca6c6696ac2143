/// Parses the inlines of a paragraph with CommonMark's algorithm of delimiter runs and brackets.
///
/// For its rule of what may open and close, punctuation of East Asian scripts counts as letters: `**「本」**です` is strong.
struct InlineParser {
  typealias Inline = MarkdownDocument.Inline
  private typealias Token = InlineTree.Token
  private typealias Run = InlineTree.Run
  private typealias Bracket = InlineTree.Bracket

  private let text: [UInt8]
  private let targets: [String: String]
  private var place = 0
  /// Where text begins that is part of no other token yet.
  private var plainStart = 0
  private var tokens: [Token] = []
  private var runs: [Run] = []
  private var brackets: [Bracket] = []
  /// The places of runs of backticks by their length, and how many of them are behind us.
  private var ticks: [Int: (places: [Int], passed: Int)]?

  /// The last run that is still to be matched.
  private var lastRun = -1
  /// Brackets that are still open. The outer ones cannot be links when they contain one.
  private var open: [Int] = []
  private var outsideLink = 0

  init(_ text: [UInt8], _ targets: [String: String]) {
    self.text = text
    self.targets = targets
  }

  private static let special: [Bool] = {
    var table = [Bool](repeating: false, count: 256)
    for byte in "\\`*_~[]!<&:\n".utf8 { table[Int(byte)] = true }
    return table
  }()

  mutating func inlines() -> [Inline] {
    while place < text.count {
      guard Self.special[Int(text[place])] else {
        place += 1
        continue
      }
      readSpecial()
    }
    flush(to: text.count)
    matchEmphasis(after: -1)
    var tree = InlineTree(runs: runs, brackets: brackets)
    return tree.inlines(of: tokens)
  }

  /// Makes a text token of what is before `end` and in no token yet.
  private mutating func flush(to end: Int) {
    if plainStart < end {
      tokens.append(.inline(.text(String(decoding: text[plainStart..<end], as: UTF8.self))))
    }
  }

  /// Ends the text at `start` and puts a token in the place of everything up to `end`.
  private mutating func put(_ inline: Inline, from start: Int, to end: Int) {
    flush(to: start)
    tokens.append(.inline(inline))
    place = end
    plainStart = end
  }

  private mutating func readSpecial() {
    switch text[place] {
    case UInt8(ascii: "\\"): readEscape()
    case UInt8(ascii: "\n"): readLineBreak()
    case UInt8(ascii: "`"): readCode()
    case UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "~"): readRun()
    case UInt8(ascii: "["): openBracket(isImage: false)
    case UInt8(ascii: "!"):
      guard peek(1) == UInt8(ascii: "[") else {
        place += 1
        return
      }
      if peek(2) == UInt8(ascii: "["), readEmbed() { return }
      openBracket(isImage: true)
    case UInt8(ascii: "]"): closeBracket()
    case UInt8(ascii: "<"): readAutolink()
    case UInt8(ascii: "&"): readEntity()
    default: readAddress()
    }
  }

  private func peek(_ distance: Int) -> UInt8? {
    place + distance < text.count ? text[place + distance] : nil
  }

  // MARK: Single things

  private mutating func readEscape() {
    guard let next = peek(1) else {
      place += 1
      return
    }
    if next == 0x0a {
      put(.lineBreak, from: place, to: place + 2)
    } else if isPunctuation(next) {
      flush(to: place)
      plainStart = place + 1
      place += 2
    } else {
      place += 1
    }
  }

  private mutating func readLineBreak() {
    var end = place
    while end > plainStart, BlockParser.isSpace(text[end - 1]) { end -= 1 }
    put(.lineBreak, from: end, to: place + 1)
  }

  private mutating func readCode() {
    let start = place
    let length = text[place...].prefix { $0 == UInt8(ascii: "`") }.count
    place += length
    guard let close = nextTicks(length, from: place) else { return }
    var content = Array(text[place..<close]).map { $0 == 0x0a ? 0x20 : $0 }
    if content.count > 1, content.first == 0x20, content.last == 0x20,
      content.contains(where: { $0 != 0x20 })
    {
      content = Array(content.dropFirst().dropLast())
    }
    put(.code(String(decoding: content, as: UTF8.self)), from: start, to: close + length)
  }

  /// The next run of just so many backticks; each is looked at once.
  private mutating func nextTicks(_ length: Int, from start: Int) -> Int? {
    if ticks == nil {
      var all: [Int: (places: [Int], passed: Int)] = [:]
      var index = 0
      while index < text.count {
        guard text[index] == UInt8(ascii: "`") else {
          index += 1
          continue
        }
        let count = text[index...].prefix { $0 == UInt8(ascii: "`") }.count
        all[count, default: ([], 0)].places.append(index)
        index += count
      }
      ticks = all
    }
    guard let places = ticks?[length]?.places, var passed = ticks?[length]?.passed else {
      return nil
    }
    while passed < places.count, places[passed] < start { passed += 1 }
    ticks?[length]?.passed = passed
    return passed < places.count ? places[passed] : nil
  }

  /// Obsidian's `![[picture.png|words]]`.
  private mutating func readEmbed() -> Bool {
    let start = place + 3
    var end = start
    while end < text.count, end - start <= LinkTarget.longest, text[end] != 0x5d, text[end] != 0x0a
    { end += 1 }
    guard end > start, end + 1 < text.count, text[end] == 0x5d, text[end + 1] == 0x5d else {
      return false
    }
    let parts = text[start..<end].split(separator: UInt8(ascii: "|"), maxSplits: 1)
    guard let name = parts.first else { return false }
    let target = String(decoding: name.prefix { $0 != UInt8(ascii: "#") }, as: UTF8.self)
    put(.image(alt: target, target: target), from: place, to: end + 2)
    return true
  }

  /// `<https://…>`, `<me@example.org>`.
  private mutating func readAutolink() {
    let start = place + 1
    var end = start
    while end < text.count, end - start <= LinkTarget.longest, text[end] > 0x20, text[end] != 0x3c,
      text[end] != 0x3e
    { end += 1 }
    guard end > start, end < text.count, text[end] == 0x3e else {
      place += 1
      return
    }
    let content = String(decoding: text[start..<end], as: UTF8.self)
    let isAddress = content.hasPrefix("http://") || content.hasPrefix("https://")
    let parts = content.split(separator: "@", omittingEmptySubsequences: false)
    let isMail =
      parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && !content.contains(":")
      && !content.contains("/")
    guard isAddress || isMail || content.hasPrefix("mailto:") else {
      place += 1
      return
    }
    put(
      .link([.text(content)], target: isMail ? "mailto:" + content : content), from: place,
      to: end + 1)
  }

  private mutating func readEntity() {
    let start = place + 1
    let end = text[start...].prefix(CharacterReference.longest + 1).firstIndex(
      of: UInt8(ascii: ";"))
    guard let end, end > start else {
      place += 1
      return
    }
    let name = String(decoding: text[start..<end], as: UTF8.self)
    guard let value = CharacterReference.text(name) else {
      place += 1
      return
    }
    put(.text(value), from: place, to: end + 1)
  }

  /// A bare `https://…` in the text, up to white space or another script.
  private mutating func readAddress() {
    let colon = place
    place += 1
    guard peek(0) == 0x2f, peek(1) == 0x2f else { return }
    let scheme = text[plainStart..<colon].reversed().prefix(6).reversed()
    let words = ["https", "http"].first { scheme.suffix($0.utf8.count).elementsEqual($0.utf8) }
    guard let words, !isLinkText else { return }
    let start = colon - words.utf8.count
    if start > plainStart, isLetter(text[start - 1]) { return }
    var end = colon + 3
    while end < text.count, end - start <= LinkTarget.longest, text[end] > 0x20, text[end] < 0x7f,
      text[end] != 0x3c, text[end] != UInt8(ascii: "\""), text[end] != UInt8(ascii: "]")
    { end += 1 }
    // Punctuation that ends a sentence, or a bracket around the address, does not belong to it.
    var surplus = text[start..<end].reduce(0) { $0 + ($1 == 0x29 ? 1 : $1 == 0x28 ? -1 : 0) }
    trimming: while end > colon + 3 {
      switch text[end - 1] {
      case UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"),
        UInt8(ascii: "!"), UInt8(ascii: "?"), UInt8(ascii: "'"), UInt8(ascii: "*"),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        end -= 1
      case UInt8(ascii: ")"):
        guard surplus > 0 else { break trimming }
        surplus -= 1
        end -= 1
      default: break trimming
      }
    }
    guard end > colon + 3 else { return }
    let address = String(decoding: text[start..<end], as: UTF8.self)
    put(.link([.text(address)], target: address), from: start, to: end)
  }

  /// Whether the last open bracket becomes a link: then an address in it is its text.
  private var isLinkText: Bool {
    guard let last = open.last, brackets[last].isImage || open.count > outsideLink,
      let close = text[place...].prefix(LinkTarget.longest).firstIndex(of: 0x5d)
    else { return false }
    return close + 1 < text.count && text[close + 1] == UInt8(ascii: "(")
  }

  // MARK: Emphasis

  private mutating func readRun() {
    let mark = text[place]
    let start = place
    let length = text[place...].prefix { $0 == mark }.count
    place += length
    // One tilde is text: 10~20.
    guard mark != UInt8(ascii: "~") || length == 2 else { return }
    let before = Kind(of: scalar(before: start))
    let after = Kind(of: scalar(at: place))
    let left = after != .space && (after != .punctuation || before != .letter)
    let right = before != .space && (before != .punctuation || after != .letter)
    let isUnderscore = mark == UInt8(ascii: "_")
    let canOpen = isUnderscore ? left && (!right || before == .punctuation) : left
    let canClose = isUnderscore ? right && (!left || after == .punctuation) : right
    flush(to: start)
    plainStart = place
    guard canOpen || canClose else {
      plainStart = start
      return
    }
    runs.append(
      Run(
        mark: mark, length: length, canOpen: canOpen, canClose: canClose, left: length,
        before: lastRun))
    if lastRun >= 0 { runs[lastRun].after = runs.count - 1 }
    lastRun = runs.count - 1
    tokens.append(.run(lastRun))
  }

  private enum Kind {
    case space, punctuation, letter

    /// - Parameter scalar: nil at the ends.
    init(of scalar: UInt32?) {
      switch scalar ?? 0x20 {
      case 0x09, 0x0a, 0x20, 0xa0, 0x2000...0x200a, 0x202f, 0x205f, 0x3000: self = .space
      case 0x21...0x2f, 0x3a...0x40, 0x5b...0x60, 0x7b...0x7e, 0xa1...0xa9, 0xab...0xac,
        0xae...0xb1, 0xb4, 0xb6...0xb8, 0xbb, 0xbf, 0xd7, 0xf7, 0x2010...0x2027, 0x2030...0x205e:
        self = .punctuation
      default: self = .letter
      }
    }
  }

  private func scalar(at index: Int) -> UInt32? {
    guard index < text.count else { return nil }
    return String(decoding: text[index..<min(index + 4, text.count)], as: UTF8.self)
      .unicodeScalars.first?.value
  }

  private func scalar(before index: Int) -> UInt32? {
    var start = index - 1
    while start >= 0, index - start < 4, text[start] & 0xc0 == 0x80 { start -= 1 }
    return start < 0 ? nil : scalar(at: start)
  }

  private func isPunctuation(_ byte: UInt8) -> Bool {
    byte < 0x80 && Kind(of: UInt32(byte)) == .punctuation
  }

  private func isLetter(_ byte: UInt8) -> Bool { Kind(of: UInt32(byte)) == .letter }

  /// Matches the runs after one, and lets go of them.
  private mutating func matchEmphasis(after bottom: Int) {
    /// Where no opener for a kind of closer is, at or before.
    var floors: [Int: Int] = [:]
    var closer = lastRun
    guard closer != bottom, closer >= 0 else { return }
    while runs[closer].before > bottom { closer = runs[closer].before }
    while closer >= 0 {
      let (before, after) = (runs[closer].before, runs[closer].after)
      guard runs[closer].canClose, runs[closer].left > 0 else {
        closer = after
        continue
      }
      let (mark, length, canOpen) = (runs[closer].mark, runs[closer].length, runs[closer].canOpen)
      let kind = Int(mark) << 4 | (canOpen ? 8 : 0) | length % 3
      let floor = max(bottom, floors[kind] ?? -1)
      var opener = before
      while opener > floor, !matches(opener, closer) { opener = runs[opener].before }
      guard opener > floor else {
        floors[kind] = before
        if !canOpen { unlink(closer) }
        closer = after
        continue
      }
      let used =
        mark == UInt8(ascii: "~") || (runs[opener].left > 1 && runs[closer].left > 1) ? 2 : 1
      runs[opener].left -= used
      runs[closer].left -= used
      runs[opener].opens.append(used)
      runs[closer].closes.append(used)
      // What lies between has no partner any more.
      runs[closer].before = opener
      runs[opener].after = closer
      if runs[opener].left == 0 { unlink(opener) }
      if runs[closer].left == 0 {
        let next = runs[closer].after
        unlink(closer)
        closer = next
      }
    }
    lastRun = bottom
    if bottom >= 0 { runs[bottom].after = -1 }
  }

  private func matches(_ opener: Int, _ closer: Int) -> Bool {
    guard runs[opener].mark == runs[closer].mark, runs[opener].canOpen, runs[opener].left > 0 else {
      return false
    }
    guard runs[opener].canClose || runs[closer].canOpen else { return true }
    let (one, other) = (runs[opener].length, runs[closer].length)
    return (one + other) % 3 != 0 || (one % 3 == 0 && other % 3 == 0)
  }

  private mutating func unlink(_ run: Int) {
    let (before, after) = (runs[run].before, runs[run].after)
    if before >= 0 { runs[before].after = after }
    if after >= 0 { runs[after].before = before }
    if lastRun == run { lastRun = before }
  }

  // MARK: Links

  private mutating func openBracket(isImage: Bool) {
    flush(to: place)
    place += isImage ? 2 : 1
    plainStart = place
    brackets.append(Bracket(isImage: isImage, start: place, lastRun: lastRun))
    open.append(brackets.count - 1)
    tokens.append(.bracket(brackets.count - 1))
  }

  private mutating func closeBracket() {
    let close = place
    place += 1
    guard let bracket = open.popLast() else { return }
    let opened = brackets[bracket]
    let isActive = opened.isImage || open.count >= outsideLink
    outsideLink = min(outsideLink, open.count)
    guard isActive else { return }
    var end = place
    var target: String?
    if peek(0) == UInt8(ascii: "("), let link = LinkTarget(text[(place + 1)...], isWhole: false) {
      target = link.text
      end = link.end
    } else {
      // [words][name], [name][] and [name].
      var name = text[opened.start..<close]
      if peek(0) == UInt8(ascii: "["),
        let last = text[(place + 1)...].prefix(1000).firstIndex(of: 0x5d)
      {
        if last > place + 1 { name = text[(place + 1)..<last] }
        end = last + 1
      }
      if !targets.isEmpty, name.count <= 1000 { target = targets[Self.reference(name)] }
    }
    guard let target else { return }
    flush(to: close)
    matchEmphasis(after: opened.lastRun)
    brackets[bracket].target = target
    tokens.append(.closeLink)
    place = end
    plainStart = end
    if !opened.isImage { outsideLink = open.count }
  }

  /// A name as it is compared: without case, its white space one space.
  static func reference(_ name: ArraySlice<UInt8>) -> String {
    String(decoding: name, as: UTF8.self).split(whereSeparator: \.isWhitespace)
      .joined(separator: " ").lowercased()
  }
}
