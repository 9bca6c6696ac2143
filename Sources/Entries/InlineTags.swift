/// Tags within a text, `#work` or `#旅/京都`, for those who write them so.
package enum InlineTags {
  /// Not in code, and not of digits alone.
  package static func found(in text: String) -> [String] {
    var tags: [String] = []
    var isCode = false
    for line in text.split(separator: "\n")
    where line.utf8.contains(UInt8(ascii: "#")) || line.contains("＃") || line.hasPrefix("```") {
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
