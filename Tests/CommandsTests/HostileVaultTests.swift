import Bytes
import Foundation
import RowStore
import Scratch
import Sealing
import Testing

@testable import DiaryVault

/// A vault whose bytes somebody chose, who has no key.
@Suite(.threads) struct HostileVaultTests {
  /// What a command may end with: nothing else is in the contract.
  private static let codes: Set<Int32> = [0, 1, 2, 3, 4, 5, 6, 7, 8]

  private static let commands = [
    ["list", "--bodies"], ["show", "@1"], ["search", "text"], ["history", "@last"], ["stats"],
    ["verify"], ["status"], ["keys"], ["tags"], ["trash"], ["write", "more"], ["purge", "--yes"],
    ["verify", "--repair"], ["extract", "@last", "note", "-o", "/dev/null"],
  ]

  private func filled() throws -> Home {
    let home = try Home(faces: true)
    let note = try home.put("note", String(repeating: "note ", count: 40_000))
    for number in 0..<4 {
      _ = try home.write("text \(number)", ["--date", "2026-01-0\(number + 1)"])
    }
    let id = try home.write("with a file", ["--attach", note, "--date", "2026-02-01"])
    try home.ok(["edit", id, "with a file, edited"])
    try home.ok(["edit", id, "--title", "only the title"])
    let gone = try home.write("thrown away", ["--date", "2026-01-01"])
    try home.ok(["delete", gone, "--yes"])
    try home.run(["list", "--passphrase-file", home.put("wrong", "wrong\n")])
    return home
  }

  /// Runs commands on copies of a diary that were altered, and looks at how they end.
  private func check(
    _ home: Home, _ what: String, _ commands: [[String]], by secrets: [[String]]? = nil,
    _ alter: (Home) throws -> Void
  ) throws {
    let kept = home.path + ".kept"
    try FileManager.default.copyItem(atPath: home.path, toPath: kept)
    defer { try? FileManager.default.removeItem(atPath: kept) }
    func putBack() throws {
      try FileManager.default.removeItem(atPath: home.path)
      try FileManager.default.copyItem(atPath: kept, toPath: home.path)
    }
    try alter(home)
    let altered = home.path + ".altered"
    try? FileManager.default.removeItem(atPath: altered)
    try FileManager.default.copyItem(atPath: home.path, toPath: altered)
    defer { try? FileManager.default.removeItem(atPath: altered) }
    for words in commands {
      for secret in secrets ?? [["--recovery-file", home.recovery]] {
        let run = try home.run(words + secret)
        #expect(Self.codes.contains(run.status), "\(what), \(words): \(run.status) \(run.err)")
        #expect(!run.err.contains("Fatal") && !run.err.contains("SIG"), "\(what): \(run.err)")
        if words.contains("write") || words.contains("--repair") || words.contains("purge") {
          try FileManager.default.removeItem(atPath: home.path)
          try FileManager.default.copyItem(atPath: altered, toPath: home.path)
        }
      }
    }
    try putBack()
  }

  @Test(arguments: ["-journal", "-wal", "-shm"])
  func `a pipe beside the rows is said and holds no command up`(_ suffix: String) throws {
    let home = try Home(faces: true)
    try? FileManager.default.removeItem(atPath: home.folder + "/vault" + suffix)
    #expect(mkfifo(home.folder + "/vault" + suffix, 0o600) == 0)
    for words in [["list"] + Home.owner, ["status"]] {
      let run = try home.run(words)
      #expect(run.status == (words == ["status"] ? 0 : 7), "\(words): \(run.status) \(run.err)")
    }
    // No advice costs an entry: what stands there is moved away, and the diary is as it was.
    let run = try home.run(["list"] + Home.owner)
    let advice = try #require(run.err.split(separator: "mv ").last)
    #expect(run.err.contains("vault\(suffix)") && !run.err.contains("restore-backup"), "\(run.err)")
    let moving = try Process.run(
      URL(fileURLWithPath: "/bin/sh"), arguments: ["-c", "mv " + advice])
    moving.waitUntilExit()
    #expect(moving.terminationStatus == 0, "\(advice)")
    #expect(try home.run(["list"] + Home.owner).status == 0)
  }

