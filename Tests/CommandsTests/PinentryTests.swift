import Foundation
import TestServers
import Testing

@testable import Platform

/// Secrets asked for in a window, by a program that speaks as GnuPG's pinentry does.
@Suite(.threads) struct PinentryTests {
  /// A program that answers `GETPIN` with these lines, and writes down what it was told and given.
  private func configure(
    _ home: Home, _ answers: String, toConfirm: String = "OK", about words: String = ""
  ) throws {
    let program = try home.put(
      "pinentry",
      """
      #!/usr/bin/python3
      import os, sys
      log = open(os.path.expanduser('~') + '/told', 'a')
      log.write(' '.join(sorted(os.environ)) + '\\n')
      print('OK Pleased to meet you', flush=True)
      asked = ''
      for line in sys.stdin:
          log.write(line)
          log.flush()
          if line.startswith('SETDESC'): asked = line
          if line.strip() == 'GETPIN': sys.stdout.write(\(answers))
          print('\(toConfirm)' if line.strip() == 'CONFIRM' and '\(words)' in asked else 'OK', flush=True)
          if line.strip() == 'BYE': break
      """, mode: 0o700)
    try home.configure("pinentry", program)
  }

  private func secret(_ home: Home) throws -> String {
    String(try String(contentsOfFile: home.passphrase, encoding: .utf8).dropLast())
  }

  @Test func `without a terminal the passphrase is asked for in a window`() throws {
    let home = try Home()
    _ = try home.write("hidden")
    try configure(home, "'D \(try secret(home))\\n'")
    let run = try home.run(["list"])
    #expect(run.status == 0 && run.out.contains("hidden"), "\(run.err)")
    let told = try String(contentsOfFile: home.path + "/told", encoding: .utf8)
    #expect(told.contains("SETPROMPT Passphrase:") && told.contains("SETDESC facediary list"))
    // It is not told that it may keep what was typed, and hears nothing but what it needs.
    #expect(!told.contains("cache") && !told.contains("FACEDIARY"))
    #expect(try home.run(["unlock"]).status == 0)
    try home.run(["lock"])
    // What makes access permanent asks, too, and for a new passphrase twice.
    #expect(try home.run(["policy", "set", "idle", "4m"]).status == 0)
    #expect(try home.run(["passphrase", "--kdf", "interactive"]).status == 0)
  }

