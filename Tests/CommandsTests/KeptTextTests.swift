import Foundation
import Glibc
import Testing

@testable import Commands
@testable import Dates
@testable import Formats
@testable import Platform
@testable import Words

/// What was typed and could not be saved: it is kept, sealed, and comes back.
@Suite(.threads) struct KeptTextTests {
  private func newest(_ home: Home) throws -> [String: Any] {
    try #require(home.ok(["show", "@last", "--json"]).array.first)
  }

  /// An editor that saved, and was then killed: what it saved is kept sealed.
  private func crash(_ home: Home, _ words: [String], _ writing: String) throws {
    let program = try home.put(
      "hx", "#!/bin/sh\n\(writing) > \"$1\"\nkill -9 $$\n", mode: 0o700)
    let session = try TerminalSession(
      home, words + ["--passphrase-file", home.passphrase], extra: ["EDITOR": program])
    #expect(session.end() == 137, "\(session.screen)")
    #expect(session.screen.contains("write --recover"), "\(session.screen)")
  }

  @Test func `what was kept of a head without its first line has that line's field, too`() throws {
    let home = try Home()
    try crash(
      home, ["write"],
      "printf -- 'title: Typed here\\ntags: a\\nstarred: no\\n---\\n\\nand this\\n'")
    try home.ok(["write", "--recover"])
    let entry = try newest(home)
    #expect(entry["title"] as? String == "Typed here" && entry["tags"] as? [String] == ["a"])
    #expect(entry["body"] as? String == "and this")
  }

  @Test func `an interrupt while the text is being saved does not lose it`() throws {
    let home = try Home()
    let id = try #require(try home.run(["status", "--json"]).object["id"] as? String)
    let store = home.path + "/.local/state/facediary/" + id
    // Another process writes, for longer than anybody waits.
    let lock = open(store + "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    #expect(flock(lock, LOCK_EX) == 0)
    let program = try home.put(
      "hx", "#!/bin/sh\necho $$ > \(home.path)/editor\necho saved and interrupted > \"$1\"\n",
      mode: 0o700)
    let session = try TerminalSession(
      home, ["write", "--passphrase-file", home.passphrase], extra: ["EDITOR": program])
    try poll(3000, every: 20_000) { try !kept(home).isEmpty && home.hasEnded("editor") }
    #expect(try !kept(home).isEmpty, "\(session.screen)")
    #expect(session.end(typing: "\u{3}") == 128 + SIGINT, "\(session.screen)")
    close(lock)
    // Whether the keeper came to its end or not, it is there once.
    try home.ok(["write", "--recover"])
    let list = try home.ok(["list", "--json"])
    #expect(list.array.count == 1, "\(list.out)")
    #expect(try newest(home)["body"] as? String == "saved and interrupted")
    #expect(try kept(home).isEmpty)
  }

  @Test func `an interrupt while a journal's name is looked up does not lose the text`() throws {
    let home = try Home()
    // The keeper is stopped by the time the editor ends, and does not answer.
    let program = try home.put(
      "hx",
      """
      #!/bin/sh
      echo $$ > \(home.path)/editor
      printf -- '---\\njournal: work\\n---\\n\\nsaved and looked up' > "$1"
      for id in $(pgrep -P $PPID); do
        [ $id = $$ ] || { kill -STOP $id && echo $id >> \(home.path)/stopped; }
      done

      """, mode: 0o700)
    let session = try TerminalSession(
      home, ["write", "--passphrase-file", home.passphrase], extra: ["EDITOR": program])
    try poll(3000, every: 20_000) { try !kept(home).isEmpty && home.hasEnded("editor") }
    #expect(try kept(home).count == 1, "\(session.screen)")
    #expect(session.end(typing: "\u{3}") == 128 + SIGINT, "\(session.screen)")
    let stopped = try String(contentsOfFile: home.path + "/stopped", encoding: .utf8)
    for id in stopped.split(separator: "\n") { kill(try #require(pid_t(id)), SIGKILL) }
    try home.ok(["write", "--recover"])
    #expect(try newest(home)["body"] as? String == "journal: work\n\nsaved and looked up")
    #expect(try kept(home).isEmpty)
  }

  @Test func `what was kept while the text was corrected is gone when it is saved`() throws {
    let home = try Home()
    let program = try home.put(
      "hx",
      """
      #!/bin/sh
      if [ -e \(home.path)/second ]; then ls \(home.path)/.local/state/facediary/*.drafts > \(home.path)/seen
        printf -- '---\\ndate: 2024-05-01\\n---\\n\\ncorrected' > "$1"
      else touch \(home.path)/second; printf -- '---\\ndate: never\\n---\\n\\ntyped' > "$1"; fi

      """, mode: 0o700)
    let session = try TerminalSession(
      home, ["write", "--passphrase-file", home.passphrase], extra: ["EDITOR": program])
    #expect(session.end() == 0, "\(session.screen)")
    let seen = try String(contentsOfFile: home.path + "/seen", encoding: .utf8)
    #expect(seen.contains(".sealed"))
    #expect(try kept(home).isEmpty)
    #expect(try newest(home)["body"] as? String == "corrected")
  }

  /// The texts that wait to be recovered.
  private func kept(_ home: Home) throws -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: try keptFolder(home))) ?? []
  }

