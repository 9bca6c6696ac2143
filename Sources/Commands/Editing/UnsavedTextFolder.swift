internal import Access
internal import Bytes
internal import Client
internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import JSONText
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

  init(_ invocation: Invocation, _ connection: KeeperConnection) throws {
    key = try connection.run(DraftKey())
    directory = try Self.directory(invocation)
    // An editor may stay open for hours, and a chip may serve one connection at a time.
    invocation.endLooking()
  }

  private static func directory(_ invocation: Invocation) throws -> DeviceDirectory {
    DiaryLocation.keptTexts(beside: try invocation.vaultFacts().directory)
  }

  /// Keeps a draft and returns its name here.
  func keep(_ draft: UnsavedText) throws -> String {
    try directory.make()
    let name = Base32.encode(Randomness.system.bytes(10)) + ".sealed"
    try directory.write(name, try draft.sealed(to: key))
    return name
  }

  /// Deletes a draft that is now saved.
  func remove(_ name: String) { try? directory.remove(name) }

  /// `write --recover`: each draft becomes an entry or an edit; one that cannot is kept.
  static func recover(_ invocation: Invocation) async throws -> Outcome {
    guard invocation.operands.isEmpty else {
      throw Failure(
        .usage, UsageMessage.usage("write --recover"), hint: UsageMessage.seeHelpOf("write"))
    }
    try invocation.requireVault()
    let directory = try directory(invocation)
    let names = directory.names().filter { $0.hasSuffix(".sealed") }.sorted()
    guard !names.isEmpty else {
      throw Failure(.notFound, WritingMessage.nothingToRecover)
    }
    let connection = try await invocation.connection()
    var written: [UnsavedText.Saved] = []
    var trouble: (any Error)?
    for name in names {
      // A draft that cannot be saved does not keep the others from being saved.
      do {
        guard let sealed = try directory.read(name, limit: DiaryLocation.keptTextLimit) else {
          continue
        }
        let saved = try connection.run(RecoverDraft(sealed))
        try directory.remove(name)
        written.append(saved)
      } catch let error as SessionError {
        throw error
      } catch {
        Output.say(visible("\(directory.path)/\(name): " + invocation.text(Failure(error).message)))
        trouble = trouble ?? error
      }
    }
    return .array(written, failure: trouble) { json, each in
      switch each {
      case .entry(let entry):
        json.member("id", entry.id.description)
        json.member("revision", entry.revision)
      case .template(let name): json.member("template", name)
      }
    } text: { [written] page in
      for each in written {
        switch each {
        case .entry(let entry):
          try page.line(Terminal.isTerminal(1) ? entry.id.short : entry.id.description)
          page.note(
            WritingMessage.recovered(entry: entry.id.short, revision: entry.revision)
          )
        case .template(let name): page.note(WritingMessage.keptTemplate(name))
        }
      }
    }
  }
}
