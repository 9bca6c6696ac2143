import Foundation
import RowStore
import Testing

/// The vault's id stands in clear beside the slots, under a checksum that needs no key: whoever may write the file can write another.
@Suite(.threads) struct ForgedNameTests {
  enum Forgery: CaseIterable {
    case oneCopy, bothNames, keyToo, withoutSlots, keyAndName, ofAnotherDiary, ofDiaryHere

    /// A copy of the slots with another vault's name, and what else goes with it.
    func renamed(_ keyring: [UInt8]) -> [UInt8] {
      var forged = keyring
      switch self {
      case .oneCopy:
        // Newer than the other copy.
        forged.replaceSubrange(6..<14, with: [0, 0, 1, 0, 0, 0, 0, 0])
        forged.replaceSubrange(14..<30, with: [UInt8](repeating: 7, count: 16))
      case .keyToo: forged.replaceSubrange(14..<46, with: [UInt8](repeating: 7, count: 32))
      case .withoutSlots:
        forged = Array(forged[..<14]) + [UInt8](repeating: 7, count: 32)
        forged += [UInt8](repeating: 0, count: 18)
      default: forged.replaceSubrange(14..<30, with: [UInt8](repeating: 7, count: 16))
      }
      return forged
    }
  }

  @Test(arguments: Forgery.allCases)
  func `a vault with another's name opens as what this device remembers it to be`(
    _ forgery: Forgery
  ) throws {
    let home = try Home()
    _ = try home.write("hello")
    let other = home.path + "/other"
    let secret = ["--passphrase-file", home.passphrase]
    let stranger = try Home()
    if forgery == .ofDiaryHere {
      try home.ok(["init", "--vault", other, "--kdf", "interactive"])
    }
    let file = VaultBytes(home.vault)
    var forged = try file.keyring()
    switch forgery {
    case .keyAndName:
      // One copy with another key, the other with another name.
      let other = VaultBytes.mended(forgery.renamed(forged))
      try file.run("UPDATE keyring_copy SET data=? WHERE copy=1", [.blob(other)])
      forged.replaceSubrange(30..<46, with: [UInt8](repeating: 0, count: 16))
    case .ofAnotherDiary: forged = try VaultBytes(stranger.vault).keyring()
    case .ofDiaryHere: forged = try VaultBytes(other + "/vault").keyring()
    default: forged = forgery.renamed(forged)
    }
    forged = VaultBytes.mended(forged)
    if [.oneCopy, .keyAndName].contains(forgery) {
      try file.run("UPDATE keyring SET data=? WHERE copy=1", [.blob(forged)])
    } else {
      try file.put(keyring: forged)
    }
    for secret in [secret, ["--recovery-file", home.recovery]] {
      let run = try home.run(["list", "--json"] + secret)
      #expect(run.status == 0 && run.array.count == 1, "\(run.err)")
    }
    let wrong = try home.put("wrong", "not it\n")
    let refused = try home.run(["list", "--passphrase-file", wrong])
    #expect([3, 5].contains(refused.status), "\(refused.err)")
    try home.ok(["write", "more"])
    try home.ok(["verify", "--repair"])
    try home.ok(["verify"])
    #expect(try home.ok(["list", "--json"]).array.count == 2)
    if forgery == .ofDiaryHere {
      #expect(try home.run(["list", "--vault", other] + secret).status == 0)
    }
  }

  /// Whose key it would take to know that the name is forged.
  enum Withheld: CaseIterable { case pin, program }

