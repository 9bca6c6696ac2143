internal import CSQLite

extension RowStore {
  /// Copies the database, as the transaction that is open sees it, into a new file.
  ///
  /// - Parameter progress: called with pages done and pages there.
  package func copy(
    to path: String, progress: (Int, Int) -> Void = { _, _ in }
  ) throws(StoreError) {
    let (resolved, directory) = try Self.reach(path, creating: true)
    defer { withExtendedLifetime(directory) {} }
    var opened: OpaquePointer?
    let status = unsafe sqlite3_open_v2(
      resolved, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_NOMUTEX,
      "facediary")
    defer { unsafe sqlite3_close_v2(opened) }
    guard status == SQLITE_OK, let target = unsafe opened else {
      throw StoreError(sqlite: status, "open copy")
    }
    guard let copying = unsafe sqlite3_backup_init(target, "main", handle, "main") else {
      throw unsafe StoreError(sqlite: sqlite3_extended_errcode(target), "copy")
    }
    var step = SQLITE_OK
    while step == SQLITE_OK {
      step = unsafe sqlite3_backup_step(copying, 1024)
      let total = unsafe Int(sqlite3_backup_pagecount(copying))
      progress(unsafe total - Int(sqlite3_backup_remaining(copying)), total)
    }
    unsafe sqlite3_backup_finish(copying)
    guard step == SQLITE_DONE else { throw StoreError(sqlite: step, "copy") }
  }
}
