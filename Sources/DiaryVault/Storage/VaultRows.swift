internal import Entries
internal import RowStore
internal import SealedFiles

/// One connection to a vault's rows: all the SQL there is.
///
/// It knows numbers and sealed blobs, and nothing of what they mean or whether they are what their parent knows. What
/// each column gives away is in `VaultFormat`.
final class VaultRows {
  /// The diary's folder.
  let path: String
  private let store: RowStore

  enum Access { case create, readOnly, readWrite }

  init(_ path: String, _ access: Access, settings: VaultSettings) throws(VaultError) {
    self.path = path
    let folder = VaultFolder(path)
    if access == .create { try folder.make() } else { try folder.check() }
    let way: RowStore.Access =
      switch access {
      case .create: .create
      case .readOnly: settings.toleratesLostTables ? .rescue : .readOnly
      case .readWrite: .readWrite
      }
    store = try storing(path) { () throws(StoreError) in
      try RowStore(folder.file, way, schema: .vault, busyTimeout: settings.busyTimeout)
    }
  }

  /// Where a sealed blob stands.
  enum Place {
    case state, register, templates
    case section(Int64)
    case page(Int64)
    /// The newest text of an entry, by its row.
    case body(Int64)
    /// A header or text that an edit replaced: ``VaultKeys/past(_:of:revision:)``.
    case past(Int64)
    /// What is kept of the other devices: ``ReplicaStore``.
    case replica(Int64)
  }

  /// Whether what is written later is not seen by this connection.
  var isUnchanging: Bool { store.isUnchanging }

  // MARK: Transactions

  func begin(writing: Bool) throws(VaultError) {
    try storing(path) { () throws(StoreError) in try store.begin(writing: writing) }
  }

  func commit() throws(VaultError) {
    try storing(path) { () throws(StoreError) in try store.commit() }
  }

  func rollback() { store.rollback() }

  /// Enlarges the cache, for reading or writing very many rows in an order that is not theirs.
  func widenCache() throws(VaultError) {
    try storing(path) { () throws(StoreError) in try store.setCache(64 << 20) }
  }

  func narrowCache() { try? store.setCache(2 << 20) }

  /// Runs `body` as one durable change, undone when it throws.
  func transaction(_ body: () throws(VaultError) -> Void) throws(VaultError) {
    try begin(writing: true)
    do throws(VaultError) { try body() } catch {
      rollback()
      throw error
    }
    try commit()
  }

  // MARK: Sealed blobs

  /// Lends the blob at a place to `body`; false when there is none.
  ///
  /// - Throws: `damaged` for one of more than `limit` bytes; what `body` throws.
  func lend(
    _ place: Place, limit: Int, _ body: (RawSpan) throws(VaultError) -> Void
  ) throws(VaultError) -> Bool {
    var isThere = false
    var failure: VaultError?
    let (sql, values) = Self.reading(place)
    try run(sql, values) { row throws(StoreError) in
      isThere = true
      try row.withBlob(0, limit: limit) { span throws(StoreError) in
        do throws(VaultError) { try body(span) } catch { failure = error }
      }
      return false
    }
    if let failure { throw failure }
    return isThere
  }

  /// The blob at a place, nil when there is none.
  func blob(_ place: Place, limit: Int) throws(VaultError) -> [UInt8]? {
    var found: [UInt8]?
    let (sql, values) = Self.reading(place)
    try run(sql, values) { row throws(StoreError) in
      found = try row.blob(0, limit: limit)
      return false
    }
    return found
  }

  /// Writes a blob. Rows of sections, pages, names and the past are made if they are missing; the others
  /// are replaced only.
  func put(_ sealed: [UInt8], _ place: Place) throws(VaultError) {
    let blob = Statement.Value.blob(sealed)
    switch place {
    case .state: try run("UPDATE state SET sealed=? WHERE id=1", [blob])
    case .register: try run("INSERT OR REPLACE INTO register(id, sealed) VALUES(1, ?)", [blob])
    case .templates: try run("INSERT OR REPLACE INTO register(id, sealed) VALUES(2, ?)", [blob])
    case .section(let row):
      try run("INSERT OR REPLACE INTO section(id, sealed) VALUES(?, ?)", [.integer(row), blob])
    case .page(let row):
      try run("INSERT OR REPLACE INTO page(id, sealed) VALUES(?, ?)", [.integer(row), blob])
    case .body(let entry):
      try run("UPDATE body SET sealed=? WHERE entry=?", [blob, .integer(entry)])
    case .past(let row):
      try run("INSERT OR REPLACE INTO history(id, sealed) VALUES(?, ?)", [.integer(row), blob])
    case .replica(let row):
      try run("INSERT OR REPLACE INTO replica(id, sealed) VALUES(?, ?)", [.integer(row), blob])
    }
  }

  func remove(section row: Int64) throws(VaultError) {
    try run("DELETE FROM section WHERE id=?", [.integer(row)])
  }

  func remove(page row: Int64) throws(VaultError) {
    try run("DELETE FROM page WHERE id=?", [.integer(row)])
  }

