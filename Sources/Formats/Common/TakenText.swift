internal import Entries

extension EntryDraft {
  /// A heading that is too long for a title is moved to the text, so that nothing is lost.
  mutating func shortenTitle() {
    guard let long = content.title, long.utf8.count > Self.titleLimit else { return }
    content.title = nil
    content.body = long + (content.body.isEmpty ? "" : "\n" + content.body)
  }
}

extension String {
  /// Without empty lines at its ends.
  package var trimmedLines: String {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    let start = self[..<first].lastIndex(of: "\n").map(index(after:)) ?? startIndex
    return String(self[start..<(self[last...].firstIndex(of: "\n") ?? endIndex)])
  }
}
