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

@Suite struct LocalSocketTests {
  @Test func `a listener accepts, names the peer's user, and removes only its own socket file`()
    throws
  {
    let scratch = try Scratch()
    // Longer than an address holds.
    let place = scratch.path + "/" + String(repeating: "d", count: 90)
    try FileSystem.makeDirectory(place)
    let listener = try LocalListener(place, "socket")
    #expect(try FileStatus(place + "/socket").permissions == 0o600)
    let client = try #require(try LocalSocket.connect(place, "socket"))
    let server = try #require(listener.accept())
    #expect(server.peer?.user == ThisProcess.user)
    #expect(server.peer?.process.id == ThisProcess.id)
    try client.send(Array("hello".utf8))
    #expect(try server.receive() == Array("hello".utf8))
    #expect(try server.receive() == nil)
    let successor = try LocalListener(place, "socket")
    listener.removeFile()
    #expect(FileSystem.exists(place + "/socket"))
    successor.removeFile()
    #expect(!FileSystem.exists(place + "/socket"))
    #expect(try LocalSocket.connect(place, "socket") == nil)
  }

  @Test func `a read from a silent peer times out`() throws {
    let (one, other) = try LocalSocket.pair()
    one.setPatience(seconds: 1)
    #expect(try one.receive() == nil)
    withExtendedLifetime(other) {}
  }
}

@Suite struct ProcessTests {
  @Test func `a program on our terminal is ended by the signal we get, and what it saved is there`()
    throws
  {
    let scratch = try Scratch()
    let script = "trap 'echo saved > \(scratch.path)/file; exit 0' TERM; sleep 10 & wait"
    let parent = ThisProcess.id
    try BackgroundThread.start {
      SystemClock.sleep(milliseconds: 500)
      kill(parent, SIGTERM)
    }
    Signals.install()
    let end = try ChildProcess.runInForeground(["sh", "-c", script])
    #expect(end == .interrupted(signal: SIGTERM))
    #expect(FileSystem.exists(scratch.path + "/file"))
  }

  @Test func `another process is found by its name and seen to end`() throws {
    let scratch = try Scratch()
    let name = "pt-\(UInt32.random(in: 0...999_999))"
    try FileManager.default.copyItem(atPath: "/bin/sleep", toPath: scratch.path + "/" + name)
    let child = try ChildProcess.spawn(
      [scratch.path + "/" + name, "20"], files: [0, 1, 2], ownGroup: true)
    var found: [OtherProcess]?
    for _ in 0..<100 where (found ?? []).isEmpty {
      found = OtherProcess.named { $0 == name }
      SystemClock.sleep(milliseconds: 10)
    }
    #expect(found == [OtherProcess(id: child)])
    #expect(!OtherProcess(id: child).isGone(within: 10))
    OtherProcess(id: child).terminate()
    #expect(OtherProcess(id: child).isGone(within: 2000))
    _ = ChildProcess.wait(for: child)
  }
}
