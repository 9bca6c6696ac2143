internal import Access
internal import CommandLine
internal import JSONText
internal import Platform
internal import Requests
internal import Window
internal import Words

/// `window`: the diary as a page in a browser.
@MainActor
enum WindowCommand {
  static let declaration = Command<Invocation>(
    "window", summary: CommandHelp.window, options: [Options.browser, Options.windowWrites],
    details: CommandHelp.windowDetails
  ) { invocation in
    let browser = try WebBrowser(named: invocation.arguments[Options.browser])
    let directory = try MemoryDirectory(in: MemoryDirectory.bases(invocation.environment))
    defer { directory.remove() }
    let broker = try WindowBroker(
      WindowBroker.Settings(
        location: invocation.location, language: invocation.language.rawValue,
        means: PageTask.Means(
          pinentry: invocation.hasPinentry, terminal: Terminal.isOurs,
          folderDialog: FolderDialog.isThere,
          inlineTags: (try? invocation.configuration())?.inlineTags ?? false),
        browser: browser, directory: directory.path, lock: directory.lock.number,
        hasTerminal: { Terminal.isOurs }, writes: invocation.arguments[Options.windowWrites],
        environment: invocation.environment,
        standing: { try standing(invocation) },
        keepBackupFolder: { try Configuration(invocation.environment).save(backupFolder: $0) },
        announce: { address in
          guard invocation.isJSON else { return invocation.note(WindowMessage.opened) }
          let json = JSONWriter.object { $0.member("address", address) }
          try invocation.output.write(String(decoding: json, as: UTF8.self) + "\n")
          try invocation.output.flush()
        }))
    let signal = try broker.run()
    return .written(exitCode: signal.map { 128 + $0 } ?? 0)
  }

  /// Where the diary stands, as `status` says it, and what the configuration says now.
  private static func standing(_ invocation: Invocation) throws -> WindowStanding {
    defer { invocation.endKeepers() }
    let status = JSONWriter.object(Status(invocation).write)
    let door = try JSONDocument(status).decoded(DoorStanding.self)
    // It may have been changed since the window began.
    let configuration = try? Configuration(invocation.environment)
    let backups = configuration?.backupFolder.map {
      BackupStanding(folder: $0, last: BackupCommand.newest(in: $0))
    }
    let folder = (try? invocation.vaultFacts()).map {
      DiaryLocation.keptTexts(beside: $0.directory)
    }
    try folder?.make()
    return WindowStanding(
      door: door, keptTexts: folder?.path, backups: backups, hasCamera: configuration?.probe != nil)
  }
}
