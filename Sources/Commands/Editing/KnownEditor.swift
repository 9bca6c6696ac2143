internal import Dates
internal import Formats
internal import Words

/// What known editors leave behind, and how to keep them from it.
///
/// The owner's own settings apply; then what would leave the text somewhere is switched off *after* them, where no
/// setting undoes it again.
enum KnownEditor: Equatable {
  case vim, neovim, nano, emacs, micro
  /// Writes nothing but the file it is given.
  case plain
  /// Gives the file to a program that already runs, or keeps it out of our reach: unsafe with any option.
  case elsewhere
  case unknown

  /// - Parameters:
  ///   - words: the command, with options of the owner's own.
  ///   - target: the program's file, links followed; nil when it is not found.
  init(_ words: [String], target: String?) {
    // What only runs another program is that program.
    let wrappers: Set = ["env", "nice", "command", "exec", "nohup", "time"]
    var words = words[...]
    var target = target
    while let first = words.first, wrappers.contains(Self.name(of: first)) {
      words = words.dropFirst().drop {
        $0.hasPrefix("-") || $0.contains("=") || Int($0) != nil
      }
      target = words.first
    }
    guard let first = words.first else {
      self = .unknown
      return
    }
    // By the program's file, else by its name: one version manager has many names.
    let byFile = Self(name: Self.name(of: target ?? first))
    let kind = byFile == .unknown ? Self(name: Self.name(of: first)) : byFile
    self = kind.isUnsafe(with: words.dropFirst()) ? .elsewhere : kind
  }

