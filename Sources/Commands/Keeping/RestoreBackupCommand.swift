internal import Access
internal import Client
internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import JSONText
internal import Platform
internal import Requests
internal import SealedFiles
internal import Words

/// `restore-backup`: a backup becomes the diary.
@MainActor
enum RestoreBackupCommand {
  static let declaration = Command<Invocation>(
    "restore-backup", Form(Operand("BACKUP", completion: .file)),
    summary: CommandHelp.restoreBackup, options: [Options.yes, Options.backupPassphraseFile],
    details: CommandHelp.restoreBackupDetails
  ) { invocation in
    var path = Invocation.absolute(invocation.operands[0])
    let folder = VaultFolder(path)
    if folder.hasNoRows {
      if let newest = BackupCommand.newestName(in: path) {
        path += "/" + newest
        invocation.note(KeepingMessage.newestBackup(path))
      } else if !FileSystem.exists(path) {
        throw Failure(
          .noVault, Quoted.failed(path: path, why: "\(Errno.noEntry)"))
      } else if FileSystem.isDirectory(path), !FileSystem.exists(folder.contents) {
        throw Failure(.noVault, KeepingMessage.noBackupIn(path))
      }
    }
    // Reject a path that is not a vault before asking for anything.
    _ = try invocation.look(LookAtVault(at: path), in: [path])
    guard invocation.arguments[Options.yes] || Terminal.canAsk else {
      throw Failure(
        .usage, KeepingMessage.restoreAsks,
        hint: KeepingMessage.giveYes)
    }
    let progress = invocation.progress("restore-backup")
    @MainActor func answer(_ question: OwnerQuestion) throws -> OwnerReply {
      guard case .replaceDiary(let facts) = question else { return .no }
      progress.end()
      return try confirm(facts, invocation) ? .yes : .no
    }
    func reach(_ done: Int, _ total: Int) { progress.reach(done, of: total) }
    var broughtBack: Int?
    if !VaultFolder(invocation.location.vault).hasNoRows {
      broughtBack = try openForRestoring(invocation, RestoreBackup(path), reach, answer)
    } else {
      _ = try namingSecret(isOpen: false) {
        try invocation.custody { $0.folders = [FileSystem.realParent(of: path)] }.run(
          ReviveBackup(path), progress: reach, answer: answer)
      }
    }
    progress.end()
    return .object { json in
      json.member("vault", invocation.location.vault)
      json.member("state", invocation.state().rawValue)
      if let broughtBack { json.member("broughtBack", broughtBack) }
    } text: {
      $0.note(broughtBack.map(KeepingMessage.broughtBack) ?? .restored)
    }
  }

  private static func openForRestoring(
    _ invocation: Invocation, _ request: RestoreBackup, _ progress: (Int, Int) -> Void,
    _ answer: (OwnerQuestion) throws -> OwnerReply
  ) throws -> Int? {
    let owner: KeeperConnection
    do {
      owner = try invocation.owner { $0.folders = [FileSystem.realParent(of: request.path)] }
    } catch let error as VaultError
      // What is wrong with this device's store says nothing of the diary, which must not be moved away for it.
      where error.part != .anchor && [.damaged, .tampered, .notAVault].contains(error.code)
      || [.keyWasRetired, .keyIsForeign].contains(error.reason)
    {
      throw Failure(
        Failure(error).code == .rolledBack ? .rolledBack : .damaged, Failure(error).message,
        hint: KeepingMessage.moveAway(invocation.location.vault))
    }
    return try namingSecret {
      do {
        return try owner.run(request, progress: progress, answer: answer).broughtBack
      } catch let error as VaultError
        where [.damaged, .tampered].contains(error.code) && error.name == invocation.location.vault
      {
        throw Failure(
          .damaged, Failure(error).message,
          hint: KeepingMessage.moveAway(invocation.location.vault))
      } catch let error as VaultError where error.reason == .backupIsOnlyRead {
        // A backup stands in the place of the diary.
        throw Failure(
          .readOnly, Failure(error).message,
          hint: KeepingMessage.moveAway(invocation.location.vault))
      }
    }
  }

  /// Reports a secret that opens the diary but not the backup as such, not as a wrong passphrase.
  ///
  /// - Parameter isOpen: whether it has opened the diary; else it may simply be wrong.
  private static func namingSecret<Result>(
    isOpen: Bool = true, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as VaultError
      where error.code == .wrongSecret && error.reason != .isNoLongerValid
    {
      throw Failure(
        .wrongSecret, isOpen ? KeepingMessage.otherKey : Failure(error).message,
        hint: KeepingMessage.giveBackupPassphrase)
    }
  }

  /// Says what replaces what, and asks.
  private static func confirm(
    _ facts: BackupFacts, _ invocation: Invocation
  ) throws -> Bool {
    if facts.isShared {
      invocation.note(
        KeepingMessage.bringsBack(made: localTime(facts.made), entries: facts.entries))
    } else if let present = facts.present {
      invocation.note(
        KeepingMessage.replaces(
          present: present, entries: facts.entries, made: localTime(facts.made))
      )
    } else {
      invocation.note(
        KeepingMessage.becomes(made: localTime(facts.made), entries: facts.entries))
    }
    if facts.isOfLaterKey { invocation.page.warn(KeepingMessage.copyOfLaterKey) }
    if facts.isUnremembered { invocation.page.warn(OpeningMessage.deviceMemoryGone) }
    if facts.lostFiles > 0 {
      invocation.page.warn(KeepingMessage.backupLacks(files: facts.lostFiles))
    }
    if invocation.arguments[Options.yes] { return true }
    return try Terminal.confirm(invocation.text(KeepingMessage.goOn))
  }
}
