import Foundation
import Glibc
import Testing

/// The command as a person at a terminal meets it.
@Suite(.serialized, .threads) struct TerminalTests {
  @Test func `what is typed while a camera looks does not show`() throws {
    let home = try Home(faces: true)
    let camera = try home.put(
      "camera", "#!/bin/sh\ntouch \"$0.began\"\nsleep 3\nexit 1\n", mode: 0o700)
    _ = try home.put(".config/facediary/config.json", #"{"probe": "\#(camera)"}"#)
    let session = try TerminalSession(home, ["list"])
    poll(3_000, every: 20_000) { FileManager.default.fileExists(atPath: camera + ".began") }
    #expect(!session.echoes)
    session.type("typed ahead\n")
    #expect(session.expect("assphrase: "))
    #expect(!session.screen.contains("typed ahead"), "\(session.screen)")
    session.type("correct horse\n")
    #expect(session.end() == 0, "\(session.screen)")
    #expect(session.echoes)
  }

  @Test func `a message ends its lines between words, but a command to copy stays whole`() throws {
    let home = try Home(made: false)
    let mistaken = try TerminalSession(home, ["list", "--foo"], columns: 44)
    #expect(mistaken.end() == 2)
    let rows = mistaken.screen.split(whereSeparator: \.isNewline)
    #expect(rows.contains("hint: to use a word that begins with - as"), "\(rows)")
    let missing = try TerminalSession(home, ["list"], columns: 44)
    #expect(missing.end() == 6)
    let lines = missing.screen.split(whereSeparator: \.isNewline).map(String.init)
    #expect(lines.allSatisfy { $0.count <= 44 || !$0.contains(" ") }, "\(lines)")
    #expect(lines.contains { $0.contains("facediary init;") }, "\(lines)")
    #expect(lines.contains { $0.contains("facediary restore-backup BACKUP") }, "\(lines)")
  }

  @Test func `a passphrase is asked for without echo, and a wrong one is said`() throws {
    let home = try Home()
    _ = try home.write("behind the door")
    let right = try TerminalSession(home, ["list"])
    #expect(right.expect("Passphrase: "))
    #expect(!right.echoes)
    right.type("correct horse\n")
    #expect(right.end() == 0)
    #expect(right.screen.contains("behind the door"))
    #expect(!right.screen.contains("correct horse"))
    let wrong = try TerminalSession(home, ["list"])
    #expect(wrong.expect("Passphrase: "))
    wrong.type("incorrect\n")
    #expect(wrong.end() == 3)
    #expect(wrong.screen.contains("wrong passphrase"))
    #expect(wrong.echoes)
  }

  @Test func `Ctrl-Z at a hidden prompt neither stops it nor becomes part of the secret`() throws {
    let home = try Home()
    let session = try TerminalSession(home, ["list"])
    #expect(session.expect("Passphrase: "))
    session.type("correct\u{1a} horse\n")
    #expect(session.end() == 0, "\(session.screen)")
    #expect(session.echoes && !session.screen.contains("horse"))
  }

  @Test func `a passphrase that would be taken for a recovery code is not accepted`() throws {
    let home = try Home()
    let other = try Home()
    let code = try String(contentsOfFile: other.recovery, encoding: .utf8)
    let file = try home.put("new", code.lowercased())
    let secret = ["--passphrase-file", home.passphrase]
    let run = try home.run(["passphrase", "--new-passphrase-file", file] + secret)
    #expect(run.status == 8 && run.err.contains("form of a recovery code"), "\(run)")
    let session = try TerminalSession(home, ["passphrase"] + secret)
    #expect(session.expect("New passphrase: "))
    session.type(code + "\n")
    #expect(session.expect("form of a recovery code"))
    #expect(session.expect("New passphrase: ", times: 2))
    session.type("some long passphrase\n")
    #expect(session.expect("Repeat it: "))
    session.type("some long passphrase\n")
    #expect(session.end() == 0, "\(session.screen)")
  }

  @Test func `init asks twice, again after a difference, and makes nothing after three`() throws {
    let home = try Home(made: false)
    let session = try TerminalSession(home, ["init", "--kdf", "interactive"])
    for turn in 1...3 {
      #expect(session.expect("New passphrase: ", times: turn))
      session.type("some long passphrase\n")
      #expect(session.expect("Repeat it: ", times: turn))
      session.type("some other passphrase\n")
    }
    #expect(session.end() == 8)
    #expect(!FileManager.default.fileExists(atPath: home.vault))
    // What is soon guessed is asked about before it is typed again.
    let short = try TerminalSession(home, ["init", "--kdf", "interactive"])
    #expect(short.expect("New passphrase: "))
    short.type("abc\n")
    #expect(short.expect("Use it anyway? [y/N] "))
    short.type("n\n")
    #expect(short.expect("New passphrase: ", times: 2))
    // Nine characters, whatever the bytes.
    short.type("ながいひみつのこと\n")
    #expect(short.expect("Use it anyway? [y/N] ", times: 2))
    short.type("n\n")
    #expect(short.expect("New passphrase: ", times: 3))
    short.type("abc\n")
    #expect(short.expect("Use it anyway? [y/N] ", times: 3))
    short.type("n\n")
    #expect(short.end() == 8)
    // The last word is about what was wrong.
    #expect(short.screen.components(separatedBy: "this passphrase is short").count == 5)
    #expect(!short.screen.contains("differ"))
    #expect(!FileManager.default.fileExists(atPath: home.vault))
    let again = try TerminalSession(home, ["init", "--kdf", "interactive"])
    for prompt in ["New passphrase: ", "Repeat it: "] {
      #expect(again.expect(prompt))
      again.type("some long passphrase\n")
    }
    #expect(again.end() == 0)
    #expect(again.screen.contains("recovery code"))
    #expect(FileManager.default.fileExists(atPath: home.vault))
  }

  @Test func `a passphrase is asked for before a text is typed`() throws {
    let home = try Home()
    let session = try TerminalSession(home, ["write", "-"])
    #expect(session.expect("Passphrase: "))
    session.type("wrong words\n")
    #expect(session.end() == 3)
  }

  @Test func `a text typed at the terminal outlives its session`() throws {
    let home = try Home()
    let id = try home.write("before")
    try home.ok(["templates", "add", "day", "old"])
    try home.ok(["unlock"])
    for words in [["write", "-"], ["edit", id, "-"], ["templates", "edit", "day", "-"]] {
      let session = try TerminalSession(home, words)
      #expect(session.expect("Ctrl-D"))
      session.type("typed in peace\n")
      #expect(session.expect("typed in peace"))
      try home.ok(["lock"])
      session.type("\u{4}")
      #expect(session.expect("Passphrase: "))
      session.type("correct horse\n")
      #expect(session.end() == 0, "\(session.screen)")
      try home.ok(["unlock"])
    }
    #expect(try home.run(["search", "typed in peace", "--json"]).array.count == 2)
    #expect(
      try home.run(["templates", "--json"]).array.first?["body"] as? String == "typed in peace")
    try home.ok(["lock"])
    // An entry that is not there is told before the text is typed.
    let session = try TerminalSession(
      home, ["edit", "zzzzzzzz", "-", "--passphrase-file", home.passphrase])
    #expect(session.end() == 6, "\(session.screen)")
  }

