internal import Authentication
internal import CommandLine
internal import DiaryVault
internal import FaceDiary
internal import Foundation
internal import JSONText
internal import Platform
internal import Sealing

/// `backup`, `restore-backup`, `salvage`.
@MainActor
enum BackupCommands {
  static let backup = Command<Invocation>(
    "backup", Form(Operand("FILE", completion: .file)),
    summary: CommandHelp.backup,
    options: [Options.keep],
    details: CommandHelp.backupDetails
  ) { invocation in
    try invocation.requireVault()
    let target = Invocation.absolute(invocation.operands[0])
    guard let keep = invocation.arguments[Options.keep] else {
      try await make(invocation, target)
      if invocation.isJSON { try answer(invocation, target, removed: []) }
      return 0
    }
    let directory = DeviceDirectory(target)
    if directory.exists {
      var isDirectory: ObjCBool = false
      guard unsafe FileManager.default.fileExists(atPath: target, isDirectory: &isDirectory),
        isDirectory.boolValue
      else { throw Failure(.conflict, KeepingMessage.notDirectory(target)) }
    } else {
      try directory.make()
    }
    let now = Int64(Date().timeIntervalSince1970)
    let stamp = utc(now).replacingOccurrences(of: ":", with: "").prefix(17)
    var name = "facediary-\(stamp)Z.facediary"
    var number = 2
    while directory.names().contains(name) {
      name = "facediary-\(stamp)Z-\(number).facediary"
      number += 1
    }
    try await make(invocation, target + "/" + name)
    // Only backups of this diary, never the one just made, and only while the diary itself is whole: copies of a
    // broken one must not push the good ones out.
    let id = try LockedVault(target + "/" + name, settings: VaultSettings()).keyring.vaultID
    let ours = directory.names().filter { other in
      other != name && isBackupName(other)
        && LockedVault.isBackup(target + "/" + other, of: id, settings: VaultSettings())
    }.sorted(by: isOlder)
    let removed = ours.dropLast(keep - 1).map { target + "/" + $0 }
    if !removed.isEmpty {
      let connection = try await invocation.connection()
      guard try connection.run(VerifyVault()).isWhole else {
        throw Failure(
          .damaged, KeepingMessage.notWholeKeptOlder,
          hint: KeepingMessage.lookWithVerify)
      }
      for path in removed { LockedVault.remove(path) }
    }
    if invocation.isJSON {
      try answer(invocation, target + "/" + name, removed: removed)
    } else if !removed.isEmpty {
      invocation.note(KeepingMessage.removedOlder(removed.count))
    }
    return 0
  }

  private static func isBackupName(_ name: String) -> Bool {
    name.wholeMatch(of: /facediary-\d{4}-\d\d-\d\dT\d{6}Z(-\d+)?\.facediary/) != nil
  }

  /// `…Z-2` was made after `…Z`.
  private static func isOlder(_ one: String, _ other: String) -> Bool {
    func key(_ name: String) -> (Substring, Int) {
      let stem = name.dropLast(10)
      let stamp = stem.prefix(28)
      return (stamp, Int(stem.dropFirst(29)) ?? 1)
    }
    return key(one) < key(other)
  }

  private static func make(_ invocation: Invocation, _ target: String) async throws {
    let folder = target.lastIndex(of: "/").map { String(target[..<$0]) } ?? "."
    guard FileManager.default.fileExists(atPath: folder.isEmpty ? "/" : folder) else {
      throw Failure(.notFound, KeepingMessage.noDirectory(folder))
    }
    let connection = try await invocation.connection()
    let progress = invocation.progress("backup")
    try Vault.makeBackup(
      of: invocation.location.vault, as: target, settings: VaultSettings(),
      progress: { progress.reach($0, of: $1) },
      sealing: { try connection.run(SealBackup(state: $0)) })
    progress.end()
    invocation.note(KeepingMessage.backupMade(target))
  }

  private static func answer(
    _ invocation: Invocation, _ path: String, removed: [String]
  ) throws {
    try invocation.json { json in
      json.beginObject()
      json.member("file", path)
      json.member("removed", removed)
      json.endObject()
    }
  }

