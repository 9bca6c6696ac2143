import Foundation
import Glibc
import Testing

/// Every way in which joining, setting up or staying can fail, and what the program then says to do, done.
@Suite(.threads) struct ComingBackTests {
  /// What a program of ours tells people to do next.
  private func hint(_ run: Run) -> String {
    let object =
      try? JSONSerialization.jsonObject(with: Data(run.err.utf8)) as? [String: [String: Any]]
    return object?["error"]?["hint"] as? String ?? run.err
  }

  /// A home that asked to come in, by a process that was killed before anybody answered.
  private func asked(_ shared: SharedDiary) throws -> Home {
    let home = try Home(made: false)
    let (invite, code) = try shared.invitation()
    kill(invite.processIdentifier, SIGKILL)
    invite.waitUntilExit()
    let join = try home.start([
      "sync", "join", shared.place, code, "--passphrase-file", home.passphrase, "--kdf",
      "interactive",
    ])
    try poll(1200, every: 50_000) { try hasRequest(shared) }
    #expect(try hasRequest(shared))
    kill(join.processIdentifier, SIGKILL)
    join.waitUntilExit()
    let status = try home.ok(["sync", "status", "--json"])
    #expect(status.object["asking"] as? Bool == true)
    return home
  }

  private func hasRequest(_ shared: SharedDiary) throws -> Bool {
    FileManager.default.enumerator(atPath: shared.folder)?.allObjects.contains {
      ($0 as? String)?.contains("/request-") == true
    } ?? false
  }

