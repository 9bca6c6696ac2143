import Bytes
import Foundation
import Glibc
import Testing

@testable import Access
@testable import Client
@testable import CommandLine
@testable import Dates
@testable import Entries
@testable import Formats
@testable import Platform
@testable import Requests
@testable import Words

/// The process that holds the keys, attacked from outside: what keeps it past its time, and what hides it from `lock`.
@Suite(.threads) struct KeeperTests {
  @Test func `a request of any size ends with the session's time, a signal and lock`() throws {
    let home = try Home()
    for number in 0..<3 { _ = try home.write("text \(number)") }
    try home.ok(["policy", "set", "life", "1m"])
    // Within the limit of a message, and more entries than one request may name.
    let flood = try Frame(ShowEntries((0..<400_000).map { _ in .last })).encoded
    let work = try Frame(ShowEntries((0..<9_000).map { _ in .last })).encoded
    for how in ["end of life", "signal", "lock"] {
      try home.ok(["unlock", "--for", "6s", "--idle", "6s"])
      let process = try #require(home.keepers.first)
      let client = try home.connectToKeeper()
      try BackgroundThread.start { try? client.send(flood) }
      // Work within the limits, a hundred requests at once: it goes on in slices.
      let busy = try (0..<6).map { _ in
        let one = try home.connectToKeeper()
        try one.send(work)
        return one
      }
      let start = SystemClock.awake
      switch how {
      case "signal": process.terminate()
      case "lock": #expect(try home.run(["lock"]).status == 0)
      default: break
      }
      #expect(process.isGone(within: how == "end of life" ? 9000 : 3000), "\(how)")
      #expect(SystemClock.awake - start < 9_500_000_000)
      withExtendedLifetime(busy) {}
    }
  }

  @Test func `an owner's keeper ends on a signal while it waits for an answer`() throws {
    let home = try Home()
    let terminal = try TerminalSession(
      home, ["keys", "rotate", "--passphrase-file", home.passphrase])
    #expect(terminal.expect("[y/N]"))
    let keeper = try #require(home.keepers.first)
    keeper.terminate()
    #expect(keeper.isGone(within: 3000))
    // Who answers now changes nothing.
    terminal.type("y\n")
    #expect(terminal.end() > 0)
    try home.ok(["list"])
  }

  @Test func `a signal at a hidden prompt ends the keeper and brings the echo back`() throws {
    let home = try Home()
    let terminal = try TerminalSession(
      home, ["passphrase", "--passphrase-file", home.passphrase])
    #expect(terminal.expect("New passphrase: "))
    #expect(!terminal.echoes)
    let keeper = try #require(home.keepers.first)
    keeper.terminate()
    #expect(keeper.isGone(within: 3000))
    #expect(terminal.end() != 0)
    #expect(terminal.echoes)
  }

  @Test func `rotating, restoring and a new face-passphrase end the session that is open`() throws {
    let home = try Home(faces: true)
    let backup = try home.backup(in: home.path + "/backups")
    let new = try home.put("new", "short\n")
    for words in [
      ["keys", "rotate", "--yes", "--kdf", "interactive"],
      ["keys", "add", "face-passphrase", "--new-passphrase-file", new, "--kdf", "interactive"],
      ["restore-backup", "--yes", "--backup-passphrase-file", home.passphrase, backup],
    ] {
      try home.ok(["unlock"])
      let session = try #require(home.keepers.first)
      try home.ok(words)
      #expect(session.isGone(within: 2000), "\(words)")
    }
  }