  @Test func `a diary is made by somebody who has no terminal`() throws {
    let home = try Home(made: false)
    try configure(home, "'D \(try secret(home))\\n'")
    let run = try home.run(["init", "--kdf", "interactive", "--code-dialog"])
    #expect(run.status == 0 && run.out.isEmpty, "\(run.err)")
    let told = try String(contentsOfFile: home.path + "/told", encoding: .utf8)
    let code = try #require(
      told.firstMatch(of: /SETDESC [^\n]*recovery code[^\n]*%0A%0A([0-9A-Za-z-]{20,})\nCONFIRM/))
    #expect(!run.err.contains(code.1))
    let file = try home.put("code", code.1 + "\n")
    #expect(try home.run(["list", "--recovery-file", file]).status == 0)
    // Another code, which nobody wrote down.
    try configure(home, "'D \(try secret(home))\\n'", toConfirm: "ERR 83886179 cancelled")
    let ways = try home.ok(["keys", "--json"]).out
    #expect(try home.run(["keys", "add", "recovery", "--code-dialog"]).status == 9)
    #expect(try home.ok(["keys", "--json"]).out == ways)
    // It says nothing at all.
    try configure(home, "'D \(try secret(home))\\n'", toConfirm: "")
    #expect(try home.run(["keys", "add", "recovery", "--code-dialog"]).status == 1)
    #expect(try home.ok(["keys", "--json"]).out == ways)
    #expect(try home.run(["keys", "add", "recovery", "--code-dialog", "--json"]).status == 2)
  }

  @Test func `a device whose symbols are not the same is not let in by a window, either`() throws {
    let home = try Home()
    let place = home.path + "/place"
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
    try home.ok(["sync", "setup", "folder:" + place])
    try configure(
      home, "'D \(try secret(home))\\n'", toConfirm: "ERR 83886194 not confirmed",
      about: "wants to join")
    let invite = try home.start(["sync", "invite", "--code-dialog"])
    defer { invite.terminate() }
    func told() -> String {
      (try? String(contentsOfFile: home.path + "/told", encoding: .utf8)) ?? ""
    }
    var code: String?
    for _ in 0..<300 where code == nil {
      usleep(50_000)
      code = told().firstMatch(of: /pairing code[^\n]*%0A%0A([0-9A-Za-z-]{49})\nCONFIRM/)
        .map { String($0.1) }
    }
    let other = try Home(made: false)
    let joined = try other.run([
      "sync", "join", "folder:" + place, try #require(code), "--kdf", "interactive",
      "--passphrase-file", other.passphrase, "--json",
    ])
    #expect(joined.status == 9, "\(joined.err)")
    // Both showed the same; the one who was asked said no.
    let symbols = try #require(joined.err.firstMatch(of: /same symbols: (\S+)/)).1
    #expect(told().contains("wants to join%0ADoes the other device show \(symbols)?"))
    let devices = try home.ok(["sync", "devices", "--json"])
    #expect(devices.array.count == 1)
  }

  @Test func `a path gives the window no other command`() throws {
    let home = try Home()
    _ = try home.write("hidden")
    let folder = home.path + "/v\r\nOPTION allow-external-password-cache\r\nx"
    try FileManager.default.moveItem(atPath: home.folder, toPath: folder)
    try configure(home, "'D \(try secret(home))\\n'")
    let run = try home.run(["list", "--vault", folder])
    #expect(run.status == 0, "\(run.err)")
    let told = try String(contentsOfFile: home.path + "/told", encoding: .utf8)
    #expect(told.contains("%0D%0AOPTION") && !told.contains("\nOPTION allow-ext"), "\(told)")
  }

  @Test func `a passphrase of 1,024 bytes comes in several lines, whatever is in it`() throws {
    let home = try Home()
    let long = "100 % \u{e9}\u{65e5}" + String(repeating: "x%y", count: 334)
    try #require(long.utf8.count <= 1024 && long.utf8.count > 1000)
    let new = try home.put("new", long + "\n")
    try home.ok(["passphrase", "--kdf", "interactive", "--new-passphrase-file", new])
    let escaped = long.replacing("%", with: "%25")
    let half = escaped.index(escaped.startIndex, offsetBy: 700)
    try configure(home, "'D \(escaped[..<half])\\nD \(escaped[half...])\\n'")
    let run = try home.run(["list"])
    #expect(run.status == 0, "\(run.err)")
  }

  @Test(arguments: [
    ("'ERR 83886179 Operation cancelled <Pinentry>\\n'", 9), ("'ERR 83886142 Timeout\\n'", 9),
    ("'ERR 83886081 General error\\n'", 1), ("''", 8), ("'D ' + 'x' * 1100 + '\\n'", 8),
    ("'D ' + 'x' * 100000 + '\\n'", 1), ("'D %\\nD %f\\nD wrong\\n'", 3), ("sys.exit(3)", 1),
    ("'D %FF\\n'", 8),
  ])
  func `what a window answers instead is no passphrase`(_ answer: String, _ status: Int32) throws {
    let home = try Home()
    try configure(home, answer)
    let run = try home.run(["list", "--json"])
    #expect(run.status == status, "\(answer): \(run.status) \(run.err)")
    #expect(!run.err.contains("xxxxx"))
  }

  @Test(arguments: [["list"], ["unlock"], ["keys", "add", "recovery"]])
  func `a dialog closes when the command that asked is killed`(_ words: [String]) throws {
    let home = try Home()
    let program = try home.put(
      "pinentry",
      """
      #!/bin/bash
      echo $PPID > ~/keeper; echo $$ > ~/written; mv ~/written ~/dialog; echo OK; exec sleep 60
      """, mode: 0o700)
    try home.configure("pinentry", program)
    let command = Process()
    command.executableURL = URL(fileURLWithPath: Home.binary)
    command.arguments = words
    command.environment = home.environment
    command.standardInput = FileHandle.nullDevice
    command.standardOutput = FileHandle.nullDevice
    command.standardError = FileHandle.nullDevice
    try command.run()
    poll(2000, every: 5000) { FileManager.default.fileExists(atPath: home.path + "/dialog") }
    kill(command.processIdentifier, SIGKILL)
    command.waitUntilExit()
    for name in ["keeper", "dialog"] {
      poll(2000, every: 5000) { home.hasEnded(name) }
      #expect(home.hasEnded(name), "\(name)")
    }
  }

  @Test func `a program that is not there is named`() throws {
    let home = try Home()
    try home.configure("pinentry", "/no/such/pinentry")
    let run = try home.run(["list"])
    #expect(run.status == 6 && run.err.contains("/no/such/pinentry"), "\(run.err)")
    #expect(try home.run(["list", "--passphrase-file", home.passphrase]).status == 0)
  }

  @Test func `a camera that fails leads to the window`() throws {
    let home = try Home(faces: true)
    try configure(home, "'D \(try secret(home))\\n'")
    try home.configure("probe", "false")
    let run = try home.run(["unlock"])
    #expect(run.status == 0, "\(run.err)")
  }
}
