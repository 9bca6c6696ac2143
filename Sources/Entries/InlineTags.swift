/// Tags within a text, `#work` or `#旅/京都`, for those who write them so.
package enum InlineTags {
  /// Not in code, and not of digits alone.
  package static func found(in text: String) -> [String] {
    func holdsMark(_ bytes: some Sequence<UInt8>) -> Bool {
      // 0xEF begins ＃.
      bytes.contains { $0 == UInt8(ascii: "#") || $0 == 0xEF }
    }
    guard holdsMark(text.utf8) else { return [] }
    var tags: [String] = []
    var isCode = false
    for line in text.utf8.split(separator: UInt8(ascii: "\n")).map({ Substring($0) })
    where holdsMark(line.utf8) || line.hasPrefix("```") {
      if line.hasPrefix("```") { isCode.toggle() }
      if isCode { continue }
      // Every other part between backticks is code.
      for (index, part) in line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      where index % 2 == 0 {
        for word in part.split(whereSeparator: \.isWhitespace)
        where word.first == "#" || word.first == "＃" {
          let tag = word.dropFirst().prefix {
            $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" || $0 == "/"
          }
          guard tag.contains(where: \.isLetter), tag.utf8.count <= EntryDraft.tagLimit else {
            continue
          }
          tags.append(String(tag))
        }
      }
    }
    return tags
  }

  /// Adds those of the text to the tags, as many as an entry may have.
  package static func add(to content: inout EntryContent) {
    add(found(in: content.body), to: &content)
  }

  /// - Parameter found: those of its text.
  package static func add(_ found: [String], to content: inout EntryContent) {
    for tag in found
    where !content.tags.contains(where: { SearchQuery.areEqual($0, tag) })
      && content.tags.count < EntryDraft.tagCountLimit
    {
      content.tags.append(tag)
    }
  }
}
