internal import CPlatform

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// What must be put right when a signal ends us: the terminal's echo, an editor's file.
///
/// A handler may only do what is safe in one, so everything it needs is C memory made ready before.
enum Signals {
  nonisolated(unsafe) private static var terminal: Int32 = -1
  nonisolated(unsafe) private static var saved = UnsafeMutablePointer<termios>.allocate(capacity: 1)
  nonisolated(unsafe) private static var scratchFile: UnsafeMutablePointer<CChar>?
  nonisolated(unsafe) private static var scratchDirectory: UnsafeMutablePointer<CChar>?
  nonisolated(unsafe) private static var stopPipe: Int32 = -1
  nonisolated(unsafe) private static var isPaused: Int32 = 0
  nonisolated(unsafe) private static var screen: Int32 = -1
  /// Mouse off, cursor on, back to the screen as it was: Screen.leave, in memory a handler may read.
  nonisolated(unsafe) private static let leave = unsafe strdup(Screen.leave)!

  /// Installed once, before anything else. A closed pipe is an error to handle, not a signal.
  static func install() {
    unsafe _ = leave
    signal(SIGPIPE, SIG_IGN)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
      // What was ignored when we were started (nohup) stays ignored.
      let before = signal(number) { number in Signals.handle(number) }
      if unsafe unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
        signal(number, SIG_IGN)
      }
    }
  }

  private static func handle(_ number: Int32) {
    if unsafe isPaused != 0, number == SIGINT || number == SIGQUIT { return }
    if unsafe terminal >= 0 { unsafe tcsetattr(terminal, TCSAFLUSH, saved) }
    if unsafe terminal >= 0 && screen < 0 {
      var newline: UInt8 = 0x0a
      unsafe write(terminal, &newline, 1)
    }
    if unsafe screen >= 0 { unsafe write(screen, leave, strlen(leave)) }
    if let scratchFile = unsafe scratchFile { unsafe unlink(scratchFile) }
    if let scratchDirectory = unsafe scratchDirectory { unsafe rmdir(scratchDirectory) }
    if unsafe stopPipe >= 0 {
      var byte: UInt8 = 1
      unsafe write(stopPipe, &byte, 1)
      return
    }
    _exit(128 + number)
  }

  /// Remembers how the terminal was, to restore it whatever happens.
  static func guardTerminal(_ file: Int32, _ state: termios) {
    unsafe saved.pointee = state
    unsafe terminal = file
  }

  static func releaseTerminal() { unsafe terminal = -1 }

  /// While the whole screen is ours.
  static func guardScreen(_ file: Int32) { unsafe screen = file }

  static func releaseScreen() { unsafe screen = -1 }

  /// A file and its directory to remove whatever happens.
  static func guardScratch(file: String, directory: String) {
    unsafe scratchFile = unsafe strdup(file)
    unsafe scratchDirectory = unsafe strdup(directory)
  }

  static func releaseScratch() {
    unsafe scratchFile = nil
    unsafe scratchDirectory = nil
  }

  /// While an editor has the terminal, Ctrl-C is the editor's.
  static func pauseInterrupts(_ paused: Bool) { unsafe isPaused = paused ? 1 : 0 }

  /// From now on signals are said through a pipe instead of ending us; returns its reading end.
  static func redirectToPipe() -> Int32 {
    var ends: [Int32] = [0, 0]
    guard unsafe pipe(&ends) == 0 else { return -1 }
    for end in ends { _ = cplatform_set_cloexec(end) }
    _ = cplatform_set_nonblocking(ends[1])
    unsafe stopPipe = ends[1]
    return ends[0]
  }
}
