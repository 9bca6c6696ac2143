internal import Bytes
internal import Entries
internal import Platform
internal import SealedFiles
internal import Sealing
internal import Text

/// A part of the search index: in which blocks of the entries of some header pages each term stands, and what the entries of
/// each page come to. A block is four terms of an entry in a row.
///
/// ```
/// "FDix" ‖ version u8 ‖ folding u8 ‖ terms u8 ‖ 0 u8
/// pages u32 ‖ entries u32 ‖ blocks u32 ‖ terms u32 ‖ tags u32
/// bytes of tags, totals, lengths, dictionary, table u32 each ‖ of postings u64
/// pages: ref 40 ‖ entries u16 ‖ bytes of its totals u32 each
/// tags: text each
/// totals: of each page (``EntryTotals``)
/// lengths: how many blocks each entry has, varint
/// dictionary: newline ‖ term, each; newline
/// table: bytes of each term's postings, varint
/// postings: of each term its blocks, each less the one before it and 1, varint
/// ```
///
/// Entries are numbered in the order of the pages, and so are their blocks, of the terms of title, tags, body,
/// location, weather and names of files (``SearchTerms``). A page is identified by its ref, and so by its content: a shard never says anything wrong, however old
/// it is. Sealed as a ``SealedFile``. What is needed of one is read when it is first needed.
final class IndexShard {
  static let version: UInt8 = 5
  static let headSize = 4 + 4 + 10 * 4 + 8
  static let sizeLimit = 1 << 30

  /// The numbers of a page's entries, and where its totals are.
  private(set) var pages: [Ref: (entries: Range<Int>, totals: Range<Int>)] = [:]
  let entries: Int
  let blocks: Int
  let name: String
  private var totals: [UInt8] = []
  private var tags: [String] = []
  private var words: Words?
  /// Where the parts of ``Words`` are, and how many terms.
  private let wordsPlace: (lengths: Range<Int>, dictionary: Range<Int>, table: Range<Int>)
  private let terms: Int
  private let file: Descriptor
  private let key: SecretBytes
  private let chunks: Int
  private var opened: [Int: [UInt8]] = [:]
  private static let openedLimit = 96

  /// What looking for terms needs.
  private struct Words {
    let dictionary: [UInt8]
    /// Where each term begins, behind its newline.
    var starts: [UInt32] = []
    /// Where its postings begin, and where the last ones end.
    var places: [Int] = []
    /// The first block of each entry, and the end of the last.
    var firsts: [Int32] = []
  }

  /// Opens a shard and reads its pages and what they come to.
  ///
  /// - Throws: ``VaultError``: `damaged` for a file that is not sealed under this key, or is of another version.
  init(_ file: Descriptor, name: String, key: consuming SecretBytes) throws(VaultError) {
    self.file = file
    self.name = name
    let status = try onDisk { () throws(PlatformError) in try file.status() }
    guard status.kind == .regular, status.size <= Self.sizeLimit,
      let chunks = SealedFile.chunkCount(sealed: Int(status.size))
    else { throw VaultError(.damaged, .searchIndex, .malformed) }
    self.chunks = chunks
    self.key = key
    let first = try Self.chunk(0, of: chunks, file, self.key)
    var head = ByteReader(first)
    let sizes = try unsealing(.searchIndex) { () throws(SealingError) in
      try head.expect("FDix")
      guard try head.uint8() == Self.version, try head.uint8() == SearchText.version,
        try head.uint8() == SearchTerms.version, try head.uint8() == 0
      else { throw .malformed }
      var sizes: [Int] = []
      for _ in 0..<10 { sizes.append(Int(try head.uint32())) }
      return sizes
    }
    entries = sizes[1]
    blocks = sizes[2]
    terms = sizes[3]
    let pagesEnd = Self.headSize + sizes[0] * 46
    let tagsEnd = pagesEnd + sizes[5]
    let totalsEnd = tagsEnd + sizes[6]
    let lengthsEnd = totalsEnd + sizes[7]
    let dictionaryEnd = lengthsEnd + sizes[8]
    wordsPlace = (
      totalsEnd..<lengthsEnd, lengthsEnd..<dictionaryEnd, dictionaryEnd..<(dictionaryEnd + sizes[9])
    )
    let known = try read(Self.headSize..<totalsEnd)
    totals = Array(known[(tagsEnd - Self.headSize)...])
    try unsealing(.searchIndex) { () throws(SealingError) in
      var reader = ByteReader(known)
      var entry = 0
      var place = 0
      for _ in 0..<sizes[0] {
        let ref = try Ref(&reader)
        let count = Int(try reader.uint16())
        let size = Int(try reader.uint32())
        guard size <= totals.count - place else { throw .malformed }
        pages[ref] = (entry..<(entry + count), place..<(place + size))
        entry += count
        place += size
      }
      guard entry == entries else { throw .malformed }
      for _ in 0..<sizes[4] { tags.append(try reader.text()) }
      guard reader.position == tagsEnd - Self.headSize else { throw .malformed }
    }
  }

