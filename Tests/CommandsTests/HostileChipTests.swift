import Foundation
import TestServers
import Testing

@testable import Platform

/// What says it is a TPM and is none, or counts what no chip counts; notes that somebody else wrote.
@Suite(.threads) struct HostileChipTests {
  private func home() throws -> (Home, Chip)? {
    let home = try Home(faces: true)
    guard let chip = try Chip(home) else { return nil }
    return (home, chip)
  }

  /// A server between the program and a chip, which changes answers `a` to questions `q`.
  private func between(_ home: Home, _ chip: Chip, _ change: String) throws -> (Server, String) {
    let between = home.path + "/between"
    let script = try home.put(
      "between.py",
      """
      import socket
      s = socket.socket(socket.AF_UNIX)
      s.bind('\(between)')
      s.listen()
      while True:
          c, _ = s.accept()
          try:
              t = socket.socket(socket.AF_UNIX)
              t.connect('\(chip.socket)')
              while q := c.recv(4096):
                  t.sendall(q)
                  a = t.recv(4096)
                  \(change)
                  c.sendall(a)
          except OSError: pass
          t.close()
      """)
    return (try Server(["python3", script]) { FileSystem.exists(between) }, between)
  }

  @Test func `a chip that counts to the end of numbers is none`() throws {
    guard let (home, chip) = try home() else { return }
    let (server, between) = try between(
      home, chip,
      "if q[6:10] == bytes([0, 0, 1, 0x4e]) and a[6:10] == bytes(4): a = a[:16] + b'\\xff' * 8 + a[24:]"
    )
    try home.ok(["device", "move", "--tpm"])
    try home.configure("tpm", between)
    for words in [["list"] + Home.owner, ["list", "--passphrase-file", home.passphrase]] {
      let run = try home.run(words + ["--json"])
      #expect(run.status == 1 && run.errorCode == "system", "\(words): \(run.err)")
    }
    try home.configure("tpm", chip.socket)
    try home.ok(["list"])
    withExtendedLifetime(server) {}
  }

  @Test func `a chip that gives a key of another length opens no older copy`() throws {
    guard let (home, chip) = try home() else { return }
    let (server, between) = try between(
      home, chip,
      """
      if q[6:10] == bytes([0, 0, 1, 0x5e]) and a[6:10] == bytes(4): \
      a = a[:2] + (len(a) - 1).to_bytes(4, 'big') + a[6:10] + bytes([0, 0, 0, 33, 0, 31]) + a[16:47] + a[48:]
      """)
    try home.ok(["device", "move", "--tpm"])
    try home.ok(["write", "first"])
    let copy = home.path + "/copy"
    try FileManager.default.copyItem(atPath: home.vault, toPath: copy)
    try home.ok(["write", "second"])
    for suffix in ["-wal", "-shm", ""] { unlink(home.vault + suffix) }
    try FileManager.default.copyItem(atPath: copy, toPath: home.vault)
    try home.configure("tpm", between)
    let words = ["write", "third", "--passphrase-file", home.passphrase, "--json"]
    let run = try home.run(words)
    #expect(run.status == 1 && run.errorCode == "system", "\(run.err)")
    #expect(try home.run(["device", "--json"]).object["key"] as? String == "tpm")
    try home.configure("tpm", chip.socket)
    #expect(try home.run(words).errorCode == "rolled-back")
    withExtendedLifetime(server) {}
  }

  @Test func `a copy of the note beside the store takes no counter out of the chip`() throws {
    guard let (home, chip) = try home() else { return }
    try home.ok(["device", "move", "--tpm"])
    let store = home.path + "/.local/state/facediary/"
    let id = try #require(try home.run(["status", "--json"]).object["id"] as? String)
    try FileManager.default.createDirectory(
      atPath: store + id + ".next", withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    try FileManager.default.copyItem(
      atPath: store + id + "/chip", toPath: store + id + ".next/chip")
    try home.ok(["list"])
    #expect(!FileManager.default.fileExists(atPath: store + id + ".next"))
    #expect(try home.run(["list"] + Home.owner).status == 0)
    withExtendedLifetime(chip) {}
  }

  @Test(arguments: ["", "junk", "flood", "huge", "short", "silent end"])
  func `what says it is a chip and is none changes nothing`(_ kind: String) throws {
    let home = try Home(faces: true)
    let socket = home.path + "/tpm.sock"
    try home.configure("tpm", socket)
    let answer =
      switch kind {
      case "junk": "b'\\x80\\x01' + os.urandom(30)"
      case "flood": "b'\\xff' * 100000"
      case "huge": "b'\\x80\\x01\\x7f\\xff\\xff\\xff' + bytes(100)"
      case "short": "b'\\x80\\x02\\x00\\x00\\x00\\x0c\\x00\\x00\\x00\\x00\\x80\\x00'"
      default: "b''"
      }
    let script = try home.put(
      "chip.py",
      """
      import os, socket
      s = socket.socket(socket.AF_UNIX)
      s.bind('\(socket)')
      s.listen()
      while True:
          c, _ = s.accept()
          try:
              while c.recv(4096): c.sendall(\(answer)) if \(answer) else c.close()
          except OSError: pass
      """)
    let server = try Server(["python3", script]) { FileSystem.exists(socket) }
    let run = try home.run([
      "device", "move", "--tpm", "--passphrase-file", home.passphrase, "--json",
    ])
    #expect(run.status == 1 && run.errorCode == "system", "\(kind): \(run.err)")
    #expect(try home.run(["device", "--json"]).object["key"] as? String == "file")
    #expect(try home.run(["list"] + Home.owner).status == 0)
    withExtendedLifetime(server) {}
  }

  @Test func `a file is no chip, and a move without one is refused`() throws {
    let home = try Home(faces: true)
    for path in [try home.put("file", "no chip"), home.path, home.path + "/none"] {
      try home.configure("tpm", path)
      let run = try home.run([
        "device", "move", "--tpm", "--passphrase-file", home.passphrase, "--json",
      ])
      #expect(run.status == 1 && run.errorCode == "system", "\(run.err)")
    }
    let two = ["device", "move", "--tpm", "--file", "--passphrase-file", home.passphrase]
    #expect(try home.run(two).status == 2)
    let pin = ["device", "move", "--file", "--pin", "--passphrase-file", home.passphrase]
    #expect(try home.run(pin).status == 2)
  }
}
