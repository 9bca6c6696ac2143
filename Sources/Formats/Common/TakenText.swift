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
    var lines = split(separator: "\n", omittingEmptySubsequences: false)[...]
    while let first = lines.first, first.allSatisfy(\.isWhitespace) { lines.removeFirst() }
    while let last = lines.last, last.allSatisfy(\.isWhitespace) { lines.removeLast() }
    return lines.joined(separator: "\n")
  }
}