  private func keptFolder(_ home: Home) throws -> String {
    let store = home.path + "/.local/state/facediary"
    let names = try FileManager.default.contentsOfDirectory(atPath: store)
    return store + "/" + (names.first { $0.hasSuffix(".drafts") } ?? "none")
  }

  @Test func `kept text that can be no entry as it is becomes one all the same`() throws {
    let home = try Home()
    let id = try home.write("short", ["--date", "2024-01-01", "--until", "2024-01-03"])
    // The end stays, and is before the date then.
    try crash(
      home, ["edit", id], "printf -- '---\\ndate: 2024-02-01\\n---\\n\\na page of text'")
    try home.ok(["write", "--recover"])
    #expect(try home.ok(["search", "page of text"]).out.contains("2024-02-01"))
    try crash(home, ["write"], "printf 'before\\000after'")
    try home.ok(["write", "--recover"])
    let text = try home.ok(["show", "--raw", "@last"]).out
    #expect(text.contains("before") && text.contains("after"), "\(text)")
    try crash(home, ["write"], "printf -- '---\\ntitle: %01100d\\n---\\n\\nlong title' 7")
    try home.ok(["write", "--recover"])
    #expect(try home.ok(["search", "long title"]).out.isEmpty == false)
    // With a picture for each U+0000 it would be longer than an entry may be.
    try crash(home, ["write"], "(echo among zeros; head -c 5700000 /dev/zero)")
    try home.ok(["write", "--recover"])
    #expect(try home.ok(["show", "--raw", "@last"]).out.hasPrefix("among zeros"))
  }

  @Test func `a title that was kept while the entry changed elsewhere is not lost`() throws {
    let home = try Home()
    let id = try home.write("the same text")
    try crash(
      home, ["edit", id], "printf -- '---\\ntitle: Kept title\\n---\\n\\nthe same text\\n'")
    try home.ok(["edit", id, "--star"])
    try home.ok(["write", "--recover"])
    let saved = try home.ok(["list", "--json"]).array
    #expect(saved.contains { $0["title"] as? String == "Kept title" }, "\(saved)")
    // One that no title can be stands above the text.
    try crash(
      home, ["edit", id], "printf -- '---\\ntitle: Kept %01100d\\n---\\n\\nthe same text\\n' 7")
    try home.ok(["write", "--recover"])
    #expect(try home.ok(["search", "Kept", "00007"]).out.isEmpty == false)
    // One that was saved already is saved once.
    try crash(home, ["edit", id], "printf -- '---\\ntitle: Twice\\n---\\n\\nthe same text\\n'")
    let drafts = try keptFolder(home)
    let name = try #require(try kept(home).first)
    try FileManager.default.copyItem(atPath: drafts + "/" + name, toPath: home.path + "/copy")
    try home.ok(["write", "--recover"])
    try FileManager.default.moveItem(atPath: home.path + "/copy", toPath: drafts + "/" + name)
    let before = try home.ok(["list", "--json"]).array.count
    try home.ok(["write", "--recover"])
    #expect(try home.ok(["list", "--json"]).array.count == before)
  }

