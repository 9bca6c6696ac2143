import Foundation
import Testing

@testable import Entries

/// Settings that change words and looks, and what they change.
@Suite(.threads) struct ConfigTests {
  @Test func `a setting is set, shown and removed, and leaves the others alone`() throws {
    let home = try Home(made: false)
    let file = URL(fileURLWithPath: home.path + "/.config/facediary/config.json")
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(#"{"models":{"sface":{"threshold":0.4}},"later":[1]}"#.utf8).write(to: file)
    func config(_ words: String...) throws -> Run { try home.run(["config"] + words) }
    #expect(try config("set", "backup", "copies").status == 0)
    #expect(try config("set", "inlineTags", "on").status == 0)
    #expect(try config("set", "environment", "DISPLAY", "LANG").status == 0)
    #expect(try config("set", "language", "ja").status == 0)
    let shown = try config("--json").object
    #expect(shown["inlineTags"] as? String == "on" && shown["language"] as? String == "ja")
    #expect((shown["backup"] as? String)?.hasSuffix("/copies") == true)
    #expect(shown["probe"] is NSNull && shown["file"] as? String == file.path)
    #expect(try config("list").status == 2)
    #expect(try config().out.contains("inlineTags   on"))
    #expect(try config().err.contains("設定"))
    #expect(try config("unset", "language").status == 0)
    #expect(try config("show", "--json").object["language"] is NSNull)
    let whole = try #require(
      try JSONSerialization.jsonObject(with: try Data(contentsOf: file)) as? [String: Any])
    #expect(Set(whole.keys) == ["models", "later", "backup", "inlineTags", "environment"])
    #expect(whole["environment"] as? [String] == ["DISPLAY", "LANG"])
    for words in [
      ["set", "models", "x"], ["set", "inlineTags", "maybe"], ["set", "language", "xx"],
      ["set", "tpm", "relative"], ["set", "probe", "unclosed 'quote"], ["unset", "policy"],
    ] {
      let run = try home.run(["config"] + words)
      #expect(run.status == 2, "\(words): \(run)")
    }
    #expect(try Data(contentsOf: file) == Data(contentsOf: file))
    let names = try FileManager.default.contentsOfDirectory(
      atPath: file.deletingLastPathComponent().path)
    #expect(names == ["config.json"])
  }

  @Test func `whether a word with # is a tag is one rule for writing, editing and importing`()
    throws
  {
    let home = try Home()
    let notes = home.path + "/notes"
    _ = try home.put("notes/2026-03-01.md", "a walk in the #rain, `#code` and #2026")
    func tags(_ reference: String) throws -> [String]? {
      try home.ok(["show", reference, "--json"]).array.first?["tags"] as? [String]
    }
    let plain = try home.write("about #tea")
    #expect(try tags(plain) == [])
    let said = try home.ok(["import", notes])
    #expect(said.err.contains("config set inlineTags on"), "\(said)")
    #expect(try tags("@1") == [])
    try home.ok(["config", "set", "inlineTags", "on"])
    let tagged = try home.write("about #tea and ＃京都, #tea again", ["--tag", "Tea"])
    #expect(try tags(tagged) == ["Tea", "京都"])
    let edited = try home.run(
      ["edit", plain, "-", "--passphrase-file", home.passphrase], input: "now #coffee")
    #expect(edited.status == 0, "\(edited)")
    #expect(try tags(plain) == ["coffee"])
    _ = try home.put("notes/2026-03-02.md", "another #walk")
    #expect(try !home.ok(["import", notes]).err.contains("inlineTags"))
    let all = try home.ok(["list", "--json"]).array.compactMap { $0["tags"] as? [String] }
    #expect(all.contains(["walk"]))
  }

  @Test(arguments: ["\n", "\r\n"])
  func `a word with # is looked for in the text, not in its code`(end: String) {
    let lines = ["the #first", "```", "#code", "```", "and `#more` but ＃京都, a#b #7", "#last"]
    #expect(InlineTags.found(in: lines.joined(separator: end)) == ["first", "京都", "last"])
    #expect(InlineTags.found(in: "nothing ｘ here") == [])
  }

  @Test func `a pipe in the place of the settings holds no command up`() throws {
    let home = try Home()
    try home.ok(["unlock"])
    try home.configure("language", "en")
    let path = home.path + "/.config/facediary/config.json"
    unlink(path)
    #expect(mkfifo(path, 0o600) == 0)
    let run = try home.run(["lock"])
    unlink(path)
    #expect(run.status == 0, "\(run.err)")
    #expect(try home.run(["status", "--json"]).object["state"] as? String != "authenticated")
  }
}