  @Test func `an import that is under way ends with a lock, in a warm diary, too`() throws {
    let home = try Home(faces: true)
    try home.ok(["policy", "set", "warm", "on"])
    try home.ok(["unlock"])
    let client = try home.connectToKeeper()
    try client.send(try Frame(ImportEntries(isDryRun: false)).encoded)
    try client.send(Frame(.lock).encoded)
    var buffer = FrameBuffer()
    var answer: Frame?
    while answer == nil {
      let bytes = try #require(try client.receive())
      try #require(!bytes.isEmpty)
      buffer.append(bytes[...])
      answer = try buffer.next()
    }
    #expect(answer?.kind == .answer)
    let draft = EntryDraft(date: try ZonedTime(seconds: 0, offset: 0), body: "late")
    try? client.send(Frame([ImportItem.entry(ImportedEntry(draft: draft))]).encoded)
    try? client.send(Frame(.endOfItems).encoded)
    while let bytes = try? client.receive(), !bytes.isEmpty {}
    #expect(try !home.ok(["list"]).out.contains("late"))
  }

  @Test
  func `what serves a page is not kept waiting by an import, and what got no answer asks no more`()
    throws
  {
    let home = try Home()
    try home.ok(["unlock"])
    let importing = try home.connectToKeeper()
    try importing.send(try Frame(ImportEntries(isDryRun: false)).encoded)
    let socket = try #require(try SessionSocket(home.location).connect())
    let page = try #require(
      try KeeperConnection(connected: socket, to: home.location, as: .serving))
    let start = SystemClock.awake
    #expect(throws: VaultError(.busy, .database)) {
      _ = try page.run(AddEntry(EntryDraft(date: try ZonedTime(seconds: 0, offset: 0), body: "1")))
    }
    #expect(SystemClock.awake - start > 2_500_000_000)
    #expect(try page.run(CountEntries()).live == 0)
    // Any other client waits, as long as it likes; then no answer is taken for another one's.
    let hasty = try #require(try KeeperConnection(session: home.location, patience: 1))
    #expect(throws: SessionError.silent) {
      _ = try hasty.run(AddEntry(EntryDraft(date: try ZonedTime(seconds: 0, offset: 0), body: "2")))
    }
    try importing.send(Frame(.endOfItems).encoded)
    _ = try importing.receive()
    #expect(throws: SessionError.gone) { _ = try hasty.run(CountEntries()) }
    #expect(
      try page.run(AddEntry(EntryDraft(date: try ZonedTime(seconds: 0, offset: 0), body: "3")))
        .revision == 1)
  }

  @Test func `a message over the memory limit is refused while it is decoded`() throws {
    var reader = ByteReader([8] + [0xff, 0xff, 0xff, 0x7f])
    var left = Wire.requestLimit
    #expect(throws: SealingError.malformed) { _ = try WireValue(&reader, left: &left) }
    // Seventeen million empty values in as many bytes.
    var writer = ByteWriter()
    writer.put(UInt8(8))
    writer.putVarint(1_000_000)
    var deep = ByteReader(writer.bytes + [UInt8](repeating: 0, count: 1_000_000))
    left = Wire.requestLimit
    #expect(throws: SealingError.malformed) { _ = try WireValue(&deep, left: &left) }
    var nested = ByteReader(
      [UInt8](repeating: 8, count: 1) + (0..<200).flatMap { _ in [1, 8] as [UInt8] })
    left = Wire.requestLimit
    #expect(throws: SealingError.malformed) { _ = try WireValue(&nested, left: &left) }
  }

  @Test func `more values than a message may have are refused in an import's items, too`() throws {
    var draft = EntryDraft(date: try ZonedTime(seconds: 0, offset: 0), body: "")
    draft.content.tags = [String](repeating: "", count: Wire.requestLimit + 1)
    let one = ImportItem.entry(ImportedEntry(draft: draft))
    #expect(throws: SealingError.malformed) { _ = try Frame([one]).items() }
    draft.content.tags = [String](repeating: "", count: Wire.requestLimit / 2 - 1)
    let half = ImportItem.entry(ImportedEntry(draft: draft))
    #expect(try Frame([half, half]).items().count == 2)
    #expect(throws: SealingError.malformed) { _ = try Frame([half, half, half]).items() }
  }

  @Test func `lock is heard beside any number of idle clients`() throws {
    let home = try Home()
    try home.ok(["unlock"])
    let process = try #require(home.keepers.first)
    var clients: [LocalSocket] = []
    for _ in 0..<200 {
      guard let socket = try SessionSocket(home.location).connect() else { break }
      try socket.send(Frame(.hello, [Frame.version]).encoded)
      clients.append(socket)
    }
    #expect(clients.count > 64)
    // It is full, which is not the same as closed.
    for words in [["list"], ["status", "--json"]] {
      let run = try home.run(words)
      #expect(!run.err.contains("closed") && !run.out.contains("\"authentication\""), "\(run)")
      if words == ["list"] { #expect(run.status == 1 && run.err.contains("too many"), "\(run)") }
    }
    let start = SystemClock.awake
    #expect(try home.run(["lock", "--all"]).status == 0)
    #expect(process.isGone(within: 100))
    #expect(SystemClock.awake - start < 8_000_000_000)
    withExtendedLifetime(clients) {}
  }

  @Test func `lock finds a session whose socket others could reach, or is gone`() throws {
    for spoil in ["chmod", "remove"] {
      let home = try Home()
      try home.ok(["unlock"])
      let process = try #require(home.keepers.first)
      if spoil == "chmod" {
        chmod(home.path + "/run", 0o755)
      } else {
        try FileManager.default.removeItem(atPath: home.path + "/run")
      }
      #expect(try home.run(["lock"]).status == 0)
      #expect(process.isGone(within: 0), "\(spoil)")
    }
  }

  @Test func `lock finds a session whose diary got another path since`() throws {
    let home = try Home()
    try home.ok(["unlock"])
    let process = try #require(home.keepers.first)
    let moved = home.path + "/moved.facediary"
    try FileManager.default.moveItem(atPath: home.folder, toPath: moved)
    #expect(try home.run(["lock", "--vault", moved]).status == 0)
    #expect(process.isGone(within: 0))
  }

  @Test func `lock says that a process it cannot see has the diary open`() throws {
    let home = try Home()
    let session = SessionSocket(home.location)
    try home.ok(["unlock"])
    // As a keeper in another container would: it has a part in the lock, and no name that is seen here.
    let elsewhere = try #require(try FileLock.directory(home.folder, alone: false))
    let run = try home.run(["lock", "--json"])
    #expect(run.status == 1 && run.err.contains("cannot be seen from here"))
    #expect(
      (OtherProcess.named { session.isKept(by: $0) } ?? []).allSatisfy { $0.isGone(within: 0) })
    withExtendedLifetime(elsewhere) {}
  }

  @Test func `every open diary has a part in the lock on its folder`() throws {
    let home = try Home()
    let location = home.location
    #expect(!SessionSocket.isOpenSomewhere(location))
    try home.ok(["unlock"])
    #expect(SessionSocket.isOpenSomewhere(location))
    try home.ok(["lock"])
    #expect(!SessionSocket.isOpenSomewhere(location))
  }

  @Test func `lock ends a keeper without a session, too`() throws {
    let home = try Home()
    _ = try home.write("shown")
    let terminal = try TerminalSession(
      home, ["browse", "--passphrase-file", home.passphrase])
    #expect(terminal.expect("shown"))
    let process = try #require(home.keepers.first)
    #expect(try home.run(["lock"]).status == 0)
    #expect(process.isGone(within: 0))
    #expect(terminal.end() == 3)
  }

  @Test func `a lock that cannot be confirmed names the process and ends with 1`() {
    let failure = Failure(SessionError.stillOpen(processes: [12, 34]))
    #expect(failure.code.exitCode == 1)
    #expect(failure.message.text(in: .english).contains("12, 34"))
    #expect(Failure(SessionError.unknown).code.exitCode == 1)
  }

  @Test func `lock ends a process that was stopped and hears nothing`() throws {
    let home = try Home()
    try home.ok(["unlock"])
    let process = try #require(home.keepers.first)
    // Stopped, it hears nothing; it is ended all the same.
    kill(process.id, SIGSTOP)
    #expect(try home.run(["lock"]).status == 0)
    #expect(process.isGone(within: 0))
  }

  @Test func `the policy's idle binds openings without a session; arguments only shorten`()
    throws
  {
    let home = try Home()
    _ = try home.write("shown")
    try home.ok(["policy", "set", "idle", "10s"])
    let limits = try home.ok(["unlock", "--idle", "12h", "--json"])
    #expect(limits.status == 0)
    let session = try #require(
      try home.run(["status", "--json"]).object["session"] as? [String: Any])
    let idle = try #require(session["idleExpires"] as? String)
    let now = ISO8601DateFormatter()
    let end = try #require(now.date(from: idle))
    #expect(end.timeIntervalSinceNow <= 11)
    #expect(try home.run(["lock"]).status == 0)
    // The same for one command: nobody pressed a key.
    let terminal = try TerminalSession(
      home, ["browse", "--passphrase-file", home.passphrase],
      extra: ["FACEDIARY_TEST_PACE": "10"])
    #expect(terminal.expect("shown"))
    let process = try #require(home.keepers.first)
    #expect(process.isGone(within: 5000))
    #expect(terminal.end() == 3)
  }

  @Test func `an open editor is use`() throws {
    let home = try Home()
    try home.ok(["policy", "set", "idle", "10s"])
    // Half a second of the editor are fifteen of the keeper.
    let script = try home.put(
      "editor.sh", "#!/bin/sh\necho 'slowly written' > \"$1\"; echo open; sleep 0.5\n",
      mode: 0o700)
    let terminal = try TerminalSession(
      home, ["write", "--passphrase-file", home.passphrase],
      extra: ["EDITOR": script, "FACEDIARY_TEST_PACE": "30"])
    #expect(terminal.expect("open"))
    #expect(terminal.end() == 0)
    #expect(try home.ok(["list", "--json"]).array.count == 1)
  }

  @Test func `a terminal that is closed after :w keeps what was saved`() throws {
    let home = try Home()
    try home.ok(["unlock"])
    let script = try home.put(
      "editor.sh", "#!/bin/sh\necho 'typed and saved' > \"$1\"; echo saved; sleep 20\n",
      mode: 0o700)
    let terminal = try TerminalSession(home, ["write"], extra: ["EDITOR": script])
    #expect(terminal.expect("saved"))
    terminal.hangUp()
    #expect(terminal.end() == 129)
    let recovered = try home.run(["write", "--recover", "--json"])
    #expect(recovered.status == 0, "\(recovered.err)")
    #expect(try home.run(["list", "--json"]).array.count == 1)
    #expect(
      try home.run(["show", "@last", "--json"]).array.first?["body"] as? String
        == "typed and saved")
  }

  @Test func `an interrupted export leaves no plain text`() throws {
    let home = try Home()
    for _ in 0..<3 { _ = try home.write(String(repeating: "plain words ", count: 2000)) }
    try home.ok(["unlock"])
    let folder = home.path + "/out"
    mkdir(folder, 0o700)
    for number in 0..<20 {
      let child = try ChildProcess.spawn(
        ["/usr/bin/env"] + home.environment.map { "\($0)=\($1)" }
          + [Home.binary, "export", "-o", folder + "/diary.json"],
        files: [0, 1, 2], ownGroup: true)
      usleep(UInt32(number * 700))
      kill(child, number % 2 == 0 ? SIGINT : SIGKILL)
      _ = ChildProcess.wait(for: child)
      let left = try FileManager.default.contentsOfDirectory(atPath: folder)
      // The whole file, or nothing.
      #expect(left.isEmpty || left == ["diary.json"], "\(left)")
      if left == ["diary.json"] {
        let data = try Data(contentsOf: URL(fileURLWithPath: folder + "/diary.json"))
        #expect((try? JSONSerialization.jsonObject(with: data)) != nil)
        unlink(folder + "/diary.json")
      }
    }
  }

  @Test func `a keeper gives up files, programs and network where the kernel holds it to that`()
    throws
  {
    let home = try Home()
    try home.ok(["unlock"])
    let session = try #require(
      try home.run(["status", "--json"]).object["session"] as? [String: Any])
    let confined = try #require(session["confined"] as? [String])
    let process = try #require(home.keepers.first)
    let status = try String(contentsOfFile: "/proc/\(process.id)/status", encoding: .utf8)
    // What it says is what the kernel says: 2 is a seccomp filter.
    #expect(status.contains("Seccomp:\t2") == confined.contains("programs"))
    #expect(status.contains("NoNewPrivs:\t1") == !confined.isEmpty)
  }

  @Test func `a keeper that a face opened is confined as one that a passphrase opened`() throws {
    let home = try Home(faces: true)
    func confinement() throws -> [String: [String]] {
      let session = try home.run(["status", "--json"]).object["session"] as? [String: Any]
      return session?["confinement"] as? [String: [String]] ?? [:]
    }
    try home.ok(["unlock"])
    let bySecret = try confinement()
    #expect(try home.run(["lock"]).status == 0)
    #expect(try home.run(["unlock"] + Home.owner).status == 0)
    let byFace = try confinement()
    #expect(byFace == bySecret && byFace["tried"] == ["files", "programs", "network"])
    #expect(try home.run(["write", "by the face's keeper"]).status == 0)
  }

  @Test func `a diary whose folder is a link is written, and locked by any of its names`() throws {
    let home = try Home()
    let real = home.path + "/elsewhere.facediary"
    try FileManager.default.moveItem(atPath: home.folder, toPath: real)
    try FileManager.default.createSymbolicLink(atPath: home.folder, withDestinationPath: real)
    try home.ok(["unlock"])
    #expect(try home.run(["write", "through the link"]).status == 0)
    #expect(try home.run(["list", "--vault", real]).status == 0)
    #expect(try home.run(["lock", "--vault", real]).status == 0)
    #expect(try home.run(["list"]).status == 3)
    #expect(home.keepers.isEmpty)
    try home.ok(["unlock", "--vault", real])
    #expect(try home.run(["lock"]).status == 0)
    #expect(try home.run(["list", "--vault", real]).status == 3)
    // Also when what the link leads to is not there any more.
    try home.ok(["unlock"])
    try FileManager.default.moveItem(atPath: real, toPath: real + ".away")
    #expect(try home.run(["lock"]).status == 0)
    #expect(home.keepers.isEmpty)
    try FileManager.default.moveItem(atPath: real + ".away", toPath: real)
    #expect(try home.run(["list"]).status == 3)
  }

  @Test func `a confined keeper has no thread that would end it for not seeing its others`() throws
  {
    let home = try Home()
    try home.ok(["unlock"])
    for name in ["one", "two"] {
      let photo = try home.put(name, String(repeating: name, count: 2 << 20))
      #expect(try home.run(["write", name, "--attach", photo]).status == 0)
    }
    #expect(try home.run(["verify"]).status == 0)
    let tasks = "/proc/\(try #require(home.keepers.first).id)/task"
    let names = try FileManager.default.contentsOfDirectory(atPath: tasks).compactMap {
      try? String(contentsOfFile: "\(tasks)/\($0)/comm", encoding: .utf8)
    }
    // It, its watchdog and what worked beside them.
    #expect(names.count >= 3, "\(names)")
    #expect(!names.contains { $0.contains("-qos") }, "\(names)")
  }

  @Test func `a path of the shell's own, like /dev/fd/63, reaches the keeper`() throws {
    let home = try Home()
    let child = try ChildProcess.spawn(
      ["/usr/bin/env"] + home.environment.map { "\($0)=\($1)" }
        + [
          "bash", "-c",
          "\"$0\" list --passphrase-file <(cat \"$1\")", Home.binary, home.passphrase,
        ], files: [0, 1, 2], ownGroup: true)
    #expect(ChildProcess.wait(for: child) == 0)
  }

  @Test func `a secret that is empty is said to be that`() throws {
    let home = try Home()
    try Data().write(to: URL(fileURLWithPath: home.path + "/empty"))
    let run = try home.run(["list", "--passphrase-file", home.path + "/empty"])
    #expect(run.status == 8 && !run.err.contains("secretEmpty"), "\(run.err)")
  }
}
