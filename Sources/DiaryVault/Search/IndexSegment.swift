internal import Platform
internal import Sealing

/// A part of the search index: in which blocks of the entries of some header pages each term stands. A block is sixteen terms of
/// an entry in a row.
///
/// ```
/// "FDix" ‖ version u8 ‖ folding u8 ‖ terms u8 ‖ 0 u8
/// pages u32 ‖ entries u32 ‖ blocks u32 ‖ terms u32 ‖ bytes of lengths, dictionary, table u32 each ‖ of postings u64
/// pages: ref 40 ‖ entries u16 each
/// lengths: how many blocks each entry has, varint
/// dictionary: newline ‖ term, each; newline
/// table: bytes of each term's postings, varint
/// postings: of each term its blocks, each less the one before it and 1, varint
/// ```
///
/// Entries are numbered in the order of the pages, and so are their blocks, of the terms of title, tags and body
/// (``SearchTerms``). A page is known by its ref, so by its content: a segment never says anything that is not so, however old
/// it is. Sealed as a ``SealedFile``.
final class IndexSegment {
  static let headSize = 4 + 4 + 7 * 4 + 8
  static let sizeLimit = 1 << 30

  /// The first number and the count of a page's entries.
  private(set) var pages: [Ref: (first: Int, count: Int)] = [:]
  let entries: Int
  let blocks: Int
  let name: String
  private let dictionary: [UInt8]
  /// Where each term begins, behind its newline.
  private var starts: [UInt32] = []
  /// Where its postings begin, and where the last ones end.
  private var places: [Int] = []
  /// The first block of each entry, and the end of the last.
  private var firsts: [Int32] = []
  private let postingsStart: Int
  private let file: Descriptor
  private let key: SecretBytes
  private let chunks: Int
  private var opened: [Int: [UInt8]] = [:]
  private static let openedLimit = 96

  /// Opens a segment and reads all but its postings.
  ///
  /// - Throws: ``VaultError``: `damaged` for what is none of this key, or of another version.
  init(_ file: Descriptor, name: String, key: consuming SecretBytes) throws(VaultError) {
    self.file = file
    self.name = name
    let status = try onDisk { () throws(PlatformError) in try file.status() }
    guard status.kind == .regular, status.size <= Self.sizeLimit,
      let chunks = SealedFile.chunkCount(sealed: Int(status.size))
    else { throw VaultError(.damaged, "search index", "not a segment") }
    self.chunks = chunks
    var plain = try Self.chunk(0, of: chunks, file, key)
    var head = ByteReader(plain)
    let sizes = try unsealing("search index") { () throws(SealingError) in
      try head.expect("FDix")
      guard try head.uint8() == 1, try head.uint8() == SearchText.version,
        try head.uint8() == SearchTerms.version, try head.uint8() == 0
      else { throw .malformed }
      var sizes: [Int] = []
      for _ in 0..<7 { sizes.append(Int(try head.uint32())) }
      return sizes
    }
    entries = sizes[1]
    blocks = sizes[2]
    let pagesEnd = Self.headSize + sizes[0] * 42
    let lengthsEnd = pagesEnd + sizes[4]
    let dictionaryEnd = lengthsEnd + sizes[5]
    let tableEnd = dictionaryEnd + sizes[6]
    for number in 1..<max(1, chunks) where plain.count < tableEnd {
      plain += try Self.chunk(number, of: chunks, file, key)
    }
    guard plain.count >= tableEnd else { throw VaultError(.damaged, "search index", "too short") }
    dictionary = Array(plain[lengthsEnd..<dictionaryEnd])
    postingsStart = tableEnd
    self.key = key
    try unsealing("search index") { () throws(SealingError) in
      var reader = ByteReader(plain, in: Self.headSize..<pagesEnd)
      var first = 0
      for _ in 0..<sizes[0] {
        let ref = try Ref(&reader)
        let count = Int(try reader.uint16())
        pages[ref] = (first, count)
        first += count
      }
      guard first == entries else { throw .malformed }
      try readLengths(ByteReader(plain, in: pagesEnd..<lengthsEnd))
      try readTable(ByteReader(plain, in: dictionaryEnd..<tableEnd), sizes[3])
    }
  }

  private func readLengths(_ source: ByteReader) throws(SealingError) {
    var lengths = source
    firsts.reserveCapacity(entries + 1)
    var first: UInt64 = 0
    for _ in 0..<entries {
      firsts.append(Int32(first))
      let count = try lengths.varint()
      guard blocks <= Int(Int32.max), count <= UInt64(blocks) - first else { throw .malformed }
      first += count
    }
    firsts.append(Int32(first))
    guard first == UInt64(blocks) else { throw .malformed }
    try lengths.expectEnd()
  }

  private func readTable(_ source: ByteReader, _ terms: Int) throws(SealingError) {
    var table = source
    starts.reserveCapacity(terms)
    places.reserveCapacity(terms + 1)
    var place = 0
    for index in dictionary.indices.dropLast() where dictionary[index] == 0x0a {
      starts.append(UInt32(index + 1))
      places.append(place)
      place += Int(clamping: try table.varint() & 0xffff_ffff)
    }
    places.append(place)
    guard starts.count == terms, dictionary.isEmpty == (terms == 0),
      dictionary.isEmpty || (dictionary.first == 0x0a && dictionary.last == 0x0a)
    else { throw .malformed }
    try table.expectEnd()
  }