  @Test func `what was saved in an editor that ends with a failure is kept`() throws {
    let home = try Home()
    // nano and Neovim end so when they are told to end.
    let saved = try home.put(
      "hx", "#!/bin/sh\necho saved and then ended >> \"$1\"\nexit 1\n", mode: 0o700)
    let session = try TerminalSession(
      home, ["write", "--passphrase-file", home.passphrase], extra: ["EDITOR": saved])
    #expect(session.end() == 9)
    #expect(session.screen.contains("write --recover"), "\(session.screen)")
    try home.ok(["write", "--recover"])
    #expect(try home.ok(["search", "saved and then ended"]).out.isEmpty == false)
    // What is no text is kept as Latin-1, which has every byte.
    let bytes = try home.put("hx", "#!/bin/sh\nprintf 'caf\\351' > \"$1\"\nexit 1\n", mode: 0o700)
    let strange = try TerminalSession(
      home, ["write", "--passphrase-file", home.passphrase], extra: ["EDITOR": bytes])
    #expect(strange.end() == 8, "\(strange.screen)")
    #expect(strange.screen.contains("write --recover"), "\(strange.screen)")
    try home.ok(["write", "--recover"])
    #expect(try home.ok(["search", "café"]).out.isEmpty == false)
    // One that leaves the file as it was has said no.
    let left = try home.put("hx", "#!/bin/sh\nexit 1\n", mode: 0o700)
    let no = try TerminalSession(
      home, ["edit", "@last", "--passphrase-file", home.passphrase], extra: ["EDITOR": left])
    #expect(no.end() == 9)
    #expect(try kept(home).isEmpty)
  }

  @Test func `an editor that is ended while it saves throws nothing away that was kept`() throws {
    let home = try Home()
    let program = try home.put(
      "hx",
      """
      #!/bin/sh
      if [ -e \(home.path)/second ]; then : > "$1"; kill -9 $$
      else touch \(home.path)/second; printf -- '---\\ndate: never\\n---\\n\\ntyped first' > "$1"; fi

      """, mode: 0o700)
    let session = try TerminalSession(
      home, ["write", "--passphrase-file", home.passphrase], extra: ["EDITOR": program])
    #expect(session.end() == 137, "\(session.screen)")
    try home.ok(["write", "--recover"])
    let body = try #require(try newest(home)["body"] as? String)
    #expect(body.contains("typed first"))
  }

  @Test func `kept text outlives a rotation of the key`() throws {
    let home = try Home()
    try crash(home, ["write"], "echo kept before the rotation")
    for _ in 0..<17 { try home.ok(["keys", "rotate", "--yes", "--kdf", "interactive"]) }
    try home.ok(["write", "--recover"])
    #expect(try newest(home)["body"] as? String == "kept before the rotation")
    #expect(try home.ok(["verify"]).status == 0)
  }

  @Test(arguments: [false, true])
  func `what is typed while the key is replaced is saved under the new one`(
    _ isInSession: Bool
  ) throws {
    let home = try Home()
    let secret = "--passphrase-file '\(home.passphrase)'"
    let program = try home.put(
      "hx",
      """
      #!/bin/sh
      '\(Home.binary)' keys rotate --yes --kdf interactive \(secret) > /dev/null 2>&1
      echo typed after the rotation > "$1"

      """, mode: 0o700)
    if isInSession { try home.ok(["unlock"]) }
    let words = isInSession ? [] : ["--passphrase-file", home.passphrase]
    let session = try TerminalSession(home, ["write"] + words, extra: ["EDITOR": program])
    #expect(session.end(answering: "correct horse", within: 240) == 0, "\(session.screen)")
    #expect(try home.ok(["show", "--raw", "@last"]).out.contains("typed after the rotation"))
    // Nothing of it lies under the key of before.
    #expect(try home.run(["write", "--recover", "--passphrase-file", home.passphrase]).status == 6)
  }

  @Test func `an edit that was kept under a replaced key changes nothing that is there`() throws {
    let home = try Home()
    let id = try home.write("as it was")
    try crash(home, ["edit", id], "echo typed before the rotation")
    try home.ok(["keys", "rotate", "--yes", "--kdf", "interactive"])
    try home.ok(["write", "--recover"])
    #expect(try home.ok(["show", "--raw", id]).out == "as it was")
    let body = try #require(try newest(home)["body"] as? String)
    #expect(body.contains("typed before the rotation"))
  }

  @Test func `kept text may be as long as an entry's`() throws {
    let home = try Home()
    let id = try home.write("short")
    let size = (16 << 20) - 200
    let long = "head -c \(size) /dev/zero | tr '\\0' x"
    try crash(home, ["write"], long)
    try home.ok(["write", "--recover"])
    #expect(try home.ok(["show", "--raw", "@last"]).out.utf8.count == size)
    try crash(home, ["edit", id], "(echo; \(long))")
    try home.ok(["write", "--recover"])
    #expect(try home.ok(["show", "--raw", id]).out.utf8.count > size - 10)
  }

