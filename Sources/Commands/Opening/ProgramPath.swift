internal import Dates
internal import Formats
internal import Foundation
internal import Platform
internal import Words

extension ChildProcess {
  /// Kept with its whole path: it is run from anywhere, by the session, too.
  @MainActor static func resolved(_ words: [String]) throws -> [String] {
    let program = words[0]
    var path = program.contains("/") ? Invocation.absolute(program) : nil
    if path == nil {
      let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
      path = folders.lazy.filter { $0.hasPrefix("/") }.map { $0 + "/" + program }
        .first { FileManager.default.isExecutableFile(atPath: $0) }
    }
    guard let path, FileManager.default.isExecutableFile(atPath: path) else {
      throw ChildProcessError(.notFound, program: program)
    }
    return [path] + words.dropFirst()
  }
}
