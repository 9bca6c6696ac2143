import Foundation
import TestServers
import Testing

/// A chip that does not work, or whose PIN nobody has, keeps its owner from nothing that a passphrase opens.
@Suite(.threads) struct ChipRescueTests {
  /// A home whose device key needs a PIN, and the words that give the right one, a wrong one and the passphrase.
  private func homeWithPIN() throws -> (Home, Chip, pin: [String], wrong: [String], [String])? {
    guard let (home, chip) = try Chip.home() else { return nil }
    try home.ok([
      "device", "move", "--tpm", "--pin", "--new-pin-file", try home.put("pin", "2468\n"),
    ])
    return (
      home, chip, ["--pin-file", home.path + "/pin"],
      ["--pin-file", try home.put("wrong", "1357\n")], ["--passphrase-file", home.passphrase]
    )
  }

  @Test func `a backup becomes the diary of a device whose key needs a PIN`() throws {
    guard let (home, chip, pin, wrong, secret) = try homeWithPIN() else { return }
    #expect(try home.run(["write", "one"] + secret + pin).status == 0)
    let made = try home.run(["backup", home.path + "/copies", "--json"] + secret + pin)
    let backup = try #require(made.object["file"] as? String)
    let words = ["restore-backup", backup, "--yes"] + secret
    try FileManager.default.moveItem(atPath: home.folder, toPath: home.path + "/away")
    let asked = try home.run(words)
    #expect(asked.status == 3 && asked.err.contains("--pin-file"), "\(asked)")
    #expect(try home.run(words + wrong).status == 3)
    #expect(try home.run(words + pin).status == 0)
    #expect(try home.run(["list", "--json"] + secret + pin).array.count == 1)
    // Typed at a terminal, too.
    try FileManager.default.removeItem(atPath: home.folder)
    let session = try TerminalSession(home, words)
    #expect(session.expect("PIN"), "\(session.screen)")
    session.type("2468\n")
    #expect(session.end() == 0, "\(session.screen)")
    // With the chip gone the hint leads on.
    try FileManager.default.removeItem(atPath: home.folder)
    chip.stop()
    let gone = try home.run(words + pin)
    let store = try #require(gone.err.firstMatch(of: /move (\S+) to another folder/), "\(gone)")
    try FileManager.default.moveItem(atPath: String(store.1), toPath: home.path + "/store")
    #expect(try home.run(words).status == 0)
  }

  @Test func `a damaged diary is rescued without the PIN of its device, as the hint says`() throws {
    guard let (home, chip, pin, wrong, secret) = try homeWithPIN() else { return }
    #expect(try home.run(["write", "one"] + secret + pin).status == 0)
    func salvage(_ words: [String]) throws -> Run {
      let out = home.path + "/out"
      defer { try? FileManager.default.removeItem(atPath: out) }
      return try home.run(["salvage", out, "--kdf", "interactive"] + secret + words)
    }
    for words in [[], wrong] {
      let run = try salvage(words)
      #expect(run.status == 3 && run.err.contains("--device"), "\(run)")
    }
    #expect(try salvage(pin).status == 0)
    #expect(try salvage(["--device", home.path + "/new"]).status == 0)
    chip.stop()
    #expect(try salvage(pin).status == 0)
  }

  /// - Parameter isWhole: whether both counters are gone, or that of tries alone.
  @Test(arguments: [false, true])
  func `a chip that keeps the key and counts no more keeps nobody out`(_ isWhole: Bool) throws {
    guard let (home, chip) = try Chip.home() else { return }
    guard isInstalled("tpm2_nvdefine") else {
      print("skipped: tpm2-tools is not installed")
      return
    }
    let tcti = "swtpm:path=\(chip.socket)"
    func counters() throws -> [String] {
      let listed = try #require(ran("tpm2_getcap", "-T", tcti, "handles-nv-index"))
      return listed.matches(of: /0x[0-9A-Fa-f]+/).map { String($0.0) }
    }
    try home.ok(["device", "move", "--tpm"])
    let made = try counters()
    #expect(made.count == 2)
    // The note says where both are: that of sessions, then that of tries.
    let note = try Data(contentsOf: URL(fileURLWithPath: home.deviceStore + "/chip"))
    let tries = note[10..<14].reversed().reduce(0) { $0 << 8 | Int($1) }
    let gone = made.filter { isWhole || Int($0.dropFirst(2), radix: 16) == tries }
    #expect(gone.count == (isWhole ? 2 : 1))
    for counter in gone {
      #expect(ran("tpm2_nvundefine", "-T", tcti, "-C", "o", counter) != nil)
    }
    // Another program takes all the room there is.
    for size in [2000, 512, 8] {
      var number = 0
      while ran(
        "tpm2_nvdefine", "-T", tcti, "-Q", "0x1\(500000 + size * 100 + number)", "-C", "o", "-s",
        "\(size)", "-a", "ownerread|ownerwrite") != nil
      {
        number += 1
      }
    }
    for number in 0..<60 {
      let index = "0x1\(800000 + number)"
      guard
        ran(
          "tpm2_nvdefine", "-T", tcti, "-Q", index, "-C", "o", "-s", "8", "-a",
          "ownerread|ownerwrite|nt=counter") != nil
      else { break }
      _ = ran("tpm2_nvincrement", "-T", tcti, "-Q", "-C", "o", index)
    }
    let secret = ["--passphrase-file", home.passphrase]
    if isWhole {
      // Each error leads on.
      let first = try home.run(["list"] + secret)
      #expect(first.status == 5 && first.err.contains("accept-rollback"), "\(first)")
      let next = try home.run(["accept-rollback", "--yes"] + secret)
      #expect(next.status == 1 && next.err.contains("device reset"), "\(next)")
      let wrong = try home.run(["device", "reset", "--passphrase-file", home.vault])
      #expect(wrong.status != 0)
      try home.ok(["device", "reset"])
    } else {
      let said = try home.ok(["list"])
      #expect(said.err.contains("device move --file"), "\(said)")
      #expect(try home.run(["list"] + Home.owner).status == 4)
      try home.ok(["device", "move", "--file"])
      #expect(try home.run(["list"] + Home.owner).status == 0)
    }
    try home.ok(["write", "after it"])
    #expect(try home.ok(["list", "--json"]).array.count == 1)
    withExtendedLifetime(chip) {}
  }
}
