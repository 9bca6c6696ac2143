/// The rows of a database's tables as they lie in its file and its log, found without following a tree: for a file whose trees are
/// damaged.
///
/// It knows two forms of rows, which are all that a vault has under numbers: a blob, and a number with a blob. A page that is not whole
/// gives what still reads; whether a row is genuine is for its seal to say.
/// The form of the file is SQLite's: <https://www.sqlite.org/fileformat2.html>.
package final class LooseRows {
  package enum Form: Sendable { case blob, numberAndBlob }

  /// Where a row stands in a version of the file.
  fileprivate struct Cell {
    let number: Int64
    let layer: PageFile.Layer
    let page: Int
    let offset: Int
    let form: Form
  }

  private let file: PageFile
  /// By their numbers; of one number, those of the newest version first.
  private var cells: [Cell] = []
  /// Bytes that may still be read of what does not fit into its page: rows whose chains lead through the same pages would make a small
  /// file an endless one.
  private var left: Int

  /// Looks through the whole file once.
  init(_ file: PageFile) {
    self.file = file
    left = 8 * file.byteCount
    for layer in PageFile.Layer.allCases {
      for page in file.pages(layer) { cells += Self.cells(of: page, layer, in: file) }
    }
    cells.sort { ($0.number, $0.layer, $0.page) < ($1.number, $1.layer, $1.page) }
  }

  /// Whether a file has any; it is read up to the first.
  static func areIn(_ file: PageFile) -> Bool {
    PageFile.Layer.allCases.contains { layer in
      file.pages(layer).contains { !cells(of: $0, layer, in: file).isEmpty }
    }
  }

  private static func cells(
    of page: Int, _ layer: PageFile.Layer, in file: PageFile
  ) -> [Cell] {
    guard let bytes = file.read(page, layer) else { return [] }
    // The first page begins with the file's head.
    let start = page == 0 ? 100 : 0
    guard bytes[start] == leafOfTable else { return [] }
    let said = Int(bytes[start + 3]) << 8 | Int(bytes[start + 4])
    // Of sealed rows a page holds no more.
    let count = min(said, bytes.count / 32)
    var known: Set<Int> = []
    var cells: [Cell] = []
    for place in 0..<count {
      let pointer = start + 8 + 2 * place
      let offset = Int(bytes[pointer]) << 8 | Int(bytes[pointer + 1])
      guard known.insert(offset).inserted, let row = head(bytes, at: offset),
        let form = form(bytes, of: row)
      else { continue }
      cells.append(
        Cell(number: row.number, layer: layer, page: page, offset: offset, form: form))
    }
    return cells
  }

  private static let leafOfTable: UInt8 = 0x0d

  /// The numbers of the rows of a form, in order.
  package func numbers(_ form: Form) -> [Int64] {
    var found: [Int64] = []
    for cell in cells where cell.form == form && found.last != cell.number {
      found.append(cell.number)
    }
    return found
  }

  /// Lends the blobs that stand under a number in rows of a form, the newest first, until `body` returns something. There are several
  /// where several tables use the number, or the log has another version of a page.
  package func first<Result>(
    _ number: Int64, _ form: Form, limit: Int, _ body: ([UInt8]) -> Result?
  ) -> Result? {
    var place = cells.partition(number)
    while place < cells.count, cells[place].number == number {
      if cells[place].form == form, let blob = blob(cells[place], limit: limit),
        let result = body(blob)
      {
        return result
      }
      place += 1
    }
    return nil
  }

  // MARK: A row

  private struct Head {
    let number: Int64
    /// Bytes of the record, and where it begins.
    let size: Int
    let start: Int
  }

  /// - Returns: nil for what cannot be a row.
  private static func head(_ bytes: [UInt8], at offset: Int) -> Head? {
    guard let (size, next) = varint(bytes, offset), let (number, start) = varint(bytes, next),
      size >= 2, size <= 1 << 31
    else { return nil }
    return Head(number: number, size: Int(size), start: start)
  }

  /// The columns' types: the number itself, which stands outside of the record, and what follows it.
  private static func types(_ bytes: [UInt8], of row: Head) -> (types: [Int64], content: Int)? {
    guard let (size, first) = varint(bytes, row.start), (3...32).contains(size) else { return nil }
    let end = row.start + Int(size)
    var types: [Int64] = []
    var next = first
    while next < end {
      guard let (type, after) = varint(bytes, next) else { return nil }
      types.append(type)
      next = after
    }
    return next == end ? (types, Int(size)) : nil
  }

  private static func form(_ bytes: [UInt8], of row: Head) -> Form? {
    guard let types = types(bytes, of: row)?.types, types.first == 0, let last = types.last,
      last >= 12, last % 2 == 0
    else { return nil }
    switch types.count {
    case 2: return .blob
    case 3 where numberSizes[types[1]] != nil: return .numberAndBlob
    default: return nil
    }
  }

  /// Bytes of a number, by its type.
  private static let numberSizes: [Int64: Int] = [
    1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8, 8: 0, 9: 0,
  ]

  private func blob(_ cell: Cell, limit: Int) -> [UInt8]? {
    guard let bytes = file.read(cell.page, cell.layer), let row = Self.head(bytes, at: cell.offset),
      let (types, skipped) = Self.types(bytes, of: row), let type = types.last, type >= 12
    else { return nil }
    let size = Int((type - 12) / 2)
    let before =
      skipped
      + types.dropFirst().dropLast().reduce(0) {
        $0 + (Self.numberSizes[$1] ?? 0)
      }
    guard size <= limit, before + size == row.size, let record = record(row, bytes, cell.layer)
    else { return nil }
    return Array(record[before...])
  }

  /// The whole of a record: what does not fit into its page stands in a chain of others.
  private func record(_ row: Head, _ bytes: [UInt8], _ layer: PageFile.Layer) -> [UInt8]? {
    let usable = bytes.count
    let most = usable - 35
    let least = (usable - 12) * 32 / 255 - 23
    let fitting = least + (row.size - least) % (usable - 4)
    let local = row.size <= most ? row.size : fitting <= most ? fitting : least
    guard row.start + local <= usable else { return nil }
    var record = Array(bytes[row.start..<(row.start + local)])
    guard row.size > local else { return record }
    guard row.start + local + 4 <= usable, row.size <= min(left, file.byteCount) else { return nil }
    left -= row.size
    var next = Self.pageNumber(bytes, row.start + local)
    while record.count < row.size {
      // Each brings some: a chain that leads back to itself ends, too.
      guard next > 0, let page = file.read(next - 1, layer) else { return nil }
      record += page[4..<min(usable, 4 + row.size - record.count)]
      next = Self.pageNumber(page, 0)
    }
    return record
  }

  private static func pageNumber(_ bytes: [UInt8], _ at: Int) -> Int {
    bytes[at..<(at + 4)].reduce(0) { $0 << 8 | Int($1) }
  }

  /// SQLite's numbers of one to nine bytes.
  private static func varint(_ bytes: [UInt8], _ start: Int) -> (value: Int64, next: Int)? {
    var value: UInt64 = 0
    for place in 0..<9 {
      guard start + place < bytes.count else { return nil }
      let byte = bytes[start + place]
      if place == 8 {
        return (Int64(bitPattern: value << 8 | UInt64(byte)), start + 9)
      }
      value = value << 7 | UInt64(byte & 0x7f)
      if byte < 0x80 { return (Int64(bitPattern: value), start + place + 1) }
    }
    return nil
  }
}

extension [LooseRows.Cell] {
  /// The first place with a number, or where it would stand.
  fileprivate func partition(_ number: Int64) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