  /// Adds what a page comes to; false when this one does not know it.
  func add(_ page: PageRef, _ part: EntryTotals.Part, to totals: inout EntryTotals) -> Bool {
    guard let place = pages[page.ref], place.entries.count == Int(page.count) else { return false }
    var reader = ByteReader(self.totals, in: place.totals)
    var own = EntryTotals()
    guard (try? own.add(&reader, part, tags: tags)) != nil else { return false }
    totals.add(own)
    return true
  }

  private func readWords() throws(VaultError) -> Words {
    if let words { return words }
    let (lengths, dictionary, table) = wordsPlace
    let bytes = try read(lengths.lowerBound..<table.upperBound)
    let start = lengths.lowerBound
    var words = Words(
      dictionary: Array(
        bytes[(dictionary.lowerBound - start)..<(dictionary.upperBound - start)]))
    try unsealing(.searchIndex) { () throws(SealingError) in
      try readLengths(ByteReader(bytes, in: 0..<lengths.count), &words)
      try readTable(
        ByteReader(bytes, in: (table.lowerBound - start)..<bytes.count), &words)
    }
    self.words = words
    return words
  }

  private func readLengths(_ source: ByteReader, _ words: inout Words) throws(SealingError) {
    var lengths = source
    words.firsts.reserveCapacity(entries + 1)
    var first: UInt64 = 0
    for _ in 0..<entries {
      words.firsts.append(Int32(first))
      let count = try lengths.varint()
      guard blocks <= Int(Int32.max), count <= UInt64(blocks) - first else { throw .malformed }
      first += count
    }
    words.firsts.append(Int32(first))
    guard first == UInt64(blocks) else { throw .malformed }
    try lengths.expectEnd()
  }

  private func readTable(_ source: ByteReader, _ words: inout Words) throws(SealingError) {
    var table = source
    let dictionary = words.dictionary
    words.starts.reserveCapacity(terms)
    words.places.reserveCapacity(terms + 1)
    var place = 0
    for index in dictionary.indices.dropLast() where dictionary[index] == 0x0a {
      words.starts.append(UInt32(index + 1))
      words.places.append(place)
      place += Int(clamping: try table.varint() & 0xffff_ffff)
    }
    words.places.append(place)
    guard words.starts.count == terms, dictionary.isEmpty == (terms == 0),
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
    let plain = try unsealing(.searchIndex) { () throws(SealingError) in
      unsafe try SealedFile.open(sealed.span.bytes, number, of: count, key: key)
    }
    guard number == count - 1 || plain.count == SealedFile.chunk else {
      throw VaultError(.damaged, .searchIndex, .isCut)
    }
    return plain
  }

  // MARK: Looking up

  /// The entries that can hold a term for each needle, one behind the other; all of them when there are no needles.
  func entries(holding needles: [[UInt8]]) throws(VaultError) -> BitSet {
    guard !needles.isEmpty else { return BitSet(full: entries) }
    let words = try readWords()
    var known: [[UInt8]: [Range<Int>]] = [:]
    let places = needles.map { needle in
      let found = known[needle] ?? postings(of: needle, words)
      known[needle] = found
      return found
    }
    // The rarest first: the others only have to stand where they must from there.
    let order = places.indices.map { (number: $0, size: places[$0].reduce(0) { $0 + $1.count }) }
      .sorted { $0.size < $1.size }
    let anchor = order[0].number
    var found = try blocks(at: places[anchor])
    // Those of signs that a phrase has several times.
    var opened: [[UInt8]: BitSet] = [:]
    for (number, size) in order.dropFirst() {
      let left = found.population
      if left == 0 { break }
      let needle = needles[number]
      // To open the few entries that are left costs less than to read what stands nearly everywhere.
      if opened[needle] == nil, left * Self.postingsForEntry < size { continue }
      let other = if let open = opened[needle] { open } else { try blocks(at: places[number]) }
      opened[needle] = other
      found = found.near(other, at: number - anchor, of: IndexBuilder.block)
    }
    var result = BitSet(count: entries)
    var entry = 0
    found.each { block in
      while Int(words.firsts[entry + 1]) <= block { entry += 1 }
      result.insert(entry)
    }
    return result
  }