  @Test func `a second name of the rows is said, with what gives them a file of their own`() throws
  {
    let home = try Home()
    _ = try home.write("kept")
    #expect(link(home.vault, home.path + "/snapshot") == 0)
    let run = try home.run(["list", "--passphrase-file", home.passphrase])
    #expect(run.status == 7 && !run.err.contains("restore-backup"), "\(run.err)")
    let advice = try #require(run.err.split(separator: "cp ").last)
    let copying = try Process.run(
      URL(fileURLWithPath: "/bin/sh"), arguments: ["-c", "cp " + advice])
    copying.waitUntilExit()
    #expect(copying.terminationStatus == 0, "\(advice)")
    #expect(try home.ok(["list", "--json"]).array.count == 1)
    #expect(try home.ok(["verify"]).status == 0)
  }

  @Test func `a journal that is not the diary's is not played into it`() throws {
    let home = try Home()
    _ = try home.write("kept")
    let backup = try home.backup(in: home.path + "/backups")
    // A hot journal of another database of the same head.
    let journal = Data([0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]) + Data(count: 4096)
    try journal.write(to: URL(fileURLWithPath: home.vault + "-journal"))
    let run = try home.run(["list", "--passphrase-file", home.passphrase])
    #expect(run.status == 7 && run.err.contains("vault-journal"), "\(run.err)")
    // Nor into a backup that takes the place of rows that are gone.
    for suffix in ["", "-wal", "-shm"] { unlink(home.vault + suffix) }
    let revived = try home.run(
      ["restore-backup", backup, "--yes", "--passphrase-file", home.passphrase])
    #expect(revived.status == 7 && revived.err.contains("vault-journal"), "\(revived.err)")
    unlink(home.vault + "-journal")
    try home.ok(["restore-backup", backup, "--yes"])
    #expect(try home.ok(["list", "--json"]).array.count == 1)
  }

  @Test(.enabled(if: getuid() != 0, "nothing is only for reading for root"))
  func `a diary that could only be read for a while is written again`() throws {
    let home = try Home()
    chmod(home.vault, 0o400)
    try home.ok(["list"])
    chmod(home.vault, 0o600)
    _ = try home.write("written again")
    #expect(try home.ok(["list", "--json"]).array.count == 1)
  }

  @Test func `extremes in every number of every table end commands in an orderly way`() throws {
    let home = try filled()
    let columns = [
      ("keyring", "copy"), ("keyring_copy", "copy"), ("state", "id"), ("register", "id"),
      ("section", "id"), ("page", "id"), ("body", "entry"), ("body", "page"), ("history", "id"),
    ]
    let values = [Int64.min, -1, 0, 1 << 31, 1 << 32, .max]
    var number = 0
    for (table, column) in columns {
      for value in values {
        number += 1
        // A few of them for each, all of them over the runs.
        let share = Thoroughness.isThorough ? Thoroughness.share : 5
        let commands = Self.commands.enumerated().filter {
          ($0.offset + number + Thoroughness.turn) % share == 0
        }.map(\.element)
        try check(home, "\(table).\(column)=\(value)", commands) { home in
          let vault = VaultBytes(home.vault)
          // The first row, or another when there is one: some rows are reached from others.
          let row = try vault.integers("SELECT rowid FROM \(table) ORDER BY rowid DESC").first
          guard let row else { return }
          try? vault.run(
            "UPDATE \(table) SET \(column)=? WHERE rowid=?", [.integer(value), .integer(row)])
        }
      }
    }
    #expect(number == columns.count * values.count)
  }