  private static func name(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  private init(name: String) {
    // `vim.basic`, `emacs-28.2`.
    let stem = String(name.prefix { $0.isLetter || $0 == "_" })
    self =
      switch stem {
      case "vim", "gvim", "vimx", "rvim", "view": .vim
      case "nvim": .neovim
      // It reads no settings, and knows no option that names them.
      case "nano" where name.hasPrefix("nano-tiny"): .plain
      case "nano", "rnano": .nano
      case "emacs": .emacs
      case "micro": .micro
      case "hx", "helix", "kak", "ed", "busybox": .plain
      case "emacsclient", "nvi", "bsd", "code", "codium", "vscodium", "cursor", "subl",
        "sublime_text", "gedit", "kate",
        "kwrite", "mousepad", "xed", "pluma", "leafpad", "atom", "zed", "zeditor", "idea", "mate",
        "bbedit",
        "notepadqq", "geany", "gnome", "nvr", "neovide", "xdg", "open", "sudo", "sudoedit", "doas",
        "run", "ssh":
        .elsewhere
      default: .unknown
      }
  }

  /// Whether an option of the owner's own gives the text away, or asks for copies that ours cannot take back.
  private func isUnsafe(with words: ArraySlice<String>) -> Bool {
    switch self {
    case .vim, .neovim: words.contains { $0.hasPrefix("--remote") || $0.hasPrefix("--server") }
    case .emacs: words.contains { $0.contains("daemon") }
    case .nano:
      words.contains { word in
        word.hasPrefix("--")
          ? ["--backup", "--historylog", "--positionlog", "--locking"].contains(
            where: word.hasPrefix)
          : word.hasPrefix("-") && word.contains { "BCHPG".contains($0) }
      }
    default: false
    }
  }

  /// The words after the program's own and before the file's.
  ///
  /// - Parameter settings: where a file of settings of ours lies, when ``settings(from:)`` makes one.
  func words(settings: String?) -> [String] {
    switch self {
    case .vim, .neovim:
      // Each setting by itself: one that a small build lacks must not keep the others from being set. Again when the
      // editor has started and before each write, because plugins and file types may change them. Copies that are
      // still made lie beside the file.
      let off = [
        "nobackup", "nowritebackup", "noundofile", "noswapfile", "updatecount=0", "patchmode=",
        "viminfo=",
        "viminfofile=NONE", "shada=", "shadafile=NONE", "directory=.", "backupdir=.", "undodir=.",
      ].map { "silent! set " + $0 }.joined(separator: " | ")
      return [
        "-n", "-i", "NONE", "-c", off, "-c", "augroup facediary", "-c",
        "autocmd VimEnter,BufEnter,InsertEnter,BufWritePre,VimLeavePre * " + off,
        "-c", Self.vimRescue, "-c", "augroup END",
      ]
        + (self == .neovim ? ["-c", "silent! lua vim.lsp.set_log_level('off')"] : ["-f"])
    case .nano: return settings.map { ["--rcfile=" + $0] } ?? ["--ignorercfiles"]
    case .emacs: return ["--eval", Self.emacsSettings]
    case .micro:
      return ["backup", "permbackup", "saveundo", "savehistory", "savecursor"]
        .flatMap { ["-" + $0, "false"] }
    case .plain, .elsewhere, .unknown: return []
    }
  }

  /// When it is told to end, or its terminal is gone, Vim has let go of its text before it runs anything. So what is not saved lies beside
  /// the file, where ``OrphanedText`` looks for it, after each change, or at each pause where the text is long; and no longer than it is
  /// not saved. A small build cannot. One command, because Vim takes ten.
  private static let vimRescue: String = {
    let path = "expand('%:p') . '\(OrphanedText.rescueSuffix)'"
    let isEntry = path + " ==# g:facediary_rescue"
    let drop = "silent! call delete(g:facediary_rescue)"
    let keep =
      "if &modified | silent! call writefile(getline(1, '$'), g:facediary_rescue, 'S') | else | \(drop) | endif"
    return
      (["silent! let g:facediary_rescue = " + path]
      + [
        "CursorHold,CursorHoldI * if \(isEntry) | \(keep) | endif",
        "TextChanged,TextChangedI * if \(isEntry) && line2byte(line('$') + 1) < 1000000 | \(keep) | endif",
        "BufWritePost * if \(isEntry) | \(drop) | endif",
        "VimLeavePre * if !empty(getbufline(bufnr('%'), 1)) | \(drop) | endif",
      ].map { "silent! execute 'autocmd \($0.replacing("'", with: "''"))'" }).joined(
        separator: " | ")
  }()

  /// Where the cursor begins.
  func words(line: Int) -> [String] {
    switch self {
    case .vim, .neovim, .nano, .emacs, .micro: line > 1 ? ["+\(line)"] : []
    case .plain, .elsewhere, .unknown: []
    }
  }

  /// The settings in a file of its own that the editor is started with: the owner's, then ours. nil when it needs none.
  ///
  /// - Parameter read: the owner's and the system's settings.
  func settings(from read: () -> [String]) -> String? {
    guard self == .nano else { return nil }
    let off = ["backup", "historylog", "positionlog", "locking"].map { "unset " + $0 }
    return (read() + off).joined(separator: "\n") + "\n"
  }

  /// Where the owner's settings are, for an editor that reads only one file when it is told to.
  static func settingsFiles(home: String, configuration: String?) -> [String] {
    ["/etc/nanorc", home + "/.nanorc", (configuration ?? home + "/.config") + "/nano/nanorc"]
  }

  /// Backups, autosaves, locks; and what Emacs writes of itself when it ends: histories with what was cut, recent files. The entry alone is
  /// saved by itself, where ``OrphanedText`` looks for what was rescued.
  private static let emacsSettings = """
    (progn (defun facediary-private (&rest _) (setq make-backup-files nil backup-enable-predicate 'ignore \
    backup-directory-alist nil auto-save-default nil auto-save-list-file-prefix nil \
    auto-save-file-name-transforms nil create-lockfiles nil kill-emacs-hook nil \
    savehist-file (expand-file-name "histories" temporary-file-directory) \
    kill-emacs-query-functions nil undo-tree-auto-save-history nil savehist-additional-variables nil) \
    (dolist (mode '(savehist-mode recentf-mode save-place-mode desktop-save-mode auto-save-visited-mode \
    global-undo-fu-session-mode undo-fu-session-global-mode undo-fu-session-mode undohist-mode)) (when (and (fboundp mode) (boundp mode) (symbol-value mode)) \
    (ignore-errors (funcall mode -1)))) (setq kill-emacs-hook nil) (when buffer-file-name \
    (if (string= (file-name-nondirectory buffer-file-name) "\(OrphanedText.fileName)") \
    (progn (auto-save-mode 1) (setq buffer-auto-save-file-name (concat buffer-file-name "\(OrphanedText.rescueSuffix)"))) \
    (auto-save-mode -1)))) \
    (facediary-private) (advice-add 'kill-emacs :before 'facediary-private) (add-hook 'window-setup-hook 'facediary-private 100) \
    (add-hook 'find-file-hook 'facediary-private 100) (add-hook 'before-save-hook 'facediary-private 100))
    """
}
