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

  /// Where `text` stands in any file below these directories that was written since `start`, in seconds since 1970.
  private func places(of text: String, below roots: [String], since start: Int64) -> [String] {
    var found: [String] = []
    for root in roots {
      let files = FileManager.default.enumerator(atPath: root)
      while let name = files?.nextObject() as? String {
        let path = root + "/" + name
        guard let status = try? FileStatus(path), status.kind == .regular,
          status.modified >= start,
          let data = try? Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
        else { continue }
        if data.range(of: Data(text.utf8)) != nil || name.contains(text) { found.append(path) }
      }
    }
    return found
  }

  @Test(arguments: cases)
  func `an editor that was told to keep everything keeps nothing of an entry`(_ each: Case) throws {
    let start = Int64(Date().timeIntervalSince1970) - 1
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
      if each.editor == "emacs" { #expect(session.expect("entry.md", within: 60)) }
      usleep(1_200_000)
      for keys in each.keys {
        session.type(keys.replacing(Self.secret, with: secret))
        _ = session.expect("\u{0}never", times: 1, within: 0.35)
      }
      #expect(session.end() == 0, "\(session.screen.suffix(600))")
    }
    let entries = try home.ok(["list", "--bodies", "--json"]).array
    #expect(entries.count == 2)
    #expect(entries.allSatisfy { ($0["body"] as? String)?.contains(secret) ?? false })
    let own = home.path.hasPrefix("/dev/shm/") ? [] : [home.path]
    let roots = own + ["/dev/shm", "/var/tmp", NSTemporaryDirectory() + "facediary"]
    #expect(places(of: secret, below: roots, since: start) == [])
    // Nor is what everybody uses left changed behind.
    #expect(try FileStatus("/dev/null").permissions == 0o666)
    // It is not the scan that fails to see.
    _ = try home.put("keep/seen", secret)
    #expect(places(of: secret, below: roots, since: start) == [home.path + "/keep/seen"])
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