  @Test func `rows too many, and blobs of any size, end commands in an orderly way`() throws {
    let home = try filled()
    let tables = [
      ("keyring", "data"), ("keyring_copy", "data"), ("state", "sealed"), ("register", "sealed"),
      ("section", "sealed"), ("page", "sealed"), ("body", "sealed"), ("history", "sealed"),
      ("device", "attempts"),
    ]
    let commands = [["list", "--bodies"], ["verify"], ["write", "x"], ["purge", "--yes"]]
    for (table, column) in tables {
      let others = [1, 23, 40, 5 << 20]
      for size in [0, 300] + Thoroughness.places(others.count, few: 1).map({ others[$0 - 1] }) {
        try check(home, "\(table).\(column) of \(size)", commands) {
          try VaultBytes($0.vault).run("UPDATE \(table) SET \(column)=zeroblob(\(size))")
        }
      }
    }
    for row in [
      "history(id, sealed) VALUES(-1, x'')",
      "body(entry, page, sealed) VALUES(9223372036854775807, -1, x'')",
      "device(host, attempts) VALUES(x'', zeroblob(5000))",
    ] {
      try check(home, row, commands + [["verify", "--repair"]]) {
        try VaultBytes($0.vault).run("INSERT INTO " + row)
      }
    }
  }

  @Test func `extremes in every window of the unsealed records end commands in an orderly way`()
    throws
  {
    let home = try filled()
    let keyring = try VaultBytes(home.vault).keyring()
    let secrets = [["--recovery-file", home.recovery], ["--passphrase-file", home.passphrase]]
    var isMended = false
    for place in Thoroughness.places((keyring.count - 8) / 16, few: 20) {
      let start = (place - 1) * 16
      for value in [UInt8(0), 0x7f, 0x80, 0xff] {
        isMended.toggle()
        var bytes = keyring
        let window: [UInt8] =
          value == 0x7f || value == 0x80
          ? [value == 0x7f ? 0xff : 0] + Array(repeating: value == 0x7f ? 0xff : 0, count: 6) + [
            value
          ]
          : Array(repeating: value, count: 8)
        bytes.replaceSubrange(start..<(start + 8), with: window)
        let altered = isMended ? VaultBytes.mended(bytes) : bytes
        try check(home, "keyring at \(start), \(value)", [["list"]], by: secrets) {
          try VaultBytes($0.vault).put(keyring: altered)
        }
      }
    }
    // The row of wrong passphrases, in clear.
    for value in [Int64.min, -1, 1 << 41, .max] {
      try check(
        home, "waits \(value)", [["list"], ["status"]],
        by: [["--passphrase-file", home.passphrase]]
      ) { home in
        let word = withUnsafeBytes(of: value.littleEndian) { Array($0) }
        let row = try VaultBytes(home.vault).blob(
          "SELECT attempts FROM device WHERE length(attempts)=36")
        #expect(row.count == 36)
        for place in [20, 28] {
          var bytes = row
          bytes.replaceSubrange(place..<(place + 8), with: word)
          try VaultBytes(home.vault).run(
            "UPDATE device SET attempts=? WHERE length(attempts)=36", [.blob(bytes)])
        }
      }
    }
  }

