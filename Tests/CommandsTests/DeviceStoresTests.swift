import Bytes
import DiaryVault
import Entries
import Foundation
import Sealing
import Testing

/// Several devices of one diary: what is done on one, the others must take for what it is.
@Suite(.threads) struct DeviceStoresTests {
  private static let third = ["--device", "third"]

  private func device(_ home: Home, _ name: String) -> [String] {
    ["--device", home.path + "/" + name]
  }

  private func enroll(_ home: Home, _ device: [String]) throws {
    try home.ok(["enroll", Home.keys + "/owner-1.npy", "--model", "sface"] + device)
  }

  /// What the owner does on the first device.
  enum Operation: String, CaseIterable {
    case write, move, moveToHelper, warm, warmAndBack, facePassphrase, reset, rotate, passphrase,
      recovery, removeFaces, backup
  }

  @Test(arguments: Operation.allCases)
  func `whatever the owner does on one device, the others open without a false alarm`(
    _ operation: Operation
  ) throws {
    let home = try Home(faces: true)
    let others = [device(home, "second"), device(home, "third")]
    for other in others { try enroll(home, other) }
    var secret = ["--passphrase-file", home.passphrase]
    func did(_ words: [String]) throws {
      let run = try home.run(words + secret)
      #expect(run.status == 0, "\(words): \(run.err)")
    }
    var facesStay = true
    switch operation {
    case .write: try did(["write", "more"])
    case .move: try did(["device", "move", "--file"])
    case .moveToHelper:
      let helper = try home.put(
        "helper",
        """
        #!/bin/sh
        case $1 in
        store) sed -n 's/^secret=/secret=/p' > "$0.key";;
        get) cat "$0.key" 2>/dev/null; true;;
        erase) rm -f "$0.key";;
        esac
        """, mode: 0o700)
      try did(["device", "move", "--helper", helper])
    case .warm:
      try did(["policy", "set", "warm", "on"])
      facesStay = false
    case .warmAndBack:
      for value in ["on", "off"] { try did(["policy", "set", "warm", value]) }
      facesStay = false
    case .facePassphrase:
      let second = try home.put("short", "short\n")
      try did([
        "keys", "add", "face-passphrase", "--new-passphrase-file", second, "--kdf", "interactive",
      ])
      facesStay = false
    case .reset:
      let store = home.path + "/.local/state/facediary"
      let id = try #require(
        FileManager.default.contentsOfDirectory(atPath: store).first { $0.count == 26 })
      unlink("\(store)/\(id)/device.key")
      try did(["list"])
    case .rotate:
      try did(["keys", "rotate", "--yes", "--kdf", "interactive"])
      facesStay = false
    case .passphrase:
      let new = try home.put("new", "another horse\n")
      try did(["passphrase", "--new-passphrase-file", new, "--kdf", "interactive"])
      secret = ["--passphrase-file", new]
    case .recovery: try did(["keys", "add", "recovery"])
    case .removeFaces:
      for face in try home.ok(["faces", "--json"]).array {
        try did(["faces", "remove", try #require(face["id"] as? String)])
      }
    case .backup: try did(["backup", home.path + "/copies"])
    }
    for (number, other) in others.enumerated() {
      let face = try home.run(["list", "--json"] + Home.owner + other)
      #expect(face.status == (facesStay ? 0 : 3), "face \(number): \(face.err)")
      for round in 0..<2 {
        let list = try home.run(["list", "--json"] + secret + other)
        #expect(list.status == 0, "\(number), \(round): \(list.err)")
        let write = try home.run(["write", "from \(number)"] + secret + other)
        #expect(write.status == 0, "\(number), \(round): \(write.err)")
      }
    }
    // And the first goes on, too.
    try did(["list"])
    try did(["verify"])
  }

  @Test(arguments: ["warm", "face-passphrase"])
  func `a face that may not open alone opens alone on no device, and each slot that goes is named`(
    _ mode: String
  ) throws {
    let home = try Home(faces: true)
    let other = device(home, "second")
    try enroll(home, other)
    #expect(try home.run(["list"] + Home.owner + other).status == 0)
    // Somebody keeps the file with the slot in it.
    let kept = try Data(contentsOf: URL(fileURLWithPath: home.vault))
    #expect(!kept.isEmpty)
    let slots = try VaultBytes(home.vault).keyring()
    let second = try home.put("short", "short\n")
    let done =
      mode == "warm"
      ? try home.ok(["policy", "set", "warm", "on"])
      : try home.ok([
        "keys", "add", "face-passphrase", "--new-passphrase-file", second, "--kdf", "interactive",
      ])
    #expect(done.err.contains("another device"))
    #expect(
      try !home.run(["keys", "--json"]).array.contains { $0["kind"] as? String == "face" })
    #expect(try home.run(["list"] + Home.owner + other).status == 3)
    // Put back into the file it opens nothing, and is named as what it is.
    try VaultBytes(home.vault).put(keyring: slots)
    let run = try home.run(["list", "--json"] + Home.owner + other)
    #expect(run.status != 0 && run.out.isEmpty, "\(run.err)")
    try home.ok(["list"])
    #expect(try home.run(["verify", "--passphrase-file", home.passphrase]).status == 5)
    try home.ok(["verify", "--repair"])
    try home.ok(["verify"])
  }

