internal import Dispatch

/// Work on two processors at once.
package enum Parallel {
  /// Runs both and returns when both are done. Neither may touch what the other changes.
  package static func both(_ one: () -> Void, and other: () -> Void) {
    withoutActuallyEscaping(one) { one in
      withoutActuallyEscaping(other) { other in
        nonisolated(unsafe) let work = (one, other)
        DispatchQueue.concurrentPerform(iterations: 2) { number in
          if number == 0 { unsafe work.0() } else { unsafe work.1() }
        }
      }
    }
  }
}

/// One piece of work at a time, beside whoever hands it over. The work may hold its owner: so whoever holds that one, and
/// is not held by the work, waits before it lets go.
package final class Lane {
  private let queue = DispatchQueue(label: "FaceDiary.Lane")
  private let working = DispatchGroup()

  package init() {}

  /// Begins when what it was given before is done, and returns then. It may not touch what the caller goes on to change.
  package func start(_ work: @escaping () -> Void) {
    wait()
    nonisolated(unsafe) let work = work
    queue.async(group: working) { unsafe work() }
  }

  /// Returns when nothing is under way.
  package func wait() { working.wait() }
}
