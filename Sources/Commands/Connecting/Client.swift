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

/// A keeper ended without answering: it has already reported why, at the terminal.
struct KeeperLeft: Error { let code: Int32 }

extension KeeperConnection {
  /// Tells the session that somebody is at work, because an open editor counts as use. If the
  /// session has ended, saving authenticates again.
  func stayAwake() { _ = try? run(KeepAwake()) }
}

extension Invocation {
  /// Somebody who can run requests: the session, or a keeper of this command's own.
  ///
  /// A factor given explicitly is always checked. Without one, the running session serves; without that,
  /// a person at a terminal is asked, and nobody else is.
  func connection() async throws -> KeeperConnection {
    if !hasFactor, let session = try KeeperConnection(session: location) {
      session.heed = { [unowned self] notices in MainActor.assumeIsolated { tell(notices) } }
      return session
    }
    try requireVault()
    return try openKeeper(.single).connection
  }

  /// Starts a keeper and waits until it has opened the diary.
  func openKeeper(
    _ purpose: KeeperTask.Purpose, _ set: (inout KeeperTask) -> Void = { _ in }
  ) throws -> (connection: KeeperConnection, opened: Opened) {
    let keeper = try startKeeper(purpose, set)
    return (keeper.connection, try opened(by: keeper))
  }

  /// A keeper that makes a diary and then has it open as its owner.
  ///
  /// - Parameter make: has it made through the connection.
  func newcomer(
    _ set: (inout KeeperTask) -> Void, make: (KeeperConnection) throws -> Void
  ) throws -> KeeperConnection {
    let keeper = try startKeeper(.newcomer, set)
    try make(keeper.connection)
    _ = try opened(by: keeper)
    return keeper.connection
  }

  /// Waits until a keeper has opened the diary, and tells what the owner should know.
  private func opened(by keeper: StartedKeeper) throws -> Opened {
    let opened: Opened
    do {
      opened = try keeper.connection.waitUntilOpened()
    } catch SessionError.gone {
      let code = keeper.exitCode()
      // One that was ended by a signal has said nothing: `lock` does that. At Ctrl-C, we end, too.
      if code > 128, code != 128 + Signals.interrupt { throw SessionError.gone }
      throw KeeperLeft(code: code)
    } catch {
      _ = keeper.exitCode()
      throw error
    }
    tell(opened.notices)
    if !opened.notices.isEmpty { keeper.connection.heard() }
    return opened
  }

  /// Opens by passphrase or recovery code, given now, for what would make access permanent.
  func owner(_ set: (inout KeeperTask) -> Void = { _ in }) throws -> KeeperConnection {
    try requireVault()
    return try openKeeper(.owner, set).connection
  }

  /// A keeper that opens nothing by itself: it makes a diary, salvages one, revives a backup.
  func custody(_ set: (inout KeeperTask) -> Void = { _ in }) throws -> KeeperConnection {
    try startKeeper(.custody, set).connection
  }

  /// Asks a keeper that opens and changes nothing what can be seen of the closed diary.
  func look<R: Request>(_ request: R, in folders: [String] = []) throws -> R.Answer {
    if let looking {
      // An interrupt meant for an editor may have ended it.
      do { return try looking.run(request) } catch SessionError.gone { self.looking = nil }
    }
    let started = try startKeeper(.look) { $0.folders = folders }.connection
    looking = started
    return try started.run(request)
  }

  /// Where the state machine stands when this command's keepers are done.
  func state() -> AppState {
    endKeepers()
    do {
      return try look(AskStanding()).state
    } catch let error as VaultError where error.code == .noVault {
      return .onboarding
    } catch {
      // The person who damaged the face data must not be asked to enrol.
      return .authentication
    }
  }

  /// The diary's vault, as anybody sees it.
  func vaultFacts() throws -> VaultFacts { try look(LookAtVault()) }

  /// A keeper that copies sealed files and never has a key.
  ///
  /// - Parameter folders: where it copies to.
  func copier(in folders: [String] = []) throws -> KeeperConnection {
    try startKeeper(.copy) { $0.folders = folders }.connection
  }

  private func startKeeper(
    _ purpose: KeeperTask.Purpose, _ set: (inout KeeperTask) -> Void
  ) throws -> StartedKeeper {
    // What was answered before a prompt comes before it.
    try? output.flush()
    // A keeper that is about to make a diary cannot look into the folders above it any more.
    if !FileSystem.exists(location.vault) { try VaultFolder(location.vault).requireOutside() }
    if purpose.mayHoldKey, chip != DiaryLocation.systemChip { endLooking() }
    var task = try task(for: purpose)
    set(&task)
    let keeper = try StartedKeeper(task)
    keepers.append(keeper)
    keeper.connection.heed = { [unowned self] notices in
      MainActor.assumeIsolated { tell(notices) }
    }
    return keeper
  }

