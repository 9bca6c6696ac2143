import Foundation
import Testing

@testable import Platform

@Suite struct AtomicFileTests {
  @Test func `an uncommitted file has no name in its directory`() throws {
    let scratch = try Scratch()
    let file = try AtomicFile(scratch.path + "/plain.txt")
    try file.write([UInt8](repeating: 0x61, count: 1 << 20))
    #expect(scratch.names() == [])
    try file.commit()
    #expect(scratch.names() == ["plain.txt"])
    let status = try FileStatus(scratch.path + "/plain.txt")
    #expect(status.size == 1 << 20 && status.permissions == 0o600)
  }

  @Test func `an uncommitted file leaves nothing, and the old file unchanged`() throws {
    let scratch = try Scratch()
    try Data("old".utf8).write(to: URL(fileURLWithPath: scratch.path + "/kept"))
    do {
      let file = try AtomicFile(scratch.path + "/kept")
      try file.write(Array("half".utf8))
    }
    #expect(scratch.names() == ["kept"])
    #expect(try Descriptor.open(scratch.path + "/kept").readAll(limit: 10) == Array("old".utf8))
  }

  @Test func `committing replaces a regular file and refuses where it was told to`() throws {
    let scratch = try Scratch()
    let path = scratch.path + "/file"
    for text in ["one", "two"] {
      let file = try AtomicFile(path)
      try file.write(Array(text.utf8))
      try file.commit()
    }
    #expect(try Descriptor.open(path).readAll(limit: 10) == Array("two".utf8))
    #expect(throws: PlatformError(.system(.exists), path)) {
      _ = try AtomicFile(path, existing: .refused)
    }
    // One that appears meanwhile is not replaced either.
    let late = try AtomicFile(scratch.path + "/late", existing: .refused)
    try late.write([1])
    try Data("first".utf8).write(to: URL(fileURLWithPath: scratch.path + "/late"))
    #expect(throws: PlatformError.self) { try late.commit() }
    #expect(scratch.names() == ["file", "late"])
  }

  @Test func `what is not a regular file is never replaced`() throws {
    let scratch = try Scratch()
    try FileManager.default.createSymbolicLink(
      atPath: scratch.path + "/link", withDestinationPath: "/etc/passwd")
    for name in ["link", ""] {
      let path = scratch.path + (name.isEmpty ? "" : "/" + name)
      #expect(throws: PlatformError(.notRegular, path)) { _ = try AtomicFile(path) }
    }
  }
}