  @Test func `Ctrl-C at a prompt ends with 130 and leaves the terminal echoing`() throws {
    let home = try Home()
    let passphrase = try String(contentsOfFile: home.passphrase, encoding: .utf8)
    for (words, typed) in [
      (["list"], []), (["unlock"], []), (["passphrase"], [passphrase]),
      (["keys", "add", "passphrase"], [passphrase]),
      (["passphrase"], [passphrase, "some long passphrase\n"]),
    ] {
      let session = try TerminalSession(home, words)
      let prompts = ["Passphrase: ", "New passphrase: ", "Repeat it: "]
      for (prompt, answer) in zip(prompts, typed) {
        #expect(session.expect(prompt), "\(session.screen)")
        session.type(answer)
      }
      #expect(session.expect(prompts[typed.count]), "\(session.screen)")
      #expect(!session.echoes)
      session.type("\u{3}")
      #expect(session.end() == 130, "\(words)")
      // Who has the terminal next gets it as it was, also where another process of ours had asked.
      #expect(session.echoes, "\(words) \(typed.count)")
    }
  }

  @Test func `an empty new passphrase is asked for again`() throws {
    let home = try Home()
    let passphrase = try String(contentsOfFile: home.passphrase, encoding: .utf8)
    let session = try TerminalSession(home, ["passphrase"])
    #expect(session.expect("Passphrase: "))
    session.type(passphrase)
    #expect(session.expect("New passphrase: "))
    session.type("\n")
    // What is typed before the next prompt is not taken.
    #expect(session.expect("is empty"))
    #expect(session.expect("New passphrase: ", times: 2), "\(session.screen)")
    session.type("another long passphrase\n")
    #expect(session.expect("Repeat it: "))
    session.type("another long passphrase\n")
    #expect(session.end() == 0, "\(session.screen)")
  }