  private static func reading(_ place: Place) -> (String, [Statement.Value]) {
    switch place {
    case .state: ("SELECT sealed FROM state WHERE id=1", [])
    case .register: ("SELECT sealed FROM register WHERE id=1", [])
    case .templates: ("SELECT sealed FROM register WHERE id=2", [])
    case .section(let row): ("SELECT sealed FROM section WHERE id=?", [.integer(row)])
    case .page(let row): ("SELECT sealed FROM page WHERE id=?", [.integer(row)])
    case .body(let entry): ("SELECT sealed FROM body WHERE entry=?", [.integer(entry)])
    case .past(let row): ("SELECT sealed FROM history WHERE id=?", [.integer(row)])
    case .replica(let row): ("SELECT sealed FROM replica WHERE id=?", [.integer(row)])
    }
  }

  // MARK: The vault itself

  /// Begins a new vault.
  func begin(state sealed: [UInt8], keyring: [UInt8]) throws(VaultError) {
    try transaction { () throws(VaultError) in
      try put(keyring: keyring)
      try run("INSERT INTO state(id, sealed) VALUES(1, ?)", [.blob(sealed)])
    }
  }

  /// The two tables that a copy of the keyring stands in.
  static let keyringTables = ["keyring", "keyring_copy"]

  /// The copy of the keyring in one of the ``keyringTables``, nil when it is missing.
  func keyring(in table: String) throws(VaultError) -> [UInt8]? {
    var data: [UInt8]?
    let sql =
      table == Self.keyringTables[0]
      ? "SELECT data FROM keyring WHERE copy=1" : "SELECT data FROM keyring_copy WHERE copy=1"
    try run(sql) { row throws(StoreError) in
      data = try row.blob(0, limit: 64 << 10)
      return false
    }
    return data
  }

  /// Puts the keyring into both its tables.
  func put(keyring: [UInt8]) throws(VaultError) {
    let data = Statement.Value.blob(keyring)
    try run("INSERT OR REPLACE INTO keyring(copy, data) VALUES(1, ?)", [data])
    try run("INSERT OR REPLACE INTO keyring_copy(copy, data) VALUES(1, ?)", [data])
  }

  /// The record of attempts of one host, nil when there is none. Anybody who writes the file can make it anything: one of a form
  /// that no record has is none, and is replaced by the next.
  func attempts(of host: [UInt8]) throws(VaultError) -> [UInt8]? {
    var found: [UInt8]?
    try run("SELECT attempts FROM device WHERE host=?", [.blob(host)]) { row throws(StoreError) in
      found = try? row.blob(0, limit: 4096)
      return false
    }
    return found
  }

  func put(attempts: [UInt8], of host: [UInt8]) throws(VaultError) {
    try run(
      "INSERT INTO device(host, attempts) VALUES(?, ?) ON CONFLICT(host) DO UPDATE SET attempts=excluded.attempts",
      [.blob(host), .blob(attempts)])
  }

  func removeAttempts() throws(VaultError) { try run("DELETE FROM device") }

  // MARK: Entries

  /// The page an entry's row names, nil when it has no row.
  func page(of entry: Int64) throws(VaultError) -> Int64? {
    var page: Int64?
    try run("SELECT page FROM body WHERE entry=?", [.integer(entry)]) { row throws(StoreError) in
      page = try row.integer(0)
      return false
    }
    return page
  }

  func setPage(_ page: Int64, of entry: Int64) throws(VaultError) {
    try run("UPDATE body SET page=? WHERE entry=?", [.integer(page), .integer(entry)])
  }

  /// The first entries with a row in a range, and the pages they name.
  func entries(
    in rows: ClosedRange<Int64>, limit: Int
  ) throws(VaultError) -> [(entry: Int64, page: Int64)] {
    var found: [(entry: Int64, page: Int64)] = []
    try run(
      "SELECT entry, page FROM body WHERE entry BETWEEN ? AND ? LIMIT ?",
      [.integer(rows.lowerBound), .integer(rows.upperBound), .integer(Int64(limit))]
    ) { row throws(StoreError) in
      found.append((try row.integer(0), try row.integer(1)))
      return true
    }
    return found
  }

  func add(entry: Int64, page: Int64, body sealed: [UInt8]) throws(VaultError) {
    try run(
      "INSERT INTO body(entry, page, sealed) VALUES(?, ?, ?)",
      [.integer(entry), .integer(page), .blob(sealed)])
  }

  func remove(entry: Int64) throws(VaultError) { try remove(entry, from: .body) }

  // MARK: What no tree leads to

  /// Whether nothing of a table is found, so that its rows may lie in the file.
  func isLost(_ table: String) -> Bool { store.lostTables.contains(table) }

  var hasLostTables: Bool { !store.lostTables.isEmpty }

  /// Every row that lies in the file, wherever it belongs; looked for once.
  private(set) lazy var looseRows: LooseRows? = try? store.looseRows()

  // MARK: Whole tables

  /// The tables whose rows have numbers.
  enum Table: String {
    case state, register, section, page, body, history, replica, keyring
    case keyringCopy = "keyring_copy"

