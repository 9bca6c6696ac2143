internal import Bytes
internal import Text

/// Gathers the terms of entries, page by page, and writes them as an ``IndexShard``.
struct IndexBuilder {
  private var pages = ByteWriter(reserving: 1 << 12)
  private var lengths = ByteWriter(reserving: 1 << 14)
  /// Tags in the order they were met, and what each page comes to.
  private var tags = ByteWriter(reserving: 1 << 10)
  private var tagNumbers: [String: Int] = [:]
  private var totals = ByteWriter(reserving: 1 << 12)
  private(set) var pageCount = 0
  private var entries = 0
  /// Newline ‖ term, each.
  private var dictionary: [UInt8] = []
  private var starts: [UInt32] = []
  private var sizes: [UInt32] = []
  private var counts: [UInt32] = []
  /// Open addressing: a term's number and 1, or 0.
  private var table = [UInt32](repeating: 0, count: 1 << 14)
  /// The block that had a term last, so that each counts once.
  private var last: [Int32] = []
  private var termsOfBlocks: [UInt32] = []
  private var blocksOfTerms: [UInt32] = []
  private(set) var blocks = 0
  /// Terms in a block: how exactly it is known where a term stands, against the size of the index.
  static let block = 4

  var size: Int { termsOfBlocks.count }

  mutating func begin(_ page: Ref, entries count: Int, _ totals: EntryTotals) {
    let start = self.totals.bytes.count
    totals.write(to: &self.totals) { tag in
      if let known = tagNumbers[tag] { return known }
      tags.putCounted(tag)
      tagNumbers[tag] = tagNumbers.count
      return tagNumbers.count - 1
    }
    page.write(to: &pages)
    pages.put(UInt16(count))
    pages.put(UInt32(self.totals.bytes.count - start))
    pageCount += 1
  }

  /// The next entry's folded texts.
  mutating func add(_ texts: [[UInt8]]) {
    let first = blocks
    var position = 0
    for text in texts {
      SearchTerms.each(of: text) { range in
        let block = first + position / Self.block
        position += 1
        let number = find(text, range)
        guard last[number] != Int32(block) else { return }
        last[number] = Int32(block)
        counts[number] += 1
        termsOfBlocks.append(UInt32(number))
        blocksOfTerms.append(UInt32(block))
      }
    }
    blocks += max(1, (position + Self.block - 1) / Self.block)
    lengths.putVarint(UInt64(blocks - first))
    entries += 1
  }

  private static func hash(_ text: [UInt8], _ range: Range<Int>) -> Int {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for index in range { hash = (hash ^ UInt64(text[index])) &* 0x100_0000_01b3 }
    return Int(truncatingIfNeeded: hash ^ hash >> 32)
  }

  private mutating func find(_ text: [UInt8], _ range: Range<Int>) -> Int {
    let mask = table.count - 1
    var slot = Self.hash(text, range) & mask
    while table[slot] != 0 {
      let number = Int(table[slot]) - 1
      if isEqual(number, text, range) { return number }
      slot = (slot + 1) & mask
    }
    let number = starts.count
    table[slot] = UInt32(number + 1)
    dictionary.append(0x0a)
    starts.append(UInt32(dictionary.count))
    sizes.append(UInt32(range.count))
    dictionary += text[range]
    counts.append(0)
    last.append(-1)
    if starts.count * 2 > table.count { grow() }
    return number
  }

  private func isEqual(_ number: Int, _ text: [UInt8], _ range: Range<Int>) -> Bool {
    guard Int(sizes[number]) == range.count else { return false }
    let start = Int(starts[number])
    for index in 0..<range.count where dictionary[start + index] != text[range.lowerBound + index] {
      return false
    }
    return true
  }

  private mutating func grow() {
    table = [UInt32](repeating: 0, count: table.count * 2)
    let mask = table.count - 1
    for number in starts.indices {
      let start = Int(starts[number])
      var slot = Self.hash(dictionary, start..<(start + Int(sizes[number]))) & mask
      while table[slot] != 0 { slot = (slot + 1) & mask }
      table[slot] = UInt32(number + 1)
    }
  }

  /// The shard's plain bytes.
  func plain() -> [UInt8] {
    // A term's blocks, in order: counted, then put where they belong.
    var begins = [Int](repeating: 0, count: counts.count + 1)
    for number in counts.indices { begins[number + 1] = begins[number] + Int(counts[number]) }
    var next = begins
    var sorted = [UInt32](repeating: 0, count: begins[counts.count])
    for index in termsOfBlocks.indices {
      let term = Int(termsOfBlocks[index])
      sorted[next[term]] = blocksOfTerms[index]
      next[term] += 1
    }
    var directory = ByteWriter(reserving: counts.count * 2)
    var postings = ByteWriter(reserving: sorted.count * 3 / 2)
    for term in counts.indices {
      let before = postings.bytes.count
      var last = -1
      for block in sorted[begins[term]..<begins[term + 1]] {
        postings.putVarint(UInt64(Int(block) - last - 1))
        last = Int(block)
      }
      directory.putVarint(UInt64(postings.bytes.count - before))
    }
    let words = dictionary + (starts.isEmpty ? [] : [0x0a])
    var writer = ByteWriter(
      reserving: IndexShard.headSize + pages.bytes.count + tags.bytes.count + totals.bytes.count
        + lengths.bytes.count + words.count
        + directory.bytes.count + postings.bytes.count)
    writer.put("FDix")
    for byte in [IndexShard.version, SearchText.version, SearchTerms.version, 0] {
      writer.put(byte)
    }
    for size in [
      pageCount, entries, blocks, counts.count, tagNumbers.count, tags.bytes.count,
      totals.bytes.count, lengths.bytes.count, words.count, directory.bytes.count,
    ] {
      writer.put(UInt32(size))
    }
    writer.put(UInt64(postings.bytes.count))
    writer.put(pages.bytes)
    writer.put(tags.bytes)
    writer.put(totals.bytes)
    writer.put(lengths.bytes)
    writer.put(words)
    writer.put(directory.bytes)
    writer.put(postings.bytes)
    return writer.bytes
  }
}
