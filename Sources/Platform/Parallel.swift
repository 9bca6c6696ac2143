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