  private static func chunk(
    _ number: Int, of count: Int, _ file: Descriptor, _ key: borrowing SecretBytes
  ) throws(VaultError) -> [UInt8] {
    let sealed = try onDisk { () throws(PlatformError) in
      try file.read(SealedFile.sealedChunk, at: number * SealedFile.sealedChunk)
    }
    let plain = try unsealing("search index") { () throws(SealingError) in
      unsafe try SealedFile.open(sealed.span.bytes, number, of: count, key: key)
    }
    guard number == count - 1 || plain.count == SealedFile.chunk else {
      throw VaultError(.damaged, "search index", "a short chunk")
    }
    return plain
  }

  // MARK: Looking up

  /// The entries that hold a term for each needle, each in the block of the one before it or the next; all of them when
  /// there are no needles.
  func entries(holding needles: [[UInt8]]) throws(VaultError) -> BitSet {
    guard let first = needles.first else { return BitSet(full: entries) }
    var found = try blocks(of: first)
    for needle in needles.dropFirst() where !found.isEmpty {
      found = found.union(found.shifted()).intersection(try blocks(of: needle))
    }
    var result = BitSet(count: entries)
    var entry = 0
    found.each { block in
      while Int(firsts[entry + 1]) <= block { entry += 1 }
      result.insert(entry)
    }
    return result
  }

  private func blocks(of needle: [UInt8]) throws(VaultError) -> BitSet {
    var found = BitSet(count: blocks)
    var start = 0
    var term = 0
    while let place = ByteSearch.first(needle, in: dictionary, from: start) {
      // The newline before a term belongs to it.
      let inside = UInt32(dictionary[place] == 0x0a ? place + 1 : place)
      while term + 1 < starts.count, starts[term + 1] <= inside { term += 1 }
      try add(term, to: &found)
      guard term + 1 < starts.count else { break }
      start = Int(starts[term + 1]) - 1
    }
    return found
  }

  private func add(_ term: Int, to set: inout BitSet) throws(VaultError) {
    let range = (postingsStart + places[term])..<(postingsStart + places[term + 1])
    let number = range.lowerBound / SealedFile.chunk
    let begin = number * SealedFile.chunk
    if range.upperBound <= begin + SealedFile.chunk {
      let bytes = try chunk(number)
      return try Self.decode(
        bytes, (range.lowerBound - begin)..<(range.upperBound - begin), &set)
    }
    var joined: [UInt8] = []
    var next = range.lowerBound
    while next < range.upperBound {
      let bytes = try chunk(next / SealedFile.chunk)
      let from = next % SealedFile.chunk
      let to = min(bytes.count, from + range.upperBound - next)
      guard from < to else { throw VaultError(.damaged, "search index", "too short") }
      joined += bytes[from..<to]
      next += to - from
    }
    try Self.decode(joined, 0..<joined.count, &set)
  }

  private func chunk(_ number: Int) throws(VaultError) -> [UInt8] {
    if let known = opened[number] { return known }
    guard number < chunks else { throw VaultError(.damaged, "search index", "too short") }
    let plain = try Self.chunk(number, of: chunks, file, key)
    if opened.count >= Self.openedLimit { opened = [:] }
    opened[number] = plain
    return plain
  }

  private static func decode(
    _ bytes: [UInt8], _ range: Range<Int>, _ set: inout BitSet
  ) throws(VaultError) {
    let malformed = VaultError(.damaged, "search index", "malformed")
    guard range.upperBound <= bytes.count else { throw malformed }
    var index = range.lowerBound
    var block = -1
    while index < range.upperBound {
      var step = 0
      var shift = 0
      while true {
        guard index < range.upperBound, shift <= 28 else { throw malformed }
        let byte = bytes[index]
        index += 1
        step |= Int(byte & 0x7f) << shift
        if byte & 0x80 == 0 { break }
        shift += 7
      }
      block += step + 1
      guard block < set.count else { throw malformed }
      set.insert(block)
    }
  }
}

/// A set of numbers below a bound: entries, or blocks of them.
struct BitSet {
  private var words: [UInt64]
  let count: Int

  init(count: Int) {
    self.count = count
    words = [UInt64](repeating: 0, count: (count + 63) / 64)
  }

  init(full count: Int) {
    self.init(count: count)
    for index in words.indices { words[index] = .max }
    if count & 63 != 0 { words[words.count - 1] = (1 << UInt64(count & 63)) - 1 }
  }

  @inline(__always)
  mutating func insert(_ number: Int) { words[number >> 6] |= 1 << UInt64(number & 63) }

  func contains(_ number: Int) -> Bool { words[number >> 6] & (1 << UInt64(number & 63)) != 0 }

  var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

  /// Its numbers in order.
  func each(_ body: (Int) -> Void) {
    for index in words.indices {
      var word = words[index]
      while word != 0 {
        body(index << 6 | word.trailingZeroBitCount)
        word &= word - 1
      }
    }
  }

  /// Every number one higher; the highest there can be goes.
  func shifted() -> BitSet {
    var result = self
    var carry: UInt64 = 0
    for index in words.indices {
      result.words[index] = words[index] << 1 | carry
      carry = words[index] >> 63
    }
    if count & 63 != 0 { result.words[words.count - 1] &= (1 << UInt64(count & 63)) - 1 }
    return result
  }

  private func combined(_ other: BitSet, _ combine: (UInt64, UInt64) -> UInt64) -> BitSet {
    var result = self
    for index in words.indices { result.words[index] = combine(words[index], other.words[index]) }
    return result
  }

  func intersection(_ other: BitSet) -> BitSet { combined(other, &) }
  func union(_ other: BitSet) -> BitSet { combined(other, |) }
  func subtracting(_ other: BitSet) -> BitSet { combined(other) { $0 & ~$1 } }
}
