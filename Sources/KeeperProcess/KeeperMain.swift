internal import Access
package import Authentication
internal import Client
internal import Dates
internal import Keeper
internal import Platform
internal import Requests
internal import SealedFiles
internal import Words

/// The process that holds the keys: a child of the command, which asks for the secret or looks at the face itself,
/// opens the diary, gives up what it does not need, and serves.
@MainActor
package enum KeeperMain {
  /// - Parameters:
  ///   - number: the socket to the process that started it, which first sends what the keeper is for.
  ///   - clock: what bounds a session.
  package static func run(
    _ number: Int32, clock: any SessionClock = SystemSessionClock()
  ) async -> Int32 {
    // What a shell gave us, for a path like /dev/fd/63, is not held for as long as a session lasts.
    let given = ThisProcess.givenDescriptors().filter { $0 != number }
    let socket = StartedKeeper.inherited(number)
    // The client's end is ours, even while we wait for a person; a session detaches from it.
    if let parent = socket.peer?.process.id { ThisProcess.endWithParent(parent) }
    // A client may be suspended; what holds a key goes on, and ends on time.
    Signals.ignoreSuspend()
    do {
      // What comes behind the task in the same piece is the first request.
      var buffer = FrameBuffer()
      let task = try task(from: socket, &buffer)
      if task.purpose != .single, task.purpose != .session {
        ThisProcess.closeDescriptors(given.filter { !task.secrets.descriptors.contains($0) })
      }
      if task.purpose.mayHoldKey { Locking.nameThisProcess(task.location) }
      switch task.purpose {
      case .custody: try await serveCustody(task, clock, socket, buffer)
      case .look, .copy: await serveWithoutKey(task, socket, buffer)
      case .owner: try await serveOwner(task, clock, socket, buffer)
      case .newcomer: try await serveNewcomer(task, clock, socket, buffer)
      case .single, .session: try await serve(task, clock, socket, given)
      }
      return 0
    } catch {
      // The client reports the error.
      try? KeeperServer.tell(socket, error)
      return 1
    }
  }

  private static func task(
    from socket: LocalSocket, _ buffer: inout FrameBuffer
  ) throws -> KeeperTask {
    while true {
      if let frame = try buffer.next() {
        guard frame.kind == .task else { throw SessionError.foreign }
        return try frame.decoded(KeeperTask.self)
      }
      guard let bytes = try socket.receive() else { continue }
      guard !bytes.isEmpty else { throw SessionError.gone }
      buffer.append(bytes[...])
    }
  }

  /// Makes, salvages or revives a diary, or accepts an older copy: bound by the times of the policy that this device knows, or of the
  /// usual one. Progress is activity.
  private static func serveCustody(
    _ task: KeeperTask, _ clock: any SessionClock, _ socket: LocalSocket, _ buffer: FrameBuffer
  ) async throws {
    // A signal ends this process at once, and puts right what was begun.
    let silence = try Descriptor.pipe()
    Signals.ignoreBackground()
    let opening = Opening(task)
    opening.keeper.keepChip(evenUnused: has(Keeper.chipNote, task.location))
    try ignoringChip { try opening.unlockChip(ifPossible: true) }
    let policy = (try? opening.keeper.policy()) ?? AccessPolicy()
    var session = Session(policy.session, clock: clock)
    // A program that keeps the device key, or asks in a window, needs all that we would give up.
    if task.pinentry == nil, !has(HelperDeviceKeyStore.fileName, task.location) {
      _ = confineOwner(task)
    }
    try opening.keeper.takePresence()
    let watchdog = try Watchdog(signals: silence.read, clock: clock, cleanup: {})
    watchdog.follow(session)
    await OwnerServer(
      opening.keeper, opening.desk, given: nil, socket: socket, buffer, for: task.purpose
    ) {
      session.touch(clock)
      watchdog.follow(session)
    }.run()
    watchdog.stop()
    withExtendedLifetime(silence.write) {}
  }

  /// Looks at a closed diary, or copies its sealed files, for as long as the client is there: no key of the vault is here
  /// that a clock would have to end.
  private static func serveWithoutKey(
    _ task: KeeperTask, _ socket: LocalSocket, _ buffer: FrameBuffer
  ) async {
    let location = task.location
    let opening = Opening(task)
    if task.purpose != .copy, has(Keeper.chipNote, location) {
      opening.keeper.keepChip(evenUnused: true)
    }
    if task.purpose == .copy || !has(HelperDeviceKeyStore.fileName, location) {
      let named = task.folders.compactMap { FileSystem.realPath($0) }
      _ = Confinement.enter(
        [.files, .programs, .network],
        writing: ([location.vault, location.devices] + named).filter { FileSystem.exists($0) }
          + ["/dev/null"],
        reading: readable + objectsBeside(location.vault))
    }
    await OwnerServer(
      opening.keeper, opening.desk, given: nil, socket: socket, buffer, for: task.purpose,
      touch: {}
    ).run()
  }

  /// Whether a device store here has such a note: of a program that keeps its key, which needs all that a keeper would give up, or
  /// of a chip. Told without opening any vault.
  private static func has(_ note: String, _ location: DiaryLocation) -> Bool {
    DeviceDirectory(location.devices).names().contains {
      FileSystem.exists(location.devices + "/" + $0 + "/" + note)
    }
  }

  private static func serveOwner(
    _ task: KeeperTask, _ clock: any SessionClock, _ socket: LocalSocket, _ buffer: FrameBuffer
  ) async throws {
    let opening = Opening(task, clock)
    let opened = try await opening.openByOwner()
    Signals.ignoreBackground()
    _ = opened.keeper.beginSession()
    opened.keeper.keepChip(evenUnused: task.usesChip)
    // A program that keeps the device key, or asks in a window, needs all that we would give up.
    let startsHelper = try task.startsHelper || opened.keeper.asksProgram() || task.pinentry != nil
    let signals = try Signals.redirectToPipe()
    // Before the watchdog's thread begins: files are given up by a thread and those it starts.
    let confined = startsHelper ? Confined.nothing : confineOwner(task)
    let watchdog = try Watchdog(signals: signals, clock: clock, cleanup: {})
    try await serve(owner: opened, opening, task, socket, buffer, watchdog, confined)
  }

  /// Makes a diary, and opens it by the passphrase that was just chosen for it.
  private static func serveNewcomer(
    _ task: KeeperTask, _ clock: any SessionClock, _ socket: LocalSocket, _ buffer: FrameBuffer
  ) async throws {
    let opening = Opening(task, clock)
    Signals.ignoreBackground()
    let signals = try Signals.redirectToPipe()
    let confined = task.pinentry != nil ? Confined.nothing : confineOwner(task)
    let watchdog = try Watchdog(signals: signals, clock: clock, cleanup: {})
    var session = Session(AccessPolicy().session, clock: clock)
    watchdog.follow(session)
    try opening.desk.readCode()
    let maker = OwnerServer(
      opening.keeper, opening.desk, given: nil, socket: socket, buffer, for: .custody
    ) {
      session.touch(clock)
      watchdog.follow(session)
    }
    guard await maker.serveOne() == true else { return watchdog.stop() }
    let opened = try await opening.openByOwner()
    _ = opened.keeper.beginSession()
    try await serve(owner: opened, opening, task, socket, maker.buffer, watchdog, confined)
  }

  /// Serves the owner's requests of a diary that is open.
  private static func serve(
    owner opened: OpenedDiary, _ opening: Opening, _ task: KeeperTask, _ socket: LocalSocket,
    _ buffer: FrameBuffer, _ watchdog: Watchdog, _ confined: Confined
  ) async throws {
    watchdog.follow(opened.model.session)
    try KeeperServer.tell(socket, facts(opened, confined))
    await OwnerServer(
      opened.keeper, opening.desk, given: opened.given, socket: socket, buffer,
      for: task.purpose
    ) {
      opened.model.touch()
      watchdog.follow(opened.model.session)
    }.run()
    await opened.model.logout()
    watchdog.stop()
  }

  private static func serve(
    _ task: KeeperTask, _ clock: any SessionClock, _ socket: LocalSocket, _ given: [Int32]
  ) async throws {
    let opened = try await Opening(task, clock).open()
    ThisProcess.closeDescriptors(given)
    let isSession = task.purpose == .session
    // Before it gives files up: how faces are scored stands in one. And before it forgets a PIN, kept warm.
    let scoring = opened.similarity == nil ? nil : try opened.keeper.scoring()
    if isSession, opened.method != "face" { try opened.keeper.keepWarm() }
    let location = task.location
    let listener = isSession ? try KeeperServer.listen(for: location) : nil
    let signals = try Signals.redirectToPipe()
    if isSession {
      ThisProcess.detach()
    } else {
      ThisProcess.releaseStandardStreams()
    }
    let isCounted = isSession && opened.keeper.beginSession()
    // A session that stays ready for a face asks the chip again; what comes for one command alone counts with its first change.
    if !isCounted || opened.keeper.isWarm && opened.keeper.isChipShared {
      opened.keeper.keepChip()
    }
    let confined = try confine(opened.keeper, location)
    let watchdog = try Watchdog(signals: signals, clock: clock) { listener?.removeFile() }
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
    // A program that keeps the device key, or a software TPM that serves one connection at a time, is asked again when a face
    // opens a warm diary, and that needs all of this.
    let wanted: Confinement =
      try keeper.isWarm && (keeper.asksProgram() || !keeper.isChipShared)
      ? [] : [.files, .programs, .network]
    return Confinement.enter(
      wanted,
      writing: [location.vault, location.devices, location.runtime]
        .filter { FileSystem.exists($0) } + ["/dev/null"],
      reading: readable + objectsBeside(location.vault))
  }

  /// The same of a keeper for the owner's requests, which may still ask at the terminal, read the secrets that options
  /// name, and work on a backup or a new vault in the folders of its task.
  private static func confineOwner(_ task: KeeperTask) -> Confined {
    let location = task.location
    // A vault is made, or put in the place of one that is gone, beside it, and renamed then.
    let makesVault = task.purpose == .custody || task.purpose == .newcomer
    let vault = makesVault ? FileSystem.parent(of: location.vault) : location.vault
    // They are made now: a folder that were made later would need all that is above it to be written.
    for own in [location.devices, location.runtime] + (makesVault ? [vault] : []) {
      try? FileSystem.makeDirectories(own)
    }
    var folders = [vault, location.devices, location.runtime] + task.folders
    // Of a folder whose rows alone are gone, also where a link leads to it.
    if makesVault, FileSystem.exists(location.vault) { folders.append(location.vault) }
    return Confinement.enter(
      [.files, .programs, .network],
      writing: folders.filter { FileSystem.exists($0) } + ["/dev/null", "/dev/tty"],
      reading: readable + task.secrets.files + objectsBeside(location.vault))
  }

  /// Where a backup's photos are, which it shares with those beside it.
  private static func objectsBeside(_ vault: String) -> [String] {
    guard let path = FileSystem.realPath(vault), FileSystem.exists(VaultFolder(path).contents)
    else { return [] }
    return [VaultFolder(FileSystem.parent(of: path)).objects]
  }

  /// What reading the clock, names and randomness needs.
  private static let readable = [
    "/etc", "/usr/share/zoneinfo", "/proc/sys/kernel/random", "/dev/urandom",
    "/var/lib/dbus/machine-id",
  ]

  private static func facts(
    _ opened: OpenedDiary, _ confined: Confined, _ scoring: ScoringFacts? = nil
  ) throws -> Opened {
    Opened(
      session: SessionFacts(
        method: opened.method, remaining: opened.model.session?.remaining(at: opened.model.clock),
        confined),
      similarity: opened.similarity, threshold: opened.threshold, frames: opened.frames,
      scoring: scoring, notices: try opened.keeper.takeNotices())
  }
}
