/// Why SQLite did not do what was asked, in terms a user can act on.
package struct StoreError: Error, Sendable, Equatable {
  package enum Code: String, Sendable {
    case diskFull, busy, readOnly, corrupt, notADatabase, notFound, permission, tooBig
    case exists, foreign, newer, constraint, system
    /// The log beside the file can be read only in a folder that can be written.
    case logNeedsWriting
    /// A file has another name; what stands beside the database is no file of its. ``operation`` is the ending of the name.
    case secondName, foreignBeside
  }

  package let code: Code
  /// What was being done: `open`, `commit`, `read page`. Never a bound value.
  package let operation: String
  /// SQLite's extended result code, 0 when the error is not SQLite's.
  package let sqliteCode: Int32

  package init(_ code: Code, _ operation: String, sqliteCode: Int32 = 0) {
    self.code = code
    self.operation = operation
    self.sqliteCode = sqliteCode
  }

  package static func == (one: Self, other: Self) -> Bool { one.code == other.code }
}
