internal import Bytes
internal import Entries

/// Totals over some entries outside the trash.
struct EntryTotals: Sendable, Equatable {
  /// What counting needs of them.
  enum Part {
    /// All but days and texts.
    case names
    /// All but texts.
    case days
    /// Words of the texts themselves.
    case texts
  }

  private(set) var entries = 0
  private(set) var words = 0
  private(set) var tags: [String: Int] = [:]
  private(set) var journals: [UInt32: Int] = [:]
  private(set) var kinds: [UInt32: Int] = [:]
  /// Days since 1970-01-01.
  private(set) var days: [Int: Int] = [:]
  /// Words by month, twelve for each year and the months before it in its year.
  private(set) var months: [Int: Int] = [:]
  /// Words of their texts, when those are counted.
  private(set) var texts: [String: Int] = [:]

  init() {}

  init(_ page: HeaderPage) throws(SealingError) {
    for index in 0..<page.count where page.flags(index) & Header.Flags.trashed == 0 {
      add(try page.header(index))
    }
  }

  mutating func add(words text: String) {
    WordCount.each(in: text) { texts[$0, default: 0] += 1 }
  }

  mutating func add(_ header: Header) {
    entries += 1
    words += header.words
    for tag in header.tags { tags[tag, default: 0] += 1 }
    if let journal = header.journal { journals[journal, default: 0] += 1 }
    if let kind = header.kind { kinds[kind, default: 0] += 1 }
    days[header.date.day, default: 0] += 1
    months[CivilDate(number: header.date.day).monthNumber, default: 0] += header.words
  }

  mutating func add(_ other: EntryTotals) {
    entries += other.entries
    words += other.words
    tags.merge(other.tags, uniquingKeysWith: +)
    journals.merge(other.journals, uniquingKeysWith: +)
    kinds.merge(other.kinds, uniquingKeysWith: +)
    days.merge(other.days, uniquingKeysWith: +)
    months.merge(other.months, uniquingKeysWith: +)
  }

  // MARK: In the search index

  /// `entries ‖ words ‖ tags ‖ journals ‖ kinds ‖ days ‖ months`, varints all; each of the five a count, then a number and how many
  /// entries have it, for a month how many words. A tag's number is its place in the shard's list; a day's is how many days it comes
  /// after the one before, the first zigzag from 1970-01-01.
  func write(to writer: inout ByteWriter, tagNumber: (String) -> Int) {
    func list(_ counts: [(number: UInt64, count: Int)]) {
      writer.putVarint(UInt64(counts.count))
      for (number, count) in counts {
        writer.putVarint(number)
        writer.putVarint(UInt64(count))
      }
    }
    writer.putVarint(UInt64(entries))
    writer.putVarint(UInt64(words))
    list(tags.map { (UInt64(tagNumber($0.key)), $0.value) }.sorted { $0.number < $1.number })
    list(journals.map { (UInt64($0.key), $0.value) }.sorted { $0.number < $1.number })
    list(kinds.map { (UInt64($0.key), $0.value) }.sorted { $0.number < $1.number })
    var last: Int?
    list(
      days.sorted { $0.key < $1.key }.map { day, count in
        defer { last = day }
        let number = last.map { UInt64(day - $0) }
        return (number ?? UInt64(bitPattern: Int64(day << 1 ^ day >> 63)), count)
      })
    list(months.map { (UInt64(clamping: $0.key), $0.value) }.sorted { $0.number < $1.number })
  }

  /// Adds what ``write(to:tagNumber:)`` wrote.
  mutating func add(
    _ reader: inout ByteReader, _ part: Part, tags names: [String]
  ) throws(SealingError) {
    func list(_ take: (UInt64, Int) throws(SealingError) -> Void) throws(SealingError) {
      for _ in 0..<(try reader.smallVarint()) {
        try take(try reader.varint(), try reader.smallVarint())
      }
    }
    entries += try reader.smallVarint()
    words += try reader.smallVarint()
    try list { number, count throws(SealingError) in
      guard number < UInt64(names.count) else { throw .malformed }
      tags[names[Int(number)], default: 0] += count
    }
    try list { number, count in journals[UInt32(clamping: number), default: 0] += count }
    try list { number, count in kinds[UInt32(clamping: number), default: 0] += count }
    guard part == .days else { return }
    var last: Int?
    try list { number, count throws(SealingError) in
      guard number < 1 << 40 else { throw .malformed }
      let day = last.map { $0 + Int(number) } ?? Int(number >> 1) ^ -Int(number & 1)
      days[day, default: 0] += count
      last = day
    }
    try list { number, count in months[Int(clamping: number), default: 0] += count }
  }
}

extension ByteReader {
  /// A varint small enough to be added up without overflow.
  fileprivate mutating func smallVarint() throws(SealingError) -> Int {
    let value = try varint()
    guard value < 1 << 40 else { throw .malformed }
    return Int(value)
  }
}
