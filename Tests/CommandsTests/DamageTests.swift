import Foundation
import Glibc
import Scratch
import Testing

@testable import DiaryVault
@testable import Entries
@testable import RowStore

/// Lost and damaged vaults, and many writers at once.
@Suite(.threads) struct DamageTests {
  @Test(arguments: ["-9223372036854775808", "9223372036854775807", "x"])
  func `whatever is remembered of objects that were read, a backup is made`(time: String) throws {
    let home = try Home()
    let folder = home.path + "/backups"
    mkdir(folder, 0o700)
    try "facediary checked 1\na b \(time)\n".write(
      toFile: folder + "/.facediary-checked", atomically: true, encoding: .utf8)
    try home.ok(["backup", folder])
  }

  @Test func `backups rotate, restore, and a gone diary comes back`() throws {
    let home = try Home(faces: true)
    _ = try home.write("one")
    let folder = home.path + "/backups"
    let photo = try home.put("photo.jpg", String(repeating: "x", count: 100_000))
    try home.ok(["attach", "@last", photo])
    for _ in 0..<3 { try home.ok(["backup", "--keep", "2", folder]) }
    /// Beside which there is the memory of objects that were read.
    func backups() throws -> [String] {
      let all = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      #expect(all.filter { $0.hasPrefix(".") } == [".facediary-checked"])
      return all.filter { !$0.hasPrefix(".") }
    }
    let all = try backups()
    let names = all.filter { $0.hasSuffix(".facediary") }
    #expect(names.count == 2 && all.count == 3)
    let backup = folder + "/" + names[1]
    #expect(try home.ok(["list", "--json", "--vault", backup]).array.count == 1)
    // Its photos lie beside it.
    #expect(try home.ok(["verify", "--json", "--vault", backup]).object["ok"] as? Bool == true)
    #expect(try home.run(["backup", backup, "--passphrase-file", home.passphrase]).status == 7)
    _ = try home.write("two")
    #expect(
      try home.run(["restore-backup", backup, "--passphrase-file", home.passphrase]).status == 2)
    try home.ok(["restore-backup", backup, "--yes"])
    // What it was before does not stay readable in the log, which nothing of this process reads then.
    let log = try? FileManager.default.attributesOfItem(atPath: home.vault + "-wal")[.size] as? Int
    #expect((log ?? 0) == 0)
    #expect(try home.ok(["list", "--json"]).array.count == 1)
    #expect(try home.run(["list"] + Home.owner).status == 0)
    // Another diary's backups are left alone, and so is what only looks like one.
    let other = try Home()
    mkdir(folder + "/facediary-2000-01-01T000000Z.facediary", 0o700)
    try other.ok(["backup", "--keep", "1", folder])
    #expect(try backups().count == 5)
    #expect(
      try other.run(["restore-backup", backup, "--yes", "--passphrase-file", other.passphrase])
        .status == 7)
    try FileManager.default.removeItem(atPath: home.vault)
    // Of a folder of backups, the newest is taken.
    let named = try home.run(["restore-backup", folder, "--passphrase-file", home.passphrase])
    #expect(named.status == 2 && named.err.contains("\(folder)/facediary-20"), "\(named)")
    for suffix in ["-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: home.vault + suffix)
    }
    try home.ok(["restore-backup", backup, "--yes"])
    #expect(try home.ok(["list", "--json"]).array.count == 1)
    // Whose face was removed since is not known: nobody's opens it.
    #expect(try home.run(["list"] + Home.owner).status != 0)
  }

  @Test func `a damaged vault is salvaged, and links in the way are refused`() throws {
    let home = try Home()
    for number in 0..<5 { _ = try home.write("text \(number)") }
    var bytes = try Data(contentsOf: URL(fileURLWithPath: home.vault))
    // The state record's own page: nothing can be reached along its path any more.
    let state = try #require(Self.page(of: "state", in: home.vault))
    for index in (state * 16_384 - 400)..<(state * 16_384) { bytes[index] ^= 0xff }
    try bytes.write(to: URL(fileURLWithPath: home.vault))
    #expect(try home.run(["list", "--passphrase-file", home.passphrase]).status == 5)
    let out = home.path + "/out.facediary"
    symlink(home.path + "/nowhere", out)
    #expect(try home.run(["salvage", out, "--passphrase-file", home.passphrase]).status == 7)
    unlink(out)
    // A record of tries that others could read counts nothing until that is mended, and nothing is tried.
    chmod(home.deviceStore + "/access", 0o644)
    let loose = try home.run([
      "salvage", home.path + "/loose", "--passphrase-file", home.passphrase,
    ])
    #expect(loose.status == 1 && loose.err.contains("chmod"), "\(loose)")
    chmod(home.deviceStore + "/access", 0o600)
    let report = try home.ok(["salvage", out, "--json", "--kdf", "interactive"])
    #expect(report.object["entries"] as? Int == 5)
    #expect(try home.ok(["list", "--json", "--vault", out]).array.count == 5)
    try home.ok(["verify", "--vault", out])
  }

  @Test func `a vault without its head is salvaged, however many holes somebody adds`() throws {
    let home = try Home()
    _ = try home.write("first")
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: home.vault))
    try file.write(contentsOf: Data(count: 100))
    try file.truncate(atOffset: 1 << 40)
    try file.close()
    let out = home.path + "/out.facediary"
    #expect(
      try home.ok(["salvage", out, "--json", "--kdf", "interactive"]).object["entries"] as? Int == 1
    )
  }

  /// The page that leads to all others of a table holds no text; what follows the end of a file that is cut off is gone, and no more.
  @Test(arguments: ["page", "body", "section", "cut", "empty page", "empty body"])
  func `a vault whose trees lead nowhere is searched through`(damage: String) throws {
    let home = try Home()
    let lines = (0..<1500).map {
      #"{"date": "2020-01-01T12:00:00Z", "title": "title \#($0)", "body": "text \#($0) \#(String(repeating: "x", count: 400))"}"#
    }
    let file = home.path + "/many.jsonl"
    try lines.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
    try home.ok(["import", file])
    var bytes = try Data(contentsOf: URL(fileURLWithPath: home.vault))
    if damage == "cut" {
      bytes.removeLast(16_384)
    } else {
      let isEmpty = damage.hasPrefix("empty ")
      let table = isEmpty ? String(damage.dropFirst(6)) : damage
      let root = try #require(Self.page(of: table, in: home.vault)) - 1
      // A leaf without rows is nothing that SQLite complains about.
      let page = isEmpty ? [13, 0, 0, 0, 0, 0x40, 0, 0] : [UInt8](repeating: 0xa5, count: 16_384)
      bytes.replaceSubrange((root * 16_384)..<(root * 16_384 + page.count), with: page)
    }
    try bytes.write(to: URL(fileURLWithPath: home.vault))
    let out = home.path + "/out.facediary"
    let report = try home.ok(["salvage", out, "--json", "--kdf", "interactive"])
    #expect(report.object["entries"] as? Int == 1500)
    let entries = try home.ok(["list", "--bodies", "--json", "--vault", out]).array
    let whole = entries.filter { entry in
      let title = entry["title"] as? String ?? ""
      return (entry["body"] as? String)?.hasPrefix(title.replacing("title", with: "text")) ?? false
    }
    #expect(damage == "cut" ? whole.count > 1000 : whole.count == 1500)
    try home.ok(["verify", "--vault", out])
  }

  @Test(arguments: [
    "keyring", "keyring_copy", "state", "register", "section", "page", "body", "history", "device",
    "replica",
  ])
  func `a vault that lost a whole table is salvaged as its hint says`(table: String) throws {
    let home = try Home()
    for number in 0..<3 { _ = try home.write("text \(number)") }
    let store = try RowStore(home.vault, .readWrite, schema: .vault)
    for sql in ["DROP TABLE \(table)", "CREATE VIEW \(table) AS SELECT 1"] { try store.run(sql) }
    let secret = ["--passphrase-file", home.passphrase]
    for command in ["list", "verify"] {
      let run = try home.run([command] + secret)
      #expect(run.status == 5 && run.err.contains(command == "list" ? "verify" : "salvage"))
    }
    let out = home.path + "/out.facediary"
    let report = try home.ok(["salvage", out, "--json", "--kdf", "interactive"])
    #expect(report.object["entries"] as? Int == 3)
    let list = try home.ok(["list", "--bodies", "--json", "--vault", out]).out
    // Of the texts themselves, what the file still holds.
    for number in 0..<3 { #expect(list.contains("text \(number)") || table == "body") }
    try home.ok(["verify", "--vault", out])
  }

  /// What the device remembers of the diary's last state tells which of its stores is the diary's.
  @Test(arguments: ["gone", "other id", "other slots"])
  func `broken key slots open by the right one of several device stores`(damage: String) throws {
    let home = try Home()
    _ = try home.write("precious")
    let own = home.deviceStore
    // Another diary was tried once on this device.
    let other = home.path + "/other.facediary"
    try home.ok(["init", "--vault", other, "--kdf", "interactive"])
    let bytes = VaultBytes(home.vault)
    var keyring =
      try damage == "other slots" ? VaultBytes(other + "/vault").keyring() : bytes.keyring()
    try FileManager.default.removeItem(atPath: other)
    if damage == "gone" {
      for table in ["keyring", "keyring_copy"] { try bytes.run("DELETE FROM \(table)") }
    } else {
      keyring[damage == "other id" ? 14 : keyring.count - 1] ^= 1
      try bytes.put(keyring: keyring)
    }
    #expect(try home.ok(["list", "--bodies"]).out.contains("precious"))
    #expect(
      try home.run(["list", "--passphrase-file", home.put("wrong", "not this")]).errorCode
        != "wrong-secret" || damage != "gone")
    try home.ok(["verify", "--repair"])
    try home.ok(["verify"])
    // The only store there is is not this diary's: that is no wrong secret.
    for table in ["keyring", "keyring_copy"] { try bytes.run("DELETE FROM \(table)") }
    try FileManager.default.removeItem(atPath: own)
    let run = try home.run(["list", "--passphrase-file", home.passphrase])
    #expect(run.status == 5 && run.errorCode != "wrong-secret", "\(run.err)")
  }

  @Test func `a backup in the diary's place is read without the device's record`() throws {
    let home = try Home()
    _ = try home.write("one")
    let folder = home.path + "/backups"
    try home.ok(["backup", folder])
    let name = try #require(
      FileManager.default.contentsOfDirectory(atPath: folder).first {
        $0.hasSuffix(".facediary")
      })
    try FileManager.default.removeItem(atPath: home.folder)
    try FileManager.default.copyItem(atPath: folder + "/" + name, toPath: home.folder)
    try FileManager.default.removeItem(atPath: home.deviceStore + "/access")
    #expect(try home.ok(["list", "--bodies"]).out.contains("one"))
    // A diary that only looks like one needs it.
    let live = try Home()
    _ = try live.write("two")
    try RowStore(live.vault, .readWrite, schema: .vault).keepLog(false)
    try FileManager.default.removeItem(atPath: live.deviceStore + "/access")
    let run = try live.run(["list", "--passphrase-file", live.passphrase])
    #expect(run.status == 5 && run.err.contains("accept-rollback"), "\(run.err)")
  }

  @Test func `a link that leads nowhere is said, and no diary is made of it`() throws {
    let home = try Home()
    try FileManager.default.moveItem(atPath: home.folder, toPath: home.folder + ".away")
    symlink(home.folder + ".gone", home.folder)
    let run = try home.run(["list", "--passphrase-file", home.passphrase])
    #expect(run.status == 6 && run.err.contains("link") && !run.err.contains("init"), "\(run.err)")
  }

  /// Root may read everything, so nothing is denied there.
  @Test(.enabled(if: geteuid() != 0, "root is denied nothing"))
  func `what may not be read can be read once its hint is followed`() throws {
    let home = try Home()
    _ = try home.write("one")
    let secret = ["--passphrase-file", home.passphrase]
    let store = home.deviceStore
    let files = try FileManager.default.contentsOfDirectory(atPath: store).map { store + "/" + $0 }
    for path in files + [store, home.folder, home.vault] {
      chmod(path, 0)
      var run = try home.run(["list"] + secret)
      // A folder within a folder is opened in two steps; a lock that nobody needs is no obstacle.
      for _ in 0..<2 where run.status != 0 {
        let command = try #require(
          run.err.split(separator: "\n").last { $0.contains("chmod -R ") }, "\(path): \(run.err)")
        let words = command[try #require(command.range(of: "chmod -R ")).lowerBound...]
        #expect(system(String(words)) == 0)
        run = try home.run(["list"] + secret)
      }
      #expect(run.status == 0, "\(path): \(run.err)")
      chmod(path, 0o600)
      if path == store || path == home.folder { chmod(path, 0o700) }
    }
  }

  /// The database page where a table's tree begins.
  private static func page(of table: String, in vault: String) -> Int? {
    let tables = ["keyring", "state", "register", "section", "page", "body"]
    // Root pages follow one another in the order of the schema, after the header and the pointer map.
    return tables.firstIndex(of: table).map { $0 + 3 }
  }

  @Test func `twenty writers at once lose nothing`() async throws {
    let home = try Home()
    try await withThrowingTaskGroup(of: Int32.self) { group in
      for number in 0..<20 {
        group.addTask {
          try home.run(["write", "number \(number)", "--passphrase-file", home.passphrase]).status
        }
      }
      for try await status in group { #expect(status == 0) }
    }
    #expect(try home.ok(["list", "--json"]).array.count == 20)
    try home.ok(["verify"])
  }

  /// Every file of vault and device store, flipped, cut and zeroed at many places.
  @Test func `a file damaged anywhere gives the right content or an integrity error`() throws {
    let home = try Home(faces: true)
    for number in 0..<3 {
      _ = try home.write("text \(number)", ["--date", "2026-01-0\(number + 1)"])
    }
    let store = home.deviceStore
    let files =
      [home.vault]
      + (try FileManager.default.contentsOfDirectory(atPath: store)).filter {
        !$0.hasSuffix(".lock")
      }.map { store + "/" + $0 }
    let kept = home.path + ".kept"
    try FileManager.default.copyItem(atPath: home.path, toPath: kept)
    defer { try? FileManager.default.removeItem(atPath: kept) }
    let truth = try home.ok(["list", "--bodies", "--json"]).out
    var tried = 0
    for path in files {
      let whole = kept + path.dropFirst(home.path.count)
      let size = try Data(contentsOf: URL(fileURLWithPath: whole)).count
      // Of each file four places at least, whatever share is tried.
      let most = Thoroughness.isThorough ? max(24, 4 * Thoroughness.share) : 6
      for number in Thoroughness.places(most, few: most).map({ $0 - 1 }) {
        let place = size * number / most + number % 7
        guard place < size else { continue }
        for damage in 0..<3 {
          try FileManager.default.removeItem(atPath: home.path)
          try FileManager.default.copyItem(atPath: kept, toPath: home.path)
          var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
          switch damage {
          case 0: bytes[place] ^= 0x41
          case 1: bytes = bytes.prefix(place)
          default: for index in place..<min(size, place + 600) { bytes[index] = 0 }
          }
          try bytes.write(to: URL(fileURLWithPath: path))
          chmod(path, 0o600)
          tried += 1
          for way in [["--passphrase-file", home.passphrase], Home.owner] {
            let run = try home.run(["list", "--bodies", "--json"] + way)
            let what = "\(path.suffix(20)) at \(place), damage \(damage): \(run.err)"
            #expect(run.status != 0 || run.out == truth, "\(what)")
            // Integrity, not a vault, or this device's face is not to be trusted: never a wrong secret.
            #expect([0, 1, 3, 4, 5, 6, 8].contains(run.status), "\(what)")
            #expect(run.errorCode != "wrong-secret", "\(what)")
          }
        }
      }
    }
    #expect(tried > 50)
  }

  @Test func `salvage goes on past what is lost, and mixes no two files`() throws {
    let home = try Home()
    let (big, small) = (home.path + "/big.bin", home.path + "/small.txt")
    try Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }).write(
      to: URL(fileURLWithPath: big))
    try Data("small".utf8).write(to: URL(fileURLWithPath: small))
    let files = try home.write("", ["--attach", big, "--attach", small])
    let only = try home.write("", ["--attach", big])
    let trashed = try home.write("in the trash")
    try home.ok(["delete", trashed, "--yes"])
    let kept = try home.write("kept")
    let key = try #require(EntryID(trashed)?.key)
    try VaultBytes(home.vault).run(
      "UPDATE body SET sealed=zeroblob(60) WHERE entry=?", [.integer(key)])
    let objects = home.folder + "/objects/"
    let largest = try FileManager.default.contentsOfDirectory(atPath: objects).max {
      try FileManager.default.attributesOfItem(atPath: objects + $0)[.size] as? Int ?? 0
        < FileManager.default.attributesOfItem(atPath: objects + $1)[.size] as? Int ?? 0
    }
    // It can be opened and read to its middle, no further.
    let path = objects + (try #require(largest))
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: URL(fileURLWithPath: path))
    let out = home.path + "/out.facediary"
    let report = try home.ok(["salvage", out, "--json", "--kdf", "interactive"]).object
    #expect(report["entries"] as? Int == 4 && (report["lost"] as? [Any])?.count == 3, "\(report)")
    try home.ok(["extract", files, "small.txt", "-o", home.path + "/back", "--vault", out])
    #expect(try String(contentsOfFile: home.path + "/back", encoding: .utf8) == "small")
    let ids = try home.ok(["list", "--json", "--vault", out]).array.compactMap {
      $0["id"] as? String
    }
    #expect(Set(ids) == [files, only, kept])
    #expect(try home.ok(["trash", "--json", "--vault", out]).array.count == 1)
    try home.ok(["verify", "--vault", out])
  }

  @Test func `a backup that lacks a photo says so and becomes the diary`() throws {
    let home = try Home()
    let photo = home.path + "/photo.jpg"
    try Data("a photo".utf8).write(to: URL(fileURLWithPath: photo))
    _ = try home.write("with a photo", ["--attach", photo])
    try FileManager.default.removeItem(atPath: home.folder + "/objects")
    let made = try home.run([
      "backup", home.path + "/copies", "--json", "--passphrase-file", home.passphrase,
    ])
    #expect(made.status == 5 && made.object["missingFiles"] as? Int == 1, "\(made)")
    let backup = try #require(made.object["file"] as? String)
    // What is wrong with this device's memory is no reason to move the diary away.
    let anchor = try #require(
      FileManager.default.enumerator(atPath: home.path)?.compactMap { $0 as? String }
        .first { $0.hasSuffix("/anchor") })
    unlink(home.path + "/" + anchor)
    let refused = try home.run([
      "restore-backup", backup, "--yes", "--passphrase-file", home.passphrase,
    ])
    #expect(refused.status == 5 && refused.err.contains("accept-rollback"), "\(refused)")
    try home.ok(["accept-rollback", "--yes"])
    for suffix in ["", "-wal", "-shm"] { unlink(home.vault + suffix) }
    let run = try home.ok(["restore-backup", backup, "--yes"])
    #expect(run.err.contains("1 photo or file is missing from the backup"), "\(run.err)")
    #expect(try home.ok(["list", "--json"]).array.count == 1)
  }

  @Test func `a file whose head is wrong around whole rows is written anew`() throws {
    let home = try Home()
    for number in 0..<3 { _ = try home.write("text \(number)") }
    var bytes = try Data(contentsOf: URL(fileURLWithPath: home.vault))
    bytes[55] = 1
    try bytes.write(to: URL(fileURLWithPath: home.vault))
    let secret = ["--passphrase-file", home.passphrase]
    let found = try home.run(["verify"] + secret)
    #expect(found.status == 5 && found.out.contains("--repair"), "\(found)")
    let repaired = try home.ok(["verify", "--repair"])
    #expect(repaired.err.contains("repaired: 1"), "\(repaired)")
    try home.ok(["verify"])
    #expect(try home.ok(["list", "--json"]).array.count == 3)
  }

  @Test func `another diary's file in the place of this one is named as such`() throws {
    let (home, other) = (try Home(), try Home())
    _ = try home.write("mine")
    let secret = home.path + "/another"
    try Data("another horse battery".utf8).write(to: URL(fileURLWithPath: secret))
    try other.ok(["passphrase", "--new-passphrase-file", secret])
    try FileManager.default.removeItem(atPath: home.vault)
    try FileManager.default.copyItem(atPath: other.vault, toPath: home.vault)
    let run = try home.run(["list", "--passphrase-file", home.passphrase])
    #expect(run.status == 3 && run.err.contains("restore-backup"), "\(run)")
  }

  @Test func `salvage takes along what was typed and could not be saved`() throws {
    let home = try Home()
    let program = try home.put(
      "hx", "#!/bin/sh\necho typed and kept > \"$1\"\nkill -9 $$\n", mode: 0o700)
    let session = try TerminalSession(
      home, ["write", "--passphrase-file", home.passphrase], extra: ["EDITOR": program])
    #expect(session.end() == 137, "\(session.screen)")
    try VaultBytes(home.vault).run("UPDATE state SET sealed=zeroblob(500)", [])
    let out = home.path + "/out.facediary"
    let report = try home.ok(["salvage", out, "--json", "--kdf", "interactive"]).object
    #expect(report["entries"] as? Int == 1, "\(report)")
    #expect(try home.ok(["show", "--raw", "@last", "--vault", out]).out == "typed and kept")
  }

  @Test func `a record of tries that is none keeps nobody out`() throws {
    let home = try Home(faces: true)
    try home.ok(["write", "one"])
    try VaultBytes(home.vault).run("UPDATE device SET attempts=zeroblob(5000)", [])
    // The face is locked then; the passphrase lifts that.
    #expect(try home.run(["list"] + Home.owner).status == 4)
    for words in [["list"], ["verify"]] { try home.ok(words) }
    #expect(try home.run(["list"] + Home.owner).status == 0)
    let other = ["--device", home.path + "/elsewhere"]
    try VaultBytes(home.vault).run("UPDATE device SET attempts=zeroblob(5000)", [])
    try home.ok(["list"] + other)
  }
}