  // MARK: Restoring

  static let restore = Command<Invocation>(
    "restore-backup", Form(Operand("FILE", completion: .file)),
    summary: CommandHelp.restoreBackup,
    options: [Options.yes, Options.backupPassphraseFile],
    details: CommandHelp.restoreBackupDetails
  ) { invocation in
    let path = Invocation.absolute(invocation.operands[0])
    _ = try LockedVault(path, settings: VaultSettings())
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
    let notices: [Diary.Notice]
    if FileSystem.exists(invocation.location.vault) {
      notices = try openForRestoring(invocation, RestoreBackup(path), reach, answer)
    } else {
      notices = try invocation.custody().run(ReviveBackup(path), progress: reach, answer: answer)
    }
    progress.end()
    invocation.tell(notices)
    invocation.note(KeepingMessage.restored)
    if invocation.isJSON {
      let model = AuthenticationModel(service: KeeperService(Keeper(at: invocation.location)))
      await model.checkInitialState()
      try invocation.json { json in
        json.beginObject()
        json.member("vault", invocation.location.vault)
        json.member("state", model.state.rawValue)
        json.endObject()
      }
    }
    return 0
  }

  private static func openForRestoring(
    _ invocation: Invocation, _ request: RestoreBackup, _ progress: (Int, Int) -> Void,
    _ answer: (OwnerQuestion) throws -> OwnerReply
  ) throws -> [Diary.Notice] {
    let owner: KeeperConnection
    do {
      owner = try invocation.owner()
    } catch let error as VaultError
      where [.damaged, .tampered, .notAVault].contains(error.code)
    {
      throw Failure(
        .damaged, Failure(error).message,
        hint:
          KeepingMessage.moveAway(invocation.location.vault)
      )
    }
    do {
      return try owner.run(request, progress: progress, answer: answer)
    } catch let error as VaultError where error.code == .wrongSecret {
      throw Failure(
        .wrongSecret, KeepingMessage.otherKey,
        hint: KeepingMessage.giveBackupPassphrase)
    }
  }

  /// Says what replaces what, and asks.
  private static func confirm(_ facts: BackupFacts, _ invocation: Invocation) throws -> Bool {
    if let present = facts.present {
      invocation.note(
        KeepingMessage.replaces(present: present, entries: facts.entries, made: utc(facts.made))
      )
    } else {
      invocation.note(
        KeepingMessage.becomes(made: utc(facts.made), entries: facts.entries))
    }
    if !facts.isSameKey {
      invocation.note(
        KeepingMessage.otherKeyWarning
      )
    }
    if invocation.arguments[Options.yes] { return true }
    return try Terminal.confirm(invocation.text(KeepingMessage.goOn))
  }

  // MARK: Salvaging

  static let salvage = Command<Invocation>(
    "salvage", Form(Operand("OUT", completion: .file)),
    summary: CommandHelp.salvage,
    options: [Options.kdf],
    details: CommandHelp.salvageDetails
  ) { invocation in
    try invocation.requireVault()
    let target = Invocation.absolute(invocation.operands[0])
    let progress = invocation.progress("salvage")
    let report = try invocation.custody().run(
      SalvageVault(to: target, limits: invocation.passphraseLimits),
      progress: { progress.reach($0, of: $1) }
    ) { question in
      progress.end()
      return try invocation.announcement(question) { facts, json in
        let report = facts.salvaged ?? Salvaged()
        json.member("vault", target)
        json.member("id", facts.id)
        json.member("entries", report.entries)
        json.member("older", report.older)
        json.member("nameless", report.nameless)
        json.member("attachments", report.attachments)
        json.member("lost", report.lost)
      }
    }
    if invocation.isJSON { return 0 }
    for line in report.lost { Output.say(visible(invocation.text(KeepingMessage.lost(line)))) }
    if report.older > 0 {
      invocation.note(KeepingMessage.onlyOlder(report.older))
    }
    if report.nameless > 0 {
      invocation.note(
        KeepingMessage.nameless(report.nameless))
    }
    invocation.note(
      KeepingMessage.rescued(entries: report.entries, attachments: report.attachments, path: target)
    )
    return 0
  }
}