  @Test func `a text that no entry can hold becomes several`() throws {
    let home = try Home()
    let word = "dotterelQX8"
    let long = "(head -c \((16 << 20) + 200) /dev/zero | tr '\\0' x; echo \(word))"
    let program = try home.put(
      "hx", "#!/bin/sh\n\(long) > \"$1\"\ntouch \"$0.saved\"\nsleep 7\n", mode: 0o700)
    let arguments = ["write", "--passphrase-file", home.passphrase]
    let session = try TerminalSession(home, arguments, extra: ["EDITOR": program])
    while !FileManager.default.fileExists(atPath: program + ".saved") { usleep(50_000) }
    sleep(6)
    session.signal(SIGKILL)
    #expect(session.end() == 137)
    // The editor goes on in what it has open.
    try home.ok(["list"])
    try poll(600, every: 100_000) {
      try home.ok(["lock"])
      return try inMemory(word).isEmpty
    }
    #expect(try inMemory(word) == [])
    #expect(try home.ok(["write", "--recover"]).out.split(separator: "\n").count == 2)
    let other = try TerminalSession(home, arguments, extra: ["EDITOR": program])
    #expect(other.end() == 8, "\(other.screen)")
    let kept = Set(try inMemory(word))
    #expect(kept.count == 1 && other.screen.contains(kept.first ?? "-"), "\(other.screen)")
    for name in kept { try FileManager.default.removeItem(atPath: "/dev/shm/" + name) }
  }

  @Test(arguments: [["lock"], ["unlock"]])
  func `what is saved in an editor whose command was killed is kept`(finder: [String]) throws {
    let home = try Home()
    let word = "bullfinchKW3\(finder[0])"
    let program = try home.put(
      "hx",
      """
      #!/bin/sh
      # Its terminal goes away with the command, because that leads the session here.
      trap '' HUP
      sed -i 's/^tags:.*/tags: birds/' "$1"
      echo \(word) first >> "$1"
      touch "$0.saved"
      while [ ! -e "$0.go" ]; do sleep 0.1; done
      echo and later >> "$1"
      touch "$0.done"

      """, mode: 0o700)
    let session = try TerminalSession(
      home, ["write", "--passphrase-file", home.passphrase], extra: ["EDITOR": program])
    poll(2_000, every: 20_000) { FileManager.default.fileExists(atPath: program + ".saved") }
    session.signal(SIGKILL)
    #expect(session.end() == 137)
    // As long as the editor has it open, nobody takes it away.
    try home.ok(["list"])
    try home.run(["lock"])
    #expect(try !inMemory(word).isEmpty)
    _ = try home.put("hx.go", "")
    poll(2_000, every: 20_000) { FileManager.default.fileExists(atPath: program + ".done") }
    let secret = finder == ["unlock"] ? ["--passphrase-file", home.passphrase] : []
    try poll(2_000, every: 20_000) {
      _ = try home.run(finder + secret)
      return try inMemory(word).isEmpty
    }
    #expect(try inMemory(word) == [])
    try home.ok(["write", "--recover"])
    let entry = try #require(try home.ok(["list", "--bodies", "--json"]).array.first)
    #expect(entry["body"] as? String == word + " first\nand later")
    #expect(entry["tags"] as? [String] == ["birds"])
    try home.run(["lock"])
  }

  /// What else is in the directory of a killed command.
  enum Left: CaseIterable { case nothing, rescued, noDigest, onDisk, blank, cutOff }

