internal import CSQLite
internal import Platform

/// What a database must look like to be opened.
package struct Schema: Sendable {
  /// SQLite's `application_id`.
  package let applicationID: Int32
  /// The `user_version` this code writes.
  package let version: Int32
  /// `CREATE` statements in order; what `sqlite_schema` holds must equal them to the letter.
  package let statements: [String]
  /// What leads from an older `user_version` to the next one. After the last step the schema must be
  /// ``statements``, as if it had been made so.
  package let migrations: [Int32: [String]]

  package init(
    applicationID: Int32, version: Int32, statements: [String],
    migrations: [Int32: [String]] = [:]
  ) {
    self.applicationID = applicationID
    self.version = version
    self.statements = statements
    self.migrations = migrations
  }
}

extension RowStore.Access {
  fileprivate var onlyReads: Bool { self == .readOnly || self == .rescue }
}

/// One connection to one SQLite file.
///
/// WAL with `synchronous=FULL`: a commit that returned is on the disk. The file's bytes are hostile:
/// no link is followed, its schema is neither trusted nor extended, and nothing in it runs.
@safe package final class RowStore {
  package enum Access: Sendable {
    case create, readWrite, readOnly
    /// Read only, and what is lost or not ours of the schema counts as an empty table. Where the first page is damaged, which leads to
    /// all others, every table is lost, and what lies in the file is only in ``RowStore/looseRows()``.
    case rescue
  }

  package let path: String
  /// The file's directory, held open where the path is too long for SQLite.
  private let directory: OpenDirectory?
  /// Whether SQLite was told that nobody changes the file: what is written later is not seen.
  package private(set) var isUnchanging: Bool
  /// The tables that a rescue finds nothing of: their rows may still lie in the file.
  package internal(set) var lostTables: Set<String> = []
  let busyTimeout: Int32
  var handle: OpaquePointer
  /// The file itself, where SQLite cannot open it.
  var headless: Descriptor?
  var statements: [String: Statement] = [:]

  /// Opens `path`; `.create` wants it absent, the others want a database of `schema`.
  ///
  /// - Parameter busyTimeout: milliseconds to wait for another process's write.
  /// - Throws: ``StoreError``: `exists`, `notFound`, `permission`, `notADatabase`, `foreign` (another
  ///   application's), `newer` (a later `user_version`), `corrupt` (another schema), `busy`, `diskFull`.
  package init(
    _ path: String, _ access: Access, schema: Schema, busyTimeout: Int32 = 15_000
  ) throws(StoreError) {
    let resolved: String
    (resolved, directory) = try Self.reach(path, creating: access == .create)
    self.path = resolved
    self.busyTimeout = busyTimeout
    // The log of a write needs the directory; SQLite would only say that it cannot open something.
    if access == .readWrite, !Self.canWriteDirectory(of: resolved) {
      throw StoreError(.readOnly, "open")
    }
    // Without a directory to put its log's index in, SQLite reads a database only when told that
    // nobody changes it. A log that is still there must be read, so that one is an error.
    isUnchanging =
      access.onlyReads && !Self.canWriteDirectory(of: resolved) && !Self.hasLog(resolved)
    unsafe handle = try Self.connect(resolved, access, isUnchanging: isUnchanging)
    // From here on, deinit closes the connection when something below throws.
    do throws(StoreError) {
      try prepareAsItIs(schema, access, busyTimeout)
    } catch {
      guard access == .rescue, [.notADatabase, .corrupt, .foreign].contains(error.code) else {
        throw error
      }
      try openHeadless(schema, after: error)
    }
  }

  /// With what a reader needs where the folder or the disk has no room for a log's index, or a write was interrupted.
  private func prepareAsItIs(
    _ schema: Schema, _ access: Access, _ busyTimeout: Int32
  ) throws(StoreError) {
    do throws(StoreError) {
      try prepare(schema, access, busyTimeout)
    } catch {
      // Of a database's head it is SQLite that says so, not of a statement of ours.
      if error.isRefused { throw StoreError(.corrupt, "open", sqliteCode: error.sqliteCode) }
      guard access.onlyReads else { throw error }
      if error.sqliteCode == Self.unfinishedWrite {
        try reconnect(.readWrite, schema, busyTimeout)
        try reconnect(access, schema, busyTimeout)
      } else if error.code == .diskFull, !Self.hasLog(path) {
        // On a full disk the index of a log that is not there finds no room, either.
        isUnchanging = true
        try reconnect(access, schema, busyTimeout)
      } else if error.isUnopenable, Self.hasLog(path), !Self.canWriteDirectory(of: path) {
        throw StoreError(.logNeedsWriting, error.operation, sqliteCode: error.sqliteCode)
      } else {
        throw error
      }
    }
  }

  /// SQLITE_READONLY_ROLLBACK: a process was killed while it wrote, without a log. Only a connection that may write takes it back.
  private static let unfinishedWrite: Int32 = 776

  private func reconnect(
    _ access: Access, _ schema: Schema, _ busyTimeout: Int32
  ) throws(StoreError) {
    let again = unsafe try Self.connect(path, access, isUnchanging: isUnchanging)
    unsafe sqlite3_close_v2(handle)
    unsafe handle = unsafe again
    try prepare(schema, access, busyTimeout)
  }

  /// The name in `CREATE TABLE name(…`.
  static func table(_ statement: String) -> String? {
    statement.split(separator: "(")[0].split(separator: " ").last.map(String.init)
  }

  /// - Parameter isUnchanging: whether SQLite is told that nobody changes the file, and needs no index of a log.
  private static func connect(
    _ path: String, _ access: Access, isUnchanging: Bool
  ) throws(StoreError) -> OpaquePointer {
    var flags = SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE
    flags |= access.onlyReads ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
    if isUnchanging { flags |= SQLITE_OPEN_URI }
    let name = isUnchanging ? "file:" + escaped(path) + "?immutable=1" : path
    var opened: OpaquePointer?
    let status =
      isFileAccessLimited
      ? unsafe sqlite3_open_v2(name, &opened, flags, "facediary") : SQLITE_ERROR
    guard status == SQLITE_OK, let opened = unsafe opened else {
      unsafe sqlite3_close_v2(opened)
      throw StoreError(sqlite: status, "open")
    }
    return unsafe opened
  }

  private func prepare(
    _ schema: Schema, _ access: Access, _ busyTimeout: Int32
  ) throws(StoreError) {
    unsafe sqlite3_extended_result_codes(handle, 1)
    unsafe sqlite3_busy_timeout(handle, busyTimeout)
    // A schema whose tree has no end must not keep us reading it.
    unsafe sqlite3_progress_handler(handle, Self.stepsToOpen, { _ in 1 }, nil)
    defer { unsafe sqlite3_progress_handler(handle, 0, nil, nil) }
    try harden(access)
    if access == .create { try create(schema) } else { try check(schema, access) }
  }

  deinit {
    statements = [:]
    unsafe sqlite3_close_v2(handle)
  }

  /// Steps of SQLite's machine that one statement may take until the database is known to be ours.
  private static let stepsToOpen: Int32 = 1_000_000

  /// Whether SQLite reaches files in the way that removes none but its own.
  private static let isFileAccessLimited: Bool = {
    let copy = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    return unsafe csqlite_register_vfs(copy) == SQLITE_OK
  }()

  private static func canWriteDirectory(of path: String) -> Bool {
    FileSystem.isWritable(FileSystem.parent(of: path))
  }

  /// By bytes: with a combining mark behind it, each of these is another character.
  private static func escaped(_ path: String) -> String {
    String(
      decoding: path.utf8.flatMap { byte -> [UInt8] in
        switch byte {
        case UInt8(ascii: "%"): Array("%25".utf8)
        case UInt8(ascii: "?"): Array("%3f".utf8)
        case UInt8(ascii: "#"): Array("%23".utf8)
        default: [byte]
        }
      }, as: UTF8.self)
  }

  /// Device and inode of a file, nil when there is none.
  package static func identity(of path: String) -> [UInt64]? {
    (try? FileStatus(path))?.identity
  }

  private func harden(_ access: Access) throws(StoreError) {
    let switches: [(Int32, Int32)] = [
      (SQLITE_DBCONFIG_DEFENSIVE, access == .rescue ? 0 : 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
      (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0), (SQLITE_DBCONFIG_ENABLE_VIEW, 0),
      (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0), (SQLITE_DBCONFIG_DQS_DML, 0),
      (SQLITE_DBCONFIG_DQS_DDL, 0),
    ]
    for (name, value) in switches {
      let status = unsafe csqlite_configure(handle, name, value)
      guard status == SQLITE_OK else { throw StoreError(sqlite: status, "configure") }
    }
    // A file that is cut off is read as far as it goes.
    if access == .rescue {
      _ = unsafe csqlite_configure(handle, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1)
    }
    let limits: [(Int32, Int32)] = [
      (SQLITE_LIMIT_LENGTH, 64 << 20), (SQLITE_LIMIT_SQL_LENGTH, 4096),
      (SQLITE_LIMIT_COLUMN, 16), (SQLITE_LIMIT_EXPR_DEPTH, 16),
      (SQLITE_LIMIT_COMPOUND_SELECT, 2), (SQLITE_LIMIT_ATTACHED, 0),
      (SQLITE_LIMIT_VARIABLE_NUMBER, 16), (SQLITE_LIMIT_TRIGGER_DEPTH, 1),
      (SQLITE_LIMIT_WORKER_THREADS, 0),
    ]
    for (name, value) in limits { _ = unsafe sqlite3_limit(handle, name, value) }
    for pragma in [
      "cell_size_check=ON", "mmap_size=0", "temp_store=MEMORY", "secure_delete=ON",
      "synchronous=FULL", "recursive_triggers=OFF", "journal_size_limit=16777216",
      "wal_autocheckpoint=1024",
    ] {
      try pragmaRun(pragma)
    }
  }

  /// Bytes of a page of every database that is made here.
  static let pageSize = 16384

  private func create(_ schema: Schema) throws(StoreError) {
    // Rows of some hundred bytes under random numbers fill pages of this size to 87 %, of 4 KiB to 76 %.
    try pragmaRun("page_size=\(Self.pageSize)")
    // Room that is freed can be given back, and not only kept for later.
    try pragmaRun("auto_vacuum=INCREMENTAL")
    try pragmaRun("journal_mode=WAL")
    try transaction { () throws(StoreError) in
      try pragmaRun("application_id=\(schema.applicationID)")
      try pragmaRun("user_version=\(schema.version)")
      for statement in schema.statements { unsafe try Statement(handle, statement).run() }
    }
  }

  private func check(_ schema: Schema, _ access: Access) throws(StoreError) {
    guard try pragmaInteger("application_id") == Int64(schema.applicationID) else {
      throw StoreError(.foreign, "open")
    }
    // With another length of pages than ours have, or room at their ends, SQLite reads nonsense.
    if access == .rescue {
      let head = try bytes(at: 16, count: 5)
      guard Int(head[0]) << 8 | Int(head[1]) == Self.pageSize, head[4] == 0 else {
        throw StoreError(.corrupt, "open")
      }
    }
    let version = try pragmaInteger("user_version")
    guard version <= Int64(schema.version) else { throw StoreError(.newer, "open") }
    if version < Int64(schema.version) { try migrate(schema, from: version) }
    // A form in which SQLite only reads would fail at the first write.
    guard unsafe access.onlyReads || sqlite3_db_readonly(handle, "main") == 0 else {
      throw StoreError(try head()[18] > 2 ? .corrupt : .readOnly, "open")
    }
    var found: [String] = []
    unsafe try Statement(
      handle,
      "SELECT ifnull(sql,'') FROM sqlite_schema WHERE NOT (name LIKE 'sqlite_autoindex_%' AND type='index' AND sql IS NULL AND rootpage>0) ORDER BY rowid"
    ).run { row throws(StoreError) in
      found.append(try row.text(0))
      return access == .rescue || found.count <= schema.statements.count
    }
    guard found != schema.statements else { return }
    guard access == .rescue else { throw StoreError(.corrupt, "schema") }
    // A table of the connection's own comes before one of the file that has its name.
    for statement in schema.statements where !found.contains(statement) {
      unsafe try Statement(handle, "CREATE TEMP" + statement.dropFirst("CREATE".count)).run()
      if let name = Self.table(statement) { lostTables.insert(name) }
    }
  }

  /// A prepared statement, kept for the life of the connection. `sql` is always one of our literals.
  package func statement(_ sql: String) throws(StoreError) -> Statement {
    if let known = statements[sql] { return known }
    let made = unsafe try Statement(handle, sql)
    statements[sql] = made
    return made
  }

  /// Runs `sql` with `values`, calling `row` for each row until it answers false.
  package func run(
    _ sql: String, _ values: [Statement.Value] = [],
    row: (Statement.Row) throws(StoreError) -> Bool = { _ throws(StoreError) in true }
  ) throws(StoreError) {
    try statement(sql).run(values, row: row)
  }

  /// How many rows the last statement changed.
  package var changes: Int { unsafe Int(sqlite3_changes64(handle)) }

  /// Runs `body` in a write transaction (`BEGIN IMMEDIATE`); whatever it throws undoes everything.
  package func transaction<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try begin(writing: true)
    let result: Result
    do throws(StoreError) {
      result = try body()
    } catch {
      rollback()
      throw error
    }
    try commit()
    return result
  }

  /// Gives free pages back to the file system, a few megabytes at a time.
  package func shrink() throws(StoreError) {
    while true {
      let free = try pragmaInteger("freelist_count")
      guard free > 256 else { return }
      try pragmaRun("incremental_vacuum(2048)")
      guard try pragmaInteger("freelist_count") < free else { return }
    }
  }

  /// Begins a transaction. A reading one fixes its snapshot at its first statement.
  package func begin(writing: Bool) throws(StoreError) {
    try run(writing ? "BEGIN IMMEDIATE" : "BEGIN DEFERRED")
  }

  package func commit() throws(StoreError) {
    do throws(StoreError) {
      try run("COMMIT")
    } catch {
      rollback()
      throw error
    }
  }

  /// Undoes an open transaction; nothing when there is none. SQLite may have undone it already.
  package func rollback() {
    guard unsafe sqlite3_get_autocommit(handle) == 0 else { return }
    try? run("ROLLBACK")
  }

  /// Whether the file is written through a log beside it. Without one it is a single file, for reading only too.
  package func keepLog(_ keeps: Bool) throws(StoreError) {
    try pragmaRun(keeps ? "journal_mode=WAL" : "journal_mode=DELETE")
  }

  /// Whether the file is written without a log.
  ///
  /// What the file itself says, read through SQLite: a process that closes any other descriptor of the file gives up the locks that
  /// SQLite holds on it.
  package func isWithoutLog() throws(StoreError) -> Bool {
    let head = try head()
    return head[18] == 1 && head[19] == 1
  }

  func head() throws(StoreError) -> [UInt8] { try bytes(at: 0, count: 20) }

  /// How many bytes of pages are kept in memory; what is over goes.
  package func setCache(_ bytes: Int) throws(StoreError) {
    try pragmaRun("cache_size=-\(bytes >> 10)")
  }

  /// SQLite's own structural check: the first problems it names, empty when there are none.
  package func integrityProblems() throws(StoreError) -> [String] {
    var problems: [String] = []
    do throws(StoreError) {
      unsafe try Statement(handle, "PRAGMA integrity_check(20)").run { row throws(StoreError) in
        problems += try row.text(0).split(separator: "\n").map(String.init).filter {
          $0 != "ok" && $0 != "*** in database main ***"
        }
        return true
      }
    } catch {
      // So broken that the check itself stumbles.
      guard error.code == .corrupt else { throw error }
      problems.append("the check stopped (SQLite \(error.sqliteCode))")
    }
    return problems
  }

  /// Writes the whole file anew from its rows: its trees, its list of free pages and its head are whole then. All or nothing.
  package func rebuild() throws(StoreError) {
    statements = [:]
    // SQLite attaches the new file while it does.
    _ = unsafe sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 1)
    defer { _ = unsafe sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0) }
    unsafe try Statement(handle, "VACUUM").run()
    try checkpoint()
  }

  /// Every step and the new version in one transaction; another process may have been faster.
  private func migrate(_ schema: Schema, from seen: Int64) throws(StoreError) {
    guard (seen..<Int64(schema.version)).allSatisfy({ schema.migrations[Int32($0)] != nil }) else {
      throw StoreError(.corrupt, "open: no way from version \(seen)")
    }
    try transaction { () throws(StoreError) in
      let now = try pragmaInteger("user_version")
      guard now < Int64(schema.version) else { return }
      for version in Int32(now)..<schema.version {
        for step in schema.migrations[version] ?? [] { unsafe try Statement(handle, step).run() }
      }
      try pragmaRun("user_version=\(schema.version)")
    }
  }

  private func pragmaRun(_ pragma: String) throws(StoreError) {
    unsafe try Statement(handle, "PRAGMA " + pragma).run()
  }

  func pragmaInteger(_ pragma: String) throws(StoreError) -> Int64 {
    var value: Int64 = 0
    unsafe try Statement(handle, "PRAGMA " + pragma).run { row throws(StoreError) in
      value = try row.integer(0)
      return false
    }
    return value
  }
}
