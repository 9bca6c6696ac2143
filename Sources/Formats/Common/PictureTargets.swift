internal import CommandLine
internal import Dates
internal import Platform
internal import Words

/// What a Markdown text shows: the targets of `![…](target)`, with or without angle brackets and a title, and of Obsidian's
/// `![[target|…]]`, without addresses. It takes time in proportion to the text, whatever its contents.
package enum PictureTargets {
  static func all(in text: String) -> [String] {
    let bytes = Array(text.utf8)
    var marks = Finder("![", bytes)
    var ends = Finder("\n", bytes)
    var doubles = Finder("]]", bytes)
    var targets = Finder("](", bytes)
    var closes = Finder(")", bytes)
    var found: [String] = []
    var place = 0
    while let mark = marks.next(from: place) {
      place = mark + 2
      let end = ends.next(from: place) ?? bytes.count
      if place < end, bytes[place] == UInt8(ascii: "["), let close = doubles.next(from: place),
        close < end
      {
        let name = String(decoding: bytes[(place + 1)..<close], as: UTF8.self)
        found.append(String(name.prefix { !"|#".contains($0) }).trimmed)
        place = close + 2
      } else if let open = targets.next(from: place), open < end,
        let close = closes.next(from: open + 2), close < end
      {
        found.append(target(String(decoding: bytes[(open + 2)..<close], as: UTF8.self)[...]))
        place = close
      }
    }
    return found.filter { !$0.isEmpty && !hasScheme($0) }
  }

  /// The files that `[…](target)` leads to, each once and a thousand at most: no notes, and no addresses.
  static func linked(in text: String) -> [String] {
    let bytes = Array(text.utf8)
    var targets = Finder("](", bytes)
    var closes = Finder(")", bytes)
    var found: [String] = []
    var seen: Set<String> = []
    var place = 0
    while found.count < 1000, let open = targets.next(from: place) {
      place = open + 2
      guard let close = closes.next(from: place) else { break }
      guard close - place <= 1024 else { continue }
      let target = target(String(decoding: bytes[place..<close], as: UTF8.self)[...])
      guard !target.isEmpty, !target.hasPrefix("#"), !hasScheme(target),
        !target.lowercased().hasSuffix(".md"), seen.insert(target).inserted
      else { continue }
      found.append(target)
    }
    return found
  }

  /// The name of a picture's file in its entry; nil for an address.
  package static func fileName(of target: String) -> String? {
    guard !hasScheme(target) else { return nil }
    let name = unescaped(target).split(separator: "/").last.map(String.init) ?? ""
    return name.isEmpty ? nil : name
  }

  /// Whether it is an address, such as `https:` or `data:`, rather than a file's name.
  private static func hasScheme(_ target: String) -> Bool {
    guard let colon = target.utf8.prefix(20).firstIndex(of: UInt8(ascii: ":")) else { return false }
    return target[..<colon].allSatisfy { $0.isLetter || $0.isNumber || "+.-".contains($0) }
  }

  /// The places of a needle, each looked for once.
  private struct Finder {
    private let needle: [UInt8]
    private let bytes: [UInt8]
    private var known: Int? = -1

    init(_ needle: String, _ bytes: [UInt8]) {
      self.needle = Array(needle.utf8)
      self.bytes = bytes
    }

    /// The next from there; places only grow.
    mutating func next(from place: Int) -> Int? {
      if let known, known < place { self.known = ByteSearch.first(needle, in: bytes, from: place) }
      return known
    }
  }

  private static func target(_ text: Substring) -> String {
    if text.hasPrefix("<") {
      return unescaped(String(text.dropFirst().prefix { $0 != ">" }))
    }
    return unescaped(String(text.prefix { $0 != ")" && $0 != " " }))
  }

  /// Decodes `%20` and the like; a result that is not UTF-8 leaves the text as it was.
  static func unescaped(_ text: String) -> String {
    guard text.contains("%") else { return text }
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == 0x25, rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self) ?? text
  }
}
