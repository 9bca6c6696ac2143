import Foundation
import Testing

/// Two homes, one diary.
final class SharedDiary {
  let one: Home
  let place: String
  let spaceCode: String
  private let isAutomatic: Bool

  /// - Parameter isAutomatic: whether sessions move and merge by themselves, as they do unless they are told not to.
  init(
    isAutomatic: Bool = false,
    _ place: (Home) throws -> String = { home in
      let folder = home.path + "/place"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      return "folder:" + folder
    }
  ) throws {
    one = try Home()
    self.isAutomatic = isAutomatic
    self.place = try place(one)
    let made = try one.ok(["sync", "setup", self.place, "--name", "laptop", "--json"])
    spaceCode = try one.put("space-code", made.object["recoveryCode"] as? String ?? "")
    #expect((made.object["space"] as? String)?.count == 26)
    if !isAutomatic { try one.run(["sync", "auto", "off"]) }
  }

  var folder: String { String(place.dropFirst("folder:".count)) }

  /// Another home that comes in by a code.
  ///
  /// - Parameters:
  ///   - home: not made yet.
  ///   - place: as it has it, where that is another than the first one's.
  func join(
    _ name: String = "phone", _ home: Home? = nil, at place: String? = nil, ends: Int32 = 0
  ) throws -> Home {
    let isNew = home.map { !FileManager.default.fileExists(atPath: $0.folder) } ?? true
    let home = try home ?? Home(made: false)
    let (invite, code) = try invitation()
    let joined = try home.run([
      "sync", "join", place ?? self.place, code, "--name", name, "--passphrase-file",
      home.passphrase, "--kdf",
      "interactive", "--json",
    ])
    #expect(joined.status == ends, "\(joined.err)")
    // One document, with the vault's own recovery code in it.
    #expect((joined.object["recoveryCode"] as? String)?.count == (isNew ? 34 : nil))
    #expect(joined.object["device"] as? String == name)
    #expect((joined.object["check"] as? String)?.count == 10)
    invite.waitUntilExit()
    #expect(invite.terminationStatus == 0)
    if !isAutomatic { try home.run(["sync", "auto", "off"]) }
    return home
  }

  /// An invitation that waits for somebody who has its code.
  func invitation(by inviter: Home? = nil) throws -> (process: Process, code: String) {
    let one = inviter ?? one
    let out = one.path + "/invitation"
    let invite = try one.start(
      ["sync", "invite", "--yes", "--passphrase-file", one.passphrase], printing: out)
    var code = ""
    for _ in 0..<300 where code.count < 49 {
      usleep(50_000)
      code =
        ((try? String(contentsOfFile: out, encoding: .utf8)) ?? "").split(separator: "\n")
        .first.map(String.init) ?? ""
    }
    #expect(code.count == 49)
    return (invite, code)
  }

  func sync(_ homes: Home...) throws {
    for home in homes { try home.ok(["sync"]) }
  }
}

extension Home {
  /// The same device once more, as a disk that was cloned has it.
  func cloned() throws -> Home {
    let copy = try Home(made: false)
    try FileManager.default.copyItem(atPath: path + "/.local", toPath: copy.path + "/.local")
    return copy
  }

  var bodies: [String] {
    get throws {
      try ok(["list", "--bodies", "--json"]).array.compactMap { $0["body"] as? String }.sorted()
    }
  }
}
