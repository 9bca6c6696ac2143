import Foundation
import Testing

@testable import Platform

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

  @Test(arguments: ["", "print 1; close STDOUT; close STDERR;"])
  func `a program that leaves its group is ended all the same`(answer: String) throws {
    let start = SystemClock.awake
    #expect(throws: ChildProcessError.self) {
      _ = try ChildProcess.output(
        of: ["perl", "-e", "setpgrp($$, getpgrp(getppid())) or die; \(answer) sleep 60"],
        seconds: 1,
        limit: 100)
    }
    #expect(SystemClock.awake - start < 10_000_000_000)
  }

  @Test(arguments: [
    ("rw,hidepid=invisible", true), ("rw,hidepid=2", true), ("rw,gid=3,hidepid=1,x", true),
    ("rw,hidepid=0", false), ("rw,hidepid=off", false), ("rw", false),
  ])
  func `a process list that hides processes is known by its mount`(options: String, hides: Bool) {
    let line = "23 30 0:21 / /proc rw,nosuid,nodev,noexec,relatime shared:12 - proc proc \(options)"
    let other = "24 30 0:22 / /other rw shared:2 - proc proc rw,hidepid=2"
    #expect(OtherProcess.hidesProcesses(mounts: line + "\n" + other + "\n") == hides)
  }

  @Test func `a program that leaves another behind is not waited for`() throws {
    // Waiting for the other one would take longer than there is time.
    let bytes = try ChildProcess.output(
      of: ["/bin/sh", "-c", "echo done; sleep 120 & exit 0"], seconds: 60, limit: 100)
    #expect(bytes == Array("done\n".utf8))
  }
}
