import Entries
import Foundation
import Glibc
import Testing

@testable import Commands

/// Something else in the place of a file of this device's store, which is never followed, read or waited for.
@Suite(.threads) struct OddFileTests {
  @Test(arguments: ["access", "anchor"], ["pipe", "directory", "socket", "link"])
  func `what stands in the place of a record makes way as the hint says`(
    name: String, kind: String
  ) throws {
    let home = try Home()
    _ = try home.write("there before")
    try home.ok(["lock"])
    let path = home.deviceStore + "/" + name
    let aside = home.path + "/elsewhere"
    try "not to be touched".write(toFile: aside, atomically: true, encoding: .utf8)
    unlink(path)
    switch kind {
    case "pipe": #expect(mkfifo(path, 0o600) == 0)
    case "directory": #expect(mkdir(path, 0o700) == 0)
    case "link": #expect(symlink(aside, path) == 0)
    default:
      let place = try FileManager.default.attributesOfItem(atPath: home.deviceStore)
      #expect(place[.posixPermissions] as? Int == 0o700)
      #expect(mknod(path, S_IFSOCK | 0o600, 0) == 0)
    }
    let secret = ["--passphrase-file", home.passphrase]
    let list = try home.run(["list"] + secret)
    #expect(list.status == 5 && list.err.contains("facediary accept-rollback"), "\(list)")
    // Nothing of the device's store keeps the diary's contents from being taken out.
    let out = home.path + "/out.facediary"
    try home.ok(["salvage", out, "--kdf", "interactive"])
    #expect(try home.ok(["list", "--vault", out]).out.contains("there before"))
    try home.ok(["accept-rollback", "--yes"])
    #expect(try home.ok(["list"]).out.contains("there before"))
    #expect(try String(contentsOfFile: aside, encoding: .utf8) == "not to be touched")
  }

  /// SQLite takes a path of 512 bytes, and the system one of 4,096.
  @Test func `a diary, its backups and its session work at the end of a long path`() throws {
    let home = try Home(made: false)
    let folder = home.path + String(repeating: "/" + String(repeating: "d", count: 99), count: 6)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let vault = ["--vault", folder + "/diary"]
    try home.ok(["init", "--kdf", "interactive"] + vault)
    try home.ok(["write", "at the end"] + vault)
    try home.ok(["unlock"] + vault)
    #expect(try home.run(["list"] + vault).out.contains("at the end"))
    #expect(try home.run(["lock"] + vault).status == 0)
    try home.ok(["backup", folder + "/copy"] + vault)
    try home.ok(["restore-backup", folder + "/copy", "--yes", "--vault", folder + "/back"])
    #expect(try home.ok(["list", "--vault", folder + "/back"]).out.contains("at the end"))
  }

  /// Everybody can put a file into memory's common directory, under the name of a sealed text.
  @Test(.enabled(if: geteuid() == 0)) func `somebody else's file is no text of ours`() throws {
    let home = try Home()
    let id = try #require(try home.ok(["status", "--json"]).object["id"] as? String)
    let path = "/dev/shm/facediary-sealed-\(id.prefix(8))-other"
    try Data("x".utf8).write(to: URL(fileURLWithPath: path))
    defer { unlink(path) }
    try #require(chown(path, 65534, 65534) == 0)
    #expect(try !home.ok(["status"]).out.contains("drafts"))
    #expect(try home.run(["write", "--recover", "--passphrase-file", home.passphrase]).status == 6)
    // One of ours is looked at.
    try #require(chown(path, 0, 0) == 0 && chmod(path, 0o600) == 0)
    #expect(try home.ok(["status"]).out.contains("drafts"))
  }

  /// As somebody does who may rename in the folder above.
  @MainActor @Test func `an export is not finished under a name that another folder has now`()
    throws
  {
    let home = try Home(made: false)
    let path = home.path + "/out"
    do {
      let made = try NewFolder(path)
      try made.write("entry.md", Array("mine".utf8))
      #expect(rename(path, home.path + "/prepared") == 0 && mkdir(path, 0o777) == 0)
      let error = #expect(throws: VaultError.self) { try made.finishOnDisk() }
      #expect(error?.code == .conflict)
    }
    // What was made in clear is not left under the other name.
    let left = try FileManager.default.contentsOfDirectory(atPath: home.path + "/prepared")
    #expect(left.isEmpty)
  }
}
