import Foundation
import Testing

@testable import Platform

/// A directory of one test's own, removed with it.
final class Scratch {
  let path: String

  init() throws {
    path = try FileSystem.makeTemporaryDirectory(NSTemporaryDirectory() + "platform-")
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func names() -> [String] { (try? FileSystem.names(in: path))?.sorted() ?? [] }
}
