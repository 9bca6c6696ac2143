internal import Client
internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import Requests
internal import Words

/// Saves what was typed in the editor, so that it is never lost.
@MainActor
enum SavingText {
  /// Saves what was typed, whatever happened to the session meanwhile.
  ///
  /// Until it is saved the text is kept sealed: a Ctrl-C meanwhile, or at a prompt, must not be its end. What cannot
  /// even be kept so stays in memory; either way it is said where.
  static func save<Saved>(
    typed text: String, _ editor: Editor, _ kept: UnsavedTextFolder, _ draft: UnsavedText,
    _ invocation: Invocation, _ connection: KeeperConnection,
    _ save: @MainActor (KeeperConnection) throws -> Saved
  ) async throws -> Saved {
    // What no entry can hold could not be recovered either.
    let file = text.utf8.count <= EntryDraft.bodyLimit ? try? kept.keep(draft) : nil
    do {
      let saved = try save(connection)
      if let file { kept.remove(file) }
      return saved
    } catch {
      guard let file else {
        let path = try editor.keep(text)
        invocation.page.warn(WritingMessage.keptAt(path))
        throw error
      }
      guard case SessionError.gone = error else {
        invocation.page.warn(WritingMessage.keptSealed)
        throw error
      }
      invocation.page.warn(WritingMessage.sessionEndedMeanwhile)
      do {
        let reply = try await saveAgain(invocation, save)
        kept.remove(file)
        return reply
      } catch {
        invocation.page.warn(WritingMessage.keptSealed)
        throw error
      }
    }
  }

  /// The terminal went away while the editor was open: what was saved in it is kept sealed, and we end as the signal
  /// asked.
  static func keepInterrupted(
    _ draft: UnsavedText?, _ text: String, _ editor: Editor, _ kept: UnsavedTextFolder,
    _ signal: Int32,
    _ invocation: Invocation
  ) throws -> Outcome {
    if let draft {
      do {
        guard text.utf8.count <= EntryDraft.bodyLimit else {
          throw VaultError(.body, expected: .atMostBytes(EntryDraft.bodyLimit))
        }
        _ = try kept.keep(draft)
        invocation.page.warn(WritingMessage.keptSealed)
      } catch {
        invocation.page.warn(WritingMessage.keptAt(try editor.keep(text)))
        throw error
      }
    }
    return .written(exitCode: 128 + signal)
  }

  /// The owner authenticates again.
  private static func saveAgain<Saved>(
    _ invocation: Invocation, _ save: @MainActor (KeeperConnection) throws -> Saved
  ) async throws -> Saved {
    for _ in 0..<3 {
      do {
        let connection = try await invocation.connection()
        return try save(connection)
      } catch let error where Failure(error).code == .wrongSecret {
        invocation.page.warn(Failure(error).message)
      } catch SessionError.gone {
        continue
      }
    }
    let connection = try await invocation.connection()
    return try save(connection)
  }
}
