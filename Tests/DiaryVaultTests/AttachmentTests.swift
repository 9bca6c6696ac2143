import Bytes
import Foundation
import Platform
import Testing

@testable import DiaryVault
@testable import Entries
@testable import SealedFiles

@Suite struct AttachmentTests {
  private func bytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var random = Seeded(state: seed)
    // Of a length that is no divisor of a chunk's.
    let block = (0..<min(count, 10_007)).map { _ in UInt8.random(in: 0...255, using: &random) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count { bytes += block.prefix(count - bytes.count) }
    return bytes
  }

  private func add(_ vault: Vault, _ files: [SealedAttachment]) throws -> EntryID {
    var draft = try EntryDraft("with files")
    draft.attachments = files
    return try vault.add(draft).id
  }

  private func objects(_ bench: Workbench) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: VaultFolder(bench.path).objects)) ?? [])
      .sorted()
  }

  @Test(
    arguments: [0, 1, 1023, 1025, 65_535, 65_536, 65_537, 131_072, 300_001, 2 << 20],
    [1, 7919, 65_536, 262_144])
  func `a file comes back as it went, whatever its size and pieces`(size: Int, piece: Int) throws {
    guard size < 1024 || piece > 1 else { return }
    let bench = try Workbench()
    let vault = try bench.create()
    let data = bytes(size)
    let id = try add(vault, [try vault.stage(data, name: "p.bin", piece: piece)])
    #expect(try vault.read("p.bin", of: id) == data)
    #expect(try bench.open().all()[0].attachments.map(\.size) == [size])
    let report = try vault.verify()
    #expect(report.isWhole && report.attachments == 1 && report.unfinished == 0)
    // Its length says less than its size.
    let name = try #require(objects(bench).first)
    let sealed = try Data(
      contentsOf: URL(fileURLWithPath: VaultFolder(bench.path).objects + "/" + name))
    #expect(sealed.count == SealedFile.sealedSize(plain: Padding.padme(size, least: 1024)))
    #expect(ObjectName(name)?.bytes == FileDigest.of(Array(sealed)))
  }

  @Test func `a file larger than what is kept in memory`() throws {
    let bench = try Workbench()
    let vault = try bench.create()
    let block = bytes(1 << 20)
    let data = (0..<37).flatMap { _ in block } + bytes(12_345, seed: 3)
    let id = try add(vault, [try vault.stage(data, name: "v.mp4", piece: 1 << 20)])
    #expect(try vault.read("v.mp4", of: id) == data)
    #expect(try vault.verify().isWhole)
  }

  @Test func `a photo attached twice is kept once, until no entry has it`() throws {
    let bench = try Workbench()
    let vault = try bench.create()
    let data = bytes(200_000)
    let one = try add(vault, [try vault.stage(data, name: "a.jpg")])
    let two = try add(vault, [try vault.stage(data, name: "b.jpg")])
    #expect(objects(bench).count == 1)
    _ = try vault.delete([.id(one)])
    _ = try vault.purge([.id(one)])
    #expect(try vault.read("b.jpg", of: two) == data)
    _ = try vault.delete([.id(two)])
    _ = try vault.purge([.id(two)])
    #expect(objects(bench).isEmpty)
    // In another diary the same photo is another object.
    let other = try Workbench()
    let stranger = try other.create()
    _ = try add(stranger, [try stranger.stage(data, name: "a.jpg")])
    _ = try add(vault, [try vault.stage(data, name: "a.jpg")])
    #expect(objects(other) != objects(bench))
  }

  @Test func `purging one edited entry leaves the others of the trash, and their photos`() throws {
    let bench = try Workbench()
    let vault = try bench.create()
    var ids: [EntryID] = []
    for number in 0..<3 {
      let id = try vault.add(try EntryDraft("entry \(number)")).id
      var change = EntryChange()
      change.attach = [try vault.stage(bytes(50_000, seed: UInt64(number)), name: "p")]
      _ = try vault.edit(.id(id), change)
      ids.append(id)
    }
    try vault.updateIndex()
    _ = try vault.delete([.id(ids[0]), .id(ids[1])])
    try vault.updateIndex()
    #expect(try vault.purge([.id(ids[0])]) == 1)
    #expect(objects(bench).count == 2)
    // Nor do words of it stay in the index.
    vault.searchIndex.refresh()
    #expect(vault.searchIndex.shards.isEmpty)
    #expect(try vault.read("p", of: ids[2]) == bytes(50_000, seed: 2))
    _ = try vault.restore([.id(ids[1])])
    #expect(try vault.read("p", of: ids[1]) == bytes(50_000, seed: 1))
    #expect(try vault.verify().isWhole)
    #expect(try vault.all(query: ["entry"]).count == 2)
  }

  @Test func `names that are taken get numbers, and none is a path`() throws {
    let bench = try Workbench()
    let vault = try bench.create()
    let files = try (0..<3).map {
      try vault.stage(bytes(10, seed: UInt64($0)), name: "a.tar.gz")
    }
    let id = try add(vault, files)
    #expect(try vault.all()[0].attachments.map(\.name) == ["a.tar.gz", "a.tar-2.gz", "a.tar-3.gz"])
    #expect(try vault.read("a.tar-3.gz", of: id) == bytes(10, seed: 2))
    for name in ["", ".", "..", "a/b", "a\u{0}b", "a\nb", String(repeating: "x", count: 256)] {
      #expect { _ = try vault.stage([1], name: name) } throws: {
        ($0 as? VaultError)?.code == .invalid
      }
    }
    #expect(try vault.verify().unfinished == 0)
  }

  @Test func `what is detached stays in the older revision, and purging takes all of it`() throws {
    let bench = try Workbench()
    let vault = try bench.create()
    let data = bytes(100_000)
    let id = try add(vault, [try vault.stage(data, name: "p.bin")])
    var change = EntryChange()
    change.detach = ["p.bin"]
    change.attach = [try vault.stage(bytes(5), name: "q")]
    _ = try vault.edit(.id(id), change)
    #expect(try vault.all()[0].attachments.map(\.name) == ["q"])
    #expect(
      try Snapshot(vault).entry(.id(id), revision: 1).attachments.map(\.name)
        == ["p.bin"])
    #expect(try vault.verify().attachments == 2)
    _ = try vault.delete([.id(id)])
    _ = try vault.purge(nil)
    #expect(objects(bench).isEmpty)
    // What was removed for good does not stay in the log, either.
    #expect(try FileStatus(VaultFolder(bench.path).file + "-wal").size == 0)
  }

  @Test func `what is sealed and never taken goes with the trash, unless somebody is sealing`()
    throws
  {
    let bench = try Workbench()
    let vault = try bench.create()
    let store = ObjectStore(VaultFolder(bench.path)) { try vault.objectKey(of: $0) }
    let waiting = try vault.stage(bytes(100_000), name: "p.bin", through: store)
    #expect(try vault.verify().unfinished == 1 && vault.verify().isWhole)
    // Nothing that is about to be taken is taken away.
    _ = try vault.purge(nil)
    let id = try withExtendedLifetime(store) { try add(vault, [waiting]) }
    #expect(try vault.read("p.bin", of: id) == bytes(100_000))
  }

  @Test func `orphans go when nobody seals`() throws {
    let bench = try Workbench()
    let vault = try bench.create()
    let id = try add(vault, [try vault.stage(bytes(70_000), name: "p.bin")])
    _ = try vault.stage(bytes(100_000, seed: 5), name: "never")
    let gone = try vault.stage(bytes(10), name: "gone")
    #expect(try vault.verify().unfinished == 2)
    _ = try vault.purge(nil)
    #expect(try vault.verify().unfinished == 0)
    #expect(try vault.read("p.bin", of: id) == bytes(70_000))
    // What is not there cannot be taken.
    #expect { _ = try add(vault, [gone]) } throws: { ($0 as? VaultError)?.code == .conflict }
    let kept = try vault.stage(bytes(10), name: "kept")
    let lie = SealedAttachment(
      Attachment(name: "kept", type: "text/plain", size: 9_000), object: kept.object, key: kept.key)
    let other = SealedAttachment(
      kept.attachment, object: kept.object, key: [UInt8](repeating: 1, count: 32))
    for false_ in [lie, other] {
      #expect { _ = try add(vault, [false_]) } throws: { ($0 as? VaultError)?.code == .conflict }
    }
  }

  @Test(arguments: [
    "missing", "cut", "a chunk less", "flipped", "swapped", "a link", "a pipe", "longer",
  ])
  func `an object that is not as it was is never read as right, and the text stays readable`(
    _ damage: String
  ) throws {
    let bench = try Workbench()
    let vault = try bench.create()
    let id = try add(vault, [try vault.stage(bytes(200_000), name: "p.bin")])
    let name = try #require(objects(bench).first)
    _ = try add(vault, [try vault.stage(bytes(200_000, seed: 2), name: "q.bin")])
    let other = try #require(objects(bench).first { $0 != name })
    let folder = VaultFolder(bench.path).objects + "/"
    let url = URL(fileURLWithPath: folder + name)
    var sealed = try Data(contentsOf: url)
    switch damage {
    case "missing": try FileManager.default.removeItem(at: url)
    case "cut": try sealed.prefix(100_000).write(to: url)
    case "a chunk less": try sealed.prefix(SealedFile.sealedChunk).write(to: url)
    case "flipped":
      sealed[150_000] ^= 1
      try sealed.write(to: url)
    case "swapped": try Data(contentsOf: URL(fileURLWithPath: folder + other)).write(to: url)
    case "longer": try (sealed + Data(count: 16)).write(to: url)
    case "a link":
      try FileManager.default.removeItem(at: url)
      symlink(folder + other, folder + name)
    default:
      try FileManager.default.removeItem(at: url)
      mkfifo(folder + name, 0o600)
    }
    #expect { _ = try vault.read("p.bin", of: id) } throws: {
      [.tampered, .damaged].contains(($0 as? VaultError)?.code)
    }
    let report = try vault.verify()
    #expect(report.problems.count == 1 && report.problems[0].severity == .lost)
    #expect(report.problems[0].isOfFile && report.obstacle == nil)
    #expect(try vault.all().map(\.body) == ["with files", "with files"])
    // Attached once more, it is whole again.
    if damage != "a pipe", damage != "a link" {
      _ = try add(vault, [try vault.stage(bytes(200_000), name: "again")])
      #expect(try vault.read("p.bin", of: id) == bytes(200_000))
      #expect(try vault.verify().isWhole)
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
    #expect(objects(bench).isEmpty)
    #expect(try vault.take(items).imported == 1)
    #expect(try vault.take(items).duplicates == 1)
    #expect(try vault.read("x", of: entry.id!) == bytes(70_000) + bytes(3))
    #expect(objects(bench).count == 1)
    #expect(try vault.verify().isWhole && vault.verify().unfinished == 0)
  }
}