  @Test(arguments: Withheld.allCases, [Forgery.oneCopy, .bothNames, .keyToo, .withoutSlots])
  func `a secret shows which diary it is where the device's key cannot be had before`(
    _ withheld: Withheld, _ forgery: Forgery
  ) throws {
    let home: Home
    var chip: Chip?
    var pin: [String] = []
    switch withheld {
    case .pin:
      guard let (own, its) = try Chip.home() else { return }
      (home, chip) = (own, its)
      pin = ["--pin-file", try home.put("pin", "123456\n")]
      try home.ok(["device", "move", "--tpm", "--pin", "--new-pin-file", pin[1]])
    case .program:
      home = try Home()
      // It gives the key only while a file is there.
      let script = try home.put(
        "helper",
        """
        #!/bin/sh
        [ -e "$HOME/open" ] || exit 1
        while read -r line && [ -n "$line" ]; do case $line in secret=*) secret=$line;; esac; done
        case $1 in store) echo "$secret" > "$HOME/kept-key";; get) cat "$HOME/kept-key" || true;; esac
        """, mode: 0o700)
      _ = try home.put("open", "")
      try home.ok(["device", "move", "--helper", script])
    }
    defer { chip?.stop() }
    try home.ok(["write", "hello"] + pin)
    let file = VaultBytes(home.vault)
    let whole = try file.keyring()
    let forged = VaultBytes.mended(forgery.renamed(whole))
    if forgery == .oneCopy {
      try file.run("UPDATE keyring SET data=? WHERE copy=1", [.blob(forged)])
    } else {
      try file.put(keyring: forged)
    }
    let wrong = try home.put("wrong", "not it\n")
    #expect(
      try [3, 5].contains(home.run(["list", "--passphrase-file", wrong] + pin).status))
    let secrets = [["--passphrase-file", home.passphrase], ["--recovery-file", home.recovery]]
    for secret in secrets {
      if withheld == .pin {
        let without = try home.run(["list"] + secret)
        #expect(without.status == 3 && without.err.contains("needs its PIN"), "\(without)")
      } else {
        try FileManager.default.removeItem(atPath: home.path + "/open")
        let without = try home.run(["list"] + secret)
        #expect(without.status != 0 && !without.err.contains("wrong"), "\(without)")
        _ = try home.put("open", "")
      }
      let run = try home.run(["list", "--json"] + secret + pin)
      #expect(run.status == 0 && run.array.count == 1, "\(run.err)")
    }
    try home.ok(["verify", "--repair"] + pin)
    try home.ok(["verify"] + pin)
    #expect(try file.keyring()[14..<46] == whole[14..<46])
  }

  @Test func `two diaries whose keys wait for a PIN are told apart by the secret`() throws {
    guard let (home, chip) = try Chip.home() else { return }
    defer { chip.stop() }
    let other = home.path + "/other"
    let secret = try home.put("second", "another horse\n")
    let pins = try ["123456", "654321"].map { try home.put("pin-" + $0, $0 + "\n") }
    let ways = [
      ["--passphrase-file", home.passphrase, "--pin-file", pins[0]],
      ["--vault", other, "--passphrase-file", secret, "--pin-file", pins[1]],
    ]
    let made = try home.run(
      ["init", "--kdf", "interactive", "--vault", other, "--passphrase-file", secret])
    #expect(made.status == 0, "\(made.err)")
    for (way, pin) in zip(ways, pins) {
      let words = ["device", "move", "--tpm", "--pin", "--new-pin-file", pin]
      #expect(try home.run(words + way.dropLast(2)).status == 0)
      #expect(try home.run(["write", pin] + way).status == 0)
    }
    for vault in [home.vault, other + "/vault"] {
      try VaultBytes(vault).run("DELETE FROM keyring")
      try VaultBytes(vault).run("DELETE FROM keyring_copy")
    }
    for (way, pin) in zip(ways, pins) {
      let run = try home.run(["list"] + way)
      #expect(run.status == 0 && run.out.contains(pin), "\(run)")
      #expect(try home.run(["verify", "--repair"] + way).status == 0)
      #expect(try home.run(["verify"] + way).status == 0)
    }
  }

  /// Where the keys of two diaries of this device are: of the forged one, or of both.
  enum Kept: CaseIterable { case oneByProgram, bothByProgram, byPIN }

  @Test(arguments: Kept.allCases)
  func `slots under the name of another diary of this device stay what they are`(_ kept: Kept)
    throws
  {
    let home: Home
    var chip: Chip?
    if kept == .byPIN {
      guard let (own, its) = try Chip.home() else { return }
      (home, chip) = (own, its)
    } else {
      home = try Home()
    }
    defer { chip?.stop() }
    let other = home.path + "/other"
    let secret = try home.put("second", "another horse\n")
    var ways = [
      ["--passphrase-file", home.passphrase], ["--vault", other, "--passphrase-file", secret],
    ]
    let made = try home.run(["init", "--kdf", "interactive"] + ways[1])
    #expect(made.status == 0, "\(made.err)")
    let script = try home.put(
      "helper",
      """
      #!/bin/sh
      while read -r line && [ -n "$line" ]; do
        case $line in vault=*) vault=${line#vault=};; secret=*) secret=$line;; esac
      done
      case $1 in store) echo "$secret" > "$HOME/key-$vault";; get) cat "$HOME/key-$vault" || true;; esac
      """, mode: 0o700)
    for place in ways.indices where place == 0 || kept != .oneByProgram {
      if kept == .byPIN {
        let pin = try home.put("pin-\(place)", "12345\(place)\n")
        let words = ["device", "move", "--tpm", "--pin", "--new-pin-file", pin]
        #expect(try home.run(words + ways[place]).status == 0)
        ways[place] += ["--pin-file", pin]
      } else {
        #expect(try home.run(["device", "move", "--helper", script] + ways[place]).status == 0)
      }
    }
    for way in ways { #expect(try home.run(["write", "mine"] + way).status == 0) }
    var forged = try VaultBytes(home.vault).keyring()
    let name = try VaultBytes(other + "/vault").keyring()[14..<30]
    forged.replaceSubrange(14..<30, with: name)
    try VaultBytes(home.vault).put(keyring: VaultBytes.mended(forged))
    let pin = ways[0].dropFirst(2)
    for _ in 0..<4 {
      for words in [ways[0], ["--recovery-file", home.recovery] + pin] {
        let run = try home.run(["list", "--json"] + words)
        #expect(run.status == 0 && run.array.count == 1, "\(run.err)")
      }
    }
    let wrong = try home.put("wrong", "not it\n")
    let refused = try home.run(["list", "--passphrase-file", wrong] + pin)
    #expect([3, 5].contains(refused.status), "\(refused.err)")
    // The other one is not made to wait.
    #expect(try home.run(["list"] + ways[1]).status == 0)
    #expect(try home.run(["verify", "--repair"] + ways[0]).status == 0)
    #expect(try home.run(["verify"] + ways[0]).status == 0)
    #expect(try VaultBytes(home.vault).keyring()[14..<30] != name)
  }

  /// What is done to one copy of the slots.
  enum Change: CaseIterable {
    case nothing, name, newerName, key, newerKey, slots, checksum, copy

    func apply(_ keyring: [UInt8]) -> [UInt8]? {
      var bytes = keyring
      switch self {
      case .nothing: return keyring
      case .copy: return nil
      case .checksum:
        bytes[bytes.count - 1] ^= 1
        return bytes
      case .name, .newerName: bytes.replaceSubrange(14..<30, with: [UInt8](repeating: 7, count: 16))
      case .key, .newerKey: bytes.replaceSubrange(30..<46, with: [UInt8](repeating: 0, count: 16))
      case .slots: bytes = Array(bytes[..<46]) + [UInt8](repeating: 0, count: 18)
      }
      if [.newerName, .newerKey].contains(self) {
        bytes.replaceSubrange(6..<14, with: [0, 0, 1, 0, 0, 0, 0, 0])
      }
      return VaultBytes.mended(bytes)
    }
  }

  @Test(arguments: Change.allCases)
  func `whatever is done to either copy, the passphrase opens`(_ first: Change) throws {
    let home = try Home()
    let file = VaultBytes(home.vault)
    let keyring = try file.keyring()
    for second in Change.allCases {
      for (table, change) in [("keyring", first), ("keyring_copy", second)] {
        try file.run("DELETE FROM \(table)")
        guard let bytes = change.apply(keyring) else { continue }
        try file.run("INSERT INTO \(table) (copy, data) VALUES (1, ?)", [.blob(bytes)])
      }
      let run = try home.run(["list", "--passphrase-file", home.passphrase])
      #expect(run.status == 0, "\(second): \(run.err)")
    }
  }

  /// A device that never opened it cannot tell which of the copies is right.
  @Test func `where nothing is known of a vault with two names, no secret is called wrong`() throws
  {
    let home = try Home()
    let file = VaultBytes(home.vault)
    var forged = try file.keyring()
    forged.replaceSubrange(14..<30, with: [UInt8](repeating: 7, count: 16))
    try file.run(
      "UPDATE keyring SET data=? WHERE copy=1", [.blob(VaultBytes.mended(forged))])
    let new = try Home()
    let run = try new.run(
      ["list", "--vault", home.folder, "--passphrase-file", home.passphrase, "--json"])
    #expect(run.status != 3 && !run.err.contains("wrong"), "\(run.err)")
  }
}
