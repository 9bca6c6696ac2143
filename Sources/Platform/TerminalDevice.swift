internal import CLibrary
internal import CPlatform

/// A terminal: its size, and whether it echoes what is typed. However we end, it is as it was.
package final class TerminalDevice {
  private let file: Descriptor
  private var before = termios()

  package static func isTerminal(_ number: Int32) -> Bool { isatty(number) == 1 }

  /// Whether a terminal listens to this process, and not to another job.
  package static func isInForeground(_ number: Int32) -> Bool { tcgetpgrp(number) == getpgrp() }

  /// Rows and columns of a terminal's window, nil when the file is not a terminal.
  package static func size(of number: Int32) -> (rows: Int, columns: Int)? {
    var rows: UInt16 = 0
    var columns: UInt16 = 0
    guard unsafe cplatform_window(number, &rows, &columns) == 1, rows > 0, columns > 0 else {
      return nil
    }
    return (Int(rows), Int(columns))
  }

  /// - Throws: when `file` is no terminal.
  package init(_ file: Descriptor) throws(PlatformError) {
    self.file = file
    guard unsafe tcgetattr(file.number, &before) == 0 else { throw PlatformError(file.name) }
  }

  /// Typed for Ctrl-Z while ``silence()`` holds. It is no part of any secret.
  package static let suspend: UInt8 = 0x1a

  /// Lines without echo. Ctrl-C works; Ctrl-Z does not, since a shell that gets the terminal back meanwhile would keep it without
  /// echo, or show the rest of a secret.
  ///
  /// - Returns: false when another job has the terminal, and nothing was changed.
  package func silence() -> Bool {
    guard cplatform_may_change(file.number) != 0 else { return false }
    var silent = before
    unsafe cplatform_silence(&silent)
    unsafe cplatform_guard_terminal(file.number, &before)
    unsafe tcsetattr(file.number, TCSAFLUSH, &silent)
    return true
  }

  /// Every key as it comes, and a whole screen of ours: `leave` is written when a signal ends us.
  package func takeScreen(leave: [UInt8]) {
    var raw = before
    raw.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG | IEXTEN)
    raw.c_iflag &= ~tcflag_t(IXON | ICRNL | INLCR | IGNCR | ISTRIP | BRKINT)
    unsafe cplatform_guard_terminal(file.number, &before)
    unsafe cplatform_guard_screen(1, leave, leave.count)
    unsafe tcsetattr(file.number, TCSAFLUSH, &raw)
  }

  /// Restores the settings from before.
  package func restore() {
    if cplatform_may_change(file.number) != 0 {
      unsafe tcsetattr(file.number, TCSAFLUSH, &before)
    }
    cplatform_release_terminal()
  }
}
