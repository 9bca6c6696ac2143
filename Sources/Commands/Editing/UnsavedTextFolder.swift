internal import Access
internal import Client
internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import JSONText
internal import Platform
internal import Requests
internal import Words

/// Typed text that could not be saved, sealed in the device's directory until `write --recover`.
///
/// The key it is sealed to is taken before the editor opens, while somebody can still be asked for it; it
/// opens nothing, so it may leave the process that holds the vault.
@MainActor
struct UnsavedTextFolder {
  private let directory: DeviceDirectory
  private let key: [UInt8]
  /// Where sealed texts go when the directory cannot be written.
  private let memory: [String]

  init(_ invocation: Invocation, _ connection: KeeperConnection) throws {
    key = try connection.run(DraftKey())
    directory = try Self.directory(invocation)
    memory = MemoryDirectory.bases(invocation.environment)
    // An editor may stay open for hours, and a chip may serve one connection at a time.
    invocation.endLooking()
  }

  private static func directory(_ invocation: Invocation) throws -> DeviceDirectory {
    DiaryLocation.keptTexts(beside: try invocation.vaultFacts().directory)
  }

  var orphan: OrphanedText { OrphanedText(key: key, directory: directory.path) }

  /// Keeps a draft and returns its path: here or, where nothing can be written here, in memory. While the second of what is
  /// returned lives, nobody else recovers it.
  ///
  /// - Returns: also whether it is on a disk.
  func keep(_ draft: UnsavedText) throws -> (path: String, use: FileLock?, isOnDisk: Bool) {
    let sealed = try draft.sealed(to: key)
    do {
      try directory.make()
      let (name, use) = try directory.keepText(sealed)
      return (directory.path + "/" + name, use, true)
    } catch {
      let path = try MemoryDirectory.keep(sealed, in: memory, as: Self.sealedPrefix(directory))
      return (path, nil, false)
    }
  }

  /// What such files in memory are called: by the diary whose they are.
  private static func sealedPrefix(_ directory: DeviceDirectory) -> String {
    "facediary-sealed-" + FileSystem.name(of: directory.path).prefix(8) + "-"
  }

  /// The paths of all that is kept and that nobody is writing.
  ///
  /// - Throws: when the folder cannot be listed.
  private static func kept(_ directory: DeviceDirectory, _ invocation: Invocation) throws
    -> [String]
  {
    // What was in an editor whose command was killed becomes a draft first.
    MemoryDirectory.sweep(invocation.environment)
    let here = try directory.leftTexts()
    let prefix = sealedPrefix(directory)
    let inMemory = Set(MemoryDirectory.bases(invocation.environment)).flatMap { base in
      ((try? FileSystem.names(in: base)) ?? []).filter { $0.hasPrefix(prefix) }
        .map { base + "/" + $0 }
        // Everybody can put a file there.
        .filter { (try? FileStatus($0))?.isOurs ?? false }
    }
    return here.map { directory.path + "/" + $0 } + inMemory.sorted()
  }

  /// How many texts `write --recover` would find.
  static func count(_ invocation: Invocation, of facts: VaultFacts) -> Int {
    (try? kept(DiaryLocation.keptTexts(beside: facts.directory), invocation))?.count ?? 0
  }

  /// `write --recover`: each draft becomes an entry or an edit; one that cannot is kept.
  static func recover(_ invocation: Invocation) async throws -> Outcome {
    guard invocation.operands.isEmpty else {
      throw Failure(
        .usage, UsageMessage.usage("write --recover"), hint: UsageMessage.seeHelpOf("write"))
    }
    try invocation.requireVault()
    let directory = try directory(invocation)
    let paths = try kept(directory, invocation)
    guard !paths.isEmpty else {
      throw Failure(.notFound, WritingMessage.nothingToRecover)
    }
    let connection = try await invocation.connection()
    var written: [UnsavedText.Saved] = []
    var trouble: (any Error)?
    for path in paths {
      // A draft that cannot be saved does not keep the others from being saved.
      do {
        let place = DeviceDirectory(FileSystem.parent(of: path))
        let name = FileSystem.name(of: path)
        guard let sealed = try place.read(name, limit: DiaryLocation.keptTextLimit) else {
          continue
        }
        let saved = try connection.run(RecoverDraft(sealed))
        try place.remove(name)
        written.append(saved)
      } catch let error as SessionError {
        throw error
      } catch {
        Output.say(visible(path + ": " + invocation.text(Failure(error).message)).oneLine)
        trouble = trouble ?? error
      }
    }
    return .array(written, failure: trouble) { json, each in
      switch each {
      case .entry(let entry, let missing, let other):
        json.member("id", entry.id.description)
        json.member("revision", entry.revision)
        if let other { json.member("insteadOf", other.description) }
        if !missing.isEmpty { json.member("missingFiles", missing) }
      case .template(let name): json.member("template", name)
      }
    } text: { [written] page in
      for each in written {
        switch each {
        case .entry(let entry, let missing, let other):
          try page.line(Terminal.isTerminal(1) ? entry.id.short : entry.id.description)
          page.note(
            WritingMessage.recovered(
              entry: entry.id.short, revision: entry.revision, insteadOf: other?.short)
          )
          if !missing.isEmpty { page.note(WritingMessage.filesNotThere(missing)) }
        case .template(let name): page.note(WritingMessage.keptTemplate(name))
        }
      }
    }
  }
}
