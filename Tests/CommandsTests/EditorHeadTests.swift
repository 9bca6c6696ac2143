import Foundation
import Glibc
import Testing

@testable import Commands
@testable import Dates
@testable import Formats
@testable import Platform
@testable import Words

/// Fields of an entry, changed where its text is written.
@Suite(.threads) struct EditorHeadTests {
  /// Runs a command whose editor is a script; `$1` is the file.
  private func edit(
    _ home: Home, _ words: [String], _ script: String
  ) throws -> (status: Int32, screen: String) {
    let editor = try home.put("editor-\(UUID().uuidString)", "#!/bin/sh\n" + script, mode: 0o700)
    let session = try TerminalSession(
      home, words + ["--passphrase-file", home.passphrase], extra: ["EDITOR": editor])
    let status = session.end()
    return (status, session.screen)
  }

  private func newest(_ home: Home) throws -> [String: Any] {
    try #require(home.ok(["show", "@last", "--json"]).array.first)
  }

  @Test func `fields have Japanese names, too, and the colon of a Japanese keyboard`() throws {
    let home = try Home()
    let script = """
      cat > "$1" <<'END'
      ---
      題名：花見
      日時: 2026-03-28 昼の2時
      タグ: 桜、公園
      場所：上野：公園
      title2:
      ---

      題名：は本文のまま
      END
      """
    // What is no field is said; the others are understood.
    let wrong = try edit(home, ["write"], script)
    #expect(wrong.status == 8 && wrong.screen.contains("title2"), "\(wrong.screen)")
    let run = try edit(home, ["write"], script.replacing("title2:\n", with: ""))
    #expect(run.status == 0, "\(run.screen)")
    let entry = try newest(home)
    #expect(entry["title"] as? String == "花見" && entry["location"] as? String == "上野：公園")
    #expect((entry["date"] as? String)?.hasPrefix("2026-03-28T14:00") == true)
    #expect(entry["tags"] as? [String] == ["桜", "公園"])
    #expect((entry["body"] as? String)?.hasPrefix("題名：は本文") == true)
  }

