import Foundation
import Testing

/// Two devices of one diary and the place where they meet, written once and for ever: what this version makes of them, every
/// later one must.
///
/// `FACEDIARY_WRITE_KEYS=1` writes them anew, for a format that nobody has yet.
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

  /// Texts of two devices and of a third that is taken out, a conflict, files, a purge and a pack.
  private static func make() throws {
    let shared = try SharedDiary()
    let one = shared.one
    let two = try shared.join("電話")
    let third = try shared.join("third")
    func write(_ home: Home, _ text: String, _ date: String, _ more: String...) throws -> String {
      let written = try home.ok(["write", text, "--date", date, "--json"] + more)
      return written.object["id"] as? String ?? ""
    }
    let both = try write(one, "first", "2026-01-02T10:00", "--title", "Both write", "--tag", "a")
    let big = try one.put("big.bin", String(repeating: "z", count: 70_000))
    let note = try one.put("note.txt", "one line and a second")
    _ = try write(
      one, "with files 日記 👩‍👧", "2026-01-03T10:00", "--attach", note, "--attach", big)
    let gone = try write(one, "to be purged", "2026-01-04T10:00")
    try one.ok(["journals", "add", "旅", "--from", "2026-01-01", "--to", "2026-01-31"])
    try one.ok(["kinds", "add", "walk", "--emoji", "🚶"])
    _ = try write(
      one, "in a journal", "2026-01-05T10:00", "--journal", "旅", "--kind", "walk", "--star")
    try shared.sync(one, two, third)
    for number in 1...8 {
      _ = try write(third, "from the third \(number)", "2026-01-06T\(number + 9):00")
    }
    try shared.sync(third, one, two)
    try one.ok(["delete", gone, "--yes"])
    try one.ok(["purge", gone, "--yes"])
    try shared.sync(one, two, third)
    try one.ok(["sync", "compact"])
    try shared.sync(two, third, one, two)
    try one.ok(["edit", both, "by the laptop"])
    try two.ok(["edit", both, "by the phone"])
    try shared.sync(one, two, one)
    try one.ok([
      "sync", "revoke", "third", "--space-code-file", shared.spaceCode, "--yes",
    ])
    _ = try write(two, "after the theft", "2026-01-07T10:00")
    try shared.sync(one, two, one, two, one)
    try Self.keep(shared, [("one", one), ("two", two)])
  }

  private static func keep(_ shared: SharedDiary, _ homes: [(String, Home)]) throws {
    let files = FileManager.default
    var devices: [[String: String]] = []
    for (name, home) in homes {
      let passphrase = "\(name) frozen 日記"
      let new = try home.put("new-passphrase", passphrase)
      try home.ok([
        "keys", "add", "passphrase", "--new-passphrase-file", new, "--kdf", "interactive",
      ])
      let places = try JSONSerialization.jsonObject(
        with: Data(
          contentsOf: URL(
            fileURLWithPath: home.path + "/.local/state/facediary/places.json")))
      let vault = try #require((places as? [String: Any])?.keys.first)
      try home.ok(["lock"])
      try? files.removeItem(atPath: directory + "/\(name).facediary")
      try files.copyItem(atPath: home.folder, toPath: directory + "/\(name).facediary")
      devices.append([
        "folder": name + ".facediary", "passphrase": passphrase,
        "vault": vault,
        "space": try home.ok(["sync", "status", "--json"]).object["space"] as? String ?? "",
      ])
    }
    try? files.removeItem(atPath: directory + "/place")
    try files.copyItem(atPath: shared.folder, toPath: directory + "/place")
    let conflict = try shared.one.ok(["conflicts", "--json"]).array.first
    let frozen: [String: Any] = [
      "about":
        "A diary of two devices and the place where they meet, with a third that was taken out: written once; every later version must open it.",
      "spaceCode": try String(contentsOfFile: shared.spaceCode, encoding: .utf8),
      "devices": devices,
      "digest": try shared.one.ok(["sync", "status", "--json"]).object["digest"] as? String ?? "",
      "entries": try shared.one.ok(["list", "--bodies", "--json"]).array,
      "conflict": bodies(conflict?["versions"] as? [[String: Any]] ?? []),
    ]
    try JSONSerialization.data(
      withJSONObject: frozen, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    ).write(to: URL(fileURLWithPath: directory + "/space.json"))
  }

  init() throws {
    if ProcessInfo.processInfo.environment["FACEDIARY_WRITE_KEYS"] != nil { try Self.written.get() }
  }

  private static let written = Result { try make() }

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
