import Foundation
import Sealing
import Testing

@testable import DiaryVault
@testable import RowStore

@Suite struct AttachmentTests {
  private func bytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var random = Seeded(state: seed)
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  private func stage(
    _ vault: Vault, _ bytes: [UInt8], name: String = "p.bin", piece: Int = 10_000
  ) throws -> StagedAttachment {
    let stage = try AttachmentStage(vault)
    for start in stride(from: 0, to: bytes.count, by: piece) {
      try stage.take(Array(bytes[start..<min(bytes.count, start + piece)]))
    }
    return try stage.finish(name: name, type: "application/octet-stream")
  }

  private func add(_ vault: Vault, _ files: [StagedAttachment]) throws -> EntryID {
    var draft = try EntryDraft("with files")
    draft.attachments = files
    return try vault.add(draft).id
  }

  private func read(_ vault: Vault, _ id: EntryID, _ name: String = "p.bin") throws -> [UInt8] {
    let reader = try AttachmentReader(Snapshot(vault), .id(id), name: name)
    var whole: [UInt8] = []
    while let piece = try reader.next() { whole += piece }
    return whole
  }

  private func rows(_ bench: Workbench, _ table: String) throws -> Int64 {
    var count: Int64 = -1
    try RowStore(bench.file, .readOnly, schema: .vault).run("SELECT count(*) FROM \(table)") {
      row throws(StoreError) in
      count = try row.integer(0)
      return false
    }
    return count
  }

