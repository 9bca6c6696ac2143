import Bytes
import Foundation
import Testing

@testable import DiaryVault
@testable import Entries
@testable import RowStore

/// Whatever is done to the rows: the truth, or an integrity error. Never wrong text.
@Suite struct TamperTests {
  private static let entries = 12

  /// A vault with a few pages, edits and a trashed entry; returns what it says.
  private func fill(_ bench: Workbench) throws -> [String] {
    let vault = try bench.create()
    var ids: [EntryID] = []
    for number in 0..<Self.entries {
      ids.append(try vault.add(try EntryDraft("entry \(number)", day: 18_000 + number)).id)
    }
    var change = EntryChange()
    change.body = "edited"
    _ = try vault.edit(.id(ids[3]), change)
    _ = try vault.delete([.id(ids[5])])
    return try vault.all().map { $0.body! }
  }

  /// Reads everything; nil when it was refused as damage or tampering.
  private func read(_ bench: Workbench) throws -> [String]? {
    do {
      let vault = try bench.open()
      let bodies = try vault.all().map { $0.body! }
      for entry in try vault.all() {
        for old in try Snapshot(vault).history(.id(entry.id)) {
          _ = try Snapshot(vault).entry(.id(entry.id), revision: old.revision)
        }
      }
      return bodies
    } catch let error as VaultError {
      #expect(
        [.damaged, .tampered, .rolledBack, .forked, .notAVault].contains(error.code), "\(error)")
      return nil
    }
  }

  private func change(_ bench: Workbench, _ sql: [String]) throws {
    let store = try RowStore(bench.file, .readWrite, schema: .vault)
    try store.transaction { () throws(StoreError) in for each in sql { try store.run(each) } }
  }

  private func blobs(_ bench: Workbench, _ table: String, _ column: String) throws -> [(
    Int64, [UInt8]
  )] {
    var rows: [(Int64, [UInt8])] = []
    try RowStore(bench.file, .readOnly, schema: .vault).run("SELECT rowid, \(column) FROM \(table)")
    {
      row throws(StoreError) in
      rows.append((try row.integer(0), try row.blob(1, limit: 1 << 20)))
      return true
    }
    return rows
  }

  @Test(arguments: [
    ("state", "sealed"), ("section", "sealed"), ("page", "sealed"), ("body", "sealed"),
    ("history", "sealed"),
  ]) func `flipped bytes of any row are noticed, and verify names them`(
    table: String, column: String
  ) throws {
    let bench = try Workbench()
    let truth = try fill(bench)
    for (row, blob) in try blobs(bench, table, column) {
      for index in stride(from: 0, to: blob.count, by: max(1, blob.count / 23)) {
        var bad = blob
        bad[index] ^= 0x20
        let store = try RowStore(bench.file, .readWrite, schema: .vault)
        try store.run("UPDATE \(table) SET \(column)=? WHERE rowid=?", [.blob(bad), .integer(row)])
        let found = try read(bench)
        let isTrashed = table == "body" && found == truth
        #expect(found == nil || isTrashed, "\(table) \(row) byte \(index)")
        if table != "state" { #expect(try !bench.open().verify().isWhole) }
        try store.run(
          "UPDATE \(table) SET \(column)=? WHERE rowid=?", [.blob(blob), .integer(row)])
      }
    }
    #expect(try read(bench) == truth)
    #expect(try bench.open().verify().isWhole)
  }

  @Test(arguments: [
    ["DELETE FROM state"], ["DELETE FROM section"], ["DELETE FROM page"], ["DELETE FROM history"],
    ["DELETE FROM body WHERE entry=(SELECT max(entry) FROM body)"],
    ["UPDATE body SET page=page+1 WHERE entry=(SELECT min(entry) FROM body)"],
    ["UPDATE page SET id=id+1"], ["UPDATE section SET sealed=zeroblob(length(sealed))"],
    ["UPDATE body SET sealed=(SELECT sealed FROM body WHERE entry=(SELECT max(entry) FROM body))"],
    ["UPDATE state SET sealed='text'"], ["UPDATE body SET sealed=zeroblob(0)"],
    ["DELETE FROM keyring", "DELETE FROM keyring_copy"],
    ["UPDATE keyring SET data=zeroblob(100)", "UPDATE keyring_copy SET data=zeroblob(100)"],
  ]) func `missing, moved, swapped and emptied rows are noticed`(sql: [String]) throws {
    let bench = try Workbench()
    let truth = try fill(bench)
    try change(bench, sql)
    do {
      let vault = try bench.open()
      #expect(try !vault.verify().isWhole, "\(sql)")
      if !sql[0].contains("page=page+1") {
        // A trashed entry's body is read by nobody but verify.
        let found = try read(bench)
        #expect(found == nil || (sql[0].hasPrefix("DELETE FROM body") && found == truth), "\(sql)")
      }
    } catch let error as VaultError {
      #expect([.damaged, .tampered].contains(error.code), "\(sql): \(error)")
    }
  }

  @Test func `verify names orphaned rows`() throws {
    let bench = try Workbench()
    let truth = try fill(bench)
    try change(
      bench,
      [
        "INSERT INTO body(entry, page, sealed) VALUES(5, 5, x'00')",
        "INSERT INTO page(id, sealed) VALUES(6, x'00')",
      ])
    #expect(try read(bench) == truth)
    #expect(try bench.open().verify().problems.map(\.severity) == [.suspicious, .suspicious])
  }

  @Test func `rows that somebody added make no report too long to be told`() throws {
    let bench = try Workbench()
    let truth = try fill(bench)
    let rows = "WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i+1 FROM n WHERE i<3099)"
    try change(
      bench,
      [
        "INSERT INTO page(id, sealed) \(rows) SELECT i, x'00' FROM n",
        "INSERT INTO body(entry, page, sealed) \(rows) SELECT i, i, x'00' FROM n",
      ])
    #expect(try read(bench) == truth)
    let vault = try bench.open()
    let report = try vault.verify()
    #expect(report.problems.count == 1_000 && report.others == 5_000 && !report.hasLost)
    #expect(try vault.repair() == 6_000)
    #expect(try vault.verify().isWhole)
  }

  @Test func `of more problems than are listed, what is lost comes first`() {
    var report = VerifyReport()
    let error = VaultError(.tampered, "")
    for _ in 0..<1_500 { report.note(.init(.suspicious, .thing(.database), error)) }
    #expect(!report.hasLost && report.obstacle == nil)
    for number in 0..<1_200 {
      report.note(.init(.lost, .attachment("a", ofEntry: "\(number)"), error))
    }
    report.note(.init(.lost, .names, error))
    #expect(report.problems.allSatisfy { $0.severity == .lost })
    #expect(report.problems.count == 1_000 && report.others == 1_701)
    #expect(report.lostFiles == 1_200 && report.obstacle?.what == .names && report.hasLost)
  }

  @Test func `an entry whose row was deleted is missing, not unknown`() throws {
    let bench = try Workbench()
    let vault = try bench.create()
    let (id, _) = try vault.add(try EntryDraft("here"))
    try change(bench, ["DELETE FROM body"])
    #expect(throws: VaultError(.tampered, "")) { try Snapshot(vault).entry(.prefix(id.short)) }
  }

  @Test func `one damaged keyring copy is reported and rewritten by the next slot change`() throws {
    let bench = try Workbench()
    let truth = try fill(bench)
    try change(bench, ["UPDATE keyring SET data=zeroblob(400)"])
    #expect(try read(bench) == truth)
    let vault = try bench.open()
    #expect(try vault.verify().problems.map(\.severity) == [.minor])
    try vault.addSlot(.recovery, secret: try Workbench.secret("another recovery"))
    #expect(try vault.verify().isWhole)
  }

  @Test func `every byte of every slot: damage is never a wrong passphrase`() throws {
    let bench = try Workbench()
    let truth = try fill(bench)
    let good = try blobs(bench, "keyring", "data")[0].1
    for index in stride(from: 0, to: good.count, by: 3) {
      var bad = good
      bad[index] ^= 1
      let store = try RowStore(bench.file, .readWrite, schema: .vault)
      for table in ["keyring", "keyring_copy"] {
        try store.run("UPDATE \(table) SET data=?", [.blob(bad)])
      }
      let found = try read(bench)
      #expect(found == nil || found == truth, "byte \(index)")
    }
  }

  @Test func `a vault moved away while open is not written into`() throws {
    let bench = try Workbench()
    let vault = try bench.create()
    _ = try vault.add(try EntryDraft("one"))
    let copy = try bench.copy(to: "copy")
    try bench.putBack(copy)
    #expect(throws: VaultError(.conflict, "")) { try vault.add(try EntryDraft("lost")) }
    #expect(throws: VaultError(.conflict, "")) { try vault.all() }
  }

  @Test func `a slot that somebody put there for a guess makes it no less wrong`() throws {
    let bench = try Workbench()
    let guess = try Workbench()
    do { _ = (try bench.create(), try guess.create(passphrase: "a guess")) }
    let planted = try blobs(guess, "keyring", "data")[0].1
    let store = try RowStore(bench.file, .readWrite, schema: .vault)
    try store.run("UPDATE keyring_copy SET data=?", [.blob(planted)])
    func isWrong() throws {
      let error = #expect(throws: VaultError.self) { try bench.open("a guess") }
      #expect(
        error?.code == .wrongSecret || error?.part == .keySlot, "\(String(describing: error))")
    }
    try isWrong()
    _ = try bench.open()
    // Under the vault's own key id, wrapping another key.
    var own = try Keyring(try blobs(bench, "keyring", "data")[0].1)
    own.slots.insert(
      contentsOf: try Keyring(planted).slots.filter { $0.kind == .passphrase }, at: 0)
    for table in ["keyring", "keyring_copy"] {
      try store.run("UPDATE \(table) SET data=?", [.blob(own.encoded())])
    }
    try isWrong()
    _ = try bench.open()
  }
}
