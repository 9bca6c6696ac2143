import Bytes
import Foundation
import Glibc
import TestServers
import Testing

@testable import Platform

/// The device key in a TPM: a software one, as Debian has it, and things that say they are one.
@Suite(.threads) struct ChipTests {
  @Test func `a chip keeps the key, in a session, for one command and in a warm diary`() throws {
    guard let (home, chip) = try Chip.home() else { return }
    try home.ok(["device", "move", "--tpm"])
    let device = try home.run(["device", "--json"]).object
    #expect(device["key"] as? String == "tpm" && device["known"] as? Bool == true)
    let store = home.path + "/.local/state/facediary"
    let id = try #require(try home.run(["status", "--json"]).object["id"] as? String)
    #expect(!FileManager.default.fileExists(atPath: store + "/\(id)/device.key"))
    #expect(try home.run(["write", "one"] + Home.owner).status == 0)
    #expect(try home.run(["unlock"] + Home.owner).status == 0)
    #expect(try home.run(["write", "two"]).status == 0)
    try home.run(["lock"])
    try home.ok(["policy", "set", "warm", "on"])
    try home.ok(["unlock"])
    try home.run(["lock"])
    #expect(try home.run(["unlock"] + Home.owner).status == 0)
    #expect(try home.run(["list", "--json"]).array.count == 2)
    try home.run(["lock", "--all"])
    try home.ok(["policy", "set", "warm", "off"])
    try home.ok(["keys", "rotate", "--yes"])
    #expect(try home.run(["list"] + Home.owner).status == 0)
    try home.ok(["device", "move", "--file"])
    chip.stop()
    #expect(try home.run(["list"] + Home.owner).status == 0)
  }

  @Test func `vault and device store put back together are named at the next opening`() throws {
    guard let (home, chip) = try Chip.home() else { return }
    try home.ok(["device", "move", "--tpm"])
    for change in [["unlock"], ["write", "for one command"]] {
      try chip.keep()
      #expect(try home.run(change + Home.owner).status == 0)
      try home.run(["lock"])
      try chip.putBack()
      let run = try home.run(["list", "--passphrase-file", home.passphrase, "--json"])
      #expect(run.status == 5 && run.errorCode == "rolled-back", "\(change): \(run.err)")
      // The records of tries were put back, too: they are older than the chip.
      #expect(try home.run(["list", "--json"] + Home.owner).status == 4)
      let accepted = try home.ok(["accept-rollback"])
      // The anchor may be as old as the vault: nobody knows which faces and ways in were removed since.
      #expect(accepted.err.contains("has lost its record"), "\(accepted)")
      let face = try home.run(["list"] + Home.owner)
      #expect(face.status != 0 && face.err.contains("enrol"), "\(face)")
      try home.ok(
        ["enroll"] + ["owner-1.npy", "owner-2.json", "owner-3.csv"].map { Home.keys + "/" + $0 })
      #expect(try home.run(["list"] + Home.owner).status == 0)
    }
    // Reading does not count.
    try chip.keep()
    try home.ok(["list"])
    try chip.putBack()
    try home.ok(["list"])
    withExtendedLifetime(chip) {}
  }

  /// With a secret that was valid then, they may be accepted by somebody else.
  @Test func `who accepts what was put back together leaves a notice for the owner`() throws {
    guard let (home, chip) = try Chip.home() else { return }
    try home.ok(["device", "move", "--tpm"])
    let old = try home.put("old", "an earlier passphrase\n")
    try home.ok(["keys", "add", "passphrase", "--new-passphrase-file", old, "--kdf", "interactive"])
    try chip.keep()
    let slots = try home.ok(["keys", "--json"]).array.filter {
      $0["kind"] as? String == "passphrase"
    }
    let added = try #require(slots.last?["id"] as? String)
    try home.ok(["keys", "remove", added, "--yes"])
    try home.ok(["keys", "rotate", "--yes", "--kdf", "interactive"])
    try chip.putBack()
    let accepted = try home.run(["accept-rollback", "--yes", "--quiet", "--passphrase-file", old])
    #expect(accepted.status == 0, "\(accepted)")
    // The thief may have read that; the owner hears it as well, and their face opens nothing.
    #expect(accepted.err.contains("has lost its record"), "\(accepted)")
    let next = try home.run(["list", "--quiet", "--passphrase-file", home.passphrase])
    #expect(next.status == 0 && next.err.contains("has lost its record"), "\(next)")
    #expect(try home.run(["list"] + Home.owner).status != 0)
    withExtendedLifetime(chip) {}
  }

