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