  @Test(arguments: Left.allCases)
  func `whatever a killed command and its editor left, the text is kept`(_ left: Left) throws {
    let home = try Home()
    let word = "wheatearKW\(left)"
    let program = try home.put(
      "hx",
      """
      #!/bin/sh
      trap '' HUP
      echo \(word) saved >> "$1"
      touch "$0.saved"
      while [ ! -e "$0.go" ]; do sleep 0.1; done
      place=$(dirname "$1")
      case \(left) in
      rescued) echo \(word) put aside > "$1.save" ;;
      noDigest) rm "$place/kept"; echo \(word) saved >> "$1" ;;
      onDisk) echo \(word) saved >> "$1"; mv "$place" '\(home.path)/tmp/' ;;
      nothing) echo \(word) saved >> "$1" ;;
      blank) echo \(word) saved >> "$1"; echo > "$1.save" ;;
      cutOff) echo \(word) saved and more and more >> "$1"; echo \(word) saved > "$1.save" ;;
      esac
      touch "$0.done"

      """, mode: 0o700)
    let session = try TerminalSession(
      home, ["write", "--passphrase-file", home.passphrase], extra: ["EDITOR": program])
    poll(2_000, every: 20_000) { FileManager.default.fileExists(atPath: program + ".saved") }
    // Until what was saved first is kept.
    sleep(left == .nothing ? 0 : 6)
    session.signal(SIGKILL)
    #expect(session.end() == 137)
    _ = try home.put("hx.go", "")
    poll(2_000, every: 20_000) { FileManager.default.fileExists(atPath: program + ".done") }
    func isThere() throws -> Bool {
      let onDisk = try FileManager.default.contentsOfDirectory(atPath: home.path + "/tmp")
      return try !inMemory(word).isEmpty || onDisk.contains { $0.hasPrefix("facediary-open-") }
    }
    try poll(2_000, every: 20_000) {
      try home.run(["lock"])
      return try !isThere()
    }
    #expect(try !isThere())
    try home.ok(["write", "--recover"])
    let bodies = try home.ok(["list", "--bodies", "--json"]).array.compactMap {
      $0["body"] as? String
    }
    let expected = left == .rescued ? "\(word) put aside" : "\(word) saved\n\(word) saved"
    #expect(
      bodies.contains { left == .cutOff ? $0.contains("more and more") : $0 == expected },
      "\(bodies)")
  }

  @Test func `a template that could not be saved is kept sealed, and recovered`() throws {
    let home = try Home()
    try crash(home, ["templates", "add", "day"], "echo 'What was good? QX7'")
    #expect(try inMemory("What was good? QX7").isEmpty)
    let recovered = try home.ok(["write", "--recover", "--json"])
    #expect(recovered.array.first?["template"] as? String == "day")
    func bodies() throws -> [String: String] {
      Dictionary(
        uniqueKeysWithValues: try home.ok(["templates", "--json"]).array.compactMap {
          ($0["name"] as? String ?? "", $0["body"] as? String ?? "")
        })
    }
    #expect(try bodies() == ["day": "What was good? QX7"])
    // Edited elsewhere meanwhile: both texts stay.
    try crash(home, ["templates", "edit", "day"], "echo mine")
    try home.ok(["templates", "edit", "day", "theirs"])
    try home.ok(["write", "--recover"])
    #expect(try bodies() == ["day": "theirs", "day 2": "mine"])
    try crash(home, ["templates", "edit", "day"], "echo newest")
    try home.ok(["write", "--recover"])
    #expect(try bodies()["day"] == "newest")
  }

  @Test func `what can be no template becomes an entry, and is not lost`() throws {
    let home = try Home()
    try crash(home, ["templates", "add", "too long"], "head -c 70000 /dev/zero | tr '\\0' x")
    try home.ok(["write", "--recover"])
    #expect(try home.ok(["templates", "--json"]).array.isEmpty)
    #expect(try home.ok(["show", "--raw", "@last"]).out.utf8.count == 70_000)
  }

  @Test func `a template survives the end of its session`() throws {
    let home = try Home()
    let binary = Home.binary
    let program = try home.put(
      "hx", "#!/bin/sh\necho long thought ZK9 > \"$1\"\n\(binary) lock\n", mode: 0o700)
    try home.ok(["unlock"])
    let session = try TerminalSession(
      home, ["templates", "add", "day"], extra: ["EDITOR": program])
    #expect(session.expect("Passphrase:"))
    session.type("\u{3}")
    #expect(session.end() == 130, "\(session.screen)")
    #expect(session.screen.contains("write --recover") || session.screen.contains("kept"))
    #expect(try inMemory("long thought ZK9").isEmpty)
    try home.ok(["write", "--recover"])
    #expect(
      try home.ok(["templates", "--json"]).array.first?["body"] as? String == "long thought ZK9")
  }

  /// Files in memory's directories that hold a word, other than a test's own scripts.
  private func inMemory(_ word: String) throws -> [String] {
    let bases = ["/dev/shm", ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"] ?? "/dev/shm"]
    return bases.flatMap { base in
      (FileManager.default.enumerator(atPath: base)?.compactMap { $0 as? String } ?? []).filter {
        let bytes = FileManager.default.contents(atPath: base + "/" + $0) ?? Data()
        return bytes.range(of: Data(word.utf8)) != nil && !bytes.starts(with: Data("#!".utf8))
      }
    }
  }
}