  @Test func `a device store that is behind accepts nothing on today's vault`() throws {
    let home = try Home(faces: true)
    let stolen = device(home, "second")
    try enroll(home, stolen)
    let new = try home.put("new", "another horse\n")
    try home.ok(["passphrase", "--new-passphrase-file", new, "--kdf", "interactive"])
    let today = ["--passphrase-file", new]
    for slot in try home.run(["keys", "--json"]).array where slot["kind"] as? String == "face" {
      let id = try #require(slot["id"] as? String)
      #expect(try home.run(["keys", "remove", id] + today).status == 0)
    }
    #expect(try home.run(["write", "after"] + today).status == 0)
    let old = ["--passphrase-file", home.passphrase]
    #expect(try home.run(["accept-rollback", "--yes"] + stolen + old).status == 3)
    #expect(try home.run(["list"] + stolen + old).status == 3)
    #expect(try home.run(["list"] + stolen + Home.owner).status != 0)
    let kinds = try home.run(["keys", "--json"]).array.compactMap { $0["kind"] as? String }
    #expect(kinds.sorted() == ["passphrase", "recovery"])
    #expect(try home.run(["list", "--json"] + today).array.count == 1)
  }

  @Test func `an older copy accepted on one device is followed on the others, once and for all`()
    throws
  {
    let home = try Home()
    let other = device(home, "second")
    _ = try home.write("one")
    try home.ok(["write", "two"] + other)
    let older = try Data(contentsOf: URL(fileURLWithPath: home.vault))
    _ = try home.write("three")
    func putBack() throws {
      for suffix in ["-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: home.vault + suffix)
      }
      try older.write(to: URL(fileURLWithPath: home.vault))
    }
    try putBack()
    let secret = ["--passphrase-file", home.passphrase]
    #expect(try home.run(["list"] + secret).status == 5)
    try home.ok(["accept-rollback"])
    let followed = try home.run(["list", "--json"] + secret + other)
    #expect(followed.status == 0 && followed.err.contains("accepted on another device"))
    // Then the passphrase is changed.
    let new = try home.put("new", "another horse\n")
    try home.ok(["passphrase", "--new-passphrase-file", new, "--kdf", "interactive"])
    let today = ["--passphrase-file", new]
    #expect(try home.run(["list"] + today + other).status == 0)
    #expect(try home.run(["list"] + secret + other).status == 3)
    for round in 0..<2 {
      for device in [[], other] {
        #expect(try home.run(["write", "round \(round)"] + today + device).status == 0)
      }
    }
    // A device that had seen more than the one that accepted is asked itself; both then go on.
    try home.run(["write", "seen by the second alone"] + today + other)
    let store = home.path + "/.local/state/facediary"
    let kept = home.path + "/kept"
    try FileManager.default.copyItem(atPath: store, toPath: kept)
    let before = try Data(contentsOf: URL(fileURLWithPath: home.vault))
    for _ in 0..<2 { try home.run(["write", "later"] + today + other) }
    for suffix in ["-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: home.vault + suffix)
    }
    try before.write(to: URL(fileURLWithPath: home.vault))
    #expect(try home.run(["list"] + today + other).status == 5)
    #expect(try home.run(["accept-rollback"] + today + other).status == 0)
    for _ in 0..<2 {
      for device in [[], other] { #expect(try home.run(["list"] + today + device).status == 0) }
    }
  }

  @Test func `a session kept warm opens nothing once the policy is no longer warm`() throws {
    let home = try Home(faces: true)
    let other = device(home, "second")
    try home.ok(["policy", "set", "warm", "on"])
    try enroll(home, other)
    let run = ["FACEDIARY_RUNTIME": home.path + "/run-second"]
    #expect(
      try home.run(["unlock", "--passphrase-file", home.passphrase] + other, extra: run).status == 0
    )
    #expect(try home.run(["lock"] + other, extra: run).status == 0)
    #expect(try home.run(["unlock"] + Home.owner + other, extra: run).status == 0)
    #expect(try home.run(["lock"] + other, extra: run).status == 0)
    let second = try home.put("short", "short\n")
    try home.ok([
      "keys", "add", "face-passphrase", "--new-passphrase-file", second, "--kdf", "interactive",
    ])
    #expect(try home.run(["unlock"] + Home.owner + other, extra: run).status == 3)
    #expect(try home.run(["list"] + other, extra: run).status == 3)
    _ = try home.run(["lock"] + other, extra: run)
  }

