import Foundation

/// A directory of one test's own, removed with the last who holds this.
public final class Scratch: Sendable {
  public let path: String

  public init() {
    path = Self.root + "facediary-test-" + UUID().uuidString
    try? FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Where tests write, with a slash at its end: in memory where programs may run from there and 2 GiB are free, because a fifth of
  /// their time is the disk's. With `FACEDIARY_TEST_ON_DISK` in the environment it is a disk, as people have it.
  public static let root: String = {
    let memory = "/dev/shm/"
    var facts = statvfs()
    let noExecution: UInt = 8  // ST_NOEXEC, which Swift does not import
    guard ProcessInfo.processInfo.environment["FACEDIARY_TEST_ON_DISK"] == nil,
      statvfs(memory, &facts) == 0, facts.f_flag & noExecution == 0,
      UInt64(facts.f_bavail) * UInt64(facts.f_frsize) > 2 << 30, access(memory, W_OK) == 0
    else { return NSTemporaryDirectory() }
    return memory
  }()
}
