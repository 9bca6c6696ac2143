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
      try extraRows("SELECT \(column) FROM \(table)", in: catalogue.store) {
        row throws(VaultError) in
        guard !known.contains(row[0]) else { return }
        try note(
          .suspicious, table, VaultError(.tampered, table, "row \(row[0]) belongs to nothing"))
      }
    }
    try extraRows("SELECT entry, revision FROM history", in: catalogue.store) {
      row throws(VaultError) in
      guard !seen.revisions.contains(row) else { return }
      try note(
        .suspicious, "history", VaultError(.tampered, "history", "row \(row[0]) belongs to nothing")
      )
    }
    // An attachment that no entry has is one that was never finished: it takes room, and nothing else.
    var known: Set<Int64> = []
    try extraRows("SELECT id FROM attachment", in: catalogue.store) { row in known.insert(row[0]) }
    report.unfinished = known.subtracting(seen.attachments).count
    try extraRows("SELECT DISTINCT id >> 32 FROM chunk", in: catalogue.store) {
      row throws(VaultError) in
      guard !known.contains(row[0]) else { return }
      try note(
        .suspicious, "chunk",
        VaultError(.tampered, "chunk", "of attachment \(row[0]), which is none"))
    }
    return report
  }

  private struct VerifiedRows {
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
        guard pageRow == pageRef.id else {
          throw VaultError(.tampered, "entry \(id.short)", "its row names another page")
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

  private func extraRows(
    _ sql: String, in store: RowStore, _ body: ([Int64]) throws(VaultError) -> Void
  ) throws(VaultError) {
    var rows: [[Int64]] = []
    try storing(path) { () throws(StoreError) in
      try store.run(sql) { row throws(StoreError) in
        rows.append(
          sql.contains(",") ? [try row.integer(0), try row.integer(1)] : [try row.integer(0)])
        return true
      }
    }
    for row in rows { try body(row) }
  }
}
