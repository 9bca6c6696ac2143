internal import CommandLine
internal import Platform

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
      throw Failure(.notFound, WritingMessage.noEditor, hint: WritingMessage.nameEditor)
    }
    words = found + Self.privacy(of: Self.resolve(found[0], path) ?? found[0])
    let memory = [environment["XDG_RUNTIME_DIR"], "/dev/shm", "/run/user/\(ThisProcess.user)"]
      .compactMap { $0 }.filter(Self.isInMemory)
    directories = onDisk ? memory + [environment["TMPDIR"] ?? "/tmp"] : memory
  }

  private static func isInMemory(_ path: String) -> Bool {
    FileSystem.isInMemory(path) && FileSystem.isWritable(path)
  }

  /// Where a program's file really is.
  private static func resolve(_ program: String, _ path: String) -> String? {
    let candidates =
      program.contains("/")
      ? [program] : path.split(separator: ":").map { $0 + "/" + program }
    return candidates.first(where: FileSystem.isExecutable).map { FileSystem.realPath($0) ?? $0 }
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

  /// What came of an edit.
  enum Outcome {
    case saved(String)
    /// The terminal went away, or the machine shuts down, while the editor was open: what it had saved by then.
    case interrupted(String, signal: Int32)
  }

  /// Lets the owner edit `text` and returns what came of it.
  ///
  /// The file is gone when this returns, whatever happens in between; a kill that cannot be caught
  /// leaves it in memory until the machine restarts at the latest.
  ///
  /// - Parameter meanwhile: called every few seconds while the editor is open.
  /// - Throws: ``Failure`` `declined` when the editor failed or left nothing; `system` when there is no
  ///   memory-backed directory.
  func edit(_ text: String, meanwhile: () -> Void = {}) throws -> Outcome {
    guard let base = directories.first else {
      throw Failure(
        .system, WritingMessage.noMemoryDirectory,
        hint: WritingMessage.editorOnDiskHint)
    }
    let directory = try FileSystem.makeTemporaryDirectory(base + "/facediary-")
    let path = directory + "/entry.md"
    let places = [ExitCleanup.add(file: path), ExitCleanup.add(directory: directory)]
    defer {
      Self.remove(directory)
      places.forEach(ExitCleanup.remove)
    }
    try Descriptor.open(path, [.write, .create, .exclusive, .noFollow]).write(Array(text.utf8))
    Signals.pauseInterrupts(true)
    let end: ChildProcess.ForegroundEnd
    do {
      defer { Signals.pauseInterrupts(false) }
      end = try ChildProcess.runInForeground(
        words + [path], extraEnvironment: extraEnvironment, meanwhile: meanwhile)
    }
    switch end {
    case .ended(0): return .saved(try read(path))
    case .ended(let status):
      throw Failure(.declined, WritingMessage.editorFailed(editor: words[0], status: Int(status)))
    case .interrupted(let signal): return .interrupted(try read(path), signal: signal)
    }
  }

  private func read(_ path: String) throws -> String {
    let bytes: [UInt8]
    do throws(PlatformError) {
      bytes = try Descriptor.open(path, [.noFollow, .nonBlocking]).readAll(limit: 64 << 20)
    } catch {
      throw Failure(.declined, WritingMessage.editorLeftNoFile)
    }
    guard let edited = String(validating: bytes, as: UTF8.self) else {
      let kept = try keep(bytes: bytes)
      throw Failure(
        .invalid, WritingMessage.editorLeftNoText,
        hint: WritingMessage.keptInMemory(kept))
    }
    return edited
  }

  /// Keeps typed text that could not be saved, in a private file in memory, and returns its path.
  func keep(_ text: String) throws -> String { try keep(bytes: Array(text.utf8)) }

  private func keep(bytes: [UInt8]) throws -> String {
    let base = directories.first ?? "/dev/shm"
    let file = try FileSystem.makeTemporaryFile(base + "/facediary-kept-")
    try file.write(bytes)
    return file.name
  }

  /// The directory and whatever an editor left in it.
  private static func remove(_ directory: String) {
    for name in (try? FileSystem.names(in: directory)) ?? [] {
      try? FileSystem.remove(directory + "/" + name)
    }
    FileSystem.removeDirectory(directory)
  }
}
