import Foundation
import Testing

/// A path that is no diary, is another diary's, or cannot be used.
@Suite(.threads) struct WrongPlaceTests {
  @Test func `what is no diary is not called a closed one`() throws {
    let home = try Home(made: false)
    let folder = home.path + "/run"
    let file = try home.put("notes", "no diary")
    for place in [home.path, file] {
      for command in ["list", "unlock"] {
        let run = try home.run([command, "--vault", place])
        #expect(run.status == 8 && run.err.contains("is not a diary vault"), "\(run)")
      }
      let status = try home.run(["status", "--vault", place])
      #expect(status.status == 0 && status.out.contains("is not a diary vault"), "\(status)")
    }
    let missing = try home.run(["list", "--vault", folder + "/none"])
    #expect(missing.status == 6, "\(missing)")
    #expect(missing.err.contains("facediary init;"))
    #expect(missing.err.contains("(with --vault \(folder)/none)"))
  }

  @Test func `an advice for a diary that was named names it, too`() throws {
    let home = try Home()
    let backup = try home.backup(in: home.path + "/backups")
    try home.ok(["lock"])
    let closed = try home.run(["list", "--vault", backup])
    #expect(closed.status == 3)
    #expect(closed.err.contains("facediary unlock (with --vault \(backup))"), "\(closed)")
    try home.ok(["unlock", "--vault", backup])
    #expect(try home.run(["list", "--vault", backup]).status == 0)
    try home.ok(["lock", "--vault", backup])
    let plain = try home.run(["list"])
    #expect(plain.err.contains("facediary unlock") && !plain.err.contains("--vault"))
  }

  @Test(arguments: ["objects/inner.facediary", "inner", "there/inner"])
  func `no diary is made in the folder of another`(place: String) throws {
    let home = try Home()
    try home.ok(["lock"])
    // By its own name, and by a link to it.
    try FileManager.default.createSymbolicLink(
      atPath: home.path + "/link", withDestinationPath: home.folder)
    for folder in [home.folder, home.path + "/link"] {
      let run = try home.run(
        ["init", "--vault", folder + "/" + place, "--passphrase-file", home.passphrase])
      #expect(run.status == 7 && run.err.contains("in the folder of another diary"), "\(run)")
      #expect(!FileManager.default.fileExists(atPath: folder + "/" + place))
      #expect(run.out.isEmpty)
    }
  }

  @Test func `a rotation that is declined leaves the diary open`() throws {
    let home = try Home()
    try home.ok(["unlock"])
    let terminal = try TerminalSession(
      home, ["keys", "rotate", "--passphrase-file", home.passphrase])
    #expect(terminal.expect("replace the key now?"))
    terminal.type("n\n")
    #expect(terminal.end() != 0)
    #expect(try home.run(["list"]).status == 0)
  }

  @Test func `a link is no directory for sessions`() throws {
    let home = try Home()
    let link = home.path + "/link"
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: home.path + "/tmp")
    let run = try home.run(
      ["unlock", "--passphrase-file", home.passphrase], extra: ["FACEDIARY_RUNTIME": link])
    #expect(run.status == 1 && run.err.contains("not a link"), "\(run)")
    #expect(run.err.contains("name another directory") && !run.err.contains("cp -p"))
  }
}
