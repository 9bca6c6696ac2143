import Foundation
import Glibc
import Platform
import Scratch
import Testing

/// The window in a real browser, as a person uses it: `Tests/Browser/story.py`, which knows nothing of the program but its page.
@Suite(.threads) struct WindowStoryTests {
  @Test(arguments: ["en", "ja"])
  func `a diary is read and written in a browser, which keeps nothing of it`(language: String)
    throws
  {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    func isThere(_ name: String) -> Bool {
      path.split(separator: ":").contains { FileSystem.isExecutable($0 + "/" + name) }
    }
    guard isThere("python3"), isThere("chromium") || isThere("google-chrome") else {
      print("skipped: chromium is not installed")
      return
    }
    let scratch = Scratch()
    let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "python3", "-B", here.path + "/Browser/story.py", Home.binary, scratch.path, language,
    ]
    let said = scratch.path + "-said"
    _ = FileManager.default.createFile(atPath: said, contents: nil)
    let output = try FileHandle(forWritingTo: URL(fileURLWithPath: said))
    process.standardOutput = output
    process.standardError = output
    try process.run()
    process.waitUntilExit()
    let words = (try? String(contentsOfFile: said, encoding: .utf8)) ?? ""
    unlink(said)
    #expect(process.terminationStatus == 0, "\(words.suffix(3000))")
  }
}
