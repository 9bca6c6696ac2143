internal import CSQLite
internal import Platform

/// The file as it lies there, for a rescue.
extension RowStore {
  /// Goes on without SQLite: an empty database in memory stands for the file, and rows are found in its pages alone.
  ///
  /// - Throws: `reason` for a file in which no row is found.
  func openHeadless(_ schema: Schema, after reason: StoreError) throws(StoreError) {
    guard let file = try? Descriptor.open(path, [.noFollow, .nonBlocking]) else { throw reason }
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX
    let status = unsafe sqlite3_open_v2(":memory:", &opened, flags, nil)
    guard status == SQLITE_OK, let opened = unsafe opened else {
      unsafe sqlite3_close_v2(opened)
      throw StoreError(sqlite: status, "open")
    }
    statements = [:]
    unsafe sqlite3_close_v2(handle)
    unsafe handle = unsafe opened
    headless = file
    for statement in schema.statements { unsafe try Statement(handle, statement).run() }
    lostTables = Set(schema.statements.compactMap(Self.table))
    guard LooseRows.areIn(try PageFile(self)) else { throw reason }
  }

  /// Bytes of the main file as they lie there.
  func bytes(at offset: Int64, count: Int) throws(StoreError) -> [UInt8] {
    if let headless {
      guard let bytes = try? headless.read(count, at: Int(offset)), bytes.count == count else {
        throw StoreError(.system, "read file")
      }
      return bytes
    }
    var bytes = [UInt8](repeating: 0, count: count)
    let status = unsafe csqlite_read(handle, &bytes, Int32(count), offset)
    guard status == SQLITE_OK else { throw StoreError(sqlite: status, "read file") }
    return bytes
  }

  func fileSize() throws(StoreError) -> Int64 {
    if headless != nil { return Int64(((try? FileStatus(path))?.size ?? 0)) }
    var size: Int64 = 0
    let status = unsafe csqlite_size(handle, &size)
    guard status == SQLITE_OK else { throw StoreError(sqlite: status, "read file") }
    return size
  }

  /// The rows that lie in the file, whatever the trees say.
  package func looseRows() throws(StoreError) -> LooseRows {
    LooseRows(try PageFile(self))
  }
}