  /// What this command line says to a keeper.
  private func task(for purpose: KeeperTask.Purpose) throws -> KeeperTask {
    var location = location
    if purpose != .copy { location.chip = chip }
    var task = KeeperTask(
      purpose, of: location,
      speech: KeeperTask.Speech(language: language.rawValue, isQuiet: isQuiet, command: command))
    guard purpose.mayHoldKey else { return task }
    // A face may open the diary only for these.
    if purpose == .single || purpose == .session { task.faces = try faceSources() }
    task.secrets.passphrase = arguments[Options.passphraseFile]
    task.secrets.recoveryCode = arguments[Options.recoveryFile]
    if task.secrets.passphrase != nil, task.secrets.recoveryCode != nil {
      throw Failure(.usage, OpeningMessage.oneSecretOnly)
    }
    task.secrets.newPassphrase = arguments[Options.newPassphraseFile]
    task.secrets.pin = arguments[Options.pinFile]
    task.secrets.newPIN = arguments[Options.newPINFile]
    task.secrets.backupPassphrase = arguments[Options.backupPassphraseFile]
    task.secrets.spaceCode = arguments[Options.spaceCodeFile]
    // Where the secret is given, a keeper gives up starting programs.
    if task.secrets.passphrase == nil, task.secrets.recoveryCode == nil { task.pinentry = pinentry }
    if arguments[Options.codeDialog] {
      guard !isJSON else { throw Failure(.usage, OpeningMessage.dialogOrJSON) }
      guard let program = pinentryWithoutTerminal else {
        throw Failure(.notFound, OpeningMessage.noDialog, hint: OpeningMessage.installPinentry)
      }
      (task.pinentry, task.showsCodeInDialog) = (program, true)
    }
    task.dialogWords = environment[DialogWords.variable].map { String($0.prefix(60)) }
    task.idle = arguments[Options.idle]
    task.life = arguments[Options.life]
    return task
  }

  /// What asks for secrets in a window: the configured program; without a terminal, where there is a display, Debian's.
  private var pinentry: String? {
    if Terminal.canAsk { return (try? configuration())?.pinentry }
    return pinentryWithoutTerminal
  }

  /// Whether somebody can be asked where there is no terminal.
  var hasPinentry: Bool { pinentryWithoutTerminal != nil }

  private var pinentryWithoutTerminal: String? {
    let hasDisplay = ["DISPLAY", "WAYLAND_DISPLAY"].contains { !(environment[$0] ?? "").isEmpty }
    guard
      let program = (try? configuration())?.pinentry ?? (hasDisplay ? Self.systemPinentry : nil)
    else { return nil }
    // One that is a link to a program which asks at a terminal has none here.
    let name = FileSystem.name(of: FileSystem.realPath(program) ?? program)
    let asksAtTerminal = name.hasSuffix("-curses") || name.hasSuffix("-tty")
    return asksAtTerminal || (program == Self.systemPinentry && !FileSystem.isExecutable(program))
      ? nil : program
  }

  private static let systemPinentry = "/usr/bin/pinentry"

  /// Brings the search index up to date when the diary was opened for this command alone; a session does that by itself.
  ///
  /// An index that cannot be written only makes searching slow, so the command does not fail.
  ///
  /// - Parameter ofSession: also when it is a session, because so much was written that it would be slow for seconds.
  func keepIndex(through connection: KeeperConnection, ofSession: Bool = false) {
    guard ofSession || keepers.contains(where: \.opensDiary) else { return }
    try? output.flush()
    _ = try? connection.run(UpdateIndex())
  }

  /// Ends the keeper that looks at the diary; the next look starts another. A software TPM serves one connection at a time.
  func endLooking() {
    guard let looking else { return }
    for keeper in keepers where keeper.connection === looking { keeper.end() }
    keepers.removeAll { $0.connection === looking }
    self.looking = nil
  }

  /// Waits until the keepers of this command have closed the vault.
  func endKeepers() {
    for keeper in keepers { keeper.end() }
    keepers = []
    looking = nil
  }
}

extension KeeperConnection {
  /// The entry a person named.
  ///
  /// - Parameter isForChange: whether it will be changed: then the beginning of an id must be certain.
  func entry(_ reference: EntryReference, isForChange: Bool = false) throws -> Entry {
    var found: Entry?
    _ = try run(ShowEntries([reference], isForChange: isForChange)) { found = $0 }
    guard let found else { throw VaultError(.notFound, .entry, "\(reference)") }
    return found
  }
}