  @Test func `faces whose slot went with a policy or a key are enrolled again as they are`() throws
  {
    let home = try Home(faces: true)
    let other = device(home, "second")
    for change in [
      [["policy", "set", "warm", "on"], ["policy", "set", "warm", "off"]],
      [["keys", "rotate", "--yes", "--kdf", "interactive"]],
    ] {
      try enroll(home, other)
      #expect(try home.run(["list"] + Home.owner + other).status == 0)
      for words in change { try home.ok(words) }
      let shut = try home.run(["list", "--json"] + Home.owner + other)
      #expect(shut.status == 3 && shut.errorCode == "needs-passphrase", "\(shut.err)")
      try home.ok(["list"] + other)
    }
    try enroll(home, other)
    #expect(try home.run(["list"] + Home.owner + other).status == 0)
  }

  @Test
  func `a copy that was gone on with elsewhere is a fork, and only what both sides know stays`()
    throws
  {
    let home = try Home()
    let stolen = device(home, "stolen")
    try home.ok(["list"] + stolen)
    // Somebody with an old device store, an old copy and the passphrase of then writes on his own.
    let aside = home.path + "/private.facediary"
    try FileManager.default.copyItem(atPath: home.folder, toPath: aside)
    for _ in 0..<3 { try home.ok(["write", "his", "--vault", aside] + stolen) }
    let new = try home.put("new", "another horse\n")
    try home.ok(["passphrase", "--new-passphrase-file", new, "--kdf", "interactive"])
    let today = ["--passphrase-file", new]
    #expect(try home.run(["write", "mine"] + today).status == 0)
    let old = ["--passphrase-file", home.passphrase]
    // He is not told that the diary is an older copy, and accepts nothing with what was replaced.
    #expect(try home.run(["accept-rollback", "--yes"] + stolen + old).status == 3)
    // His line in the diary's place: the owner is told, and the old passphrase does not come back with it.
    for suffix in ["-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: home.vault + suffix)
    }
    try Data(contentsOf: URL(fileURLWithPath: aside + "/vault")).write(
      to: URL(fileURLWithPath: home.vault))
    let told = try home.run(["list", "--json"] + today)
    #expect(told.status == 5 && told.errorCode == "rolled-back", "\(told.err)")
    for secret in [today, old] {
      #expect(try home.run(["accept-rollback", "--yes"] + secret).status == 3)
    }
    #expect(
      try home.run(["accept-rollback", "--yes", "--recovery-file", home.recovery]).status == 0)
    // Neither line's own passphrase: who has the recovery code sets a new one.
    for secret in [today, old] { #expect(try home.run(["list"] + secret).status == 3) }
    let kinds = try home.run(["keys", "--json"]).array.compactMap { $0["kind"] as? String }
    #expect(kinds == ["recovery"])
    #expect(try home.run(["verify", "--recovery-file", home.recovery]).status == 0)
  }

