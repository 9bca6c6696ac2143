extension String {
  /// With spaces instead of line ends.
  package var oneLine: String { map { $0.isNewline ? " " : String($0) }.joined() }

  /// Without spaces at its end.
  package var trimmedEnd: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}

extension StringProtocol {
  /// Without white space at its ends. By scalars, because a character with many marks would be scanned again and again.
  package var trimmed: String {
    var scalars = Substring(self).unicodeScalars
    while let first = scalars.first, first.properties.isWhitespace { scalars.removeFirst() }
    while let last = scalars.last, last.properties.isWhitespace { scalars.removeLast() }
    return String(Substring(scalars))
  }
}
