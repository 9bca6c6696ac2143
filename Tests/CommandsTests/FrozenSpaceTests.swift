import Foundation
import Testing

/// Two devices of one diary and the place where they meet, written once and for ever: what this version makes of them, every
/// later one must.
@Suite(.threads) struct FrozenSpaceTests {
  private static let directory = URL(fileURLWithPath: Home.keys).deletingLastPathComponent()
    .appendingPathComponent("vectors/frozen/space").path

  private static func frozen() throws -> [String: Any] {
    let data = try Data(contentsOf: URL(fileURLWithPath: directory + "/space.json"))
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  /// What all devices say alike: each counts revisions for itself, and keeps files in an order of its own.
  private static func shared(_ entries: [[String: Any]]) -> NSArray {
    entries.map { entry in
      var alike = entry.filter { !["revision", "others"].contains($0.key) }
      alike["attachments"] = (entry["attachments"] as? [[String: Any]] ?? []).sorted {
        ($0["name"] as? String ?? "") < ($1["name"] as? String ?? "")
      }
      return alike
    } as NSArray
  }

  private static func bodies(_ entries: [[String: Any]]) -> [String] {
    entries.compactMap { $0["body"] as? String }.sorted()
  }

  @Test func `each device opens, and finds nothing wrong with the place`() throws {
    let frozen = try Self.frozen()
    let expected = try #require(frozen["entries"] as? [[String: Any]])
    for device in try #require(frozen["devices"] as? [[String: String]]) {
      let home = try Home(made: false)
      let place = home.path + "/place"
      try FileManager.default.copyItem(atPath: Self.directory + "/place", toPath: place)
      let vault = home.path + "/frozen.facediary"
      try FileManager.default.copyItem(
        atPath: Self.directory + "/" + (device["folder"] ?? ""), toPath: vault)
      try Data((device["passphrase"] ?? "").utf8).write(
        to: URL(fileURLWithPath: home.passphrase))
      let places = [
        device["vault"] ?? "": ["place": "folder:" + place, "space": device["space"] ?? ""]
      ]
      let state = home.path + "/.local/state/facediary"
      try FileManager.default.createDirectory(
        atPath: state, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      _ = try home.put(
        ".local/state/facediary/places.json",
        String(decoding: try JSONSerialization.data(withJSONObject: places), as: UTF8.self))
      let here = ["--vault", vault]
      let entries = try home.ok(["list", "--bodies", "--json"] + here).array
      #expect(Self.shared(entries) == Self.shared(expected))
      #expect(
        try home.ok(["sync", "status", "--json"] + here).object["digest"] as? String
          == frozen["digest"] as? String)
      let synced = try home.ok(["sync", "--json"] + here).object
      #expect(synced["pulled"] as? Int == 0 && synced["pushed"] as? Int == 0)
      #expect((synced["troubles"] as? [Any])?.isEmpty == true)
      let conflict = try #require(try home.ok(["conflicts", "--json"] + here).array.first)
      #expect(
        Self.bodies(try #require(conflict["versions"] as? [[String: Any]]))
          == frozen["conflict"] as? [String])
      #expect(try home.ok(["verify", "--json"] + here).object["ok"] as? Bool == true)
      // And it lives on.
      try home.ok(["write", "now"] + here)
      #expect(try home.ok(["sync", "--json"] + here).object["pushed"] as? Int == 1)
    }
  }

  @Test func `the code and the place are enough`() throws {
    let frozen = try Self.frozen()
    let home = try Home(made: false)
    let place = home.path + "/place"
    try FileManager.default.copyItem(atPath: Self.directory + "/place", toPath: place)
    let code = try home.put("code", try #require(frozen["spaceCode"] as? String))
    try home.ok([
      "sync", "recover", "folder:" + place, "--space-code-file", code, "--name", "new", "--kdf",
      "interactive",
    ])
    let entries = try home.ok(["list", "--bodies", "--json"]).array
    #expect(
      Self.bodies(entries) == Self.bodies(try #require(frozen["entries"] as? [[String: Any]])))
    let conflict = try #require(try home.ok(["conflicts", "--json"]).array.first)
    #expect(
      Self.bodies(try #require(conflict["versions"] as? [[String: Any]]))
        == frozen["conflict"] as? [String])
    let file = home.path + "/big.bin"
    let id = try #require(
      entries.first { ($0["attachments"] as? [Any])?.isEmpty == false }?["id"] as? String)
    try home.ok(["extract", id, "big.bin", "-o", file])
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: file)) == Data(repeating: 0x7a, count: 70_000))
    #expect(try home.ok(["sync", "--json"]).object["troubles"] as? [String] == [])
  }
}