  @Test func `a face that keeps the passphrase that was replaced is named`() throws {
    let home = try Home(faces: true)
    let second = try home.put("both", "both words\n")
    try home.ok([
      "keys", "add", "face-passphrase", "--new-passphrase-file", second, "--kdf", "interactive",
    ])
    let new = try home.put("new", "new words\n")
    let run = try home.run([
      "passphrase", "--new-passphrase-file", new, "--kdf", "interactive", "--recovery-file",
      home.recovery,
    ])
    #expect(run.status == 0 && run.err.contains("still uses the passphrase"), "\(run)")
  }

  @Test func `a face with a passphrase asks for the same record as a passphrase alone`() throws {
    let home = try Home(faces: true)
    let second = try home.put("both", "both words\n")
    try home.ok([
      "keys", "add", "face-passphrase", "--new-passphrase-file", second, "--kdf", "interactive",
    ])
    let both = ["--passphrase-file", second] + Home.owner
    #expect(try home.run(["list"] + both).status == 0)
    for name in try FileManager.default.contentsOfDirectory(atPath: home.deviceStore)
    where name == "access" {
      unlink(home.deviceStore + "/" + name)
    }
    for words in [both, ["--passphrase-file", home.passphrase]] {
      let run = try home.run(["list", "--json"] + words)
      #expect(run.status == 5 && run.err.contains("access"), "\(run)")
    }
    try home.ok(["accept-rollback"])
    #expect(try home.run(["list"] + both).status == 0)
  }

  @Test func `a record of the device that others may read says what to do`() throws {
    let home = try Home()
    chmod(home.deviceStore + "/anchor", 0o644)
    let run = try home.run(["list", "--passphrase-file", home.passphrase])
    let fix = try #require(run.err.firstMatch(of: /chmod go= '([^']+)'/), "\(run)")
    #expect(run.status == 1)
    chmod(String(fix.1), 0o600)
    try home.ok(["list"])
  }

  @Test func `a folder of device stores that others may write is refused`() throws {
    let home = try Home()
    let folder = (home.deviceStore as NSString).deletingLastPathComponent
    chmod(folder, 0o777)
    let run = try home.run(["unlock", "--passphrase-file", home.passphrase])
    #expect(run.status == 1 && run.err.contains("chmod go= '\(folder)'"), "\(run)")
    chmod(folder, 0o700)
    try home.ok(["list"])
  }

  /// Notes of a chip, so that only a secret shows whether the diary is that of these stores; and the chip that is not there makes every
  /// opening fail after that.
  @Test func `a wrong passphrase is counted also where two stores claim the diary`() throws {
    let home = try Home()
    try home.ok(["write", "one"])
    let spare = URL(fileURLWithPath: home.deviceStore + "/keyring")
    let claims = home.path + "/claims"
    for (store, seed) in [
      ((home.deviceStore as NSString).lastPathComponent, 1), (String(repeating: "0", count: 26), 2),
    ] {
      let folder = claims + "/" + store
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      chmod(claims, 0o700)
      try Data(contentsOf: spare).write(to: URL(fileURLWithPath: folder + "/keyring"))
      var note = Array("FDTP1".utf8) + [1, 1, 0, 128, 1, 2, 0, 128, 1]
      for _ in 0..<2 { note += [4] + [UInt8](repeating: UInt8(seed), count: 4) }
      note += Digest.blake2b(note, count: 16, domain: "FDv1 chip checksum")
      try Data(note).write(to: URL(fileURLWithPath: folder + "/chip"))
      for name in ["keyring", "chip"] { chmod(folder + "/" + name, 0o600) }
    }
    let pin = try home.put("pin", "1234\n", mode: 0o600)
    func guess(_ file: String) throws -> Run {
      try home.run(["list", "--device", claims, "--passphrase-file", file, "--pin-file", pin])
    }
    let wrong = try home.put("guess", "not it\n", mode: 0o600)
    let codes = try (0..<8).map { _ in try guess(wrong).status }
    // Each counts once: the first three cost no wait.
    #expect(Array(codes.prefix(3)) == [3, 3, 3] && codes.last == 4, "\(codes)")
    // Who has to wait learns nothing of the right one.
    #expect(try guess(home.passphrase).status == 4)
    // The device that knows the diary counts for itself.
    try home.ok(["list"])
  }

