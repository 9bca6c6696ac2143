import Bytes
import Entries
import Foundation
import RowStore
import Scratch
import Sealing
import Testing

@testable import DiaryVault

/// A copy from before `keys rotate`, in the hands of somebody who has its passphrase and may write the diary's folder.
@Suite(.threads) struct RotationTests {
  /// What a device remembers is not at hand to who has another.
  private final class NoMemory: AnchorStore {
    func load() throws(VaultError) -> Anchor? { nil }
    func save(_: Anchor) throws(VaultError) {}
    func lock() throws(VaultError) -> AnyObject { self }
  }

  private static let settings = VaultSettings(leastMemory: 8192)

  private func open(_ home: Home, device: [UInt8]) throws -> Vault {
    var secret = Array("correct horse".utf8)
    return try Vault.open(
      try LockedVault(home.folder, settings: Self.settings), kind: .passphrase,
      secret: try SecretBytes(wiping: &secret), device: device, anchors: NoMemory(),
      settings: Self.settings)
  }

  /// Lets the old state look like the next one of this device, and invents a device that wrote it.
  private func forge(_ home: Home, writes: UInt64) throws {
    let vault = try open(home, device: [UInt8](repeating: 5, count: 16))
    try vault.change { edit throws(VaultError) in
      edit.update { state in
        for id in state.devices.keys { state.devices[id]?.counter += writes }
        state.devices[[UInt8](repeating: 6, count: 16)] = DeviceState(counter: 1, templates: nil)
      }
    }
  }

  /// Who rotates because the passphrase is known gives another one. It opens no slot of the copy, and is right all the same.
  @Test func `a secret that is valid only today is not called wrong before an older copy`() throws {
    let home = try Home(faces: true)
    _ = try home.write("before")
    let old = home.path + "/old"
    let files = FileManager.default
    try files.copyItem(atPath: home.folder, toPath: old)
    let passphrase = try home.put("new", "another long horse", mode: 0o600)
    let rotated = try home.ok([
      "keys", "rotate", "--yes", "--kdf", "interactive", "--new-passphrase-file", passphrase,
    ])
    let code = try home.put("code", rotated.out, mode: 0o600)
    let today = home.path + "/today"
    try files.moveItem(atPath: home.folder, toPath: today)
    try files.copyItem(atPath: old, toPath: home.folder)
    for secret in [["--passphrase-file", passphrase], ["--recovery-file", code], Home.owner] {
      for _ in 0..<3 {
        let run = try home.run(["list", "--json"] + secret)
        #expect(run.status == 5 && run.errorCode == "rolled-back", "\(run)")
      }
    }
    try files.removeItem(atPath: home.folder)
    try files.moveItem(atPath: today, toPath: home.folder)
    // Nothing was counted.
    #expect(try home.run(["list", "--passphrase-file", passphrase]).out.contains("before"))
  }

