import Foundation

/// A directory of one test's own, removed with the last who holds this.
public final class Scratch: Sendable {
  public let path: String

  public init() {
    path = NSTemporaryDirectory() + "facediary-test-" + UUID().uuidString
    try? FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
