internal import RowStore
internal import Sealing

/// What a whole look at a vault found.
public struct VerifyReport: Sendable, Equatable, Codable {
  public struct Problem: Sendable, Equatable, Codable {
    public enum Severity: String, Sendable, Codable {
      /// Something cannot be read any more.
      case lost
      /// Everything reads, but not as it was written.
      case suspicious
      /// A spare part is broken.
      case minor
    }

    public let severity: Severity
    /// What is affected.
    public let what: String
    public let error: VaultError

    public init(_ severity: Severity, _ what: String, _ error: VaultError) {
      self.severity = severity
      self.what = what
      self.error = error
    }
  }

  public var entries = 0
  public var revisions = 0
  public var attachments = 0
  /// Attachments that were being taken in when their process died; emptying the trash removes them.
  public var unfinished = 0
  public var problems: [Problem] = []

  /// Nothing but spare parts may be broken in a whole vault, and not even those.
  public var isWhole: Bool { problems.isEmpty }
}

extension Vault {
  /// Opens every record along its path, and looks for rows that belong to none.
  ///
  /// - Parameter progress: called with entries done and entries there.
  /// - Throws: ``VaultError`` only for what keeps it from looking: `busy`, `permission`, …
  package func verify(
    progress: (Int, Int) -> Void = { _, _ in }
  ) throws(VaultError) -> VerifyReport {
    try walk(progress: progress).report
  }

  /// Rebuilds what can be rebuilt from what verifies: the copies of the key slots, and which page an entry's row
  /// names; and takes rows away that belong to nothing. What is lost stays lost, and then nothing is taken away:
  /// a row may belong to what cannot be read.
  ///
  /// - Returns: how many things were mended.
  package func repair() throws(VaultError) -> Int {
    let (report, found) = try walk(progress: { _, _ in })
    guard !report.problems.isEmpty || report.unfinished > 0 else { return 0 }
    let isReadable = !report.problems.contains { $0.severity == .lost }
    return try change { edit throws(VaultError) in
      let store = edit.catalogue.store
      var mended = 0
      let file = try VaultFile(store, path: path)
      if !file.keyringProblems.isEmpty, file.keyring.digest == edit.catalogue.state.keyring {
        try storing(path) { () throws(StoreError) in try put(file.keyring, into: store) }
        mended += file.keyringProblems.count
      }
      try storing(path) { () throws(StoreError) in
        for (entry, page) in found.misplaced {
          try store.run(
            "UPDATE body SET page=? WHERE entry=?", [.integer(page), .integer(entry)])
          mended += 1
        }
        guard isReadable else { return }
        for orphan in found.orphans {
          try store.run(
            "DELETE FROM \(orphan.table) WHERE \(orphan.condition)",
            orphan.row.map { .integer($0) })
          mended += 1
        }
        for row in found.unfinished {
          try Self.deleteAttachment(row, in: store)
          mended += 1
        }
      }
      // The state record counts the change, so that the anchor follows.
      if mended > 0 { edit.update { _ in } }
      return mended
    }
  }

  private func walk(
    progress: (Int, Int) -> Void
  ) throws(VaultError) -> (report: VerifyReport, found: VerifiedRows) {
    var report = VerifyReport()
    let snapshot = try Snapshot(self)
    let catalogue = snapshot.catalogue
    func note(
      _ severity: VerifyReport.Problem.Severity, _ what: String, _ error: VaultError
    ) throws(VaultError) {
      // The machine's troubles are not the vault's.
      switch error.code {
      case .damaged, .tampered, .notAVault: report.problems.append(.init(severity, what, error))
      default: throw error
      }
    }
    for line in try storing(
      path, { () throws(StoreError) in try catalogue.store.integrityProblems() })
    {
      try note(.suspicious, "database", VaultError(.damaged, "database", line))
    }
    let file = try VaultFile(catalogue.store, path: path)
    for problem in file.keyringProblems {
      try note(.minor, "key slots", VaultError(.damaged, "keyring", problem))
    }
    do throws(VaultError) { _ = try catalogue.register() } catch {
      try note(.lost, "journals and kinds", error)
    }
    var seen = VerifiedRows()
    let total = catalogue.state.count
    for known in catalogue.state.sections {
      seen.sections.insert(known.id)
      do throws(VaultError) {
        let section = try catalogue.section(known)
        guard section.count == Int(known.count), section.trashed == Int(known.trashed),
          section.pages.first?.first == known.first
        else { throw VaultError(.tampered, "directory section", "its counts do not fit") }
        for pageRef in section.pages {
          seen.pages.insert(pageRef.id)
          do throws(VaultError) {
            let page = try catalogue.page(pageRef, keeping: false)
            try verify(page, pageRef, snapshot, &seen, note)
          } catch {
            try note(.lost, "\(pageRef.count) entries of a header page", error)
          }
          progress(seen.entries.count, total)
        }
      } catch {
        try note(.lost, "\(known.count) entries of a directory section", error)
      }
    }
    report.entries = seen.entries.count
    report.revisions = seen.revisions.count + seen.entries.count
    report.attachments = seen.attachments.count
    do throws(VaultError) { _ = try catalogue.templates() } catch {
      try note(.lost, "templates", error)
    }
    for (table, column, known) in [
      ("section", "id", seen.sections), ("page", "id", seen.pages), ("body", "entry", seen.entries),
      ("register", "id", [1, 2]),
    ] {
      for row in try rows("SELECT \(column) FROM \(table)", in: catalogue.store)
      where !known.contains(row[0]) {
        seen.orphans.append((table, "\(column)=?", row))
      }
    }
    for row in try rows("SELECT entry, revision FROM history", in: catalogue.store)
    where !seen.revisions.contains(row) {
      seen.orphans.append(("history", "entry=? AND revision=?", row))
    }
    // An attachment that no entry has is one that was never finished: it takes room, and nothing else.
    let known = Set(
      try rows("SELECT id FROM attachment", in: catalogue.store).map { $0[0] })
    seen.unfinished = known.subtracting(seen.attachments).subtracting(staged)
    report.unfinished = seen.unfinished.count
    for row in try rows("SELECT DISTINCT id >> 32 FROM chunk", in: catalogue.store)
    where !known.contains(row[0]) {
      seen.orphans.append(("chunk", "id >> 32=?", row))
    }
    for orphan in seen.orphans {
      try note(
        .suspicious, orphan.table,
        VaultError(.tampered, orphan.table, "row \(orphan.row[0]) belongs to nothing"))
    }
    return (report, seen)
  }