    /// Those that hold what a diary says.
    static let contents: [Table] = [.register, .section, .page, .body, .history, .replica]

    fileprivate var key: String {
      switch self {
      case .body: "entry"
      case .keyring, .keyringCopy: "copy"
      case .state, .register, .section, .page, .history, .replica: "id"
      }
    }
  }

  /// The row numbers of a table, in order.
  func rows(of table: Table, descending: Bool = false, _ body: (Int64) -> Void) throws(VaultError) {
    let order = descending ? "DESC" : "ASC"
    var last: Int64?
    try run("SELECT \(table.key) FROM \(table.rawValue) ORDER BY \(table.key) \(order)") {
      row throws(StoreError) in
      let number = try row.integer(0)
      // In a damaged tree, a branch can lead back to itself without end.
      if let last, descending ? number >= last : number <= last {
        throw StoreError(.corrupt, "rows")
      }
      last = number
      body(number)
      return true
    }
  }

  func rows(of table: Table) throws(VaultError) -> [Int64] {
    var found: [Int64] = []
    try rows(of: table) { found.append($0) }
    return found
  }

  func remove(_ row: Int64, from table: Table) throws(VaultError) {
    try run("DELETE FROM \(table.rawValue) WHERE \(table.key)=?", [.integer(row)])
  }

  func removeReplica(in rows: Range<Int64>) throws(VaultError) {
    try run(
      "DELETE FROM \(Table.replica.rawValue) WHERE id>=? AND id<?",
      [.integer(rows.lowerBound), .integer(rows.upperBound)])
  }

  func removeReplica() throws(VaultError) { try run("DELETE FROM \(Table.replica.rawValue)") }

  /// How many rows a table has. SQLite's own count does not end where pages of the file name one another.
  func count(of table: Table) throws(VaultError) -> Int {
    var count = 0
    try rows(of: table) { _ in count += 1 }
    return count
  }

  /// Replaces these contents by another vault's, except attempts and ways in.
  ///
  /// - Parameter progress: called with the number of entries done.
  func takeContents(of other: VaultRows, progress: (Int) -> Void) throws(VaultError) {
    try removeReplica()
    var done = 0
    for table in Table.contents where table != .replica {
      let columns = table == .body ? ["entry", "page", "sealed"] : ["id", "sealed"]
      let numbers = columns.count - 1
      let marks = Array(repeating: "?", count: columns.count).joined(separator: ", ")
      let names = columns.joined(separator: ", ")
      try run("DELETE FROM \(table.rawValue)")
      try other.run("SELECT \(names) FROM \(table.rawValue)") { [self] row throws(StoreError) in
        var values: [Statement.Value] = []
        for column in columns.indices {
          values.append(
            column < numbers
              ? .integer(try row.integer(Int32(column)))
              : .blob(try row.blob(Int32(column), limit: 64 << 20)))
        }
        try store.run("INSERT INTO \(table.rawValue)(\(names)) VALUES(\(marks))", values)
        if table == .body {
          done += 1
          progress(done)
        }
        return true
      }
    }
  }

  // MARK: The file

  /// Copies the rows as this transaction sees them into another folder.
  func copy(to target: VaultFolder, progress: (Int, Int) -> Void) throws(VaultError) {
    try storing(target.path) { () throws(StoreError) in
      try store.copy(to: target.file, progress: progress)
    }
  }

  /// Whether the file is written without a log, as a backup is and a live diary is not.
  func isWithoutLog() throws(VaultError) -> Bool {
    try storing(path) { () throws(StoreError) in try store.isWithoutLog() }
  }

  /// Whether changes go through a log beside the file, or leave it one file.
  func keepLog(_ keeps: Bool) throws(VaultError) {
    try storing(path) { () throws(StoreError) in try store.keepLog(keeps) }
  }

  /// Folds the log into the file.
  ///
  /// - Returns: false where another process still reads what was there before.
  func checkpoint(waiting: Bool) throws(VaultError) -> Bool {
    try storing(path) { () throws(StoreError) in try store.checkpoint(waiting: waiting) }
  }

  /// Gives room that nothing uses back to the file system.
  func shrink() throws(VaultError) {
    try storing(path) { () throws(StoreError) in try store.shrink() }
  }

  /// What SQLite finds wrong with the file as a database.
  func integrityProblems() throws(VaultError) -> [String] {
    try storing(path) { () throws(StoreError) in try store.integrityProblems() }
  }

  /// Writes the file anew from its rows.
  func rebuild() throws(VaultError) {
    try storing(path) { () throws(StoreError) in try store.rebuild() }
  }

  /// Identifies the file of the rows at a path, so that another file there is noticed; nil when there is none.
  static func identity(of path: String) -> [UInt64]? {
    RowStore.identity(of: VaultFolder(path).file)
  }

  // MARK: Running

  private func run(
    _ sql: String, _ values: [Statement.Value] = [],
    row: (Statement.Row) throws(StoreError) -> Bool = { _ throws(StoreError) in true }
  ) throws(VaultError) {
    try storing(path) { () throws(StoreError) in try store.run(sql, values, row: row) }
  }
}
