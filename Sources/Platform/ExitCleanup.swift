internal import CLibrary
internal import CPlatform

/// What is put right when a signal ends this process: files that must not stay, the terminal.
///
/// The handler is C and touches C memory alone, made ready before.
package enum ExitCleanup {
  /// A place in the list; nil when the list is full, and then only a normal end removes the file.
  package struct Place: Sendable { fileprivate let index: Int32 }

  /// Removes a file when a signal ends us.
  package static func add(file: String) -> Place {
    Place(index: unsafe cplatform_guard_path(file, 0))
  }

  /// Removes a directory, after its files.
  package static func add(directory: String) -> Place {
    Place(index: unsafe cplatform_guard_path(directory, 1))
  }

  /// Puts it right now, as a signal would, for code that ends this process without returning.
  package static func run() { cplatform_put_right() }

  package static func remove(_ place: Place) { cplatform_release_path(place.index) }
}

/// Signals that end us.
package enum Signals {
  /// Installs the handlers, once, before anything else. A closed pipe is an error to handle, not a signal.
  package static func install() { cplatform_signals_install() }

  /// While an editor or pager has the terminal, Ctrl-C is its own.
  package static func pauseInterrupts(_ paused: Bool) {
    cplatform_pause_interrupts(paused ? 1 : 0)
  }

  /// From now on a signal is a byte, its number, in a pipe instead of our end; returns the reading end.
  package static func redirectToPipe() throws(PlatformError) -> Descriptor {
    let file = cplatform_signals_to_pipe()
    guard file >= 0 else { throw PlatformError("pipe") }
    return Descriptor(file, name: "signals")
  }

  /// Signals end us again.
  package static func stopRedirecting() { cplatform_signals_to_end() }
}
