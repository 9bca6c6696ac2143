internal import CommandLine
internal import Dates
internal import Formats
internal import Platform
internal import Words

/// The owner's editor on a private file that never touches a disk.
struct Editor {
  private let words: [String]
  private let kind: KnownEditor
  /// The owner's settings, for an editor that has to be given a file with ours after them.
  private let settings: String?
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
        found = try ShellWords.split(command)
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
    words = found
    let target = Self.resolve(found[0], path)
    kind = KnownEditor(found, target: target)
    switch kind {
    case .elsewhere:
      guard onDisk else {
        throw Failure(
          .system, WritingMessage.editorElsewhere(editor: found[0]),
          hint: WritingMessage.editorElsewhereHint)
      }
      invocation.page.warn(WritingMessage.editorElsewhere(editor: found[0]))
    // Of one that is not there only that is said.
    case .unknown where target == nil: break
    case .unknown: invocation.page.warn(WritingMessage.editorUnknown(editor: found[0]))
    default: break
    }
    let home = environment["HOME"] ?? ThisProcess.homeDirectory
    settings = kind.settings {
      KnownEditor.settingsFiles(home: home, configuration: environment["XDG_CONFIG_HOME"])
        .compactMap { path in
          (try? Descriptor.open(path, [.nonBlocking]).readAll(limit: 1 << 20))
            .map { String(decoding: $0, as: UTF8.self) }
        }
    }
    let swaps = FileSystem.swapsInClear()
    if !swaps.isEmpty {
      invocation.page.warn(WritingMessage.swapInClear(swaps.joined(separator: ", ")))
    }
    directories = MemoryDirectory.bases(environment, onDisk: onDisk)
  }

  /// Where a program's file really is.
  private static func resolve(_ program: String, _ path: String) -> String? {
    let candidates =
      program.contains("/")
      ? [program] : path.split(separator: ":").map { $0 + "/" + program }
    return candidates.first(where: FileSystem.isExecutable).map { FileSystem.realPath($0) ?? $0 }
  }

  /// What came of an edit.
  enum Outcome {
    case saved(String)
    /// The terminal went away, the machine shuts down, the editor crashed, or Ctrl-C was pressed as it ended.
    case interrupted(signal: Int32)
  }

  /// Lets the owner edit `text` and returns what came of it.
  ///
  /// The file is gone when this returns, whatever happens in between.
  ///
  /// - Parameters:
  ///   - line: where the cursor begins, from 1, in an editor that can be told.
  ///   - orphan: how others keep what is saved after this process was killed.
  ///   - meanwhile: called every few seconds while the editor is open.
  ///   - keep: gets what was saved in the editor, while it is open and at its end, before a signal can end this process. Returns
  ///     whether nobody would miss the file.
  /// - Throws: ``Failure`` `declined` when the editor failed or left nothing; `system` when there is no
  ///   memory-backed directory.
  @MainActor
  func edit(
    _ text: String, line: Int = 1, orphan: OrphanedText, meanwhile: () -> Void = {},
    keep: (String) -> Bool
  ) throws -> Outcome {
    let directory = try place()
    defer { directory.remove() }
    try orphan.leave(in: directory, began: text)
    let path = try directory.write(Array(text.utf8), as: OrphanedText.fileName)
    let settingsFile = try settings.map { try directory.write(Array($0.utf8), as: "settings") }
    // What the editor or a filter of its own puts aside stays in memory, too.
    let before = ThisProcess.variable("TMPDIR")
    ThisProcess.setVariable("TMPDIR", directory.path)
    defer { ThisProcess.restoreVariable("TMPDIR", before) }
    var typed = ""
    var seen = try? FileStatus(path).stamp
    Signals.pauseInterrupts(true)
    defer { Signals.pauseInterrupts(false) }
    let end = try ChildProcess.runInForeground(
      words + kind.words(settings: settingsFile) + kind.words(line: line) + [path],
      extraEnvironment: extraEnvironment,
      // What it rescues beside itself when the terminal goes away stays in memory.
      directory: kind == .plain ? directory.path : nil, holding: directory.lock.number
    ) {
      meanwhile()
      // Saved, and the editor goes on: a kill of this process must not take it along.
      let now = try? FileStatus(path).stamp
      guard now != seen, let bytes = try? bytes(path) else { return }
      seen = now
      let saved = StoredText.decoding(bytes).text
      guard !saved.allSatisfy(\.isWhitespace) else { return }
      if keep(saved) { OrphanedText.note(kept: bytes, in: directory) }
    } afterwards: { end in
      Signals.pauseInterrupts(false)
      if case .ended(let status) = end, 1..<128 ~= status {
        // Some editors end like this when told to end. Saved text is kept; an unchanged file means no.
        var left = ""
        do { left = try read(leftBytes(end != .ended(0), path, directory, text), keep) } catch let
          failure as Failure
          where failure.code == .declined
        {}
        if left != text, !left.allSatisfy(\.isWhitespace) { _ = keep(left) }
        throw Failure(.declined, WritingMessage.editorFailed(editor: words[0], status: Int(status)))
      }
      typed = try read(leftBytes(end != .ended(0), path, directory, text), keep)
      // An editor that was ended while it saved may have left an empty file, which the owner did not choose.
      if case .ended(0) = end {
        _ = keep(typed)
      } else if !typed.allSatisfy(\.isWhitespace) {
        _ = keep(typed)
      }
    }
    switch end {
    case .ended(0): return .saved(typed)
    // It crashed or was killed, which does not mean that the owner discarded the text.
    case .ended(let status): return .interrupted(signal: status - 128)
    case .interrupted(let signal): return .interrupted(signal: signal)
    }
  }

  /// - Throws: ``Failure`` `system` when there is no directory in memory.
  @MainActor
  private func place() throws -> MemoryDirectory {
    guard !directories.isEmpty else {
      throw Failure(
        .system, WritingMessage.noMemoryDirectory, hint: WritingMessage.editorOnDiskHint)
    }
    return try MemoryDirectory(in: directories)
  }

  /// What it left: when it did not end as it should, also what it rescued.
  @MainActor
  private func leftBytes(
    _ isRescued: Bool, _ path: String, _ directory: MemoryDirectory, _ text: String
  ) throws -> [UInt8] {
    guard isRescued else { return try bytes(path) }
    let saved = try? bytes(path)
    let left = OrphanedText.left(
      saved ?? [], in: directory.path, isNew: saved != Array(text.utf8))
    return left.isEmpty ? try bytes(path) : left
  }

  /// What can be kept of a text that is too long for an entry, in bytes.
  private static let limit = 512 << 20

  private func bytes(_ path: String) throws -> [UInt8] {
    do throws(PlatformError) {
      return try Descriptor.open(path, [.noFollow, .nonBlocking]).readAll(limit: Self.limit)
    } catch {
      if case .tooLarge = error.reason {
        throw Failure(.invalid, WritingMessage.editorLeftTooMuch(mebibytes: Self.limit >> 20))
      }
      throw Failure(.declined, WritingMessage.editorLeftNoFile)
    }
  }

  /// - Throws: ``Failure`` `invalid` for what is no UTF-8, which is kept then.
  private func read(_ bytes: [UInt8], _ keep: (String) -> Bool) throws -> String {
    let (text, isText) = StoredText.decoding(bytes)
    guard isText else {
      _ = keep(text)
      throw Failure(.invalid, WritingMessage.editorLeftNoText)
    }
    return text
  }
}