  /// How many bytes of postings are read in the time in which an entry is opened and compared.
  private static let postingsForEntry = 8 << 10

  /// Where the postings of the terms are that hold a needle.
  private func postings(of needle: [UInt8], _ words: Words) -> [Range<Int>] {
    let dictionary = words.dictionary
    let starts = words.starts
    // A whole term stands there once.
    let isWhole = needle.first == 0x0a && needle.last == 0x0a
    var found: [Range<Int>] = []
    var start = 0
    var term = 0
    while let place = ByteSearch.first(needle, in: dictionary, from: start) {
      // The newline before a term belongs to it.
      let inside = UInt32(dictionary[place] == 0x0a ? place + 1 : place)
      if isWhole || found.isEmpty { term = Self.term(at: inside, starts) }
      while term + 1 < starts.count, starts[term + 1] <= inside { term += 1 }
      found.append(words.places[term]..<words.places[term + 1])
      guard !isWhole, term + 1 < starts.count else { break }
      start = Int(starts[term + 1]) - 1
    }
    return found
  }

  /// The last term that begins at a place of the dictionary or before it.
  private static func term(at place: UInt32, _ starts: [UInt32]) -> Int {
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= place { low = middle } else { high = middle }
    }
    return low
  }

  private func blocks(at postings: [Range<Int>]) throws(VaultError) -> BitSet {
    var found = BitSet(count: blocks)
    for range in postings { try add(range, to: &found) }
    return found
  }

  /// Adds the blocks of one term, of which the postings stand there.
  private func add(_ postings: Range<Int>, to set: inout BitSet) throws(VaultError) {
    let start = wordsPlace.table.upperBound
    let range = (start + postings.lowerBound)..<(start + postings.upperBound)
    let number = range.lowerBound / SealedFile.chunk
    let begin = number * SealedFile.chunk
    if range.upperBound <= begin + SealedFile.chunk {
      let bytes = try chunk(number)
      return try Self.decode(
        bytes, (range.lowerBound - begin)..<(range.upperBound - begin), &set)
    }
    let bytes = try read(range)
    try Self.decode(bytes, 0..<bytes.count, &set)
  }

  /// Reads some of the plain bytes, from the chunks that hold them.
  private func read(_ range: Range<Int>) throws(VaultError) -> [UInt8] {
    var joined: [UInt8] = []
    var next = range.lowerBound
    while next < range.upperBound {
      let bytes = try chunk(next / SealedFile.chunk)
      let from = next % SealedFile.chunk
      let to = min(bytes.count, from + range.upperBound - next)
      guard from < to else { throw VaultError(.damaged, .searchIndex, .isCut) }
      joined += bytes[from..<to]
      next += to - from
    }
    return joined
  }

  private func chunk(_ number: Int) throws(VaultError) -> [UInt8] {
    if let known = opened[number] { return known }
    guard number < chunks else { throw VaultError(.damaged, .searchIndex, .isCut) }
    let plain = try Self.chunk(number, of: chunks, file, key)
    if opened.count >= Self.openedLimit { opened = [:] }
    opened[number] = plain
    return plain
  }

  private static func decode(
    _ bytes: [UInt8], _ range: Range<Int>, _ set: inout BitSet
  ) throws(VaultError) {
    let malformed = VaultError(.damaged, .searchIndex, .malformed)
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

  /// How many there are.
  var population: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

  /// The blocks in which a term may stand from which another one, that stands in one of the blocks of `other`, is so many terms away.
  ///
  /// - Parameter size: terms in a block.
  func near(_ other: BitSet, at distance: Int, of size: Int) -> BitSet {
    let least = (distance - (distance < 0 ? size - 1 : 0)) / size
    var result = BitSet(count: count)
    each { block in
      for place in (block + least)...(block + least + 1)
      where place >= 0 && place < count && other.contains(place) {
        result.insert(block)
      }
    }
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
