import Bytes
import Foundation
import Sealing
import Testing

@testable import DiaryVault
@testable import Entries
@testable import SealedFiles

/// What still opens of a damaged vault.
@Suite struct SalvageTests {
  private func salvage(_ bench: Workbench) throws -> (Salvaged, [ImportedEntry]) {
    let damaged = try Vault.open(
      try LockedVault(bench.path, settings: bench.settings), kind: .passphrase,
      secret: try Workbench.secret("open sesame"), device: bench.device, anchors: bench.anchors,
      settings: bench.settings, for: .salvage(validToday: nil))
    var entries: [ImportedEntry] = []
    let report = try Salvage(damaged).run(
      take: { if case .entry(let entry) = $0 { entries.append(entry) } }, abandon: {},
      trashed: { _ in })
    return (report, entries)
  }

  @Test func `what is salvaged of an entry with two texts has both`() throws {
    let (one, other, _) = try pair()
    let id = try one.write("first")
    for device in [one, other] { try device.sync() }
    try one.edit(id, "by one")
    try other.edit(id, "by the other")
    for device in [one, other, one] { try device.sync() }
    #expect(try one.conflicting.count == 2)
    try one.bench.change("DELETE FROM state")
    let (report, entries) = try salvage(one.bench)
    let body = try #require(entries.first?.draft.body)
    #expect(body.contains("by one") && body.contains("by the other"))
    #expect(report.lost.isEmpty && report.entries == 1)
  }

  @Test func `journals and templates are salvaged, or named as lost`() throws {
    for damage in ["DELETE FROM state", "DELETE FROM register"] {
      let bench = try Workbench()
      do {
        let vault = try bench.create()
        _ = try vault.change(names: .addJournal(Journal(id: 0, name: "Travel")))
        var draft = try EntryDraft("in Kyoto")
        draft.content.journal = "Travel"
        _ = try vault.add(draft)
        try vault.setTemplate("day", body: "What was good?", isNew: true)
      }
      try bench.change(damage)
      let (report, entries) = try salvage(bench)
      let isThere = damage == "DELETE FROM state"
      #expect(entries.map(\.draft.journal) == [isThere ? "Travel" : nil])
      #expect(report.lost == (isThere ? [] : [.names]))
      let damaged = try Vault.open(
        try LockedVault(bench.path, settings: bench.settings), kind: .passphrase,
        secret: try Workbench.secret("open sesame"), device: bench.device, anchors: bench.anchors,
        settings: bench.settings, for: .salvage(validToday: nil))
      #expect(try Salvage(damaged).templates()?.map(\.name) == (isThere ? ["day"] : nil))
    }
  }

  @Test func `what is salvaged beside many rows that somebody added is told`() throws {
    let bench = try Workbench()
    do { _ = try bench.create().fill() }
    try bench.change("DELETE FROM state")
    try bench.change(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<3000) "
        + "INSERT INTO page(id, sealed) SELECT i, x'00' FROM n")
    let (report, entries) = try salvage(bench)
    #expect(report.entries == 150 && entries.count == 150)
    #expect(report.lost.count == 1_000 && report.othersLost == 2_000)
  }

  @Test(arguments: [
    ("UPDATE state SET sealed=zeroblob(500)", 150, 0), ("DELETE FROM state", 150, 0),
    ("DELETE FROM section", 150, 0), ("DELETE FROM register", 150, 0),
    ("UPDATE page SET sealed=zeroblob(100)", 150, 150),
  ])
  func `salvage needs no path: what opens is rescued`(
    _ sql: String, _ entries: Int, _ nameless: Int
  ) throws {
    let bench = try Workbench()
    do { _ = try bench.create().fill() }
    try bench.change(sql)
    let (report, rescued) = try salvage(bench)
    #expect(report.entries == entries && report.nameless == nameless)
    #expect(Set(rescued.map(\.draft.body)).contains("text 149"))
    #expect(rescued.contains { $0.draft.body == "third" })
    if nameless == 0 { #expect(report.attachments == 1) } else { #expect(!report.lost.isEmpty) }
  }

  /// A client may send it in a draft, and a kept text may have it.
  @Test(arguments: [(31, 5), (33, 5), (32, -1), (32, Int.max)])
  func `a file of a draft has the key and the size that a file can have`(key: Int, size: Int)
    throws
  {
    func sealed(_ key: Int, _ size: Int) throws -> Data {
      let object = try #require(ObjectName(bytes: Array(repeating: 1, count: 32)))
      let attachment = Attachment(name: "a.jpg", type: "image/jpeg", size: size)
      return try JSONEncoder().encode(
        SealedAttachment(attachment, object: object, key: Array(repeating: 2, count: key)))
    }
    _ = try JSONDecoder().decode(SealedAttachment.self, from: try sealed(32, 5))
    let bad = try sealed(key, size)
    #expect(throws: (any Error).self) {
      try JSONDecoder().decode(SealedAttachment.self, from: bad)
    }
  }

  @Test func `salvage of a lost text takes an older revision, and names what is gone`() throws {
    let bench = try Workbench()
    var ids: [EntryID] = []
    do { ids = try bench.create().fill() }
    try bench.change(
      "UPDATE body SET sealed=zeroblob(200) WHERE entry IN (\(ids[3].key), \(ids[4].key))")
    try FileManager.default.removeItem(atPath: VaultFolder(bench.path).objects)
    let (report, rescued) = try salvage(bench)
    // Of the one whose text is lost, title and date are there.
    #expect(report.older == 1 && report.entries == 150 && report.attachments == 0)
    #expect(rescued.contains { $0.id == ids[3] && $0.draft.body == "second" })
    #expect(report.lost.count == 2)
  }
}