  @Test func `an entry whose id cannot be written is said to be saved`() throws {
    let home = try Home()
    let script = try home.put(
      "write", "exec \(Home.binary) write words --passphrase-file \(home.passphrase) > /dev/full\n")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = [script]
    process.environment = home.environment
    let pipe = Pipe()
    process.standardError = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let said = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 1 && said.contains("saved as the new entry"), "\(said)")
    #expect(try home.ok(["list", "--json"]).array.count == 1)
  }

  @Test func `what was typed and is no text is kept`() throws {
    let home = try Home()
    let session = try TerminalSession(
      home, ["write", "-", "--passphrase-file", home.passphrase])
    #expect(session.expect("Ctrl-D"), "\(session.screen)")
    session.type(bytes: Array("a long text with one ".utf8) + [0xe9, 0x0a, 0x04])
    #expect(session.end() == 8, "\(session.screen)")
    #expect(session.screen.contains("write --recover"), "\(session.screen)")
    try home.ok(["write", "--recover"])
    #expect(try home.bodies == ["a long text with one é"])
  }

  /// Linux gives 4,095 bytes of a line, and drops the rest.
  @Test(arguments: [4094, 4095, 6000]) func `a line that the terminal cuts off is no text`(
    length: Int
  ) throws {
    let home = try Home()
    let session = try TerminalSession(
      home, ["write", "-", "--passphrase-file", home.passphrase])
    #expect(session.expect("Ctrl-D"), "\(session.screen)")
    session.type("before\n" + String(repeating: "x", count: length) + "\n\u{4}")
    let isWhole = length < 4095
    #expect(session.end() == (isWhole ? 0 : 8), "\(session.screen.suffix(500))")
    guard !isWhole else {
      return #expect(
        try home.bodies == ["before\n" + String(repeating: "x", count: length)])
    }
    #expect(session.screen.contains("4094 bytes"), "\(session.screen.suffix(500))")
    #expect(session.screen.contains("write --recover"), "\(session.screen.suffix(500))")
    try home.ok(["write", "--recover"])
    #expect(try home.bodies == ["before\n" + String(repeating: "x", count: 4095)])
  }

  @Test func `a template whose editor failed is kept and told`() throws {
    let home = try Home()
    let editor = try home.put("editor.sh", "#!/bin/sh\necho typed > \"$1\"\nexit 1\n", mode: 0o700)
    let session = try TerminalSession(
      home, ["templates", "add", "morning", "--passphrase-file", home.passphrase],
      extra: ["EDITOR": editor])
    #expect(session.end() == 9, "\(session.screen)")
    #expect(session.screen.contains("--recover"), "\(session.screen)")
  }

  @Test func `the editor's text is saved and its file removed; an empty text exits 9`() throws {
    let home = try Home()
    let editor = home.path + "/editor.sh"
    func script(_ text: String) throws {
      _ = try home.put("editor.sh", "#!/bin/sh\n\(text)\n", mode: 0o700)
    }
    try script(
      "stat -f -c %T \"$1\" > \(home.path)/where; echo \"$1\" > \(home.path)/name; stat -c %a \"$1\" > \(home.path)/mode; echo from the editor > \"$1\""
    )
    let session = try TerminalSession(
      home, ["write", "--passphrase-file", home.passphrase], extra: ["EDITOR": editor])
    #expect(session.end() == 0, "\(session.screen)")
    func text(_ name: String) throws -> String {
      String(
        decoding: try Data(contentsOf: URL(fileURLWithPath: home.path + "/" + name)), as: UTF8.self)
    }
    #expect(try text("where") == "tmpfs\n")
    #expect(try text("mode") == "600\n")
    #expect(!FileManager.default.fileExists(atPath: String(try text("name").dropLast())))
    #expect(try home.ok(["show", "@1", "--raw"]).out == "from the editor")
    try script("echo more >> \"$1\"")
    #expect(
      try TerminalSession(
        home, ["edit", "@1", "--passphrase-file", home.passphrase], extra: ["EDITOR": editor]
      ).end() == 0)
    #expect(try home.ok(["show", "@1", "--raw"]).out == "from the editor\nmore")
    for bad in [": > \"$1\"", "exit 3"] {
      try script(bad)
      #expect(
        try TerminalSession(
          home, ["write", "--passphrase-file", home.passphrase], extra: ["EDITOR": editor]
        ).end() == 9)
    }
    #expect(try home.ok(["list", "--json"]).array.count == 1)
  }

  @Test func `entries cannot command the terminal they are shown on`() throws {
    let home = try Home()
    let id = try home.write("evil \u{1b}[2J\u{9b}31m \u{202e}drow", ["--title", "t\u{7}x"])
    for words in [["list"], ["show", id], ["show", "--raw", id], ["search", "evil"]] {
      let session = try TerminalSession(
        home, words + ["--passphrase-file", home.passphrase], extra: ["NO_COLOR": "1"])
      #expect(session.end() == 0)
      #expect(
        !session.screen.unicodeScalars.contains { [0x1b, 0x9b, 0x07, 0x202e].contains($0.value) },
        "\(words)")
    }
  }

  @Test func `the bare command follows the state`() throws {
    let home = try Home(made: false)
    let first = try TerminalSession(home, [])
    #expect(first.expect("Create one now?"))
    first.type("n\n")
    #expect(first.end() == 9)
    let made = try Home()
    let onboarding = try TerminalSession(made, [])
    #expect(onboarding.end() == 0)
    #expect(onboarding.screen.contains("No face is enrolled on this device"))
    let enrolled = try Home(faces: true)
    _ = try enrolled.write("todays entry")
    let closed = try TerminalSession(enrolled, [])
    #expect(closed.expect("Passphrase: "))
    closed.type("correct horse\n")
    #expect(closed.expect("todays entry"), "\(closed.screen)")
    #expect(try enrolled.run(["status", "--json"]).object["state"] as? String == "authenticated")
  }

  @Test func `deleting asks, and no is 9`() throws {
    let home = try Home()
    let id = try home.write("precious")
    let session = try TerminalSession(home, ["delete", id, "--passphrase-file", home.passphrase])
    #expect(session.expect("[y/N] "))
    session.type("n\n")
    #expect(session.end() == 9)
    #expect(try home.ok(["list", "--json"]).array.count == 1)
  }

  @Test func `who does not want a backup after all keeps the diary open`() throws {
    let home = try Home()
    _ = try home.write("one")
    try home.ok(["backup", home.path + "/copies"])
    _ = try home.write("two")
    try home.ok(["unlock"])
    let words = ["restore-backup", home.path + "/copies", "--passphrase-file", home.passphrase]
    for answer in ["n\n", "y\n"] {
      let session = try TerminalSession(home, words)
      #expect(session.expect("[y/N] "))
      #expect(session.screen.contains("now has 2 entries"), "\(session.screen)")
      session.type(answer)
      #expect(session.end() == (answer == "n\n" ? 9 : 0), "\(session.screen)")
      // The session knows nothing of what comes after it.
      #expect(try home.run(["list"]).status == (answer == "n\n" ? 0 : 3))
    }
    #expect(try home.ok(["list", "--json"]).array.count == 1)
  }

  /// A home whose face is enrolled and whose camera fails in some way.
  private func broken(_ script: String) throws -> Home {
    let home = try Home(faces: true)
    let camera = try home.put("camera", "#!/bin/sh\n" + script + "\n", mode: 0o700)
    _ = try home.put(".config/facediary/config.json", "{\"probe\": \"\(camera)\"}")
    return home
  }

  @Test(arguments: [
    "exit 15", "exit 16", "exit 10", "exit 1", "kill -9 $$", "echo nonsense", "exec /no/such",
  ])
  func `a camera that fails leads to the passphrase`(script: String) throws {
    let home = try broken(script)
    for words in [["unlock"], ["list"]] {
      let session = try TerminalSession(home, words)
      #expect(session.expect("Passphrase:"), "\(script) \(words): \(session.screen)")
      session.type("correct horse\n")
      #expect(session.end() == 0, "\(session.screen)")
      _ = try home.run(["lock"])
    }
    // Nobody to ask: the reason stands as it is, and a passphrase file opens all the same.
    #expect(try home.run(["list"]).status == 3)
    try home.ok(["list"])
  }

  @Test func `a camera that fails in a warm session leads to the passphrase`() throws {
    let home = try broken("exit 15")
    try home.ok(["policy", "set", "warm", "on"])
    try home.ok(["unlock"])
    try home.run(["lock"])
    let session = try TerminalSession(home, ["unlock"])
    #expect(session.expect("Passphrase:"), "\(session.screen)")
    session.type("correct horse\n")
    #expect(session.end() == 0, "\(session.screen)")
  }

  @Test func `enrolling by camera asks for the passphrase before the shots`() throws {
    let home = try Home()
    let looked = home.path + "/looked"
    let camera = try home.put(
      "camera", "#!/bin/sh\necho x >> \(looked)\ncat \(Home.keys)/owner-2.json\n", mode: 0o700)
    _ = try home.put(".config/facediary/config.json", "{\"probe\": \"\(camera)\"}")
    let refused = try TerminalSession(home, ["enroll", "--camera", "--model", "sface"])
    #expect(refused.expect("Passphrase:"))
    #expect(!FileManager.default.fileExists(atPath: looked))
    refused.type("wrong\n")
    #expect(refused.end() == 3, "\(refused.screen)")
    #expect(!FileManager.default.fileExists(atPath: looked))
    let session = try TerminalSession(home, ["enroll", "--camera", "--model", "sface", "--force"])
    #expect(session.expect("Passphrase:"))
    session.type("correct horse\n")
    for turn in 1...3 {
      #expect(session.expect("shot \(turn) of 3"), "\(session.screen)")
      session.type("\n")
    }
    #expect(session.end() == 0, "\(session.screen)")
  }

  @Test func `a secret from standard input is not shown on a terminal`() throws {
    let home = try Home()
    let session = try TerminalSession(home, ["list", "--passphrase-file", "-"])
    #expect(session.expect("Passphrase:"), "\(session.screen)")
    session.type("correct horse\n")
    #expect(session.end() == 0, "\(session.screen)")
    #expect(!session.screen.contains("correct"), "\(session.screen)")
    #expect(try home.run(["list", "--passphrase-file", "-"], input: "correct horse\n").status == 0)
  }

  @Test func `a setting written by hand wipes no place, and one that cannot be read stays`() throws
  {
    let home = try Home()
    let folder = home.path + "/place"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try home.ok(["sync", "setup", "folder:" + folder])
    _ = try home.put(".config/facediary/config.json", #"{"probe": "true"}"#)
    try home.ok(["sync"])
    #expect(
      try home.ok(["sync", "status", "--json"]).object["place"] as? String == "folder:" + folder)
    // By command, beside what was written by hand.
    let two = home.path + "/two"
    try FileManager.default.createDirectory(atPath: two, withIntermediateDirectories: true)
    try home.ok(["sync", "leave", "--yes"])
    try home.ok(["sync", "setup", "folder:" + two])
    let config = try String(
      contentsOfFile: home.path + "/.config/facediary/config.json", encoding: .utf8)
    #expect(config == #"{"probe": "true"}"#)
    _ = try home.put(".config/facediary/config.json", #"{"probe": "true", "models": {}"#)
    _ = try home.run(["sync", "--passphrase-file", home.passphrase])
    #expect(
      try String(contentsOfFile: home.path + "/.config/facediary/config.json", encoding: .utf8)
        == #"{"probe": "true", "models": {}"#)
  }
}
