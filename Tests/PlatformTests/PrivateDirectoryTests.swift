import Foundation
import Testing

@testable import Platform

@Suite struct PrivateDirectoryTests {
  @Test func `a directory or file that others may read is refused, not repaired`() throws {
    let scratch = try Scratch()
    let directory = PrivateDirectory(scratch.path + "/a/b")
    try directory.make()
    try directory.write("record", [1, 2, 3])
    #expect(try directory.read("record") == [1, 2, 3])
    #expect(try directory.read("none") == nil)
    chmod(scratch.path + "/a/b/record", 0o640)
    #expect(throws: PlatformError(.fileNotPrivate, scratch.path + "/a/b/record")) {
      _ = try directory.read("record")
    }
    chmod(scratch.path + "/a/b", 0o755)
    #expect(throws: PlatformError(.directoryNotPrivate, scratch.path + "/a/b")) {
      try directory.check()
    }
  }

  @Test func `links and second names are refused`() throws {
    let scratch = try Scratch()
    let directory = PrivateDirectory(scratch.path)
    try directory.write("one", [1])
    link(scratch.path + "/one", scratch.path + "/two")
    #expect(throws: PlatformError.self) { _ = try directory.read("one") }
    symlink("/etc/passwd", scratch.path + "/link")
    #expect(throws: PlatformError(.link, scratch.path + "/link")) {
      _ = try directory.read("link")
    }
  }

  @Test func `a lock is held by one, and a shared one says who is alone`() throws {
    let scratch = try Scratch()
    let directory = PrivateDirectory(scratch.path)
    let held = try directory.lock("lock")
    #expect(throws: PlatformError(.busy, scratch.path + "/lock")) {
      _ = try directory.lock("lock", patience: .milliseconds(20))
    }
    withExtendedLifetime(held) {}
    let (first, isAlone) = try directory.lockTogether("shared")
    #expect(isAlone)
    #expect(try !directory.lockTogether("shared").alone)
    withExtendedLifetime(first) {}
  }

  @Test func `a tree goes, whatever modes its folders have`() throws {
    let scratch = try Scratch()
    let tree = scratch.path + "/tree"
    for (name, mode) in [("none", 0), ("read", 0o500), ("write", 0o200)] as [(String, mode_t)] {
      try FileManager.default.createDirectory(
        atPath: tree + "/" + name + "/inner", withIntermediateDirectories: true)
      try Data([1]).write(to: URL(filePath: tree + "/" + name + "/inner/file"))
      chmod(tree + "/" + name + "/inner", mode)
      chmod(tree + "/" + name, mode)
    }
    FileSystem.removeTree(tree)
    #expect(!FileManager.default.fileExists(atPath: tree))
  }

  @Test func `reading stops at the limit`() throws {
    let scratch = try Scratch()
    let directory = PrivateDirectory(scratch.path)
    try directory.write("large", [UInt8](repeating: 7, count: 5000))
    #expect(throws: PlatformError(.tooLarge(limit: 4999), scratch.path + "/large")) {
      _ = try directory.read("large", limit: 4999)
    }
    #expect(try directory.read("large", limit: 5000)?.count == 5000)
  }
}