  @Test func `what stands at the head becomes the entry`() throws {
    let home = try Home()
    try home.ok(["journals", "add", "Kyoto"])
    let head = """
      cp "$1" \(home.path)/given
      cat > "$1" <<'END'
      ---
      title: A walk: by the river
      date: 2026-03-02 09:30
      until: +90m
      journal: Kyoto
      kind: move
      tags: river, "a, b", #spring
      starred: yes
      ---

      # Under the trees
      ---
      END
      """
    let run = try edit(home, ["write", "--tag", "old", "--date", "2026-03-01T08:00"], head)
    #expect(run.status == 0, "\(run.screen)")
    let given = try String(contentsOfFile: home.path + "/given", encoding: .utf8)
    #expect(
      given
        == "---\ntitle:\ndate: 2026-03-01 08:00\nuntil:\njournal:\nkind:\ntags: old\nlocation:\nweather:\nstarred: no\n---\n\n"
    )
    let entry = try newest(home)
    #expect(entry["title"] as? String == "A walk: by the river")
    #expect(entry["date"] as? String == "2026-03-02T09:30:00+09:00")
    #expect(entry["until"] as? String == "2026-03-02T11:00:00+09:00")
    #expect(entry["journal"] as? String == "Kyoto" && entry["starred"] as? Bool == true)
    #expect(entry["tags"] as? [String] == ["river", "a, b", "spring"])
    #expect(entry["body"] as? String == "# Under the trees\n---")
  }

  @Test func `only what was changed in the editor changes`() throws {
    let home = try Home()
    let id = try home.write(
      "the text", ["--title", "\"Quoted\"", "--tag", "a", "--date", "2026-03-01T08:00:07+02:00"])
    #expect(try edit(home, ["edit", id], "sed -i 's/^tags: a$/tags: a, b/' \"$1\"").status == 0)
    var entry = try newest(home)
    #expect(entry["title"] as? String == "\"Quoted\"" && entry["tags"] as? [String] == ["a", "b"])
    #expect(entry["date"] as? String == "2026-03-01T08:00:07+02:00")
    #expect(entry["body"] as? String == "the text" && entry["revision"] as? Int == 2)
    // A line that is gone leaves its field, an empty one clears it, none of it leaves all.
    #expect(
      try edit(home, ["edit", id], "sed -i -e '/^tags:/d' -e 's/^title:.*/title:/' \"$1\"").status
        == 0)
    entry = try newest(home)
    #expect(entry["title"] is NSNull && entry["tags"] as? [String] == ["a", "b"])
    #expect(try edit(home, ["edit", id], "echo 'all new' > \"$1\"").status == 0)
    entry = try newest(home)
    #expect(entry["body"] as? String == "all new" && entry["tags"] as? [String] == ["a", "b"])
    #expect(entry["revision"] as? Int == 4)
    #expect(try edit(home, ["edit", id], "true").status == 0)
    #expect(try newest(home)["revision"] as? Int == 4)
    #expect(try edit(home, ["edit", id], ": > \"$1\"").status == 9)
  }

  @Test(arguments: [
    ("date: someday", "not a date"), ("jurnal: x", "no field jurnal"),
    ("journal: Nowhere", "Nowhere"),
    ("starred: perhaps", "yes or no"), ("no colon", "entry.md"), ("until: 1999-01-01", "end"),
    ("title: Other", "twice"),
  ])
  func `a mistake at the head opens the editor again, with the text and what is wrong`(
    _ each: (line: String, says: String)
  ) throws {
    let home = try Home()
    let run = try edit(
      home, ["write"],
      """
      if [ -f \(home.path)/first ]; then
        cp "$1" \(home.path)/second
        sed -i '/^\(each.line)$/d' "$1"
      else
        touch \(home.path)/first
        printf -- '---\\ntitle: Mine\\n\(each.line)\\n---\\n\\nlong work\\n' > "$1"
      fi
      """)
    #expect(run.status == 0, "\(run.screen)")
    let second = try String(contentsOfFile: home.path + "/second", encoding: .utf8)
    #expect(second.hasPrefix("---\n# ! ") && second.contains(each.says), "\(second)")
    #expect(second.hasSuffix("\ntitle: Mine\n\(each.line)\n---\n\nlong work\n"))
    let entry = try newest(home)
    #expect(entry["title"] as? String == "Mine" && entry["body"] as? String == "long work")
  }

  /// Editors of other systems write a mark before the text, or other characters.
  @Test(arguments: [
    #"printf '\357\273\277' | cat - "$1" > "$1.x"; printf 'the text\n' >> "$1.x"; mv "$1.x" "$1""#,
    #"printf 'the text\n' >> "$1"; iconv -f utf-8 -t utf-16 "$1" > "$1.x"; mv "$1.x" "$1""#,
    #"printf 'the text\n' >> "$1"; sed -i 's/$/\r/' "$1""#,
  ])
  func `a text is read whatever mark and line ends its editor writes`(script: String) throws {
    let home = try Home()
    let run = try edit(home, ["write"], script)
    #expect(run.status == 0, "\(run.screen)")
    #expect(try newest(home)["body"] as? String == "the text")
  }

  @Test func `what is recovered of a text that no entry can have loses no field`() throws {
    let home = try Home()
    try home.ok(["journals", "add", "Kyoto"])
    let run = try edit(
      home, ["write"],
      """
      [ -e \(home.path)/once ] && exit 0
      touch \(home.path)/once
      sed -i -e 's/^title:.*/title: Mine/' -e 's/^journal:.*/journal: Kyoto/' -e 's/^tags:.*/tags: a, b/' "$1"
      printf 'one\\000two\\n' >> "$1"
      """)
    #expect(run.status == 8, "\(run.screen)")
    try home.ok(["write", "--recover"])
    let entry = try newest(home)
    #expect(entry["title"] as? String == "Mine" && entry["journal"] as? String == "Kyoto")
    #expect(entry["tags"] as? [String] == ["a", "b"])
    #expect(entry["body"] as? String == "one\u{2400}two")
  }

  @Test func `a program in the place of an editor is not started for ever`() throws {
    let home = try Home()
    let run = try edit(
      home, ["write"],
      "echo x >> \(home.path)/starts; sed -i 's/^date:.*/date: someday/' \"$1\"; echo more >> \"$1\""
    )
    #expect(run.status == 8, "\(run.screen)")
    let starts = try String(contentsOfFile: home.path + "/starts", encoding: .utf8)
    #expect(starts.count / 2 < 8)
    try home.ok(["write", "--recover"])
    #expect(try (newest(home)["body"] as? String)?.contains("more") == true)
  }

  @Test func `all mistakes at the head are named at once, and again only those that are left`()
    throws
  {
    let home = try Home()
    let run = try edit(
      home, ["write"],
      """
      n=$(ls \(home.path)/seen.* 2>/dev/null | wc -l); cp "$1" \(home.path)/seen.$n
      case $n in
      0) printf -- '---\\ntitle: Mine\\njurnal: x\\ndate: someday\\nstarred: perhaps\\n---\\n\\nlong work\\n' > "$1" ;;
      1) sed -i -e '/^jurnal/d' -e '/^starred/d' "$1" ;;
      *) sed -i '/^date: someday$/d' "$1" ;;
      esac
      """)
    #expect(run.status == 0, "\(run.screen)")
    func remarks(_ number: Int) throws -> [Substring] {
      try String(contentsOfFile: home.path + "/seen.\(number)", encoding: .utf8)
        .split(separator: "\n").filter { $0.hasPrefix("# ! ") }
    }
    let (first, second) = (try remarks(1), try remarks(2))
    #expect(first.count == 3 && second.count == 1, "\(first) \(second)")
    for (words, remark) in zip(["jurnal", "someday", "yes or no"], first) {
      #expect(remark.contains(words), "\(remark)")
    }
    #expect(try newest(home)["body"] as? String == "long work")
  }

  @Test(arguments: [
    ["@home", "zoo"], ["a,b"], ["a,b", "zoo"], ["[x]", "-"], ["\"q\"", "'"], ["x # y", "null"],
  ])
  func `tags stay as they are when nothing is touched`(_ tags: [String]) throws {
    let home = try Home()
    let listed = String(decoding: try JSONEncoder().encode(tags), as: UTF8.self)
    let entries = "[{\"date\":\"2026-03-01\",\"body\":\"text\",\"tags\":\(listed)}]"
    try home.ok(["import", "-", "--format", "json"], input: entries)
    let id = try #require(try newest(home)["id"] as? String)
    #expect(try edit(home, ["edit", id], "true").status == 0)
    let entry = try newest(home)
    #expect(entry["tags"] as? [String] == tags && entry["revision"] as? Int == 1)
    #expect(
      try edit(home, ["edit", id], "sed -i 's/^starred: no/starred: yes/' \"$1\"").status == 0)
    #expect(try newest(home)["tags"] as? [String] == tags)
  }

  @Test func `an editor that fails when it is opened again loses nothing`() throws {
    let home = try Home()
    let run = try edit(
      home, ["write"],
      """
      [ -f \(home.path)/first ] && exit 1
      touch \(home.path)/first
      printf -- '---\\ndate: gibberish\\n---\\n\\nlong work\\n' > "$1"
      """)
    #expect(run.status == 9 && run.screen.contains("write --recover"), "\(run.screen)")
    try home.ok(["write", "--recover"])
    #expect((try newest(home)["body"] as? String)?.hasSuffix("long work") == true)
  }

  @Test func `a head without its first line is no text`() throws {
    let home = try Home()
    let id = try home.write("the text", ["--title", "T"])
    let run = try edit(
      home, ["edit", id],
      "if [ -f \(home.path)/first ]; then exit 1; fi; touch \(home.path)/first; sed -i 1d \"$1\"")
    #expect(run.status == 9, "\(run.screen)")
    let entry = try newest(home)
    #expect(entry["body"] as? String == "the text" && entry["revision"] as? Int == 1)
  }

  @Test func `what is given up keeps every field that can be understood`() throws {
    let home = try Home()
    let id = try home.write("the text", ["--title", "Old", "--date", "2026-03-01T10:00"])
    let run = try edit(
      home, ["edit", id],
      "printf -- '---\\ntitle: New\\ndate: blargh\\ntags: a, b\\n---\\n\\nmuch improved\\n' > \"$1\""
    )
    #expect(run.status == 8 && run.screen.contains("write --recover"), "\(run.screen)")
    let said = try home.ok(["write", "--recover"])
    #expect(said.err.contains("revision 2"), "\(said.err)")
    let entry = try newest(home)
    #expect(entry["id"] as? String == id && entry["title"] as? String == "New")
    #expect(entry["tags"] as? [String] == ["a", "b"])
    #expect(entry["body"] as? String == "date: blargh\n\nmuch improved")
  }

  @Test func `who gives up on a mistake finds the text again`() throws {
    let home = try Home()
    let run = try edit(
      home, ["write"], "printf -- '---\\ndate: someday\\n---\\n\\nlong work\\n' > \"$1\"")
    #expect(run.status == 8 && run.screen.contains("write --recover"), "\(run.screen)")
    try home.ok(["write", "--recover"])
    #expect((try newest(home)["body"] as? String)?.hasSuffix("long work") == true)
  }
}