  @Test func `after a backup revived what was forgotten, nothing of before fits the chip`() throws {
    guard let (home, chip) = try Chip.home() else { return }
    try home.ok(["device", "move", "--tpm"])
    try home.ok(["write", "one"])
    let backup = try home.backup(in: home.path + "/copies")
    try chip.keep()
    let id = try #require(try home.run(["status", "--json"]).object["id"] as? String)
    for suffix in ["", "-wal", "-shm"] { unlink(home.vault + suffix) }
    unlink(home.path + "/.local/state/facediary/\(id)/anchor")
    try home.ok(["restore-backup", backup, "--yes"])
    #expect(try home.ok(["list", "--json"]).array.count == 1)
    try chip.putBack()
    let run = try home.run(["list", "--passphrase-file", home.passphrase, "--json"])
    #expect(run.status == 5 && run.errorCode == "rolled-back", "\(run.err)")
    withExtendedLifetime(chip) {}
  }

  @Test func `the counter of one thing is not taken for the other's`() throws {
    guard let (home, chip) = try Chip.home() else { return }
    try home.ok(["device", "move", "--tpm"])
    try chip.keep()
    try home.ok(["write", "later"])
    try chip.putBack()
    // The counter of tries stands still where the other one stood then.
    let store = home.path + "/.local/state/facediary"
    let id = try #require(try home.run(["status", "--json"]).object["id"] as? String)
    let note = URL(fileURLWithPath: store + "/\(id)/chip")
    var bytes = Array(try Data(contentsOf: note).dropLast(16))
    bytes.replaceSubrange(6..<14, with: Array(bytes[10..<14]) + Array(bytes[6..<10]))
    bytes += Digest.blake2b(bytes, count: 16, domain: "FDv1 chip checksum")
    try Data(bytes).write(to: note)
    let run = try home.run(["list", "--passphrase-file", home.passphrase, "--json"])
    #expect(run.status == 5 && run.errorCode == "rolled-back", "\(run.err)")
    // One that cannot be read makes no key in a file behind the owner's back.
    bytes[bytes.count - 1] ^= 1
    try Data(bytes).write(to: note)
    let broken = try home.run(["list", "--passphrase-file", home.passphrase])
    #expect(broken.status == 1 && broken.err.contains("device reset"), "\(broken.err)")
    withExtendedLifetime(chip) {}
  }

  /// Writes another place of a counter into the note.
  private func alter(_ home: Home, _ place: Int) throws {
    let id = try #require(try home.run(["status", "--json"]).object["id"] as? String)
    let note = URL(fileURLWithPath: home.path + "/.local/state/facediary/\(id)/chip")
    var bytes = Array(try Data(contentsOf: note).dropLast(16))
    bytes[place + 1] ^= 1
    bytes += Digest.blake2b(bytes, count: 16, domain: "FDv1 chip checksum")
    try Data(bytes).write(to: note)
    chmod(note.path, 0o600)
  }

  /// - Parameter place: where the note says that the counter of sessions lies, or that of tries.
  @Test(arguments: [6, 10])
  func `a counter that an altered note no longer names fits no older copy`(_ place: Int) throws {
    guard let (home, chip) = try Chip.home() else { return }
    try home.ok(["device", "move", "--tpm"])
    try chip.keep()
    try alter(home, place)
    let words = ["list", "--passphrase-file", home.passphrase, "--json"]
    if place == 6 {
      #expect(try home.run(words).errorCode == "rolled-back")
      try home.ok(["accept-rollback"])
      try home.ok(["write", "later"])
    } else {
      try home.ok(["list"])
    }
    try chip.putBack()
    if place == 6 {
      #expect(try home.run(words).errorCode == "rolled-back")
    } else {
      #expect(try home.run(["list", "--json"] + Home.owner).status == 4)
    }
    withExtendedLifetime(chip) {}
  }

