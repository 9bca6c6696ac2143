internal import Foundation

/// The window in a real browser, driven by `Tests/Browser/measure.py`.
extension Bench {
  /// - Returns: a table, with the goals beside the figures.
  func window() throws -> String {
    let script = "Tests/Browser/measure.py"
    guard FileManager.default.fileExists(atPath: script) else {
      throw Failed(words: [script, "is not here: run this where the sources are"])
    }
    // In memory, as the browser's profile is, where there is one.
    let folder =
      FileManager.default.isWritableFile(atPath: "/dev/shm")
      ? "/dev/shm/" + URL(fileURLWithPath: home).lastPathComponent : home + "/window"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let table = home + "/table"
    let command = "python3 -B '\(script)' '\(program)' '\(folder)' \(entries) > '\(table)'"
    guard try launch("/bin/sh", ["-c", command]) == 0 else { throw Failed(words: [script]) }
    return "\(machine), \(entries) entries\n\n"
      + (try String(contentsOfFile: table, encoding: .utf8)).trimmingCharacters(in: .newlines)
  }
}
