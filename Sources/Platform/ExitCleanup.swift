internal import CLibrary
internal import CPlatform

/// What is put right when a signal ends this process: files that must not stay, programs it started, the terminal.
///
/// The handler is C and touches C memory alone, made ready before.
package enum ExitCleanup {
  /// A place in the list; nil when the list is full, and then only a normal end removes the file.
  package struct Place: Sendable { fileprivate let index: Int32 }

  /// Removes a file when a signal ends us.
  package static func add(file: String) -> Place {
    Place(index: unsafe cplatform_guard_file(file))
  }

  /// Removes a directory with all that is in it, and nothing else that has its name by then.
  package static func add(_ directory: OpenDirectory, named path: String) -> Place {
    Place(index: directory.removeAtExit(path))
  }

  /// Makes a directory that is removed when a signal ends us, whenever it comes.
  ///
  /// - Returns: nil when there is anything by that name.
  package static func make(
    directory path: String
  ) throws(PlatformError) -> (directory: OpenDirectory, place: Place)? {
    try Signals.deferring { () throws(PlatformError) in
      guard try FileSystem.makeDirectory(path) else { return nil }
      let directory = try OpenDirectory(new: path)
      return (directory, add(directory, named: path))
    }
  }

  /// Puts it right now, as a signal would, for code that ends this process without returning.
  package static func run() { cplatform_put_right() }

  package static func remove(_ place: Place) { cplatform_release_path(place.index) }

  /// Starts a child that is killed with its process group when a signal ends us, whenever it comes.
  static func start(
    child: () throws(ChildProcessError) -> Int32
  ) throws(ChildProcessError) -> Int32 {
    try Signals.deferring { () throws(ChildProcessError) in
      let child = try child()
      cplatform_guard_child(child)
      return child
    }
  }

  static func remove(child: Int32) { cplatform_release_child(child) }
}

/// Signals that end us.
package enum Signals {
  /// Ctrl-C.
  package static let interrupt = SIGINT

  /// Installs the handlers, once, before anything else. A closed pipe is an error to handle, not a signal.
  package static func install() { cplatform_signals_install() }

  /// While an editor or pager has the terminal, Ctrl-C is its own.
  package static func pauseInterrupts(_ paused: Bool) {
    cplatform_pause_interrupts(paused ? 1 : 0)
  }

  /// Runs `body`, which is short; a signal that would end us ends us after it.
  package static func deferring<Result, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    cplatform_hold_signals(1)
    defer { cplatform_hold_signals(0) }
    return try body()
  }

  /// Runs in the middle of ``deferring(_:)`` what takes long: signals end us meanwhile, also one that waited.
  package static func letting<Result, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    cplatform_hold_signals(0)
    defer { cplatform_hold_signals(1) }
    return try body()
  }

  /// Ctrl-Z does not stop this process: one that is stopped cannot end on time.
  package static func ignoreSuspend() { cplatform_ignore_suspend() }

  /// Nor does using the terminal while another job has it: reading there is an error.
  package static func ignoreBackground() { cplatform_ignore_background() }

  /// From now on a signal is a byte, its number, in a pipe instead of our end; returns the reading end.
  package static func redirectToPipe() throws(PlatformError) -> Descriptor {
    let file = cplatform_signals_to_pipe()
    guard file >= 0 else { throw PlatformError("pipe") }
    return Descriptor(file, name: "signals")
  }

  /// Signals end us again.
  package static func stopRedirecting() { cplatform_signals_to_end() }
}
