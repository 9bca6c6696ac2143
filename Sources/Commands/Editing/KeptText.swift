internal import Client
internal import CommandLine
internal import Entries
internal import Platform
internal import Requests
internal import Words

/// What was typed, in an editor or at the terminal: kept from the moment that ends until it is saved, so that nothing typed
/// is lost to a signal, a session that ended or a name that does not exist.
@MainActor
final class KeptText {
  private enum Copy {
    /// Sealed, at this path, and in use; in memory where nothing can be written on the disk.
    case sealed(String, use: FileLock?, isOnDisk: Bool)
    /// Only here: it could not be sealed, or no entry could hold it. Nothing in clear outlives a kill.
    case unsealed(String)
    /// In a private file in memory, of which its owner was told.
    case inMemory(String)
  }

  private let folder: UnsavedTextFolder
  private let invocation: Invocation
  private var copy: Copy?
  /// Earlier texts, where the later could be kept nowhere: they are better than none.
  private var older: [Copy] = []
  /// The draft that is kept; nil when there is nothing to keep.
  private(set) var draft: UnsavedText?

  /// Call this before anything is typed: it asks for the key that the text is sealed to.
  init(_ invocation: Invocation, _ connection: KeeperConnection) throws {
    folder = try UnsavedTextFolder(invocation, connection)
    self.invocation = invocation
  }

  /// How what is saved in an editor after a kill of this process is kept.
  var orphan: OrphanedText { folder.orphan }

  /// Keeps a text instead of what was kept before.
  ///
  /// - Parameter draft: what it becomes when it is recovered; nil when it need not be kept.
  /// - Returns: whether a kill of this process takes nothing away: it is sealed, or need not be kept.
  @discardableResult
  func keep(_ draft: UnsavedText?, typed text: String) -> Bool {
    let before = copy
    self.draft = draft?.continuing(self.draft)
    copy = self.draft.map { copy(of: $0, text) }
    if case .unsealed = copy, let before, case .sealed = before {
      older.append(before)
    } else {
      remove(before)
    }
    if case .unsealed = copy { return false }
    return true
  }

  private func copy(of draft: UnsavedText, _ text: String) -> Copy {
    // What no entry can hold could not be recovered either.
    if draft.textSize <= EntryDraft.bodyLimit, let (path, use, isOnDisk) = try? folder.keep(draft) {
      return .sealed(path, use: use, isOnDisk: isOnDisk)
    }
    return .unsealed(text)
  }

  /// Deletes the kept text: it is saved, or its owner does not want it.
  func discard() {
    for copy in older { remove(copy) }
    remove(copy)
    (copy, older, draft) = (nil, [], nil)
  }

  private func remove(_ copy: Copy?) {
    switch copy {
    case .sealed(let path, _, _), .inMemory(let path): try? FileSystem.remove(path)
    case .unsealed, nil: break
    }
  }

  // MARK: Telling

  /// Runs what may fail, and says where the text is kept if it does.
  func telling<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch {
      tell()
      throw error
    }
  }

  /// The end of a command whose editor was ended by a signal.
  func interrupted(by signal: Int32) -> Outcome {
    tell()
    return .written(exitCode: 128 + signal)
  }

  /// Says where the text is kept; one that could not be sealed is kept in clear in memory now, for its owner to take.
  func tell() {
    switch copy {
    case .sealed(_, _, let isOnDisk):
      let words = isOnDisk ? WritingMessage.keptSealed : .keptSealedInMemory
      invocation.page.warn(invocation.naming(in: words))
    case .inMemory(let path): invocation.page.warn(WritingMessage.keptAt(path))
    case .unsealed(let text):
      do {
        let path = try MemoryDirectory.keep(
          Array(text.utf8), in: MemoryDirectory.bases(invocation.environment))
        copy = .inMemory(path)
        invocation.page.warn(WritingMessage.keptAt(path))
      } catch {
        invocation.page.warn(Failure(error).message)
      }
    case nil: break
    }
  }

  // MARK: Saving

  /// Saves it, also when the session has ended meanwhile: the owner authenticates again.
  func save<Saved>(
    _ connection: KeeperConnection, _ save: @MainActor (KeeperConnection) throws -> Saved
  ) async throws -> Saved {
    do {
      let saved: Saved
      do { saved = try save(connection) } catch SessionError.gone {
        invocation.page.warn(WritingMessage.sessionEndedMeanwhile)
        saved = try await saveAgain(save)
      } catch let error as VaultError where error.reason == .keyWasReplaced {
        // What is kept is sealed to a key that others may have. A session of that key cannot go on either.
        invocation.page.warn(Failure(error).message)
        _ = try? KeeperConnection.end(invocation.location)
        saved = try await saveAgain(save)
      }
      discard()
      return saved
    } catch {
      tell()
      throw error
    }
  }

  private func saveAgain<Saved>(
    _ save: @MainActor (KeeperConnection) throws -> Saved
  ) async throws -> Saved {
    for _ in 0..<3 {
      do {
        return try save(try await invocation.connection())
      } catch let error where Failure(error).code == .wrongSecret {
        invocation.page.warn(Failure(error).message)
      } catch SessionError.gone {
        continue
      }
    }
    return try save(try await invocation.connection())
  }
}
