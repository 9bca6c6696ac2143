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

/// `backup`: a copy that only reads, while the diary is in use.
@MainActor
enum BackupCommand {
  static let declaration = Command<Invocation>(
    "backup", Form(Operand("DIRECTORY", optional: true, completion: .file)),
    summary: CommandHelp.backup,
    options: [Options.keep], details: CommandHelp.backupDetails
  ) { invocation in
    try invocation.requireVault()
    guard
      let folder = try invocation.operands.first ?? invocation.configuration().backupFolder
    else {
      throw Failure(
        .usage, UsageMessage.usage("backup DIRECTORY"), hint: KeepingMessage.setBackupFolder)
    }
    let target = Invocation.absolute(folder)
    try invocation.requireElsewhere(target + "/new", named: target)
    return try await make(in: target, keeping: invocation.arguments[Options.keep], invocation)
  }

  private static func outcome(_ path: String, missing: Int, removed: [String]) -> Outcome {
    .object(exitCode: missing == 0 ? 0 : Failure.Code.damaged.exitCode) { json in
      json.member("file", path)
      json.member("removed", removed)
      if missing > 0 { json.member("missingFiles", missing) }
    } text: { page in
      if !removed.isEmpty { page.note(KeepingMessage.removedOlder(removed.count)) }
    }
  }

  /// One named by the time, in a directory; the newest stay.
  private static func make(
    in target: String, keeping keep: Int?, _ invocation: Invocation
  ) async throws -> Outcome {
    let directory = DeviceDirectory(target)
    if !directory.exists { try directory.make() }
    guard FileSystem.isDirectory(target), VaultFolder(target).hasNoRows, !isInBackup(target)
    else { throw Failure(.conflict, KeepingMessage.notDirectory(target)) }
    let now = SystemClock.wall
    let stamp = utc(now).replacing(":", with: "").prefix(17)
    var name = "facediary-\(stamp)Z.facediary"
    var number = 2
    while directory.names().contains(name) {
      name = "facediary-\(stamp)Z-\(number).facediary"
      number += 1
    }
    let maker = try invocation.copier(in: [target])
    let missing = try await make(invocation, target + "/" + name, by: maker)
    guard let keep else { return outcome(target + "/" + name, missing: missing, removed: []) }
    // Only backups of this diary, never the one just made, and only while the diary itself is whole: copies of a
    // broken one must not push the good ones out.
    let others = try directory.list().filter { $0 != name && isBackupName($0) }.sorted(by: isOlder)
    let ours = try maker.run(
      FindBackups(like: target + "/" + name, among: others.map { target + "/" + $0 }))
    let extra = Array(ours.dropLast(keep - 1))
    var removed: [String] = []
    if !extra.isEmpty {
      let connection = try await invocation.connection()
      guard try connection.verify(beside: maker).isWhole else {
        throw Failure(
          .damaged, KeepingMessage.notWholeKeptOlder,
          hint: KeepingMessage.lookWithVerify)
      }
      removed = try maker.run(RemoveBackups(extra, in: target, keeping: name))
      if let left = extra.first(where: { !removed.contains($0) }) {
        invocation.page.warn(KeepingMessage.notRemoved(left))
      }
    }
    return outcome(target + "/" + name, missing: missing, removed: removed)
  }

  /// Whether a folder lies in a backup, which may be removed with all that is in it.
  private static func isInBackup(_ folder: String) -> Bool {
    var folder = FileSystem.realFolder(above: folder + "/new")
    while folder != "/", folder != "." {
      if FileSystem.exists(VaultFolder(folder).contents), !VaultFolder(folder).hasNoRows {
        return true
      }
      folder = FileSystem.parent(of: folder)
    }
    return false
  }

  /// When the newest backup in a folder was made, as its name says; nil where there is none.
  static func newest(in folder: String) -> String? {
    guard let stamp = newestName(in: folder)?.dropFirst(10).prefix(17) else { return nil }
    return "\(stamp.prefix(13)):\(stamp.dropFirst(13).prefix(2)):\(stamp.suffix(2))Z"
  }

  /// What the newest backup in a folder is called; nil where there is none.
  static func newestName(in folder: String) -> String? {
    (try? FileSystem.names(in: folder))?.filter(isBackupName).sorted(by: isOlder).last
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

  /// - Returns: how many photos and files the diary itself has lost.
  private static func make(
    _ invocation: Invocation, _ target: String, by maker: KeeperConnection
  ) async throws -> Int {
    let connection = try await invocation.connection()
    let progress = invocation.progress("backup")
    let begun = try connection.run(BeginBackup())
    var missing = 0
    _ = try maker.run(
      MakeBackup(at: target), progress: { progress.reach($0, of: $1) },
      answer: { question in
        guard case .sealBackup(let state) = question else { return .no }
        let sealed = try connection.run(SealBackup(state: state, since: begun))
        missing = sealed.missing
        return .sealed(sealed)
      })
    progress.end()
    invocation.note(KeepingMessage.backupMade(target))
    let directory = FileSystem.parent(of: target)
    if let status = try? FileStatus(directory, following: true), status.isWritableByOthers {
      invocation.note(KeepingMessage.backupsAreWritable(ShellWords.quoted(directory)))
    }
    if missing > 0 { invocation.page.warn(KeepingMessage.backupLacksFiles(missing)) }
    return missing
  }
}