  @Test(arguments: [0, 1, 2, 3] as [UInt64])
  func `it is never gone on with, whatever its counters say`(_ writes: UInt64) throws {
    let home = try Home(faces: true)
    _ = try home.write("before")
    let old = home.path + "/old"
    try FileManager.default.copyItem(atPath: home.folder, toPath: old)
    try home.ok(["keys", "rotate", "--yes", "--kdf", "interactive"])
    _ = try home.write("after")
    let today = home.path + "/today"
    try FileManager.default.copyItem(atPath: home.folder, toPath: today)
    try FileManager.default.removeItem(atPath: home.folder)
    try FileManager.default.copyItem(atPath: old, toPath: home.folder)
    // Today's clear rows of attempts, and a state that comes next.
    var rows: [(host: [UInt8], attempts: [UInt8])] = []
    try RowStore(today + "/vault", .readOnly, schema: .vault).run(
      "SELECT host, attempts FROM device"
    ) { row throws(StoreError) in
      rows.append((try row.blob(0, limit: 64), try row.blob(1, limit: 4096)))
      return true
    }
    let store = try RowStore(home.vault, .readWrite, schema: .vault)
    try store.transaction { () throws(StoreError) in
      try store.run("DELETE FROM device")
      for row in rows {
        try store.run(
          "INSERT INTO device(host, attempts) VALUES(?, ?)", [.blob(row.host), .blob(row.attempts)])
      }
    }
    try forge(home, writes: writes)
    let secret = ["--passphrase-file", home.passphrase]
    for words in [
      ["list"] + secret, ["unlock"] + secret, ["unlock"] + Home.owner, ["list"] + Home.owner,
      ["write", "to the thief"] + secret, ["verify"] + secret, ["keys"] + secret,
      ["accept-rollback", "--yes"] + secret, ["enroll", Home.keys + "/owner-1.npy"] + secret,
      ["passphrase", "--new-passphrase-file", home.recovery] + secret,
    ] {
      let run = try home.run(words + ["--json"])
      #expect(
        run.status == 5 && run.errorCode == "rolled-back", "\(words): \(run.status) \(run.err)")
      #expect(run.err.contains("its key has been replaced since"), "\(words): \(run.err)")
    }
    // What the hint says: put the diary back; and what only the copy has is taken out of it.
    let out = home.path + "/out.facediary"
    try home.ok(["salvage", out, "--kdf", "interactive"])
    #expect(try home.ok(["list", "--bodies", "--json", "--vault", out]).array.count == 1)
    try FileManager.default.removeItem(atPath: home.folder)
    try FileManager.default.copyItem(atPath: today, toPath: home.folder)
    #expect(try home.ok(["list", "--json"]).array.count == 2)
    #expect(try home.run(["list", "--json"] + Home.owner).array.count == 2)
  }

  @Test func `a passphrase is in one way in, and opens nothing once it is replaced`() throws {
    let home = try Home()
    let (one, two) = (try home.put("one", "first of all\n"), try home.put("two", "second to all\n"))
    let add = ["keys", "add", "passphrase", "--kdf", "interactive", "--new-passphrase-file"]
    #expect(
      try home.run(add + [home.passphrase, "--passphrase-file", home.passphrase]).status == 7)
    try home.ok(add + [one])
    let change = ["passphrase", "--kdf", "interactive", "--new-passphrase-file"]
    let taken = try home.run(change + [home.passphrase, "--passphrase-file", one])
    #expect(taken.status == 7 && taken.err.contains("this passphrase"), "\(taken)")
    // It may replace itself.
    #expect(try home.run(change + [one, "--passphrase-file", one]).status == 0)
    #expect(try home.run(change + [two, "--passphrase-file", one]).status == 0)
    #expect(try home.run(["list", "--passphrase-file", one]).status == 3)
    #expect(try home.run(["list", "--passphrase-file", two]).status == 0)
    #expect(try home.run(["list", "--passphrase-file", home.passphrase]).status == 0)
  }

  @Test func `a passphrase replaces itself, and after a recovery code all, and says so`() throws {
    let home = try Home()
    let (one, two) = (try home.put("one", "first of all\n"), try home.put("two", "second to all\n"))
    try home.ok(["keys", "add", "passphrase", "--new-passphrase-file", one, "--kdf", "interactive"])
    let change = ["passphrase", "--kdf", "interactive", "--new-passphrase-file"]
    #expect(try home.ok(change + [two]).err.contains("the passphrase was changed"))
    for file in [one, two] {
      #expect(try home.run(["list", "--passphrase-file", file]).status == 0)
    }
    let all = try home.run(change + [home.passphrase, "--recovery-file", home.recovery])
    #expect(all.err.contains("replaces all 2"), "\(all)")
    for file in [one, two] {
      #expect(try home.run(["list", "--passphrase-file", file]).status == 3)
    }
    try home.ok(["list"])
    try home.ok(["lock"])
    #expect(try !home.run(["keys"]).out.contains("--"))
  }

  @Test(.enabled(if: Thoroughness.isThorough))
  func `a passphrase that goes on gets no less work than it had`() throws {
    let home = try Home()
    try home.ok(["passphrase", "--kdf", "sensitive", "--new-passphrase-file", home.passphrase])
    try home.ok(["keys", "rotate", "--yes"])
    #expect(try home.ok(["keys"]).out.contains("4 × 1024 MiB"))
    try home.ok(["keys", "rotate", "--yes", "--kdf", "interactive"])
    #expect(try !home.ok(["keys"]).out.contains("1024 MiB"))
  }
}