  @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 131_072, 300_001], [1, 7919, 65_536, 262_144])
  func `a file comes back as it went, whatever its size and pieces`(size: Int, piece: Int) throws {
    guard size < 1000 || piece > 1 else { return }
    let bench = try Workbench()
    let vault = try bench.create()
    let data = bytes(size)
    let id = try add(vault, [try stage(vault, data, piece: piece)])
    #expect(try read(vault, id) == data)
    #expect(try bench.open().all()[0].attachments.map(\.size) == [size])
    let report = try vault.verify()
    #expect(report.isWhole && report.attachments == 1 && report.unfinished == 0)
    #expect(try rows(bench, "chunk") == Int64(max(1, (size + 65_535) / 65_536)))
  }

  @Test func `more than one transaction of chunks`() throws {
    let bench = try Workbench()
    let vault = try bench.create()
    let data = bytes(9 << 20)
    let id = try add(vault, [try stage(vault, data, piece: 1 << 18)])
    #expect(try read(vault, id) == data)
  }

  @Test func `names that are taken get numbers, and none is a path`() throws {
    let bench = try Workbench()
    let vault = try bench.create()
    let files = try (0..<3).map { try stage(vault, bytes(10, seed: UInt64($0)), name: "a.tar.gz") }
    let id = try add(vault, files)
    #expect(try vault.all()[0].attachments.map(\.name) == ["a.tar.gz", "a.tar-2.gz", "a.tar-3.gz"])
    #expect(try read(vault, id, "a.tar-3.gz") == bytes(10, seed: 2))
    for name in ["", ".", "..", "a/b", "a\u{0}b", "a\nb", String(repeating: "x", count: 256)] {
      #expect { _ = try stage(vault, [1], name: name) } throws: {
        ($0 as? VaultError)?.code == .invalid
      }
    }
    #expect(try vault.verify().unfinished == 0)
  }

  @Test func `what is detached stays in the older revision, and purging takes all rows`() throws {
    let bench = try Workbench()
    let vault = try bench.create()
    let data = bytes(100_000)
    let id = try add(vault, [try stage(vault, data)])
    var change = EntryChange()
    change.detach = ["p.bin"]
    change.attach = [try stage(vault, bytes(5), name: "q")]
    _ = try vault.edit(.id(id), change)
    #expect(try vault.all()[0].attachments.map(\.name) == ["q"])
    #expect(
      try Snapshot(vault).entry(.id(id), revision: 1).attachments.map(\.name)
        == ["p.bin"])
    #expect(try vault.verify().attachments == 2)
    _ = try vault.delete([.id(id)])
    _ = try vault.purge(nil)
    #expect(try rows(bench, "chunk") == 0 && rows(bench, "attachment") == 0)
  }

  @Test func `what is staged and never taken is gone with its process, or with the trash`() throws {
    let bench = try Workbench()
    do {
      let vault = try bench.create()
      _ = try stage(vault, bytes(100_000))
      #expect(try rows(bench, "chunk") == 2)
    }
    #expect(try rows(bench, "chunk") == 0)
    // A process that died: its rows are known to nobody.
    let dead = try bench.open()
    _ = try stage(dead, bytes(100_000))
    let vault = try bench.open()
    let id = try add(vault, [try stage(vault, bytes(70_000))])
    #expect(try vault.verify().unfinished == 1 && vault.verify().isWhole)
    _ = try vault.purge(nil)
    #expect(try vault.verify().unfinished == 0)
    #expect(try read(vault, id) == bytes(70_000))
    // A token of somebody else's staging opens nothing.
    let other = try stage(dead, bytes(10))
    #expect { _ = try add(vault, [other]) } throws: { ($0 as? VaultError)?.code == .conflict }
  }

  @Test func `cut, swapped, doubled and flipped chunks are never read as right`() throws {
    let changes: [(String) -> String] = [
      { _ in "DELETE FROM chunk WHERE id=(SELECT max(id) FROM chunk)" },
      { _ in "DELETE FROM chunk WHERE id=(SELECT min(id) FROM chunk)" },
      { _ in
        "UPDATE chunk SET sealed=(SELECT sealed FROM chunk WHERE id=(SELECT max(id) FROM chunk)) WHERE id=(SELECT min(id) FROM chunk)"
      },
      { _ in
        "UPDATE chunk SET sealed=(SELECT sealed FROM chunk ORDER BY id LIMIT 1 OFFSET 1) WHERE id=(SELECT min(id) FROM chunk)"
      },
      { _ in "UPDATE chunk SET sealed=substr(sealed, 1, 1000)" },
      { _ in "UPDATE chunk SET sealed=zeroblob(100)" },
      { _ in "UPDATE attachment SET sealed=zeroblob(72)" },
      { _ in "DELETE FROM attachment" },
    ]
    for change in changes {
      let bench = try Workbench()
      let id: EntryID
      do {
        let vault = try bench.create()
        id = try add(vault, [try stage(vault, bytes(200_000))])
      }
      let store = try RowStore(bench.file, .readWrite, schema: .vault)
      try store.transaction { () throws(StoreError) in try store.run(change("")) }
      let vault = try bench.open()
      #expect { _ = try read(vault, id) } throws: {
        [.tampered, .damaged].contains(($0 as? VaultError)?.code)
      }
      #expect(try !vault.verify().isWhole)
      // The entry itself still opens.
      #expect(try vault.all()[0].body == "with files")
    }
  }

  @Test func `an import takes an entry with its files, or nothing`() throws {
    let bench = try Workbench()
    let vault = try bench.create()
    let entry = ImportedEntry(id: .random(), draft: try EntryDraft("imported"))
    let items: [ImportItem] = [
      .piece(bytes(70_000)), .piece(bytes(3)), .attachment(name: "x", type: "text/plain"),
      .entry(entry),
    ]
    #expect(try vault.take(items, dryRun: true).imported == 1)
    #expect(try rows(bench, "chunk") == 0)
    #expect(try vault.take(items).imported == 1)
    #expect(try vault.take(items).duplicates == 1)
    #expect(try read(vault, entry.id!, "x") == bytes(70_000) + bytes(3))
    #expect(try rows(bench, "chunk") == 2)
    #expect(try vault.verify().isWhole && vault.verify().unfinished == 0)
  }
}
