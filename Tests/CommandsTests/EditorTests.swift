import Foundation
import Glibc
import Testing

@testable import Commands
@testable import Dates
@testable import Formats
@testable import Platform
@testable import Words

/// Real editors, configured to keep as much as they can.
@Suite(.threads) struct EditorTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let editor: String
    let configuration: [(String, String)]
    let keys: [String]
    var testDescription: String { editor }
  }

  private static let secret = "zebrafink"

  private static func vimrc(_ history: String) -> String {
    """
    set nocompatible undofile undodir=~/keep backup writebackup backupdir=~/keep swapfile directory=~/keep
    set updatecount=1 updatetime=10 patchmode=.orig \(history)
    autocmd VimEnter * set directory=~/keep// swapfile updatecount=1
    autocmd BufWinEnter,BufRead,BufNewFile * set undofile backup swapfile undodir=~/keep backupdir=~/keep
    autocmd FileType * set undofile backup
    """
  }

  static let cases = [
    Case(
      editor: "vim",
      configuration: [(".vimrc", vimrc("viminfo='100,<50,/50,:50 viminfofile=~/keep/info"))],
      keys: [
        "i", secret + " one", "\u{1b}", "/" + secret + "\r", "yy", "o", "two " + secret, "\u{1b}",
        ":wq\r",
      ]),
    Case(
      editor: "nvim",
      configuration: [
        (".config/nvim/init.vim", vimrc("shada='100,<50,/50,:50 shadafile=~/keep/shada"))
      ],
      keys: [
        "i", secret + " one", "\u{1b}", "/" + secret + "\r", "yy", "o", "two " + secret, "\u{1b}",
        ":wq\r",
      ]),
    Case(
      editor: "nano",
      configuration: [
        (
          ".nanorc",
          """
          set backup
          set backupdir "HOME/keep"
          set historylog
          set positionlog
          set locking

          """
        )
      ],
      // Written, searched for, saved, left.
      keys: [secret + " one", "\u{17}", secret + "\r", "\u{0f}", "\r", "\u{18}"]),
    Case(
      editor: "emacs",
      configuration: [
        (
          ".emacs.d/init.el",
          """
          (setq make-backup-files t backup-directory-alist '(("." . "~/keep")) vc-make-backup-files t
           auto-save-default t auto-save-interval 20 auto-save-timeout 1 create-lockfiles t
           auto-save-file-name-transforms '((".*" "~/keep/" t))
           auto-save-list-file-prefix "~/keep/list-"
           savehist-additional-variables '(kill-ring search-ring) savehist-file "~/keep/hist"
           recentf-save-file "~/keep/recent" savehist-autosave-interval 1 inhibit-startup-screen t)
          (savehist-mode 1) (recentf-mode 1) (save-place-mode 1)
          (add-hook 'pre-command-hook (lambda () (savehist-mode 1) (setq savehist-additional-variables '(kill-ring))))
          (add-hook 'emacs-startup-hook (lambda () (savehist-mode 1) (setq make-backup-files t)))
          (add-hook 'find-file-hook (lambda () (setq make-backup-files t) (auto-save-mode 1)))
          """
        )
      ],
      // Written, cut, put back, saved, left.
      keys: [secret + " one", "\u{01}", "\u{0b}", "\u{19}", "\u{18}\u{13}", "\u{18}\u{03}"]),
  ]

  /// Where `text` stands in any file below these directories.
  private func places(of text: String, below roots: [String]) -> [String] {
    var found: [String] = []
    for root in roots {
      let files = FileManager.default.enumerator(atPath: root)
      while let name = files?.nextObject() as? String {
        let path = root + "/" + name
        guard (try? FileStatus(path))?.kind == .regular,
          let data = try? Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
        else { continue }
        if data.range(of: Data(text.utf8)) != nil || name.contains(text) { found.append(path) }
      }
    }
    return found
  }

  @Test(arguments: cases)
  func `an editor that was told to keep everything keeps nothing of an entry`(_ each: Case) throws {
    let home = try Home()
    let path = home.environment["PATH"] ?? ""
    guard
      path.split(separator: ":").contains(where: { FileSystem.isExecutable($0 + "/" + each.editor) }
      )
    else {
      print("skipped: \(each.editor) is not installed")
      return
    }
    for name in ["keep", "tmp", "run", ".emacs.d", ".config/nvim"] {
      try FileManager.default.createDirectory(
        atPath: home.path + "/" + name, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    }
    for (name, text) in each.configuration {
      _ = try home.put(name, text.replacing("HOME", with: home.path))
    }
    let extra = [
      "EDITOR": each.editor, "TMPDIR": home.path + "/tmp", "XDG_RUNTIME_DIR": "/dev/shm",
      "TERM": "xterm",
    ]
    let secret = Self.secret + each.editor
    let before = try home.write("before " + secret)
    for words in [["write"], ["edit", before]] {
      let session = try TerminalSession(
        home, words + ["--passphrase-file", home.passphrase], extra: extra)
      // The editor is there when it has drawn something and gone quiet.
      usleep(each.editor == "emacs" ? 2_500_000 : 1_200_000)
      for keys in each.keys {
        session.type(keys.replacing(Self.secret, with: secret))
        _ = session.expect("\u{0}never", times: 1, within: 0.35)
      }
      #expect(session.end() == 0, "\(session.screen.suffix(600))")
    }
    let entries = try home.ok(["list", "--bodies", "--json"]).array
    #expect(entries.count == 2)
    #expect(entries.allSatisfy { ($0["body"] as? String)?.contains(secret) ?? false })
    let roots = [home.path, "/dev/shm", "/var/tmp", NSTemporaryDirectory() + "facediary"]
    #expect(places(of: secret, below: roots) == [])
    // Nor is what everybody uses left changed behind.
    #expect(try FileStatus("/dev/null").permissions == 0o666)
    // It is not the scan that fails to see.
    _ = try home.put("keep/seen", secret)
    #expect(places(of: secret, below: roots) == [home.path + "/keep/seen"])
  }

  @Test func `an editor that gives the file away is refused, unless it is asked for`() throws {
    let home = try Home()
    for name in ["emacsclient", "code", "gedit"] {
      let program = try home.put(name, "#!/bin/sh\necho edited > \"$1\"\n", mode: 0o700)
      let refused = try TerminalSession(
        home, ["write", "--passphrase-file", home.passphrase], extra: ["EDITOR": program])
      #expect(refused.end() == 1 && refused.screen.contains(name), "\(refused.screen)")
      let allowed = try TerminalSession(
        home, ["write", "--editor-on-disk", "--passphrase-file", home.passphrase],
        extra: ["EDITOR": program])
      #expect(allowed.end() == 0, "\(allowed.screen)")
    }
  }

  @Test func `editors are known by the program that runs, whatever it is called by`() {
    for (command, kind) in [
      ("/usr/bin/vim.basic", KnownEditor.vim), ("vim.tiny", .vim), ("nvim", .neovim),
      ("/bin/nano", .nano), ("nano-tiny", .plain), ("emacs-28.2", .emacs), ("emacs-nox", .emacs),
      ("emacsclient.emacs", .elsewhere), ("code --wait", .elsewhere), ("hx", .plain),
      ("joe", .unknown), ("mg", .unknown), ("", .unknown), ("env LANG=C vim -X", .vim),
      ("nice -n 5 nano -w", .nano), ("sudo -e", .elsewhere),
      ("nvim --server S --remote", .elsewhere),
      ("nano -B", .elsewhere), ("nano --backupdir=/x", .elsewhere), ("nano -wC /x", .elsewhere),
      ("nano --linenumbers", .nano), ("env", .unknown),
    ] {
      let words = command.split(separator: " ").map(String.init)
      #expect(KnownEditor(words, target: nil) == kind, "\(command)")
    }
    #expect(KnownEditor(["nvim"], target: "/opt/mise") == .neovim)
    #expect(KnownEditor(["edit"], target: "/usr/bin/nano") == .nano)
  }

  @Test func `an editor that crashes after it saved loses nothing`() throws {
    let home = try Home()
    let program = try home.put(
      "hx", "#!/bin/sh\necho saved before the crash > \"$1\"\nkill -9 $$\n", mode: 0o700)
    let session = try TerminalSession(
      home, ["write", "--passphrase-file", home.passphrase], extra: ["EDITOR": program])
    #expect(session.end() == 137, "\(session.screen)")
    try home.ok(["write", "--recover"])
    #expect(
      try home.ok(["list", "--bodies", "--json"]).array.first?["body"] as? String
        == "saved before the crash")
  }

  @Test func `memory that is moved to a disk in clear is named`() {
    let lines = """
      Filename\tType\tSize\tUsed\tPriority
      /dev/zram0 partition 100 0 100
      /dev/sda2 partition 100 0 -2
      /dev/dm-1 partition 100 0 -3
      /swapfile file 100 0 -4

      """
    let found = FileSystem.swapsInClear(lines) { $0 == "dm-1" ? "CRYPT-PLAIN-swap" : nil }
    #expect(found == ["/dev/sda2", "/swapfile"])
    #expect(FileSystem.swapsInClear("Filename\n") { _ in nil } == [])
  }
}

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

  @Test(arguments: [
    ["@home", "zoo"], ["a,b"], ["a,b", "zoo"], ["[x]", "-"], ["\"q\"", "'"], ["x # y", "null"],
  ])
  func `tags stay as they are when nothing is touched`(_ tags: [String]) throws {
    let home = try Home()
    let id = try home.write("text", tags.flatMap { ["--tag", $0] })
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

  /// An editor that saved, and was then killed: what it saved is kept sealed.
  private func crash(_ home: Home, _ words: [String], _ writing: String) throws {
    let program = try home.put(
      "hx", "#!/bin/sh\n\(writing) > \"$1\"\nkill -9 $$\n", mode: 0o700)
    let session = try TerminalSession(
      home, words + ["--passphrase-file", home.passphrase], extra: ["EDITOR": program])
    #expect(session.end() == 137, "\(session.screen)")
    #expect(session.screen.contains("write --recover"), "\(session.screen)")
  }

  @Test func `kept text outlives a rotation of the key`() throws {
    let home = try Home()
    try crash(home, ["write"], "echo kept before the rotation")
    for _ in 0..<2 { try home.ok(["keys", "rotate", "--yes", "--kdf", "interactive"]) }
    try home.ok(["write", "--recover"])
    #expect(try newest(home)["body"] as? String == "kept before the rotation")
    #expect(try home.ok(["verify"]).status == 0)
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

  @Test func `a template that could not be saved is kept sealed, and recovered`() throws {
    let home = try Home()
    try crash(home, ["templates", "add", "day"], "echo 'What was good? QX7'")
    #expect(try inMemory("QX7").isEmpty)
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
    #expect(try inMemory("ZK9").isEmpty)
    try home.ok(["write", "--recover"])
    #expect(
      try home.ok(["templates", "--json"]).array.first?["body"] as? String == "long thought ZK9")
  }

  /// Files in memory's directories that hold a word.
  private func inMemory(_ word: String) throws -> [String] {
    let bases = ["/dev/shm", ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"] ?? "/dev/shm"]
    return bases.flatMap { base in
      (FileManager.default.enumerator(atPath: base)?.compactMap { $0 as? String } ?? []).filter {
        FileManager.default.contents(atPath: base + "/" + $0)?.range(of: Data(word.utf8)) != nil
      }
    }
  }
}