  @Test func `a diary that was lost with its chip comes back as the hint says`() throws {
    guard let (home, chip) = try Chip.home() else { return }
    try home.ok(["device", "move", "--tpm"])
    try home.ok(["write", "one"])
    let backup = try home.backup(in: home.path + "/copies")
    try FileManager.default.removeItem(atPath: home.folder)
    try chip.start(cleared: true)
    let words = ["restore-backup", backup, "--yes", "--passphrase-file", home.passphrase]
    let run = try home.run(words)
    let store = try #require(
      run.err.firstMatch(of: /move (\S+) to another folder and run this again/))
    #expect(run.status == 7, "\(run.err)")
    try FileManager.default.moveItem(atPath: String(store.1), toPath: home.path + "/away")
    #expect(try home.run(words).status == 0)
    #expect(try home.ok(["list", "--json"]).array.count == 1)
    withExtendedLifetime(chip) {}
  }

  @Test func `the half of the anchor before the last change fits the chip no more`() throws {
    guard let (home, chip) = try Chip.home() else { return }
    try home.ok(["device", "move", "--tpm"])
    #expect(try home.run(["unlock"] + Home.owner).status == 0)
    try FileManager.default.copyItem(atPath: home.folder, toPath: home.path + "/kept")
    #expect(try home.run(["write", "later"]).status == 0)
    try home.run(["lock"])
    try FileManager.default.removeItem(atPath: home.folder)
    try FileManager.default.copyItem(
      atPath: home.path + "/kept", toPath: home.folder)
    let id = try #require(try home.run(["status", "--json"]).object["id"] as? String)
    let file = URL(fileURLWithPath: home.path + "/.local/state/facediary/\(id)/anchor")
    var bytes = Array(try Data(contentsOf: file))
    let half = 64 << 10
    try #require(bytes.count > half)
    let sequences = [0, half].map { at in
      (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[at + $1]) << (8 * UInt64($1)) }
    }
    let newest = sequences[0] > sequences[1] ? 0 : half
    for index in newest..<min(newest + half, bytes.count) { bytes[index] = 0 }
    try Data(bytes).write(to: file)
    chmod(file.path, 0o600)
    let run = try home.run(["list", "--passphrase-file", home.passphrase, "--json"])
    #expect(run.status == 5, "\(run.err)")
    withExtendedLifetime(chip) {}
  }

  @Test func `a chip that is gone when a change is kept undoes nothing and is told`() throws {
    guard let (home, chip) = try Chip.home() else { return }
    try home.ok(["device", "move", "--tpm"])
    try home.ok(["list"])
    let editor = try home.put(
      "editor", "#!/bin/sh\npkill -f \(chip.socket)\nsleep 0.2\necho typed > \"$1\"\n", mode: 0o700)
    let session = try TerminalSession(
      home, ["write", "--passphrase-file", home.passphrase], extra: ["EDITOR": editor])
    #expect(session.end() == 0, "\(session.screen)")
    #expect(session.screen.contains("this device's store could not be updated"))
    chip.stop()
    try chip.start()
    let run = try home.run(["list", "--passphrase-file", home.passphrase])
    #expect(run.status == 0 && run.out.contains("typed"), "\(run.err)")
  }

  @Test func `what a kill left beside a store that counts stands in nobody's way`() throws {
    let home = try Home(faces: true)
    let id = try #require(try home.run(["status", "--json"]).object["id"] as? String)
    let next = home.path + "/.local/state/facediary/\(id).next"
    try FileManager.default.createDirectory(
      atPath: next, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try Data("no note of a chip".utf8).write(to: URL(fileURLWithPath: next + "/chip"))
    chmod(next + "/chip", 0o600)
    try home.ok(["list"])
    #expect(!FileManager.default.fileExists(atPath: next))
  }

  @Test func `a kill while the chip gets the key leaves one key or the other`() throws {
    guard let (home, chip) = try Chip.home() else { return }
    let pin = ["--pin-file", try home.put("pin", "2468\n")]
    let secret = ["--passphrase-file", home.passphrase]
    try chip.keep()
    func move(_ nth: Int, _ what: String) throws -> (status: Int32, calls: Int) {
      try chip.putBack()
      return try home.fault(
        nth, what,
        ["device", "move", "--tpm", "--pin", "--new-pin-file", home.path + "/pin"] + secret)
    }
    let (status, calls) = try move(0, "count")
    #expect(status == 0 && calls > 20)
    for nth in stride(from: 1, through: calls, by: max(1, calls / 12)) {
      _ = try move(nth, "kill")
      let run = try home.run(["list", "--json"] + secret + pin)
      #expect(run.status == 0, "call \(nth) of \(calls): \(run.err)")
      #expect(try home.run(["list"] + Home.owner + pin).status == 0, "call \(nth) of \(calls)")
      #expect(try home.run(["verify"] + secret + pin).status == 0, "call \(nth) of \(calls)")
    }
    // The chip breaks before the change was finished: the passphrase is a way in.
    for nth in stride(from: calls - 6, through: calls, by: 2) {
      _ = try move(nth, "kill")
      chip.stop()
      let place = "call \(nth) of \(calls)"
      let reset = try home.run(["device", "reset", "--json"] + secret)
      #expect(reset.status == 0 || reset.errorCode == "conflict", "\(place): \(reset.err)")
      let run = try home.run(["list"] + secret)
      #expect(run.status == 0, "\(place): \(reset.err)\(run.err)")
      try chip.start()
    }
    withExtendedLifetime(chip) {}
  }

  @Test func `a copy from a kill at any write is named after the next change`() throws {
    guard let (home, chip) = try Chip.home() else { return }
    try home.ok(["device", "move", "--tpm"])
    try home.ok(["list"])
    let secret = ["--passphrase-file", home.passphrase]
    let write = ["write", "one"] + secret
    let (status, calls) = try home.fault(0, "count", write)
    #expect(status == 0 && calls > 5)
    for nth in stride(from: 1, through: calls, by: max(1, calls / 14)) {
      _ = try home.fault(nth, "kill", write)
      try chip.keep()
      try home.ok(["write", "two"])
      try chip.putBack()
      let run = try home.run(["list", "--json"] + secret)
      #expect(run.status == 5 && run.errorCode == "rolled-back", "call \(nth): \(run.err)")
      try home.ok(["accept-rollback"])
    }
    withExtendedLifetime(chip) {}
  }

  @Test func `tries that were put back in both places stay taken`() throws {
    guard let (home, chip) = try Chip.home() else { return }
    try home.ok(["device", "move", "--tpm"])
    let stranger = ["list", "--face", Home.keys + "/stranger-1.npy"]
    try chip.keep()
    #expect(try home.run(stranger).status == 3)
    try chip.putBack()
    #expect(try home.run(stranger).status == 4)
    #expect(try home.run(["list"] + Home.owner).status == 4)
    try home.ok(["list"])
    #expect(try home.run(["list"] + Home.owner).status == 0)
    withExtendedLifetime(chip) {}
  }

  @Test func `a PIN is asked for, and the chip counts wrong ones`() throws {
    guard let (home, chip) = try Chip.home() else { return }
    let pin = ["--pin-file", try home.put("pin", "2468 are the digits\n")]
    let wrong = ["--pin-file", try home.put("wrong", "1357\n")]
    try home.ok([
      "device", "move", "--tpm", "--pin", "--new-pin-file", home.path + "/pin",
    ])
    let without = try home.run(["list", "--json"] + Home.owner)
    #expect(without.status == 3 && without.errorCode == "needs-passphrase", "\(without.err)")
    let status = try home.run(["status", "--json"])
    #expect(status.status == 0 && status.object["device"] as? String == "known")
    #expect(try home.run(["list"] + Home.owner + pin).status == 0)
    #expect(try home.run(["list", "--passphrase-file", home.passphrase] + pin).status == 0)
    #expect(try home.run(["unlock"] + Home.owner + pin).status == 0)
    #expect(try home.run(["write", "in a session"]).status == 0)
    try home.run(["lock"])
    // A face alone is to open a warm diary, and a PIN is more than that.
    let warm = try home.run(
      ["policy", "set", "warm", "on", "--json", "--passphrase-file", home.passphrase] + pin)
    #expect(warm.errorCode == "conflict", "\(warm.err)")
    // Put back together, it is accepted with the PIN.
    try chip.keep()
    try home.ok(["write", "later"] + pin)
    try chip.putBack()
    #expect(try home.run(["list", "--passphrase-file", home.passphrase] + pin).status == 5)
    try home.ok(["accept-rollback"] + pin)
    #expect(try home.run(["list", "--passphrase-file", home.passphrase] + pin).status == 0)
    // What was before the acceptance is older than the chip, too.
    try chip.putBack()
    #expect(try home.run(["list", "--passphrase-file", home.passphrase] + pin).status == 5)
    try home.ok(["accept-rollback"] + pin)
    var codes: [String] = []
    for _ in 0..<5 {
      codes.append(try home.run(["list", "--json"] + Home.owner + wrong).errorCode ?? "")
    }
    #expect(codes.first == "wrong-secret" && codes.last == "locked-out", "\(codes)")
    // Also the right one is not taken now; the way in is the passphrase.
    #expect(try home.run(["list"] + Home.owner + pin).status == 4)
    try home.ok(["device", "reset"])
    try home.ok(["list"])
    withExtendedLifetime(chip) {}
  }

  @Test
  func `broken key slots open by the store that needs a PIN when no other store is the diary's`()
    throws
  {
    guard let (home, chip) = try Chip.home() else { return }
    _ = try home.write("precious")
    let other = home.path + "/other.facediary"
    try home.ok(["init", "--vault", other, "--kdf", "interactive"])
    let pin = ["--pin-file", try home.put("pin", "2468\n")]
    try home.ok(["device", "move", "--tpm", "--pin", "--new-pin-file", home.path + "/pin"])
    for table in ["keyring", "keyring_copy"] {
      try VaultBytes(home.vault).run("DELETE FROM \(table)")
    }
    let without = try home.run(["list", "--json", "--passphrase-file", home.passphrase])
    #expect(without.status == 3 && without.errorCode == "needs-passphrase", "\(without.err)")
    #expect(try home.ok(["list", "--bodies"] + pin).out.contains("precious"))
    try home.ok(["verify", "--repair"] + pin)
    try home.ok(["verify"] + pin)
    withExtendedLifetime(chip) {}
  }

  @Test func `a backup becomes the diary again after its device store was moved away`() throws {
    guard let (home, chip) = try Chip.home() else { return }
    try home.ok(["device", "move", "--tpm"])
    try home.ok(["write", "in the backup"])
    try home.ok(["backup", home.path + "/backup"])
    let name = try #require(
      try FileManager.default.contentsOfDirectory(atPath: home.path + "/backup").first {
        $0.hasSuffix(".facediary")
      })
    try chip.keep()
    try home.ok(["write", "later"])
    try chip.putBack()
    try FileManager.default.removeItem(atPath: home.folder)
    let restore = [
      "restore-backup", home.path + "/backup/" + name, "--yes", "--passphrase-file",
      home.passphrase,
    ]
    let run = try home.run(restore)
    #expect(run.status == 7, "\(run.err)")
    let words = run.err.split(separator: " ")
    let at = try #require(words.firstIndex { $0 == "move" }, "\(run.err)")
    let store = String(words[at + 1])
    try FileManager.default.moveItem(atPath: store, toPath: home.path + "/aside")
    #expect(try home.run(restore).status == 0)
    #expect(
      try home.run(["list", "--passphrase-file", home.passphrase]).out.contains("in the backup"))
    withExtendedLifetime(chip) {}
  }

  @Test func `a chip that is gone, cleared or another leaves the passphrase`() throws {
    for trouble in ["gone", "cleared"] {
      guard let (home, chip) = try Chip.home() else { return }
      try home.ok(["device", "move", "--tpm"])
      if trouble == "gone" { chip.stop() } else { try chip.start(cleared: true) }
      let run = try home.run(["list", "--json"] + Home.owner)
      #expect(run.status == 1 && run.errorCode == "system", "\(trouble): \(run.err)")
      #expect(run.err.contains("device reset"), "\(trouble): \(run.err)")
      #expect(try home.run(["status"]).status == 0)
      try home.ok(["device", "reset"])
      try home.ok(["list"])
    }
  }

  @Test func `an owner's authorisation and a missing right are said, and what to do`() throws {
    guard let (home, chip) = try Chip.home() else { return }
    let move = ["device", "move", "--tpm", "--passphrase-file", home.passphrase, "--json"]
    if getuid() != 0 {
      chmod(chip.socket, 0)
      let run = try home.run(move)
      #expect(run.status == 1 && run.err.contains("tss"), "\(run.err)")
      chmod(chip.socket, 0o600)
    }
    guard isInstalled("tpm2_changeauth") else {
      print("skipped: tpm2-tools is not installed")
      return
    }
    #expect(
      ran("tpm2_changeauth", "-T", "swtpm:path=\(chip.socket)", "-c", "owner", "taken") != nil)
    let run = try home.run(move)
    #expect(run.status == 1 && run.err.contains("owner's authorisation"), "\(run.err)")
    #expect(run.err.contains("device --help"), "\(run.err)")
    #expect(try home.run(["list"] + Home.owner).status == 0)
  }

}
