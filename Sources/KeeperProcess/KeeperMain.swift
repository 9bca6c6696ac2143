internal import Access
internal import Authentication
package import Client
internal import CommandLine
package import Commands
internal import Dates
internal import Keeper
internal import Platform
internal import Requests
internal import SealedFiles
internal import Sealing
internal import Words

/// The process that holds the keys: a child of the command, which asks for the secret or looks at the face itself,
/// opens the diary, gives up what it does not need, and serves.
@MainActor
package enum KeeperMain {
  package static func run(
    _ invocation: Invocation, _ purpose: StartedKeeper.Purpose, _ number: Int32
  ) async -> Int32 {
    // What a shell gave us, for a path like /dev/fd/63, is not held for as long as a session lasts.
    let given = ThisProcess.givenDescriptors().filter { $0 != number }
    let socket = StartedKeeper.inherited(number)
    if purpose.mayHoldKey { Locking.nameThisProcess(invocation.location) }
    do {
      switch purpose {
      case .custody: try await serveCustody(invocation, socket)
      case .look, .copy: await serveWithoutKey(invocation, purpose, socket)
      case .owner: try await serveOwner(invocation, socket)
      case .single, .session: try await serve(invocation, purpose, socket, given)
      }
      return 0
    } catch {
      // The client says it.
      try? KeeperServer.tell(socket, error)
      return 1
    }
  }

  /// Makes, salvages or revives a diary: bound by the longest times a session may have, as there is no policy yet.
  private static func serveCustody(
    _ invocation: Invocation, _ socket: LocalSocket
  ) async throws {
    let clock = SystemSessionClock()
    var session = Session(SessionLimits(), clock: clock)
    // A signal ends this process at once, and puts right what was begun.
    let silence = try Descriptor.pipe()
    _ = confineOwner(invocation, makesVault: true)
    let watchdog = try Watchdog(signals: silence.read, cleanup: {})
    watchdog.follow(session)
    await OwnerServer(
      Keeper(at: invocation.location), Desk(invocation), given: nil, socket: socket,
      accepting: [.createVault, .salvageVault, .reviveBackup, .acceptOlderCopy],
      touch: {
        session.touch(clock)
        watchdog.follow(session)
      }
    ).run()
    watchdog.stop()
    withExtendedLifetime(silence.write) {}
  }

  /// Looks at a closed diary, or copies its sealed files, for as long as the client is there: no key of the vault is here
  /// that a clock would have to end.
  private static func serveWithoutKey(
    _ invocation: Invocation, _ purpose: StartedKeeper.Purpose, _ socket: LocalSocket
  ) async {
    if let parent = socket.peer?.process.id { ThisProcess.endWithParent(parent) }
    let location = invocation.location
    let keeper = Keeper(at: location)
    // The folder that is copied to, or that is looked at.
    let named =
      ["backup", "restore-backup"].contains(invocation.command)
      ? invocation.operands.compactMap { FileSystem.realPath(Invocation.absolute($0)) } : []
    if purpose == .copy || !hasHelper(location) {
      _ = Confinement.enter(
        [.files, .programs, .network],
        writing: ([location.vault, location.devices] + named).filter { FileSystem.exists($0) }
          + ["/dev/null"],
        reading: readable + objectsBeside(location.vault))
    }
    await OwnerServer(
      keeper, Desk(invocation), given: nil, socket: socket,
      accepting: purpose == .copy
        ? [.checkDatabase, .makeBackup, .findBackups, .removeBackups]
        : [.lookAtVault, .askStanding, .readPolicy],
      touch: {}
    ).run()
  }

  /// Whether a program keeps a device key here: it needs all that a keeper would give up. Told without opening any vault.
  private static func hasHelper(_ location: DiaryLocation) -> Bool {
    DeviceDirectory(location.devices).names().contains {
      FileSystem.exists(location.devices + "/" + $0 + "/" + HelperDeviceKeyStore.fileName)
    }
  }

  private static func serveOwner(_ invocation: Invocation, _ socket: LocalSocket) async throws {
    var options: OpeningOptions = []
    if invocation.command == "device", invocation.verb == "reset" {
      options.insert(.resetsDevice)
    }
    let opened = try await invocation.openByOwner(options)
    // A device key may have to be given to a program, which needs all that we would give up.
    let hasHelper = try opened.keeper.deviceHelper() != nil || invocation.command == "device"
    let signals = try Signals.redirectToPipe()
    // Before the watchdog's thread begins: files are given up by a thread and those it starts.
    let confined = hasHelper ? Confined.nothing : confineOwner(invocation)
    let watchdog = try Watchdog(signals: signals, cleanup: {})
    watchdog.follow(opened.model.session)
    try KeeperServer.tell(socket, facts(opened, confined))
    await OwnerServer(
      opened.keeper, Desk(invocation), given: opened.given, socket: socket, accepting: nil
    ) {
      opened.model.touch()
      watchdog.follow(opened.model.session)
    }.run()
    await opened.model.logout()
    watchdog.stop()
  }

  private static func serve(
    _ invocation: Invocation, _ purpose: StartedKeeper.Purpose, _ socket: LocalSocket,
    _ given: [Int32]
  ) async throws {
    let opened = try await invocation.open()
    ThisProcess.closeDescriptors(given)
    if purpose == .session, opened.method != "face" { try opened.keeper.keepWarm() }
    let location = invocation.location
    let listener = purpose == .session ? try KeeperServer.listen(for: location) : nil
    // Before it gives files up: how faces are scored stands in one.
    let scoring = opened.similarity == nil ? nil : try opened.keeper.scoring()
    let signals = try Signals.redirectToPipe()
    if purpose == .session {
      ThisProcess.detach()
    } else {
      ThisProcess.releaseStandardStreams()
    }
    let confined = try confine(opened.keeper, location)
    let watchdog = try Watchdog(signals: signals) { listener?.removeFile() }
    let server = KeeperServer(
      opened.keeper, opened.model, watchdog, method: opened.method, confined: confined,
      listener: listener, client: socket)
    try KeeperServer.tell(socket, facts(opened, confined, scoring))
    await server.run()
  }

  /// Gives up files, programs and network, as far as the kernel can hold us to it.
  private static func confine(
    _ keeper: Keeper, _ location: DiaryLocation
  ) throws -> Confined {
    // A program that keeps the device key is asked again when a face opens a warm diary, and needs all of this.
    let wanted: Confinement =
      try keeper.isWarm && keeper.deviceHelper() != nil ? [] : [.files, .programs, .network]
    return Confinement.enter(
      wanted,
      writing: [location.vault, location.devices, location.runtime]
        .filter { FileSystem.exists($0) } + ["/dev/null"],
      reading: readable + objectsBeside(location.vault))
  }

  /// The same of a keeper for the owner's requests, which may still ask at the terminal, read the secrets that options
  /// name, and work on a backup or a new vault that the command names.
  ///
  /// - Parameter makesVault: whether a vault is made, or put in the place of one that is gone: beside it, and renamed then.
  private static func confineOwner(
    _ invocation: Invocation, makesVault: Bool = false
  ) -> Confined {
    let location = invocation.location
    let vault = makesVault ? FileSystem.parent(of: location.vault) : location.vault
    let named =
      ["restore-backup", "salvage"].contains(invocation.command)
      ? invocation.operands.map { (operand: String) -> String in
        let path = Invocation.absolute(operand)
        return FileSystem.parent(of: FileSystem.realPath(path) ?? path)
      } : []
    var folders = [vault, location.devices, location.runtime] + named
    // Of a folder whose rows alone are gone, also where a link leads to it.
    if makesVault, FileSystem.exists(location.vault) { folders.append(location.vault) }
    let secrets = [
      Options.passphraseFile, Options.recoveryFile, Options.newPassphraseFile,
      Options.backupPassphraseFile, Options.spaceCodeFile,
    ].compactMap { invocation.arguments[$0] }
    return Confinement.enter(
      [.files, .programs, .network],
      writing: folders.map(nearestFolder) + ["/dev/null", "/dev/tty"],
      reading: readable + secrets + objectsBeside(location.vault))
  }

  /// Where a backup's photos are, which it shares with those beside it.
  private static func objectsBeside(_ vault: String) -> [String] {
    guard let path = FileSystem.realPath(vault), FileSystem.exists(VaultFolder(path).contents)
    else { return [] }
    return [VaultFolder(FileSystem.parent(of: path)).objects]
  }

  /// Itself, or the one above it that is there already and in which it would be made.
  private static func nearestFolder(_ path: String) -> String {
    var path = path
    while path != "/", !FileSystem.exists(path) { path = FileSystem.parent(of: path) }
    return path
  }

  /// What reading the clock, names and randomness needs.
  private static let readable = [
    "/etc", "/usr/share/zoneinfo", "/proc/sys/kernel/random", "/dev/urandom",
    "/var/lib/dbus/machine-id",
  ]

  private static func facts(
    _ opened: OpenedDiary, _ confined: Confined, _ scoring: ScoringFacts? = nil
  ) -> Opened {
    Opened(
      session: SessionFacts(
        method: opened.method, remaining: opened.model.session?.remaining(at: opened.model.clock),
        confined),
      similarity: opened.similarity, threshold: opened.threshold, frames: opened.frames,
      scoring: scoring, notices: opened.keeper.takeNotices())
  }

  /// Where a keeper gets new secrets, and shows a code.
  private final class Desk: OwnerDesk {
    private let invocation: Invocation

    init(_ invocation: Invocation) { self.invocation = invocation }

    func newPassphrase() throws -> SecretBytes {
      try invocation.newPassphrase(
        orFrom: ["init", "sync"].contains(invocation.command) ? Options.passphraseFile : nil)
    }

    func secretNow() throws -> GivenSecret { try invocation.secretNow() }

    func backupPassphrase() throws -> SecretBytesBox? {
      try invocation.arguments[Options.backupPassphraseFile].map {
        SecretBytesBox(
          try SecretInput.normalized(try invocation.secret($0, .backupPassphrase)))
      }
    }

    func spaceCode() throws -> SecretBytesBox { try invocation.spaceCode() }

    func pairingCode() throws -> (code: SecretBytesBox, space: String) {
      try invocation.pairingCode()
    }

    func show(_ code: borrowing SecretBytes, before: String, after: String) throws {
      let text = unsafe code.withUnsafeBytes { unsafe Array($0) }
      try Output.write(Array(before.utf8) + text + Array(after.utf8), to: .standardOutput)
    }
  }
}
