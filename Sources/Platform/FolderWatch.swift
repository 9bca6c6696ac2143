internal import CLibrary

/// Tells that something came into some folders, by Linux's inotify.
package final class FolderWatch {
  private let events: Descriptor

  /// nil where the system gives none.
  package init?() {
    let number = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard number >= 0 else { return nil }
    events = Descriptor(number, name: "inotify")
  }

  /// Readable when something came.
  package var number: Int32 { events.number }

  /// Watches these folders, too: naming one again that was made anew watches the new one. One that is not there is left out.
  package func watch(_ folders: [String]) {
    let what = UInt32(IN_CREATE | IN_MOVED_TO | IN_CLOSE_WRITE | IN_ONLYDIR)
    for folder in folders { _ = unsafe inotify_add_watch(number, folder, what) }
  }

  /// Forgets what came so far.
  package func clear() {
    while let bytes = try? events.read(4096), !bytes.isEmpty {}
  }
}
