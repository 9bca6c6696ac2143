internal import Platform

/// The pages of a database's file, and of the log beside it.
struct PageFile {
  enum Layer: Comparable, CaseIterable {
    /// The version of a page that counts: the last one in the log, else the file's.
    case newest
    /// What the file itself has where the log has a newer page.
    case replaced
  }

  private let store: RowStore
  /// Whatever the head says, which may be damaged.
  private let size = RowStore.pageSize
  /// How many pages the file has; one that is cut off counts as none.
  private let count: Int
  /// The file where it may be mostly holes, which are passed over: it may be of any size.
  private let sparse: Descriptor?
  /// Bytes of the file. Of what was written this moment a file system may not have counted the blocks yet.
  private let fileBytes: Int
  private let log: Descriptor?
  /// Where in the log the newest version of a page begins.
  private var logged: [Int: Int] = [:]

  init(_ store: RowStore) throws(StoreError) {
    self.store = store
    count = Int(try store.fileSize()) / size
    let status = try? FileStatus(store.path)
    // Closing it would give SQLite's locks away, so that it is opened only where it must be.
    if let status, status.isSparse {
      sparse = try? Descriptor.open(store.path, [.noFollow, .nonBlocking])
      fileBytes = min(count * size, max(status.allocated, 1 << 30))
    } else {
      sparse = nil
      fileBytes = count * size
    }
    log = try? Descriptor.open(store.path + "-wal", [.noFollow, .nonBlocking])
    try? readLog()
  }

  /// Bytes of file and log.
  var byteCount: Int { fileBytes + logged.count * size }

  func pages(_ layer: Layer) -> AnySequence<Int> {
    guard layer == .newest else {
      return AnySequence(logged.keys.filter { $0 < count }.sorted())
    }
    return AnySequence { [count, size, sparse] in
      var next = 0
      var rest = logged.keys.filter { $0 >= count }.sorted().makeIterator()
      return AnyIterator {
        if next < count, let sparse {
          next = sparse.nextData(from: next * size).map { $0 / size } ?? count
        }
        guard next < count else { return rest.next() }
        defer { next += 1 }
        return next
      }
    }
  }

  func read(_ page: Int, _ layer: Layer) -> [UInt8]? {
    if layer == .newest, let place = logged[page] {
      let bytes = try? log?.read(size, at: place)
      return bytes?.count == size ? bytes : nil
    }
    guard page < count else { return nil }
    return try? store.bytes(at: Int64(page) * Int64(size), count: size)
  }

  /// Finds the frames of the log up to the last commit. Those that were written before it began anew have another salt.
  private mutating func readLog() throws(PlatformError) {
    guard let log else { return }
    let (head, frame) = (32, 24)
    let begin = try log.read(head, at: 0)
    guard begin.count == head, number(begin, 0) & ~1 == 0x377f_0682, number(begin, 8) == size else {
      return
    }
    let end = try log.status().size
    var place = head
    var open: [Int: Int] = [:]
    while place + frame + size <= end {
      let bytes = try log.read(frame, at: place)
      guard bytes.count == frame, bytes[8..<16] == begin[16..<24] else { return }
      let page = number(bytes, 0)
      guard page > 0 else { return }
      open[page - 1] = place + frame
      if number(bytes, 4) != 0 {
        logged.merge(open) { $1 }
        open = [:]
      }
      place += frame + size
    }
  }

  private func number(_ bytes: [UInt8], _ at: Int) -> Int {
    bytes[at..<(at + 4)].reduce(0) { $0 << 8 | Int($1) }
  }
}
