import CSQLite
import Foundation
import Scratch
import Testing

@testable import RowStore

@Suite struct RowStoreTests {
  private let scratch = Scratch()
  private var directory: String { scratch.path }
  private var path: String { directory + "/store" }
  private static let schema = Schema(
    applicationID: 77, version: 2,
    statements: ["CREATE TABLE t(id INTEGER PRIMARY KEY, b BLOB NOT NULL)"])

  private func open(
    _ access: RowStore.Access = .readWrite, schema: Schema = Self.schema, timeout: Int32 = 50
  ) throws -> RowStore { try RowStore(path, access, schema: schema, busyTimeout: timeout) }

  private func fails(_ code: StoreError.Code, _ body: () throws -> Void) {
    #expect(throws: StoreError(code, "")) { try body() }
  }

  /// A copy of the store as a power cut leaves it, with the root of its table damaged.
  private func damagedCopy(_ append: [UInt8] = []) throws -> RowStore {
    let copy = directory + "/copy"
    var root = 0
    try open(.readOnly).run("SELECT rootpage FROM sqlite_schema") { row throws(StoreError) in
      root = Int(try row.integer(0))
      return false
    }
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
    }
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: copy))
    try file.seek(toOffset: UInt64((root - 1) * RowStore.pageSize))
    try file.write(contentsOf: [0xff])
    try file.seekToEnd()
    try file.write(contentsOf: append)
    try file.close()
    return try RowStore(copy, .rescue, schema: Self.schema, busyTimeout: 50)
  }

  private func put(_ id: Int64, _ blob: [UInt8], _ store: RowStore) throws {
    try store.run("INSERT OR REPLACE INTO t(id, b) VALUES(?, ?)", [.integer(id), .blob(blob)])
  }

  @Test func `rows without a tree are found in the log, the newest version first`() throws {
    let store = try open(.create)
    for id in 0..<200 { try put(Int64(id), [UInt8](repeating: UInt8(id), count: 500), store) }
    try store.checkpoint()
    try put(100, [UInt8](repeating: 201, count: 40_000), store)
    try put(1_000, [UInt8](repeating: 202, count: 500), store)
    let rows = try withExtendedLifetime(store) { try damagedCopy().looseRows() }
    #expect(rows.numbers(.blob) == (0..<200) + [1_000])
    func versions(_ number: Int64) -> [Int] {
      var found: [Int] = []
      _ = rows.first(number, .blob, limit: 1 << 20) { blob -> Bool? in
        found.append(Int(blob[0]))
        return nil
      }
      return found
    }
    #expect(versions(100) == [201, 100] && versions(1_000) == [202] && versions(7).contains(7))
  }

  /// One row that many pointers name, in a chain of pages that never ends.
  @Test(arguments: [60_000_000, 100_000])
  func `rows that are made to be read without end are read once`(size: Int) throws {
    let store = try open(.create)
    for id in 0..<200 { try put(Int64(id), [UInt8](repeating: 1, count: 500), store) }
    try store.checkpoint()
    let page = RowStore.pageSize
    let pages = try Int(store.fileSize()) / page
    // A record of two columns, of which the second is a blob.
    let type = 12 + 2 * size
    let head: [UInt8] = [
      7, 0, 0x80 | UInt8(type >> 28 & 0x7f), 0x80 | UInt8(type >> 21 & 0x7f),
      0x80 | UInt8(type >> 14 & 0x7f), 0x80 | UInt8(type >> 7 & 0x7f), UInt8(type & 0x7f),
    ]
    let record = 7 + size
    let cell: [UInt8] =
      [
        0x80 | UInt8(record >> 21 & 0x7f), 0x80 | UInt8(record >> 14 & 0x7f),
        0x80 | UInt8(record >> 7 & 0x7f), UInt8(record & 0x7f), 77,
      ] + head
    var leaf = [UInt8](repeating: 9, count: page)
    let least = (page - 12) * 32 / 255 - 23
    let fitting = least + (record - least) % (page - 4)
    let local = fitting <= page - 35 ? fitting : least
    let start = page - 5 - local - 4
    leaf.replaceSubrange(0..<8, with: [13, 0, 0, 0x0f, 0xff, 0, 0, 0])
    for place in stride(from: 8, to: min(start - 2, 8 + 2 * 4095), by: 2) {
      leaf.replaceSubrange(place..<(place + 2), with: [UInt8(start >> 8), UInt8(start & 0xff)])
    }
    leaf.replaceSubrange(start..<(start + cell.count), with: cell)
    let next = pages + 2
    leaf.replaceSubrange((page - 4)..., with: [0, 0, UInt8(next >> 8), UInt8(next & 0xff)])
    var chain = [UInt8](repeating: 9, count: page)
    chain.replaceSubrange(0..<4, with: [0, 0, UInt8(next >> 8), UInt8(next & 0xff)])
    let rows = try withExtendedLifetime(store) { try damagedCopy(leaf + chain).looseRows() }
    var count = 0
    _ = rows.first(77, .blob, limit: 1 << 30) { blob -> Bool? in
      if blob.count == size { count += 1 }
      return nil
    }
    #expect(count == (size > pages * page ? 0 : 1))
  }

  @Test func `rows come back as they went in, empty blobs too`() throws {
    let store = try open(.create)
    for (id, blob) in [(1, [1, 2, 3]), (2, []), (3, [UInt8](repeating: 7, count: 100_000))]
      as [(Int64, [UInt8])]
    {
      try store.run("INSERT INTO t(id, b) VALUES(?, ?)", [.integer(id), .blob(blob)])
    }
    var lengths: [Int] = []
    try open().run("SELECT b FROM t ORDER BY id") { row throws(StoreError) in
      lengths.append(try row.blob(0, limit: 1 << 20).count)
      return true
    }
    #expect(lengths == [3, 0, 100_000])
    #expect(
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
  }

  @Test(.enabled(if: geteuid() != 0, "root writes everywhere"))
  func `a log in a folder that cannot be written is said to need one`() throws {
    let store = try open(.create)
    try store.run("INSERT INTO t(id, b) VALUES(1, x'00')")
    let copy = directory + "/copy"
    try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: false)
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + "/store" + suffix)
    }
    chmod(copy, 0o500)
    defer { chmod(copy, 0o700) }
    fails(.logNeedsWriting) {
      _ = try RowStore(copy + "/store", .readOnly, schema: Self.schema, busyTimeout: 50)
    }
  }

  @Test func `a transaction that throws leaves nothing`() throws {
    let store = try open(.create)
    fails(.tooBig) {
      try store.transaction { () throws(StoreError) in
        try store.run("INSERT INTO t(id, b) VALUES(1, x'00')")
        throw StoreError(.tooBig, "test")
      }
    }
    var count: Int64 = -1
    try store.run("SELECT count(*) FROM t") { row throws(StoreError) in
      count = try row.integer(0)
      return false
    }
    #expect(count == 0)
  }

  @Test(arguments: [RowStore.Access.readWrite, .readOnly])
  func `a journal beside the rows has no other file removed`(_ access: RowStore.Access) throws {
    _ = try open(.create)
    let victim = directory + "/victim"
    try Data("not ours".utf8).write(to: URL(fileURLWithPath: victim))
    // Not in WAL mode any more, as the header says: a journal is looked for.
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    (bytes[18], bytes[19]) = (1, 1)
    try bytes.write(to: URL(fileURLWithPath: path))
    try Self.journal(naming: victim, size: bytes.count).write(
      to: URL(fileURLWithPath: path + "-journal"))
    _ = try? open(access)
    #expect(FileManager.default.fileExists(atPath: victim))
  }

  /// A rollback journal without pages, which names a file that is to be removed with it.
  private static func journal(naming path: String, size: Int) -> Data {
    func number(_ value: Int) -> Data { withUnsafeBytes(of: UInt32(value).bigEndian) { Data($0) } }
    let magic = Data([0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7])
    var bytes = magic + number(0) + number(0) + number(size / 4096) + number(512) + number(4096)
    bytes += Data(count: 512 - bytes.count)
    let name = Data(path.utf8)
    let sum = name.reduce(0) { $0 + Int($1) }
    return bytes + number(262_145) + name + number(name.count) + number(sum) + magic
  }

  @Test func `a schema whose tree has no end is refused, and soon`() throws {
    _ = try open(.create)
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let size = Int(bytes[16]) << 8 | Int(bytes[17])
    let pages = bytes.count / size
    func number(_ value: Int) -> [UInt8] {
      withUnsafeBytes(of: UInt32(value).bigEndian) { Array($0) }
    }
    // A page all of whose cells are one, which leads to the next page.
    func interior(_ child: Int, at start: Int) -> [UInt8] {
      let count = 300
      let cell = size - 8
      var page: [UInt8] = [5, 0, 0, UInt8(count >> 8), UInt8(count & 0xff)]
      page += [UInt8(cell >> 8), UInt8(cell & 0xff), 0] + number(child)
      for _ in 0..<count { page += [UInt8(cell >> 8), UInt8(cell & 0xff)] }
      page += [UInt8](repeating: 0, count: cell - start - page.count)
      return page + number(child) + [1, 0, 0, 0]
    }
    let first = Array(bytes[100..<size])
    let cells = Int(first[3]) << 8 | Int(first[4])
    var leaf = [UInt8](repeating: 0, count: size)
    leaf.replaceSubrange(100..., with: first)
    leaf.replaceSubrange(0..<(8 + 2 * cells), with: first[..<(8 + 2 * cells)])
    bytes.replaceSubrange(100..<size, with: interior(pages + 1, at: 100))
    for level in 1...5 { bytes += interior(pages + level + 1, at: 0) }
    bytes += leaf
    bytes.replaceSubrange(28..<32, with: number(bytes.count / size))
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    for access in [RowStore.Access.readOnly, .readWrite] {
      #expect(throws: StoreError.self) { _ = try open(access) }
    }
  }

  @Test func `what is no database of ours is told apart`() throws {
    fails(.notFound) { _ = try open() }
    try Data().write(to: URL(fileURLWithPath: path))
    fails(.notADatabase) { _ = try open() }
    try Data("just some text, long enough to be read as a header of a database file".utf8).write(
      to: URL(fileURLWithPath: path))
    fails(.notADatabase) { _ = try open() }
    fails(.exists) { _ = try open(.create) }
    try FileManager.default.removeItem(atPath: path)
    _ = try open(.create)
    fails(.foreign) {
      _ = try open(
        schema: Schema(applicationID: 78, version: 2, statements: Self.schema.statements))
    }
    fails(.newer) {
      _ = try open(
        schema: Schema(applicationID: 77, version: 1, statements: Self.schema.statements))
    }
    fails(.corrupt) {
      _ = try open(
        schema: Schema(applicationID: 77, version: 3, statements: Self.schema.statements))
    }
    fails(.corrupt) { _ = try open(schema: Schema(applicationID: 77, version: 2, statements: [])) }
  }

  @Test func `links and directories are not opened`() throws {
    _ = try open(.create)
    try FileManager.default.createSymbolicLink(
      atPath: directory + "/link", withDestinationPath: path)
    fails(.notADatabase) { _ = try RowStore(directory + "/link", .readOnly, schema: Self.schema) }
    fails(.notADatabase) { _ = try RowStore(directory, .readOnly, schema: Self.schema) }
    fails(.notFound) { _ = try RowStore(directory + "/no/such", .readOnly, schema: Self.schema) }
  }

  @Test func `a read-only connection does not write, a second writer is told to wait`() throws {
    let one = try open(.create)
    let reader = try open(.readOnly)
    fails(.readOnly) { try reader.run("INSERT INTO t(id, b) VALUES(1, x'00')") }
    let two = try open()
    try one.begin(writing: true)
    fails(.busy) { try two.begin(writing: true) }
    one.rollback()
    try two.begin(writing: true)
    two.rollback()
  }

  @Test func `a full store says so and keeps what it had`() throws {
    let store = try open(.create)
    try store.run("INSERT INTO t(id, b) VALUES(1, x'01')")
    try store.run("PRAGMA max_page_count=4")
    fails(.diskFull) {
      try store.transaction { () throws(StoreError) in
        try store.run(
          "INSERT INTO t(id, b) VALUES(2, ?)", [.blob([UInt8](repeating: 1, count: 100_000))])
      }
    }
    #expect(try store.integrityProblems().isEmpty)
  }

  @Test func `a column of another type or length than ours is corruption`() throws {
    let store = try open(.create)
    try store.run("INSERT INTO t(id, b) VALUES(1, 'text')")
    fails(.corrupt) {
      try store.run("SELECT b FROM t") { row throws(StoreError) in
        _ = try row.blob(0, limit: 10)
        return true
      }
    }
    try store.run("UPDATE t SET b=x'0102'")
    fails(.corrupt) {
      try store.run("SELECT b FROM t") { row throws(StoreError) in
        _ = try row.blob(0, limit: 1)
        return true
      }
    }
  }

  @Test func `a damaged page is corruption, not a crash`() throws {
    do {
      let store = try open(.create)
      try store.transaction { () throws(StoreError) in
        for id in 1...200 as ClosedRange<Int64> {
          try store.run(
            "INSERT INTO t(id, b) VALUES(?, ?)",
            [.integer(id), .blob([UInt8](repeating: 5, count: 500))])
        }
      }
      try store.checkpoint()
    }
    var data = try Data(contentsOf: URL(fileURLWithPath: path))
    for index in (4 * 16_384)..<(5 * 16_384) { data[index] = 0xff }
    try data.write(to: URL(fileURLWithPath: path))
    let store = try open()
    #expect(try !store.integrityProblems().isEmpty)
  }

  @Test func `an older version is brought up to date, once and whole`() throws {
    do {
      _ = try open(
        .create,
        schema: Schema(
          applicationID: 77, version: 1,
          statements: ["CREATE TABLE t(id INTEGER PRIMARY KEY, b BLOB NOT NULL)"]))
    }
    let second = "CREATE TABLE u(id INTEGER PRIMARY KEY)"
    let schema = Schema(
      applicationID: 77, version: 2, statements: Self.schema.statements + [second],
      migrations: [1: [second]])
    let broken = Schema(
      applicationID: 77, version: 2, statements: schema.statements,
      migrations: [1: [second, "CREATE NONSENSE"]])
    #expect(throws: StoreError.self) { try open(schema: broken) }
    fails(.readOnly) { _ = try open(.readOnly, schema: schema) }
    do { _ = try open(schema: schema) }
    _ = try open(.readOnly, schema: schema)
  }

  @Test func `a row of the schema that only looks like SQLite's own is refused`() throws {
    _ = try open(.create)
    for row in [
      "('table','sqlite_autoindex_x_1','t',0,'CREATE VIRTUAL TABLE x USING fts5(y)')",
      "('index','sqlite_autoindex_t_1','t',0,NULL)",
      "('trigger','sqlite_autoindex_t_1','t',0,'CREATE TRIGGER sqlite_autoindex_t_1 AFTER INSERT ON t BEGIN SELECT 1; END')",
      "('view','sqlite_autoindex_t_2','t',0,NULL)",
    ] {
      let copy = directory + "/copy"
      try? FileManager.default.removeItem(atPath: copy)
      try FileManager.default.copyItem(atPath: path, toPath: copy)
      var handle: OpaquePointer?
      #expect(sqlite3_open(copy, &handle) == SQLITE_OK)
      let status = sqlite3_exec(
        handle,
        "PRAGMA writable_schema=ON; INSERT INTO sqlite_schema VALUES\(row)", nil, nil, nil)
      #expect(status == SQLITE_OK)
      sqlite3_close(handle)
      #expect(throws: StoreError.self, "\(row)") {
        try RowStore(copy, .readWrite, schema: Self.schema, busyTimeout: 50)
      }
    }
  }
}
