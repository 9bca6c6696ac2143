import Foundation
import Synchronization
import Testing

/// Runs the tests of a suite on threads of their own.
///
/// Most of them wait for a process, and a test that waits holds its thread: on the two of a machine with two cores, half of the time
/// nothing would be done.
struct Threads: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(ThreadPool.shared) { try await function() }
  }
}

extension Trait where Self == Threads {
  static var threads: Threads { Threads() }
}

/// A few threads that take jobs in the order in which they come.
private final class ThreadPool: TaskExecutor {
  static let shared = ThreadPool(count: 3 * ProcessInfo.processInfo.activeProcessorCount)

  private let jobs = Mutex<[UnownedJob]>([])
  private let waiting = DispatchSemaphore(value: 0)

  init(count: Int) {
    for _ in 0..<count {
      let thread = Thread { [unowned self] in
        while true {
          waiting.wait()
          guard let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { continue }
          job.runSynchronously(on: asUnownedTaskExecutor())
        }
      }
      thread.stackSize = 8 << 20
      thread.start()
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    waiting.signal()
  }
}
