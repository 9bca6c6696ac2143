internal import Dates
internal import Formats
internal import Platform
internal import Words

extension ChildProcess {
  /// The words with the program's whole path, because it is run from any directory, also by the session.
  @MainActor static func resolved(_ words: [String]) throws -> [String] {
    let program = words[0]
    var path = program.contains("/") ? Invocation.absolute(program) : nil
    if path == nil {
      let folders = ThisProcess.variable("PATH")?.split(separator: ":") ?? []
      path = folders.lazy.filter { $0.hasPrefix("/") }.map { $0 + "/" + program }
        .first(where: FileSystem.isExecutable)
    }
    guard let path, FileSystem.isExecutable(path) else {
      throw ChildProcessError(.notFound, program: program)
    }
    return [path] + words.dropFirst()
  }
}
