internal import Bytes
internal import Entries

/// A page of headers in order: the unit that is sealed, read and written at once.
///
/// Plain form: `version u8 ‖ count u32`, then `length u32 ‖ record` each, zeros to a multiple of 2 KiB.
struct HeaderPage: Sendable {
  /// A page splits when its records pass this many bytes: about 60 entries. With its seal and padding it
  /// fills one database page of 16 KiB and an eighth of another, so that next to nothing is left empty.
  static let capacity = 18 << 10
  /// Nothing larger is ever opened: a record is at most a title and 64 tags.
  static let sizeLimit = 128 << 10
  private static let padding = 2048

  /// The plain bytes the records stand in, and where.
  private(set) var bytes: [UInt8]
  private(set) var records: [Range<Int>]

  init() {
    bytes = []
    records = []
  }

  init(plain: [UInt8]) throws(SealingError) {
    var reader = ByteReader(plain)
    try reader.expectVersion()
    let count = try reader.uint32()
    var records: [Range<Int>] = []
    for _ in 0..<count {
      let length = Int(try reader.uint32())
      guard length >= Header.Layout.fields, length <= reader.remaining else { throw .malformed }
      records.append(reader.position..<(reader.position + length))
      _ = try reader.slice(length)
    }
    try reader.expectZeros()
    bytes = plain
    self.records = records
  }

  func plain() -> [UInt8] {
    var writer = ByteWriter(reserving: size + Self.padding)
    writer.put(RecordVersion.first)
    writer.put(UInt32(records.count))
    for range in records {
      writer.put(UInt32(range.count))
      writer.put(bytes[range])
    }
    writer.pad(to: (writer.bytes.count + Self.padding - 1) / Self.padding * Self.padding)
    return writer.bytes
  }

  var size: Int { records.reduce(5) { $0 + 4 + $1.count } }
  var count: Int { records.count }

  func header(_ index: Int) throws(SealingError) -> Header { try Header(bytes, in: records[index]) }

  func key(_ index: Int) -> PageKey {
    PageKey(
      date: Int64(bitPattern: word(index, Header.Layout.date)),
      added: word(index, Header.Layout.added))
  }

  /// The date of its last entry.
  var lastDate: Int64? { records.isEmpty ? nil : key(count - 1).date }

  /// The date of its first entry.
  var firstDate: Int64? { records.isEmpty ? nil : key(0).date }

  func flags(_ index: Int) -> UInt8 { bytes[records[index].lowerBound + Header.Layout.flags] }

  func id(_ index: Int) -> EntryID {
    let start = records[index].lowerBound
    return EntryID(bytes: Array(bytes[start..<(start + 16)]))
  }

  /// The row numbers of its entries.
  var keys: [Int64] { records.indices.map { id($0).key } }

  /// Of a record, as ``Header/digest``.
  func digest(_ index: Int) -> UInt64 { Header.digest(Array(bytes[records[index]])) }

  /// The record of the entry with this row number.
  func index(of key: Int64) -> Int? {
    records.indices.first { index in
      // The first 63 bits of the id, big-endian.
      var top: UInt64 = 0
      let start = records[index].lowerBound
      for byte in 0..<8 { top = top << 8 | UInt64(bytes[start + byte]) }
      return Int64(top >> 1) == key
    }
  }

  var trashedCount: Int {
    records.indices.count { flags($0) & Header.Flags.trashed != 0 }
  }

  private func word(_ index: Int, _ offset: Int) -> UInt64 {
    let start = records[index].lowerBound + offset
    var value: UInt64 = 0
    for byte in 0..<8 { value |= UInt64(bytes[start + byte]) << (8 * byte) }
    return value
  }

  /// Puts a record where its key belongs and says where that is.
  mutating func insert(_ record: [UInt8], key: PageKey) -> Int {
    let index = records.indices.first { self.key($0) > key } ?? records.count
    let start = bytes.count
    bytes += record
    records.insert(start..<bytes.count, at: index)
    return index
  }

  mutating func remove(_ index: Int) {
    records.remove(at: index)
    if storage > 2 * size + 4096 { compact() }
  }

  /// Bytes that it takes in memory, with those of records that are gone.
  var storage: Int { bytes.count }

  /// Gives up the bytes of records that are gone: who imports from the newest to the oldest splits the same page again and again.
  private mutating func compact() {
    var packed: [UInt8] = []
    packed.reserveCapacity(size)
    for (index, range) in records.enumerated() {
      let start = packed.count
      packed += bytes[range]
      records[index] = start..<packed.count
    }
    bytes = packed
  }

  /// Takes the records from `index` on into a page of their own.
  mutating func split(at index: Int) -> HeaderPage {
    var tail = HeaderPage()
    for range in records[index...] {
      let start = tail.bytes.count
      tail.bytes += bytes[range]
      tail.records.append(start..<tail.bytes.count)
    }
    records.removeSubrange(index...)
    compact()
    return tail
  }

  /// Where to split so that both halves are about the same size.
  var middle: Int {
    var sum = 0
    let half = size / 2
    for (index, range) in records.enumerated() {
      sum += 4 + range.count
      if sum >= half { return max(1, min(index + 1, records.count - 1)) }
    }
    return records.count - 1
  }
}