  @Test func `slots from elsewhere open nothing, and altered ones do not hide the passphrase`()
    throws
  {
    let home = try filled()
    let other = ["--device", home.path + "/other"]
    let before = try VaultBytes(home.vault).keyring()
    let new = try home.put("new", "another horse\n")
    try home.ok(["passphrase", "--new-passphrase-file", new, "--kdf", "interactive"])
    let today = try VaultBytes(home.vault).keyring()
    // The old keyring, whole or with a broken frame, with and without this device's spare.
    for (bytes, device) in [(before, []), (Array(before.dropLast()) + [0], []), (before, other)] {
      try VaultBytes(home.vault).put(keyring: bytes)
      let run = try home.run(["list", "--json", "--passphrase-file", home.passphrase] + device)
      #expect(run.status != 0 && run.out.isEmpty, "\(run.err)")
    }
    // The new passphrase opens it by this device's spare; what is wrong is said, and mended.
    let found = try home.run(["list", "--passphrase-file", new])
    #expect(found.status == 0 && found.err.contains("list of ways in"))
    #expect(try home.run(["verify", "--passphrase-file", new]).status == 5)
    #expect(try home.run(["verify", "--repair", "--passphrase-file", new]).status == 0)
    #expect(try home.run(["verify", "--passphrase-file", new]).status == 0)
    #expect(try home.run(["list", "--passphrase-file", new] + other).status == 0)
    // A changed salt under mended checksums: the right passphrase stays right, and nobody waits.
    var salted = today
    let slots = try Keyring(today)
    let place = try #require(slots.slots.firstIndex { $0.kind == .passphrase })
    salted[4 + 2 + 8 + 16 + 16 + 2 + place * KeySlot.byteCount + 16 + 1 + 8] ^= 1
    try VaultBytes(home.vault).put(keyring: VaultBytes.mended(salted))
    #expect(try home.run(["list", "--passphrase-file", new]).status == 0)
    let store = home.path + "/.local/state/facediary"
    let id = try #require(
      FileManager.default.contentsOfDirectory(atPath: store).first { $0.count == 26 })
    unlink("\(store)/\(id)/keyring")
    // Without the spare nobody can say so: damage, not a wrong passphrase.
    #expect(try home.run(["list", "--passphrase-file", new]).status == 5)
    // A vault whose slots are not all there is read, and not written.
    try VaultBytes(home.vault).put(
      keyring: Keyring(
        vaultID: slots.vaultID, keyID: slots.keyID,
        slots: slots.slots.filter { $0.kind == .recovery },
        generation: 99
      ).encoded())
    let recovery = ["--recovery-file", home.recovery, "--device", home.path + "/third"]
    #expect(try home.run(["list"] + recovery).status == 0)
    #expect(try home.run(["write", "x"] + recovery).status == 5)
    #expect(try home.run(["keys", "add", "recovery"] + recovery).status == 5)
    // What the hint names ends it.
    let write = try home.run(["write", "x"] + recovery)
    #expect(write.err.contains("keys rotate"), "\(write.err)")
    let rotated = try home.run(["keys", "rotate", "--yes", "--json"] + recovery)
    #expect(rotated.status == 0, "\(rotated)")
    let code = try #require(rotated.object["recoveryCode"] as? String)
    let anew = ["--recovery-file", try home.put("code", code), "--device", home.path + "/third"]
    let written = try home.run(["write", "x"] + anew)
    #expect(written.status == 0, "\(written)")
  }

  @Test func `forged slots cost at most one hash of the highest limit`() throws {
    let bench = try Home()
    let slots = try Keyring(try VaultBytes(bench.vault).keyring())
    let own = try #require(slots.slots.first { $0.kind == .passphrase })
    var forged = try VaultBytes(bench.vault).keyring()
    let head = 4 + 2 + 8 + 16 + 16 + 2
    let place = try #require(slots.slots.firstIndex(of: own))
    var slot = Array(
      forged[(head + place * KeySlot.byteCount)..<(head + (place + 1) * KeySlot.byteCount)])
    // Ten passes over a gigabyte, sixty times.
    slot.replaceSubrange(33..<37, with: [10, 0, 0, 0])
    slot.replaceSubrange(37..<45, with: [0, 0, 0, 0x40, 0, 0, 0, 0])
    forged = Array(forged.dropLast(16))
    forged[head - 2] = UInt8(slots.slots.count + 60)
    for number in 0..<60 {
      slot[0] = UInt8(number)
      forged += slot
    }
    try VaultBytes(bench.vault).put(
      keyring: VaultBytes.mended(forged + [UInt8](repeating: 0, count: 16)))
    let file = try LockedVault(bench.folder, settings: VaultSettings())
    #expect(file.slots.count == slots.slots.count + 60)
    // The diary's own slot comes first, so that its passphrase opens it at once.
    try bench.ok(["list"])
    let work = file.slots.map(\.slot).filter { $0.kind == .passphrase }.map(\.limits.work)
    #expect(work == work.sorted() && Argon2Cost.mostWork == work.last)
  }

  @Test func `verify sees rows of nothing, and takes them away`()
    throws
  {
    for sql in [
      "INSERT INTO history(id, sealed) SELECT id/2, sealed FROM history LIMIT 1",
      "INSERT INTO register(id, sealed) VALUES(77, x'00')",
      "INSERT INTO state(id, sealed) SELECT 2, sealed FROM state",
      "INSERT INTO keyring(copy, data) SELECT 2, data FROM keyring",
      "INSERT INTO keyring_copy(copy, data) SELECT -1, data FROM keyring",
    ] {
      let home = try filled()
      try home.ok(["verify"])
      try VaultBytes(home.vault).run(sql)
      let found = try home.run(["verify", "--json", "--recovery-file", home.recovery])
      #expect(found.status == 5, "\(sql): \(found.out)")
      try home.ok(["verify", "--repair"])
      let after = try home.ok(["verify", "--json"])
      #expect(after.object["ok"] as? Bool == true && after.object["unfinished"] as? Int ?? 0 == 0)
    }
  }

  @Test func `a file in the place of objects that is none is named, and taken away`() throws {
    let home = try filled()
    try home.ok(["verify"])
    let name = String(repeating: "0", count: 52)
    mkdir(home.folder + "/objects", 0o700)
    try "rot".write(toFile: home.folder + "/objects/" + name, atomically: true, encoding: .utf8)
    let owner = ["--passphrase-file", home.passphrase]
    #expect(try home.run(["backup", home.path + "/backups"] + owner).status == 5)
    // One that is nothing but a hole is not even read.
    let hole = home.folder + "/objects/" + String(repeating: "0", count: 51) + "g"
    try "".write(toFile: hole, atomically: true, encoding: .utf8)
    #expect(truncate(hole, 4 << 40) == 0)
    let found = try home.run(["verify"] + owner)
    #expect(found.status == 5 && (found.out + found.err).contains(name), "\(found)")
    try home.ok(["verify", "--repair"])
    try home.ok(["backup", home.path + "/backups"])
    // Nor is the list that a backup has believed beside a live diary.
    let lines = "facediary backup 1\nvault 0\nobject \(name)\n"
    let end = "end \(Base32.encode(FileDigest.of(Array(lines.utf8))))\n"
    try (lines + end).write(toFile: home.folder + "/contents", atomically: true, encoding: .utf8)
    try home.ok(["backup", home.path + "/backups"])
    #expect(try home.run(["verify"] + owner).status == 5)
    try home.ok(["verify", "--repair"])
    try home.ok(["verify"])
  }

  @Test func `repairing never takes a way in away`() throws {
    let home = try Home(faces: true)
    let keyring = try Keyring(try VaultBytes(home.vault).keyring())
    let store = home.path + "/.local/state/facediary"
    let id = try #require(
      FileManager.default.contentsOfDirectory(atPath: store).first { $0.count == 26 })
    let spare = try Data(contentsOf: URL(fileURLWithPath: "\(store)/\(id)/keyring"))
    unlink("\(store)/\(id)/keyring")
    try VaultBytes(home.vault).put(
      keyring: Keyring(
        vaultID: keyring.vaultID, keyID: keyring.keyID,
        slots: keyring.slots.filter { $0.kind == .face }, generation: 9
      ).encoded())
    #expect(try home.run(["list"] + Home.owner).status == 0)
    #expect(try home.run(["verify", "--repair"] + Home.owner).status == 5)
    #expect(try home.run(["write", "x"] + Home.owner).status == 5)
    // Whoever has them puts them back.
    try spare.write(to: URL(fileURLWithPath: "\(store)/\(id)/keyring"))
    chmod("\(store)/\(id)/keyring", 0o600)
    try home.ok(["verify", "--repair"])
    try home.ok(["verify"])
    #expect(try home.run(["list", "--recovery-file", home.recovery]).status == 0)
  }

  @Test
  func `a keyring of another key beside or instead of ours does not make the passphrase wrong`()
    throws
  {
    let home = try Home()
    let good = try VaultBytes(home.vault).keyring()
    var other = good
    for place in 30..<46 { other[place] ^= 0x5a }
    let forged = VaultBytes.mended(other)
    try VaultBytes(home.vault).put(keyring: forged)
    try home.ok(["list"])
    try VaultBytes(home.vault).put(keyring: good)
    try VaultBytes(home.vault).run(
      "UPDATE keyring_copy SET data=? WHERE copy=1", [.blob(forged)])
    for device in [[], ["--device", home.path + "/other"]] { try home.ok(["list"] + device) }
    let wrong = try home.put("wrong", "wrong\n")
    #expect(try home.run(["list", "--passphrase-file", wrong]).status == 5)
  }
}
