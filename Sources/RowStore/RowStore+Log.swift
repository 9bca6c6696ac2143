internal import CSQLite

extension RowStore {
  /// Moves the whole log into the database and empties it.
  ///
  /// - Parameter waiting: whether for processes that still read what was there before; at most as long as for another's write.
  /// - Returns: false where one still does.
  @discardableResult
  package func checkpoint(waiting: Bool = true) throws(StoreError) -> Bool {
    if !waiting { unsafe sqlite3_busy_timeout(handle, 0) }
    defer { if !waiting { unsafe sqlite3_busy_timeout(handle, busyTimeout) } }
    do throws(StoreError) { return try pragmaInteger("wal_checkpoint(TRUNCATE)") == 0 } catch {
      guard error.code == .busy else { throw error }
      return false
    }
  }
}
