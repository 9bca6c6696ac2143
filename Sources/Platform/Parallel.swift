internal import Dispatch
internal import Synchronization

/// Work on two processors at once.
///
/// On threads of our own: the pool of libdispatch looks each second at `/proc/TID/stat` of its threads, which a process
/// that gave up files cannot open, and ends the process when it cannot.
package enum Parallel {
  private static let helper = Mutex(Sending(Lane()))

  private struct Sending: @unchecked Sendable {
    let lane: Lane
    init(_ lane: Lane) { self.lane = lane }
  }

  private final class Box {
    var value: Any?
    init(_ value: Any) { self.value = value }
  }

  /// Lets go of something large beside the caller, who must have given up its own reference.
  package static func release(_ value: consuming sending Any) {
    let box = Box(value)
    helper.withLockIfAvailable { helper in helper.lane.start { box.value = nil } }
  }

  /// Runs both and returns when both are done. Neither may touch what the other changes.
  package static func both(_ one: () -> Void, and other: @escaping () -> Void) {
    let isDone: Void? = helper.withLockIfAvailable { helper in
      helper.lane.start(other)
      one()
      helper.lane.wait()
    }
    // Another call already uses both processors.
    if isDone == nil {
      one()
      other()
    }
  }
}

/// Runs one piece of work at a time, beside the caller. The work may keep the lane's owner alive, so code that holds the owner
/// and is not kept alive by the work must wait before it releases the owner.
package final class Lane {
  private let worker = Worker()
  private var hasThread = false
  private var isWorking = false

  package init() {}

  deinit { if hasThread { worker.give(nil) } }

  /// Begins when what it was given before is done, and returns then. It may not touch what the caller goes on to change.
  package func start(_ work: @escaping () -> Void) {
    wait()
    if !hasThread {
      hasThread =
        (try? BackgroundThread.start { [worker] in while worker.workOnce() {} }) != nil
    }
    // If no thread can be started, it is done here.
    guard hasThread else { return work() }
    isWorking = true
    worker.give(work)
  }

  /// Returns when nothing is under way.
  package func wait() {
    guard isWorking else { return }
    worker.waitUntilDone()
    isWorking = false
  }
}

/// What a lane's thread and its owner share.
private final class Worker: Sendable {
  private struct Work: @unchecked Sendable {
    let run: () -> Void
  }
  private let next = Mutex<Work?>(nil)
  private let given = DispatchSemaphore(value: 0)
  private let done = DispatchSemaphore(value: 0)

  /// Nothing to do ends the thread.
  func give(_ work: (() -> Void)?) {
    nonisolated(unsafe) let work = work
    next.withLock { $0 = unsafe work.map { Work(run: $0) } }
    given.signal()
  }

  func workOnce() -> Bool {
    given.wait()
    do {
      guard let work = next.withLock({ $0.take() }) else { return false }
      work.run()
    }
    // The work is let go of before anybody learns that it is done.
    done.signal()
    return true
  }

  func waitUntilDone() { done.wait() }
}
