package import Authentication
internal import Dates
package import Platform
internal import Sealing
internal import Synchronization
internal import Words

/// Ends a keeper when its time is over or when it is told to, whatever the loop that serves its clients is doing.
///
/// It has a thread of its own. First the loop is asked: it closes the vault in an orderly way, within a second. A loop
/// that does not come to that is stopped where it is, the keys are wiped, and the process ends.
package final class Watchdog: Sendable {
  /// Milliseconds the loop has to close the diary by itself.
  private static let patience: Int64 = 1000
  /// Milliseconds between two looks at the clock: a suspend must be noticed soon after waking. With those of the loop, once a second.
  private static let calm: Int64 = 1250

  private struct Facts {
    var session: Session?
    var reason: Reason?
    /// When the loop was asked to close; nil while all is well.
    var asked: Int64?
    var isDone = false
    var isWarm = false
  }

  private let facts = Mutex(Facts())
  private let clock: any SessionClock
  private let cleanup: @Sendable () -> Void
  private let wake: Descriptor
  /// Readable when the loop should look at ``reason``.
  package let attention: Descriptor

  /// Why the loop must close the diary.
  package enum Reason: Sendable, Equatable {
    /// Its time is over, or the machine slept: a warm diary stays ready for a face.
    case expired(Session.End)
    /// The process was told to end.
    case terminated
  }

  package var reason: Reason? { facts.withLock { $0.reason } }

  /// - Parameters:
  ///   - signals: where a signal is a byte to read.
  ///   - cleanup: what is put right before the process ends by force: the socket's file.
  package init(
    signals: Descriptor, clock: any SessionClock = SystemSessionClock(),
    cleanup: @escaping @Sendable () -> Void
  ) throws(PlatformError) {
    let pipe = try Descriptor.pipe()
    attention = pipe.read
    wake = pipe.write
    self.clock = clock
    self.cleanup = cleanup
    try BackgroundThread.start { [self] in
      while watch(signals) {}
    }
  }

  /// The session's times, as the loop knows them; nil while the diary is closed and waits for a face.
  ///
  /// Activity takes back neither a signal nor the end of a session that is over.
  package func follow(_ session: Session?) {
    let isSessionOver = session?.end(at: clock) != nil
    facts.withLock {
      $0.session = session
      guard $0.reason != .terminated, $0.reason == nil || !isSessionOver else { return }
      ($0.reason, $0.asked) = (nil, nil)
    }
  }

  /// The process ends in an orderly way: nothing is left to watch.
  package func stop() { facts.withLock { $0.isDone = true } }

  private func watch(_ signals: Descriptor) -> Bool {
    var entries = [Poll.Entry(signals.number)]
    Poll.wait(&entries, milliseconds: Int(pause))
    if facts.withLock({ $0.isDone }) { return false }
    if entries[0].isReady {
      // Taken out, or it would be ready for ever.
      _ = try? signals.read(64)
      ask(.terminated)
    }
    if reason == nil, let end = facts.withLock({ $0.session?.end(at: clock) }) {
      ask(.expired(end))
    }
    let now = SystemClock.awake / 1_000_000
    if let asked = facts.withLock({ $0.asked }), now - asked > Self.patience {
      let code: Int32 = reason == .terminated ? 143 : 0
      ThisProcess.freezeMainThread()
      SecretMemory.wipe()
      // The main thread may have been stopped with a lock that this one needs now.
      ThisProcess.endSoon()
      ExitCleanup.run()
      cleanup()
      ThisProcess.endNow(code)
    }
    return true
  }

  /// Milliseconds until the clock has to be looked at.
  private var pause: Int64 {
    facts.withLock {
      guard $0.asked == nil else { return 200 }
      guard let session = $0.session else { return Self.calm }
      let left = session.remaining(at: clock).idle.components
      return min(Self.calm, left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000 + 1)
    }
  }

  private func ask(_ reason: Reason) {
    let isFirst = facts.withLock {
      if $0.reason != .terminated { $0.reason = reason }
      guard $0.asked == nil else { return false }
      $0.asked = SystemClock.awake / 1_000_000
      return true
    }
    // Once: a loop that hangs reads nothing, and a full pipe must not hold this thread.
    if isFirst { try? wake.write([1]) }
  }
}