  /// Somebody moves folders, and has no secret of the owner's; or the owner has two diaries, and somebody exchanges them.
  @Test(arguments: [false, true])
  func `another diary in the place of one opens by no face before its secret was given there`(
    isOwners: Bool
  ) throws {
    let home = try Home(faces: true)
    let other = home.path + "/other"
    let secret = ["--passphrase-file", try home.put("other-secret", "of the other\n", mode: 0o600)]
    let face =
      isOwners
      ? ["--face", Home.keys + "/owner-1.npy", "--model", "sface"]
      : ["--face", Home.keys + "/owner-1.npy", "--model", "sface", "--threshold", "-1", "--force"]
    let made = try home.run(
      ["init", "--vault", other, "--kdf", "interactive"] + secret + face)
    #expect(made.status == 0, "\(made.err)")
    #expect(try home.run(["list"] + Home.owner).status == 0)
    func exchange() {
      for (from, to) in [(other, other + "-"), (home.folder, other), (other + "-", home.folder)] {
        #expect(rename(from, to) == 0)
      }
    }
    exchange()
    for words in [["write", "a secret"], ["unlock"]] {
      let run = try home.run(words + Home.owner + ["--json"])
      #expect(run.status == 3 && run.errorCode == "needs-passphrase", "\(run)")
    }
    #expect(try home.run(["write", "a secret", "--passphrase-file", home.passphrase]).status == 3)
    exchange()
    #expect(try home.run(["list"] + Home.owner).status == 0)
    // Who gives its passphrase there is told, once; after that its face opens it there.
    exchange()
    let told = try home.run(["list"] + secret)
    #expect(told.status == 0 && told.err.contains("do not write in it"), "\(told.err)")
    #expect(try !home.run(["list"] + secret).err.contains("do not write in it"))
    #expect(try home.run(["list"] + Home.owner).status == 0)
    // Where no diary was before, a face is enough: a folder may be moved.
    let moved = home.path + "/moved"
    #expect(rename(home.folder, moved) == 0)
    #expect(try home.run(["list", "--vault", moved] + Home.owner).status == 0)
  }

  /// The key of the device is replaced in between, which makes another store of it.
  @Test(arguments: [false, true])
  func `nor does a link in the place of the folder above lead around that`(isMoved: Bool) throws {
    let home = try Home(faces: true)
    let evil = home.path + "/evil"
    try FileManager.default.createDirectory(
      atPath: evil, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let made = try home.run([
      "init", "--vault", evil + "/diary.facediary", "--kdf", "interactive", "--face",
      Home.keys + "/owner-1.npy", "--model", "sface", "--passphrase-file",
      try home.put("other-secret", "of the other\n", mode: 0o600),
    ])
    #expect(made.status == 0, "\(made.err)")
    if isMoved { try home.ok(["device", "move", "--file"]) }
    let above = (home.folder as NSString).deletingLastPathComponent
    #expect(rename(above, above + "-aside") == 0)
    symlink(evil, above)
    let run = try home.run(["write", "a secret", "--json"] + Home.owner)
    #expect(run.status == 3 && run.errorCode == "needs-passphrase", "\(run)")
    unlink(above)
    #expect(rename(above + "-aside", above) == 0)
    #expect(try home.run(["list"] + Home.owner).status == 0)
  }

  @Test func `what is salvaged is no easier to guess than what was damaged`() throws {
    let home = try Home(made: false)
    let limits = ["--kdf", "moderate", "--passphrase-file", home.passphrase]
    #expect(try home.run(["init"] + limits).status == 0)
    let out = home.path + "/out.facediary"
    try home.ok(["salvage", out, "--kdf", "interactive"])
    let slots = try LockedVault(out, settings: VaultSettings()).keyring.slots
    #expect(slots.filter { $0.kind == .passphrase }.map(\.limits) == [.moderate])
  }
}
