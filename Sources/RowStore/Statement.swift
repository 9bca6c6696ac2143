internal import CSQLite

/// A prepared statement, finalised when its last owner lets go.
///
/// Only numbers and blobs exist here: nothing readable is ever bound to SQL.
@safe package final class Statement {
  private let handle: OpaquePointer
  private let text: String

  init(_ database: OpaquePointer, _ text: String) throws(StoreError) {
    var handle: OpaquePointer?
    let status = unsafe sqlite3_prepare_v3(
      database, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
    guard status == SQLITE_OK, let handle = unsafe handle else {
      throw StoreError(sqlite: status, Self.operation(text))
    }
    unsafe self.handle = unsafe handle
    self.text = text
  }

  deinit { unsafe sqlite3_finalize(handle) }

  fileprivate var operation: String { Self.operation(text) }

  /// What a statement does, for people: `read page`, `write state`.
  private static func operation(_ text: String) -> String {
    let words = text.split { $0 == " " || $0 == "(" }
    guard let verb = words.first else { return text }
    let mark = ["SELECT": "FROM", "DELETE": "FROM", "INSERT": "INTO", "UPDATE": "UPDATE"][verb]
    let table = mark.flatMap { words.firstIndex(of: Substring($0)) }.flatMap {
      words.indices.contains($0 + 1) ? words[$0 + 1] : nil
    }
    // Settings are read and changed while a database is opened.
    guard let table else { return verb == "PRAGMA" ? "open" : verb.lowercased() }
    return (verb == "SELECT" ? "read " : "write ") + table
  }

  /// A value to bind. A blob is lent to SQLite without a copy for the time of one run.
  package enum Value: Sendable {
    case integer(Int64)
    case blob([UInt8])
  }

  /// Runs the statement to its end, giving each row to `row` until that answers false.
  package func run(
    _ values: [Value] = [], row: (Row) throws(StoreError) -> Bool = { _ throws(StoreError) in true }
  ) throws(StoreError) {
    defer {
      unsafe sqlite3_reset(handle)
      unsafe sqlite3_clear_bindings(handle)
    }
    try bind(values[...], at: 1, row: row)
  }

  /// Binds one value after the other; blobs stay pinned until the rows are done.
  private func bind(
    _ values: ArraySlice<Value>, at index: Int32, row: (Row) throws(StoreError) -> Bool
  ) throws(StoreError) {
    guard let value = values.first else { return try steps(row) }
    switch value {
    case .integer(let number):
      try check(unsafe sqlite3_bind_int64(handle, index, number))
      try bind(values.dropFirst(), at: index + 1, row: row)
    case .blob(let bytes):
      unsafe try bytes.span.bytes.withUnsafeBytes { (raw) throws(StoreError) -> Void in
        try check(unsafe csqlite_bind_static(handle, index, raw.baseAddress, UInt64(raw.count)))
        try bind(values.dropFirst(), at: index + 1, row: row)
      }
    }
  }

  private func steps(_ row: (Row) throws(StoreError) -> Bool) throws(StoreError) {
    while true {
      let status = unsafe sqlite3_step(handle)
      switch status {
      case SQLITE_DONE: return
      case SQLITE_ROW: guard try row(Row(statement: self)) else { return }
      default: throw StoreError(sqlite: status, Self.operation(text))
      }
    }
  }

  private func check(_ status: Int32) throws(StoreError) {
    guard status == SQLITE_OK else { throw StoreError(sqlite: status, Self.operation(text)) }
  }

  /// The row a statement stands on. Types are checked: the file is hostile.
  package struct Row {
    fileprivate let statement: Statement

    package func integer(_ column: Int32) throws(StoreError) -> Int64 {
      let handle = unsafe statement.handle
      guard unsafe sqlite3_column_type(handle, column) == SQLITE_INTEGER else {
        throw StoreError(.corrupt, statement.operation)
      }
      return unsafe sqlite3_column_int64(handle, column)
    }

    /// The blob of a column, at most `limit` bytes, copied.
    package func blob(_ column: Int32, limit: Int) throws(StoreError) -> [UInt8] {
      try withBlob(column, limit: limit) { span throws(StoreError) in
        unsafe span.withUnsafeBytes { unsafe [UInt8]($0) }
      }
    }

    /// Lends the blob of a column without a copy.
    package func withBlob<Result>(
      _ column: Int32, limit: Int, _ body: (RawSpan) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
      let handle = unsafe statement.handle
      guard unsafe sqlite3_column_type(handle, column) == SQLITE_BLOB else {
        throw StoreError(.corrupt, statement.operation)
      }
      let start = unsafe sqlite3_column_blob(handle, column)
      let count = Int(unsafe sqlite3_column_bytes(handle, column))
      guard count <= limit else { throw StoreError(.corrupt, statement.operation) }
      guard let start = unsafe start else {
        guard count == 0 else { throw StoreError(.system, statement.operation) }
        return unsafe try body([UInt8]().span.bytes)
      }
      let buffer = unsafe UnsafeRawBufferPointer(start: start, count: count)
      return try unsafe body(buffer.bytes)
    }

    package func text(_ column: Int32) throws(StoreError) -> String {
      let handle = unsafe statement.handle
      guard unsafe sqlite3_column_type(handle, column) == SQLITE_TEXT,
        let start = unsafe sqlite3_column_text(handle, column)
      else { throw StoreError(.corrupt, statement.operation) }
      return unsafe String(cString: start)
    }
  }
}

extension StoreError {
  /// Every result code of SQLite, told apart as far as users act differently on them.
  init(sqlite status: Int32, _ operation: String) {
    let code: Code =
      switch status & 0xff {
      case SQLITE_FULL: .diskFull
      // The index of the log found no room.
      case SQLITE_IOERR where status == csqlite_ioerr_shmsize: .diskFull
      case SQLITE_BUSY, SQLITE_LOCKED: .busy
      case SQLITE_READONLY: .readOnly
      case SQLITE_CORRUPT, SQLITE_FORMAT: .corrupt
      case SQLITE_NOTADB: .notADatabase
      case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: .permission
      case SQLITE_TOOBIG: .tooBig
      case SQLITE_CONSTRAINT: .constraint
      default: .system
      }
    self.init(code, operation, sqliteCode: status)
  }

  var isUnopenable: Bool { sqliteCode & 0xff == SQLITE_CANTOPEN }
  /// SQLite's answer to a form of the file that it does not know.
  var isRefused: Bool { sqliteCode & 0xff == SQLITE_ERROR }
}
