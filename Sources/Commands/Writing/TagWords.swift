internal import CommandLine
internal import Entries
internal import Formats

/// Tags as people type them, in the editor and behind `--tag`.
enum TagWords {
  /// `a, "b, c", #d`: apart at commas outside of quotes, also those of a Japanese keyboard, and without their marks.
  static func split(_ texts: [String]) -> [String] { tags(in: texts.flatMap(parts)) }

  /// The tags that entries are to have: apart at commas outside of quotes. What names one tag is taken as it is, or an empty word would
  /// let all entries through.
  static func filtered(_ text: String) -> [String] {
    let tags = split([text])
    let isQuoted = text.count > 2 && text.hasPrefix("\"") && text.hasSuffix("\"")
    return tags.count > 1 || tags.count == 1 && isQuoted ? tags : [text]
  }

  /// Tags that are apart already.
  static func tags(in texts: [String]) -> [String] {
    texts.map { String($0.trimmed.drop { $0 == "#" || $0 == "＃" }) }.filter { !$0.isEmpty }
  }

  private static func parts(_ text: String) -> [String] {
    var parts = [""]
    var isQuoted = false
    for character in text {
      if character == "\"" {
        isQuoted.toggle()
      } else if [",", "、", "，"].contains(character), !isQuoted {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    return parts
  }
}

extension Invocation {
  /// With the tags in its text, where they are to be tags.
  func tagged(_ content: EntryContent) throws -> EntryContent {
    var tagged = content
    if try configuration().inlineTags { InlineTags.add(to: &tagged) }
    return tagged
  }

  func tagged(_ draft: EntryDraft) throws -> EntryDraft {
    var tagged = draft
    tagged.content = try self.tagged(draft.content)
    return tagged
  }

  /// The same of a change of the text.
  func tagged(_ change: EntryChange) throws -> EntryChange {
    var tagged = change
    if let body = change.body, try configuration().inlineTags {
      tagged.addTags += InlineTags.found(in: body)
    }
    return tagged
  }
}

/// The tags within the texts of an import.
struct ImportedTags {
  let areTaken: Bool
  private let format: ImportFormat
  /// Entries with words that would be tags.
  private(set) var left = 0

  init(areTaken: Bool, of format: ImportFormat) {
    (self.areTaken, self.format) = (areTaken, format)
  }

  mutating func take(_ item: ImportItem?) -> ImportItem? {
    // An entry of ours says itself which tags it has.
    guard case .entry(var entry) = item, entry.id == nil || !format.keepsOurIDs else { return item }
    let found = InlineTags.found(in: entry.draft.body)
    guard areTaken else {
      if !found.isEmpty { left += 1 }
      return item
    }
    InlineTags.add(found, to: &entry.draft.content)
    return .entry(entry)
  }
}
