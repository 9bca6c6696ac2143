internal import RowStore

extension Schema {
  /// Format 2. Numbers and sealed blobs only; what each column gives away is in `VaultFormat`.
  static let vault = Schema(
    applicationID: 0x4644_6232,  // "FDb2"
    version: 2,
    statements: [
      "CREATE TABLE keyring(copy INTEGER PRIMARY KEY, data BLOB NOT NULL)",
      "CREATE TABLE state(id INTEGER PRIMARY KEY, sealed BLOB NOT NULL)",
      "CREATE TABLE register(id INTEGER PRIMARY KEY, sealed BLOB NOT NULL)",
      "CREATE TABLE section(id INTEGER PRIMARY KEY, sealed BLOB NOT NULL)",
      "CREATE TABLE page(id INTEGER PRIMARY KEY, sealed BLOB NOT NULL)",
      "CREATE TABLE body(entry INTEGER PRIMARY KEY, page INTEGER NOT NULL, sealed BLOB NOT NULL)",
      "CREATE TABLE history(id INTEGER PRIMARY KEY, sealed BLOB NOT NULL)",
      "CREATE TABLE device(host BLOB PRIMARY KEY, attempts BLOB NOT NULL)",
      "CREATE TABLE keyring_copy(copy INTEGER PRIMARY KEY, data BLOB NOT NULL)",
      "CREATE TABLE replica(id INTEGER PRIMARY KEY, sealed BLOB NOT NULL)",
    ])
}