  private func expectSame(_ homes: Home...) throws {
    let bodies = try homes.map { try $0.bodies }
    #expect(bodies.allSatisfy { $0 == bodies[0] && !$0.isEmpty }, "\(bodies)")
    for home in homes { #expect(try home.ok(["verify", "--json"]).status == 0) }
  }

  @Test func `a join that was killed is done again as the hint says`() throws {
    let shared = try SharedDiary()
    _ = try shared.one.write("on the laptop")
    try shared.sync(shared.one)
    let two = try asked(shared)
    _ = try two.write("written meanwhile")
    let sync = try two.run(["sync", "--json"])
    #expect(sync.status == 6 && hint(sync).contains("sync join"))
    _ = try shared.join("phone", two)
    try shared.sync(two, shared.one)
    try expectSame(shared.one, two)
    #expect(try two.bodies == ["on the laptop", "written meanwhile"])
  }

  /// An invitation at a terminal, and its code.
  private func invited(_ home: Home) throws -> (TerminalSession, code: String) {
    let invite = try TerminalSession(
      home, ["sync", "invite", "--passphrase-file", home.passphrase])
    var shown: String?
    for _ in 0..<100 where shown == nil {
      _ = invite.expect("never", within: 0.1)
      shown = invite.screen.firstMatch(of: /(?:[0-9A-Z]{4}-){9}[0-9A-Z]{4}/).map { String($0.0) }
    }
    return (invite, try #require(shown, "\(invite.screen)"))
  }

  @Test func `who invites with a passphrase that is replaced meanwhile lets nobody in`() throws {
    let shared = try SharedDiary()
    let (one, two) = (shared.one, try Home())
    let (invite, code) = try invited(one)
    let join = try TerminalSession(
      two, ["sync", "join", shared.place, code, "--passphrase-file", two.passphrase])
    #expect(invite.expect("[y/N]", within: 30), "\(invite.screen)")
    let new = try one.put("new", "another horse\n")
    try one.ok(["passphrase", "--new-passphrase-file", new, "--kdf", "interactive"])
    invite.type("y\n")
    #expect(invite.end() == 3, "\(invite.screen)")
    // It waits for nobody.
    #expect(join.end() == 9, "\(join.screen)")
    #expect(try one.run(["write", "of a later time", "--passphrase-file", new]).status == 0)
    #expect(try one.run(["sync", "--passphrase-file", new]).status == 0)
    _ = try two.run(["sync"])
    #expect(try two.bodies.isEmpty)
  }

  @Test func `a device that was revoked and invites all the same says no to who asks`() throws {
    let shared = try SharedDiary()
    let two = try shared.join()
    try shared.one.ok(["sync", "revoke", "phone", "--space-code-file", shared.spaceCode])
    let (invite, code) = try shared.invitation(by: two)
    let third = try Home(made: false)
    let join = try third.run([
      "sync", "join", shared.place, code, "--passphrase-file", third.passphrase, "--kdf",
      "interactive",
    ])
    invite.waitUntilExit()
    #expect(join.status == 9 && invite.terminationStatus == 7, "\(join)")
  }

  @Test func `a no is told to who asked, and leaves the invitation open`() throws {
    let shared = try SharedDiary()
    let (two, three) = (try Home(), try Home())
    let (invite, code) = try invited(shared.one)
    func join(_ home: Home) throws -> TerminalSession {
      try TerminalSession(
        home, ["sync", "join", shared.place, code, "--passphrase-file", home.passphrase])
    }
    let stranger = try join(three)
    #expect(invite.expect("[y/N]", within: 30), "\(invite.screen)")
    invite.type("n\n")
    #expect(stranger.end() == 9, "\(stranger.screen)")
    #expect(stranger.screen.contains("you can use the same code again"), "\(stranger.screen)")
    let own = try join(two)
    #expect(invite.expect("only one of them can be yours", within: 30), "\(invite.screen)")
    invite.type("y\n")
    #expect(invite.end() == 0, "\(invite.screen)")
    #expect(own.end() == 0, "\(own.screen)")
    try shared.sync(two, shared.one)
    // The other one comes in another time.
    _ = try shared.join("tablet", three)
  }

  @Test func `after a join that was killed the diary can begin a space of its own`() throws {
    let two = try asked(try SharedDiary())
    let folder = two.path + "/own"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try two.ok(["sync", "setup", "folder:" + folder])
    try two.ok(["sync"])
  }

  @Test func `a backup brings back what others have removed, too`() throws {
    let shared = try SharedDiary()
    let one = shared.one
    let two = try shared.join("phone")
    let id = try one.write("a mistake")
    try shared.sync(one, two)
    try one.ok(["backup", one.path + "/copies"])
    try one.ok(["delete", id, "--yes"])
    try one.ok(["purge", "--yes"])
    let since = try one.write("written since")
    try shared.sync(one, two)
    #expect(try two.ok(["list", "--json"]).array.count == 1)
    let run = try one.ok(["restore-backup", one.path + "/copies", "--yes"])
    #expect(run.err.contains("on all devices") && run.err.contains("1 entry was restored"))
    try shared.sync(one, two)
    for home in [one, two] {
      let ids = try home.ok(["list", "--json"]).array.compactMap { $0["id"] as? String }
      #expect(Set(ids) == [id, since])
    }
  }

  @Test func `a join that was killed can be left`() throws {
    let shared = try SharedDiary()
    let two = try asked(shared)
    #expect(try two.run(["sync", "leave", "--passphrase-file", two.passphrase]).status == 2)
    #expect(try two.ok(["sync", "leave", "--yes", "--json"]).object["left"] is NSNull)
    #expect(try two.run(["sync", "status", "--passphrase-file", two.passphrase]).status == 6)
    _ = try shared.join("phone", two)
  }

  @Test func `a code with a mistyped end is noticed before anybody is asked`() throws {
    let shared = try SharedDiary()
    let two = try Home()
    let (invite, code) = try shared.invitation()
    let wrong = String(code.dropLast()) + (code.hasSuffix("0") ? "1" : "0")
    let join = try two.run([
      "sync", "join", shared.place, wrong, "--passphrase-file", two.passphrase, "--json",
    ])
    #expect(join.status == 8 && join.err.contains("sync invite"), "\(join.err)")
    try two.ok(["sync", "join", shared.place, code, "--name", "phone"])
    invite.waitUntilExit()
    #expect(invite.terminationStatus == 0)
    try shared.sync(two, shared.one)
  }

  /// What `keys rotate` says is done to its end: the old copy's device is taken out, and the diary is there as another.
  @Test func `after a rotation the diary comes back, and its old copies read no more`() throws {
    let shared = try SharedDiary()
    let one = shared.one
    let two = try shared.join("phone")
    _ = try two.write("before")
    try shared.sync(two, one)
    let old = two.path + "/old"
    try FileManager.default.copyItem(atPath: two.folder, toPath: old)
    let rotated = try two.ok(["keys", "rotate", "--yes", "--kdf", "interactive"])
    let id = try #require(rotated.err.firstMatch(of: /sync revoke (\w+)/)?.output.1)
    #expect(rotated.err.contains("phone"), "\(rotated.err)")
    #expect(
      try two.run(["sync", "status", "--passphrase-file", two.passphrase]).status == 6)
    // A timer does not go on fetching for a device that is none any more, and says so.
    let closed = try two.run(["sync", "--json"])
    #expect(closed.status == 6 && closed.errorCode == "not-found", "\(closed.out)")
    _ = try shared.join("phone 2", two)
    // The other code that its owner wrote down.
    let other = try two.put("code", rotated.out.trimmingCharacters(in: .whitespacesAndNewlines))
    let wrong = try two.run([
      "sync", "revoke", String(id), "--space-code-file", other, "--passphrase-file",
      two.passphrase,
    ])
    #expect(wrong.status == 3 && wrong.err.contains("recovery code for sync"), "\(wrong)")
    try two.ok(["sync", "revoke", String(id), "--space-code-file", shared.spaceCode])
    try shared.sync(two, one)
    let names = try one.ok(["sync", "devices", "--json"]).array.filter {
      $0["revoked"] as? Bool != true
    }.compactMap { $0["name"] as? String }
    #expect(names.sorted() == ["laptop", "phone 2"])
    _ = try one.write("after the rotation")
    try shared.sync(one, two)
    #expect(try two.ok(["list", "--json"]).array.count == 2)
    // The copy opens as it did, and hears nothing of what was written since.
    let copy = ["--vault", old, "--passphrase-file", two.passphrase]
    let environment = ["FACEDIARY_DEVICE": two.path + "/other-device"]
    let sync = try two.run(["sync", "--json"] + copy, extra: environment)
    #expect(sync.status != 0, "\(sync.out) \(sync.err)")
    #expect(try !two.run(["list"] + copy, extra: environment).out.contains("after the rotation"))
  }

  @Test func `a device is named as others may read it, and revoked once`() throws {
    let shared = try SharedDiary()
    let one = shared.one
    for name in [
      "\u{202e}evil", "\u{200f}laptop", "two\nlines", String(repeating: "x", count: 129),
    ] {
      let home = try Home()
      let setup = try home.run([
        "sync", "setup", shared.place, "--name", name, "--passphrase-file", home.passphrase,
        "--json",
      ])
      #expect(setup.status == 8 && setup.out.isEmpty, "\(setup)")
    }
    let two = try shared.join("phone")
    let own = try one.run([
      "sync", "revoke", "laptop", "--space-code-file", shared.spaceCode, "--json",
      "--passphrase-file", one.passphrase,
    ])
    #expect(own.status == 7 && own.err.contains("facediary sync leave"), "\(own)")
    let unknown = try one.run([
      "sync", "revoke", "desktop", "--space-code-file", shared.spaceCode, "--json",
      "--passphrase-file", one.passphrase,
    ])
    #expect(unknown.status == 6 && !unknown.err.contains("laptop"), "\(unknown)")
    try one.ok(["sync", "revoke", "phone", "--space-code-file", shared.spaceCode])
    let again = try one.run([
      "sync", "revoke", "phone", "--space-code-file", shared.spaceCode, "--json",
      "--passphrase-file", one.passphrase,
    ])
    #expect(again.status == 7 && again.err.contains("revoked already"), "\(again)")
    _ = two
  }

  @Test func `a setup at a place that takes nothing begins nothing`() throws {
    let home = try Home()
    let script = try home.put(
      "keep", "#!/bin/sh\ncase $1 in list) ;; *) echo read-only >&2; exit 1;; esac\n", mode: 0o700)
    let refused = try home.run([
      "sync", "setup", "cmd:" + script, "--passphrase-file", home.passphrase,
    ])
    #expect(refused.status == 1 && refused.err.contains("read-only") && refused.out.isEmpty)
    #expect(try home.run(["sync", "status", "--passphrase-file", home.passphrase]).status == 6)
    let folder = home.path + "/place"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    #expect(try home.run(["sync", "doctor", "folder:" + folder]).status == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    let file = try home.put("a file", "not a folder")
    for words in [["doctor"], ["setup", "--passphrase-file", home.passphrase]] {
      let wrong = try home.run(["sync", words[0], "folder:" + file] + words.dropFirst())
      #expect(wrong.status == 1 && wrong.err.contains("there is a file there"), "\(wrong)")
    }
    let made = try home.ok(["sync", "setup", "folder:" + folder])
    // Nothing was said of a closed diary: it was not.
    #expect(!made.err.contains("closed"))
    // A second one says what leads on, and that does.
    let again = try home.run([
      "sync", "setup", "folder:" + folder, "--passphrase-file", home.passphrase, "--json",
    ])
    #expect(again.status == 7 && hint(again).contains("facediary sync leave"))
    // There is nobody who could revoke it.
    let left = try home.ok(["sync", "leave", "--yes"])
    #expect(!left.err.contains("facediary sync revoke"), "\(left.err)")
    try home.ok(["sync", "setup", "folder:" + folder])
  }

  @Test func `what a space that was left has in its folder does not come into the next one`() throws
  {
    let shared = try SharedDiary()
    let one = shared.one
    let photo = try one.put("a.jpg", String(repeating: "x", count: 50_000))
    _ = try one.write("with a photo", ["--attach", photo])
    try shared.sync(one)
    let state = one.path + "/.local/state/facediary/places.json"
    let places = try Data(contentsOf: URL(fileURLWithPath: state))
    let copy = one.path + "/sync-copy"
    try FileManager.default.copyItem(atPath: one.folder + "/sync", toPath: copy)
    try one.ok(["sync", "leave", "--yes"])
    // As if it had been ended in the middle: the place is still known, and the folder is full.
    try places.write(to: URL(fileURLWithPath: state))
    try? FileManager.default.removeItem(atPath: one.folder + "/sync")
    try FileManager.default.copyItem(atPath: copy, toPath: one.folder + "/sync")
    try one.ok(["sync", "leave", "--yes"])
    try? FileManager.default.removeItem(atPath: one.folder + "/sync")
    try FileManager.default.copyItem(atPath: copy, toPath: one.folder + "/sync")
    let folder = one.path + "/second"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try one.ok(["sync", "setup", "folder:" + folder])
    try one.ok(["sync"])
    let names = FileManager.default.enumerator(atPath: folder)?.allObjects.compactMap {
      $0 as? String
    }
    #expect(names?.count { $0.contains("/object/") } == 1)
    #expect(names?.count { $0.contains("/roster/") } == 1)
  }

  @Test func `a setup that was killed before its place was kept is done again`() throws {
    let home = try Home()
    let folder = home.path + "/place"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    // The place cannot be kept: what comes after the space has begun fails.
    let inTheWay = home.path + "/.local/state/facediary/places.json"
    try FileManager.default.createDirectory(atPath: inTheWay, withIntermediateDirectories: true)
    let failed = try home.run([
      "sync", "setup", "folder:" + folder, "--passphrase-file", home.passphrase,
    ])
    #expect(failed.status != 0)
    try FileManager.default.removeItem(atPath: inTheWay)
    let lost = try home.run(["sync", "--json"])
    #expect(lost.status == 6 && hint(lost).contains("sync setup"))
    try home.ok(["sync", "setup", "folder:" + folder])
    try home.ok(["sync"])
  }

  @Test func `a device that was taken out comes back as the hint says`() throws {
    let shared = try SharedDiary()
    let one = shared.one
    let two = try shared.join()
    let id = try one.write("first")
    try shared.sync(one, two)
    try one.ok(["edit", id, "by the laptop"])
    try two.ok(["edit", id, "by the phone"])
    try shared.sync(one, two, one)
    try one.ok(["sync", "revoke", "phone", "--space-code-file", shared.spaceCode])
    _ = try one.write("after it")
    try shared.sync(one)
    _ = try two.write("not told")
    let closed = try two.run(["sync", "--passphrase-file", two.passphrase])
    #expect(closed.status == 5 && closed.err.contains("facediary sync leave"), "\(closed.err)")
    // Not that it is up to date, nor what it waits for.
    let more = try two.run(["sync", "--passphrase-file", two.passphrase])
    #expect(!(more.out + more.err).contains(/up to date|wait/), "\(more)")
    let left = try two.ok(["sync", "leave", "--yes"])
    #expect(!left.err.contains("facediary sync revoke"), "\(left.err)")
    // Both texts are still here, and can be made one.
    #expect(try two.ok(["conflicts", "--json"]).array.count == 1)
    _ = try shared.join("phone again", two)
    // It heard that it was taken out before it told anything, so that nothing is passed over.
    try shared.sync(two, one, two)
    for home in [one, two] {
      let bodies = try home.bodies
      #expect(bodies.contains("after it") && bodies.contains("not told"), "\(bodies)")
    }
    try expectSame(one, two)
  }

  @Test func `a copy leaves and comes in as a device of its own`() throws {
    let shared = try SharedDiary()
    let one = shared.one
    _ = try one.write("before the copy")
    try shared.sync(one)
    let copy = try one.cloned()
    _ = try one.write("by the first")
    _ = try copy.write("by the copy")
    try shared.sync(one)
    let copied = try copy.run(["sync", "--passphrase-file", copy.passphrase])
    #expect(copied.status == 5 && copied.err.contains("facediary sync leave"), "\(copied.err)")
    try copy.ok(["sync", "leave", "--yes"])
    _ = try shared.join("copy", copy)
    _ = try one.run(["sync", "--passphrase-file", one.passphrase])
    try shared.sync(copy, one)
    try expectSame(one, copy)
    #expect(try one.bodies == ["before the copy", "by the copy", "by the first"])
  }

  @Test func `a sync folder that was emptied is left and joined again`() throws {
    let shared = try SharedDiary()
    let one = shared.one
    let two = try shared.join()
    _ = try two.write("never sent")
    // Settled, and then both copies go.
    try two.ok(["sync"])
    for place in [shared.folder + "/fd1", two.folder + "/sync"] {
      for name in FileManager.default.enumerator(atPath: place)?.allObjects ?? [] {
        guard let name = name as? String, name.contains("/log/") || name.hasPrefix("log/") else {
          continue
        }
        try? FileManager.default.removeItem(atPath: place + "/" + name)
      }
    }
    try one.run(["sync", "repair", "--passphrase-file", one.passphrase])
    let gone = try two.run(["sync", "--passphrase-file", two.passphrase])
    #expect(gone.status == 5, "\(gone.err)")
    try two.ok(["sync", "leave", "--yes"])
    _ = try shared.join("again", two)
    _ = try one.run(["sync", "--passphrase-file", one.passphrase])
    try expectSame(one, two)
  }

  @Test func `a new device needs one passphrase option`() throws {
    let shared = try SharedDiary()
    let (invite, code) = try shared.invitation()
    let two = try Home(made: false)
    let joined = try two.run([
      "sync", "join", shared.place, code, "--new-passphrase-file", two.passphrase, "--kdf",
      "interactive", "--json",
    ])
    #expect(joined.status == 0, "\(joined.err)")
    #expect((joined.object["recoveryCode"] as? String)?.count == 34)
    invite.waitUntilExit()
  }

  @Test func `a new device chooses its passphrase at the terminal and is not asked for it again`()
    throws
  {
    let shared = try SharedDiary()
    _ = try shared.one.write("from the laptop")
    try shared.sync(shared.one)
    let (invite, code) = try shared.invitation()
    let two = try Home(made: false)
    let session = try TerminalSession(
      two, ["sync", "join", shared.place, code, "--name", "phone", "--kdf", "interactive"])
    #expect(session.expect("New passphrase: "))
    session.type("correct horse\n")
    #expect(session.expect("Repeat it: "))
    session.type("correct horse\n")
    #expect(session.end() == 0, "\(session.screen)")
    // The two questions for the new one, and no third.
    #expect(session.screen.components(separatedBy: "assphrase: ").count == 2, "\(session.screen)")
    invite.waitUntilExit()
    #expect(try two.bodies == ["from the laptop"])
  }
}
