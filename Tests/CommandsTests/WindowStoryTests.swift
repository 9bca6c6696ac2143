import Foundation
import Glibc
import Platform
import Scratch
import Testing

/// The window in a real browser, as a person uses it: the scripts of `Tests/Browser`, which know nothing of the program but its page.
@Suite(.threads) struct WindowStoryTests {
  private func find(_ names: [String]) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return names.lazy.flatMap { name in folders.map { "\($0)/\(name)" } }
      .first(where: FileSystem.isExecutable)
  }

  /// Runs a script with the program, an empty folder and some words.
  private func tell(
    _ script: String, program: String = Home.binary, _ words: String...
  ) throws {
    let scratch = Scratch()
    let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["python3", "-B", here.path + "/Browser/" + script, program, scratch.path] + words
    let said = scratch.path + "-said"
    _ = FileManager.default.createFile(atPath: said, contents: nil)
    let output = try FileHandle(forWritingTo: URL(fileURLWithPath: said))
    process.standardOutput = output
    process.standardError = output
    try process.run()
    process.waitUntilExit()
    let answer = (try? String(contentsOfFile: said, encoding: .utf8)) ?? ""
    unlink(said)
    #expect(process.terminationStatus == 0, "\(answer.suffix(3000))")
  }

  @Test(arguments: ["en", "ja"])
  func `a diary is read and written in a browser, which keeps nothing of it`(language: String)
    throws
  {
    guard find(["python3"]) != nil, find(["chromium", "google-chrome"]) != nil else {
      print("skipped: chromium is not installed")
      return
    }
    try tell("story.py", language)
  }

  @Test(arguments: [("/nonexistent/browser", 6), ("no-such-browser", 6), ("/bin/false", 1)])
  func `a browser that does not start is told at once`(browser: String, code: Int32) throws {
    let home = try Home()
    let begin = ContinuousClock.now
    let run = try home.run(["window", "--browser", browser])
    #expect(run.status == code && run.err.contains("browser"), "\(run)")
    // Not after the two minutes that a slow one has.
    #expect(ContinuousClock.now - begin < .seconds(60))
  }

  @Test(arguments: ["joins", "follows_and_writes"])
  func `devices share a diary by their windows, and no text is lost`(story: String) throws {
    guard find(["python3"]) != nil, find(["chromium", "google-chrome"]) != nil else {
      print("skipped: chromium is not installed")
      return
    }
    try tell("devices.py", story)
  }

  /// The README's picture is drawn so: `demo.py … Sources/FaceDiary/FaceDiary.docc/Resources/window.png`.
  @Test func `the demo's diary opens by its sample face`() throws {
    guard find(["python3"]) != nil, find(["chromium", "google-chrome"]) != nil else {
      print("skipped: chromium is not installed")
      return
    }
    let program = URL(fileURLWithPath: Home.binary).deletingLastPathComponent()
      .appendingPathComponent("facediary").path
    try tell("demo.py", program: program, Home.keys)
  }

  @Test func `Firefox keeps nothing of it, either`() throws {
    guard find(["python3"]) != nil, let browser = find(["firefox", "firefox-esr"]) else {
      print("skipped: firefox is not installed")
      return
    }
    try tell("firefox.py", browser)
  }
}
