/// What known editors leave behind, and how to keep them from it.
///
/// The owner's own settings apply; then what would leave the text somewhere is switched off *after* them, where no
/// setting undoes it again.
enum KnownEditor: Equatable {
  case vim, neovim, nano, emacs, micro
  /// Writes nothing but the file it is given.
  case plain
  /// Gives the file to a program that runs already, or keeps it where we cannot reach: unsafe whatever we do.
  case elsewhere
  case unknown

  /// - Parameter program: the name of the program's file, links followed.
  init(_ program: String) {
    let name = program.split(separator: "/").last.map(String.init) ?? program
    // `vim.basic`, `emacs-28.2`, `nano-tiny`.
    let stem = String(name.prefix { $0.isLetter })
    self =
      switch stem {
      case "vim", "gvim", "vimx", "rvim", "view": .vim
      case "nvim": .neovim
      case "nano", "rnano": .nano
      case "emacs": .emacs
      case "micro": .micro
      case "hx", "helix", "kak", "ed", "mg", "busybox": .plain
      case "emacsclient", "nvi", "bsd", "code", "codium", "vscodium", "cursor", "subl", "gedit",
        "kate", "kwrite",
        "mousepad", "xed", "pluma", "leafpad", "atom", "zed", "zeditor", "idea", "mate", "bbedit",
        "notepadqq",
        "geany", "gnome", "nvr", "neovide", "xdg", "open":
        .elsewhere
      default: .unknown
      }
  }

  /// The words after the program's own and before the file's.
  ///
  /// - Parameter settings: where a file of settings of ours lies, when ``settings(home:configuration:)`` makes one.
  func words(settings: String?) -> [String] {
    switch self {
    case .vim, .neovim:
      // Each setting by itself: one that a small build lacks must not keep the others from being set. Once more before
      // each write, when plugins and file types have had their say.
      let off = [
        "nobackup", "nowritebackup", "noundofile", "noswapfile", "patchmode=", "viminfo=",
        "viminfofile=NONE", "shada=",
        "shadafile=NONE",
      ].map { "silent! set " + $0 }.joined(separator: " | ")
      return [
        "-n", "-i", "NONE", "-c", off, "-c", "augroup facediary", "-c",
        "autocmd BufEnter,BufWritePre,VimLeavePre * " + off, "-c", "augroup END",
      ]
    case .nano: return settings.map { ["--rcfile=" + $0] } ?? ["--ignorercfiles"]
    case .emacs: return ["--eval", Self.emacsSettings]
    case .micro:
      return ["backup", "permbackup", "saveundo", "savehistory", "savecursor"]
        .flatMap { ["-" + $0, "false"] }
    case .plain, .elsewhere, .unknown: return []
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

  /// Backups, autosaves, locks; and what Emacs writes of itself when it ends: histories with what was cut, recent files.
  private static let emacsSettings = """
    (progn (defun facediary-private (&rest _) (setq make-backup-files nil backup-enable-predicate 'ignore \
    auto-save-default nil auto-save-list-file-prefix nil create-lockfiles nil kill-emacs-hook nil \
    kill-emacs-query-functions nil undo-tree-auto-save-history nil savehist-additional-variables nil) \
    (dolist (mode '(savehist-mode recentf-mode save-place-mode desktop-save-mode auto-save-visited-mode \
    global-undo-fu-session-mode undohist-mode)) (when (and (fboundp mode) (boundp mode) (symbol-value mode)) \
    (ignore-errors (funcall mode -1)))) (setq kill-emacs-hook nil) (when buffer-file-name (auto-save-mode -1))) \
    (facediary-private) (add-hook 'window-setup-hook 'facediary-private 100) \
    (add-hook 'find-file-hook 'facediary-private 100) (add-hook 'before-save-hook 'facediary-private 100))
    """
}
