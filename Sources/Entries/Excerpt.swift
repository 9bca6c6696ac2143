internal import Platform
internal import Text

/// What a search shows of an entry that it found.
extension PreparedQuery {
  /// The most characters of a line that are shown, and how many of them stand before the hit.
  private static let (limit, before) = (240, 60)

  /// The line around the first hit: of the body, else the title.
  package func excerpt(title: String?, body: String) -> String? {
    var rest = body[...]
    var first: Substring?
    while !rest.isEmpty {
      let end = Self.lineEnd(rest)
      let line = rest[..<end]
      if !line.isEmpty {
        if let hit = firstHit(in: line) { return Self.cut(line, around: hit) }
        first = first ?? line
      }
      rest = rest[end...].dropFirst()
    }
    // Only in the title or a tag, or a phrase over two lines: then the beginning is as good as any.
    return title ?? first.map { Self.cut($0, around: $0.startIndex) }
  }

  /// Where the first line of a text ends. Most texts have only breaks of one byte, and few characters that begin as the others do.
  private static func lineEnd(_ text: Substring) -> String.Index {
    var bytes = text.utf8
    while let place = bytes.firstIndex(where: {
      (0x0a...0x0d).contains($0) || $0 == 0xc2 || $0 == 0xe2
    }) {
      let scalar = text.unicodeScalars[place]
      if Character(scalar).isNewline { return place }
      bytes = text.utf8[text.unicodeScalars.index(after: place)...]
    }
    return text.endIndex
  }

  /// Where the first of the words stands that a line holds; nil when it holds none.
  private func firstHit(in line: Substring) -> String.Index? {
    // What stands behind the hit of a very long line need not be folded. The parts overlap by what a hit can have.
    let size = 1 << 18
    let overlap = max(4096, 16 * (words.map(\.count).max() ?? 0))
    let count = line.utf8.count
    var from = 0
    while from + size < count, size > 2 * overlap {
      if let hit = firstHit(inPart: Self.part(of: line, from, from + size)) { return hit }
      from += size - overlap
    }
    return firstHit(inPart: Self.part(of: line, from, count))
      ?? (words.contains([]) ? line.startIndex : nil)
  }

  private func firstHit(inPart line: Substring) -> String.Index? {
    let folded = SearchText.fold(line)
    let found = words.compactMap { word in
      word.isEmpty ? nil : ByteSearch.first(word, in: folded).map { (place: $0, word: word) }
    }
    guard let (place, word) = found.min(by: { $0.place < $1.place }) else { return nil }
    // Most often folding leaves each byte at its place.
    if folded.count == line.utf8.count {
      let hit = Self.part(of: line, place, place + word.count)
      if SearchText.fold(hit) == word { return hit.startIndex }
    }
    return Self.place(of: word, in: line)
  }

  /// Where a word stands in a line that holds it, whatever folding makes of what stands before it.
  private static func place(of word: [UInt8], in line: Substring) -> String.Index {
    func holds(_ start: Int, _ end: Int) -> Bool {
      contains(SearchText.fold(part(of: line, start, end)), word)
    }
    // The first of parts that overlap; then where the hit ends, then where it begins.
    let size = max(4096, 16 * word.count)
    var from = 0
    while from + size < line.utf8.count, !holds(from, from + size) { from += size / 2 }
    let end = halve(from, min(line.utf8.count, from + size)) { holds(from, $0) }
    let start = halve(from, end) { !holds($0, end) } - 1
    return part(of: line, max(from, start), end).startIndex
  }

  /// The lowest number for which something holds that holds for all higher ones, up to `high` itself.
  private static func halve(_ low: Int, _ high: Int, _ holds: (Int) -> Bool) -> Int {
    var (low, high) = (low, high)
    while low < high {
      let middle = (low + high) / 2
      if holds(middle) { high = middle } else { low = middle + 1 }
    }
    return high
  }

  /// From one byte of a line to another, each at the beginning of its scalar.
  private static func part(of line: Substring, _ start: Int, _ end: Int) -> Substring {
    let bytes = line.utf8
    let first = bytes.index(bytes.startIndex, offsetBy: start)
    return line[first..<bytes.index(first, offsetBy: end - start)]
  }

  /// A line, around its hit when it is long.
  private static func cut(_ line: Substring, around hit: String.Index) -> String {
    guard line.utf8.count > limit else { return String(line) }
    let start = line.index(hit, offsetBy: -before, limitedBy: line.startIndex) ?? line.startIndex
    let end = line.index(start, offsetBy: limit, limitedBy: line.endIndex) ?? line.endIndex
    // A character may be made of any number of scalars.
    let scalars = line[start..<end].unicodeScalars.prefix(4 * limit)
    return (start > line.startIndex ? "…" : "") + String(Substring(scalars))
  }
}