  private struct VerifiedRows {
    /// Rows that nothing names.
    var orphans: [(table: String, condition: String, row: [Int64])] = []
    /// Entries whose row names another page than the one they stand in, and the right one.
    var misplaced: [(entry: Int64, page: Int64)] = []
    var unfinished: Set<Int64> = []
    var sections: Set<Int64> = []
    var pages: Set<Int64> = []
    var entries: Set<Int64> = []
    var revisions: Set<[Int64]> = []
    var attachments: Set<Int64> = []
  }

  private func verify(
    _ page: HeaderPage, _ pageRef: PageRef, _ snapshot: Snapshot, _ seen: inout VerifiedRows,
    _ note: (VerifyReport.Problem.Severity, String, VaultError) throws(VaultError) -> Void
  ) throws(VaultError) {
    let catalogue = snapshot.catalogue
    guard page.trashedCount == Int(pageRef.trashed), page.count > 0, page.key(0) == pageRef.first
    else { throw VaultError(.tampered, "header page", "its counts do not fit") }
    for index in 0..<page.count {
      let id = page.id(index)
      do throws(VaultError) {
        let header = try unsealing("header") { () throws(SealingError) in try page.header(index) }
        guard seen.entries.insert(id.key).inserted else {
          throw VaultError(.tampered, "entry \(id.short)", "is there twice")
        }
        var pageRow: Int64?
        try storing(path) { () throws(StoreError) in
          try catalogue.store.run("SELECT page FROM body WHERE entry=?", [.integer(id.key)]) {
            row throws(StoreError) in
            pageRow = try row.integer(0)
            return false
          }
        }
        guard pageRow != nil else {
          throw VaultError(.tampered, "entry \(id.short)", "its row is missing")
        }
        if pageRow != pageRef.id {
          seen.misplaced.append((id.key, pageRef.id))
          try note(
            .suspicious, "entry \(id.short)",
            VaultError(.tampered, "entry \(id.short)", "its row names another page"))
        }
        let body = try catalogue.body(header)
        guard body.utf8.count == header.bodySize else {
          throw VaultError(.tampered, "entry \(id.short)", "its size does not fit")
        }
        for revision in try catalogue.revisions(of: header) {
          for stored in revision.header.attachments
          where seen.attachments.insert(stored.row).inserted {
            let reader = try AttachmentReader(snapshot, stored, of: id)
            while try reader.next() != nil {}
          }
          guard revision.header.revision != header.revision else { continue }
          seen.revisions.insert([id.key, Int64(clamping: revision.header.revision)])
          _ = try catalogue.body(revision)
        }
      } catch {
        try note(.lost, "entry \(id.short)", error)
      }
    }
  }

  private func rows(_ sql: String, in store: RowStore) throws(VaultError) -> [[Int64]] {
    var rows: [[Int64]] = []
    try storing(path) { () throws(StoreError) in
      try store.run(sql) { row throws(StoreError) in
        rows.append(
          sql.contains(",") ? [try row.integer(0), try row.integer(1)] : [try row.integer(0)])
        return true
      }
    }
    return rows
  }
}
