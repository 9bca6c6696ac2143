internal import CPlatform
internal import FaceDiary
internal import Foundation

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The owner's editor on a private file that never touches a disk.
struct Editor {
  private let words: [String]
  private let extraEnvironment: [String]
  private let directories: [String]

  /// - Parameter onDisk: allow a temporary directory that is on a disk.
  @MainActor
  init(_ invocation: Invocation, onDisk: Bool) throws {
    let environment = invocation.environment
    extraEnvironment = (try? invocation.configuration())?.environment ?? []
    var found: [String]?
    for name in ["VISUAL", "EDITOR"] {
      if let command = environment[name], !command.trimmed.isEmpty {
        found = try ChildProcess.split(command)
        break
      }
    }
    let path = environment["PATH"] ?? "/usr/bin:/bin"
    if found == nil {
      found = ["editor", "vi"].first { Self.resolve($0, path) != nil }.map { [$0] }
    }
    guard let found else {
      throw Failure(.notFound, "there is no editor", hint: "name one in VISUAL or EDITOR")
    }
    words = found + Self.privacy(of: Self.resolve(found[0], path) ?? found[0])
    let memory = [environment["XDG_RUNTIME_DIR"], "/dev/shm", "/run/user/\(geteuid())"]
      .compactMap { $0 }.filter(Self.isInMemory)
    directories = onDisk ? memory + [environment["TMPDIR"] ?? "/tmp"] : memory
  }

  private static func isInMemory(_ path: String) -> Bool {
    unsafe cplatform_in_memory(path) == 1 && access(path, W_OK) == 0
  }

  /// Where a program's file really is.
  private static func resolve(_ program: String, _ path: String) -> String? {
    let candidates =
      program.contains("/")
      ? [program] : path.split(separator: ":").map { $0 + "/" + program }
    for candidate in candidates where unsafe access(candidate, X_OK) == 0 {
      guard let real = unsafe realpath(candidate, nil) else { return candidate }
      defer { unsafe free(real) }
      return unsafe String(cString: real)
    }
    return nil
  }

  /// What keeps known editors from leaving swap, backup, undo or history files elsewhere.
  private static func privacy(of program: String) -> [String] {
    let name = program.split(separator: "/").last.map(String.init) ?? program
    if name.hasPrefix("nvim") {
      return ["-n", "-i", "NONE", "--cmd", "set noswapfile nobackup nowritebackup noundofile"]
    }
    if name.hasPrefix("vim") || name == "gvim" {
      // vim.tiny has no undo files and no such option; silent! passes over what is not there.
      return [
        "-n", "-i", "NONE", "--cmd", "set noswapfile nobackup nowritebackup", "--cmd",
        "silent! set noundofile",
      ]
    }
    if name.hasPrefix("emacs") {
      return [
        "--eval", "(setq make-backup-files nil auto-save-default nil create-lockfiles nil)",
      ]
    }
    return []
  }

  /// Lets the owner edit `text` and returns what came of it.
  ///
  /// The file is gone when this returns, whatever happens in between; a kill that cannot be caught
  /// leaves it in memory until the machine restarts at the latest.
  ///
  /// - Throws: ``Failure`` `declined` when the editor failed or left nothing; `system` when there is no
  ///   memory-backed directory.
  func edit(_ text: String) throws -> String {
    guard let base = directories.first else {
      throw Failure(
        .system, "there is no directory in memory for the editor's file",
        hint: "--editor-on-disk puts it on a disk, where traces may stay")
    }
    var template = Array((base + "/facediary-XXXXXX").utf8CString)
    guard unsafe mkdtemp(&template) != nil else {
      throw Failure(.system, unsafe "\(base): \(String(cString: strerror(errno)))")
    }
    let directory = String(
      decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let path = directory + "/entry.md"
    Signals.guardScratch(file: path, directory: directory)
    defer {
      Self.remove(directory)
      Signals.releaseScratch()
    }
    let file = unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else {
      throw Failure(.system, unsafe "\(path): \(String(cString: strerror(errno)))")
    }
    do {
      defer { close(file) }
      try Output.write(Array(text.utf8), to: file)
    }
    Signals.pauseInterrupts(true)
    let status: Int32
    do {
      defer { Signals.pauseInterrupts(false) }
      status = try ChildProcess.runInForeground(words + [path], extraEnvironment: extraEnvironment)
    }
    guard status == 0 else {
      throw Failure(.declined, "the editor \(words[0]) ended with \(status); nothing was changed")
    }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw Failure(.declined, "the editor left no file; nothing was changed")
    }
    guard let edited = String(validating: data, as: UTF8.self) else {
      let kept = try keep(bytes: Array(data))
      throw Failure(
        .invalid, "what the editor left is not UTF-8 text; nothing was changed",
        hint: "it is kept at \(kept), in memory")
    }
    return edited
  }

  /// Keeps typed text that could not be saved, in a private file in memory, and returns its path.
  func keep(_ text: String) throws -> String { try keep(bytes: Array(text.utf8)) }

  private func keep(bytes: [UInt8]) throws -> String {
    var template = Array(((directories.first ?? "/dev/shm") + "/facediary-kept-XXXXXX").utf8CString)
    let file = unsafe mkstemp(&template)
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard file >= 0 else {
      throw Failure(.system, unsafe "\(path): \(String(cString: strerror(errno)))")
    }
    defer { close(file) }
    try Output.write(bytes, to: file)
    return path
  }

  /// The directory and whatever an editor left in it.
  private static func remove(_ directory: String) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [] {
      unsafe unlink(directory + "/" + name)
    }
    unsafe rmdir(directory)
  }
}
