package import Access
package import Authentication
internal import Client
internal import Dates
internal import DiaryVault
internal import Entries
internal import FaceMatching
package import Keeper
package import Platform
package import Requests
internal import SealedFiles
internal import Words

/// The process that holds the keys, serving requests until its time is over.
///
/// One thread, one `poll`: slow, broken, malformed or many clients wait their turn and can neither stop it nor
/// get at anything; no message returns the vault key. Work is done in slices, so that each has its turn soon; a
/// ``Watchdog`` ends it all on time.
@MainActor
package final class KeeperServer {
  /// Clients at once that may ask for anything.
  private static let clientLimit = 64
  /// Clients beyond those: heard when they say that the session is to end, and dropped when more come.
  private static let reserve = 8
  /// Bytes of large messages that all clients together may have on their way in.
  private static let inputLimit = 64 << 20
  /// Bytes that all clients together may leave unread; then the client with the most of them loses its connection.
  private static let outputLimit = 64 << 20
  /// How long one client's work goes on before the others have their turn.
  private static let sliceMilliseconds: Int64 = 25
  private static let indexMilliseconds: Int64 = 4
  /// Nanoseconds in which several changes are told of together.
  private static let tellingPause: Int64 = 30_000_000_000

  private let keeper: Keeper
  private let model: AuthenticationModel
  private let watchdog: Watchdog
  private var method: String
  private let confined: Confined
  private var isEnding = false
  /// Whether the search index may be behind; it is brought up to date when nobody asks for anything.
  private var indexIsDue = true
  private var indexing: IndexUpdate?
  /// Whether objects may be here that were moved while the diary was closed, and are not merged yet.
  private var mergingIsDue = true
  private var merging: (work: Reconciliation, lock: SpaceMirror.Lock)?
  /// When what was done here is told of, so that it can be sent while the diary is closed; nil where nothing was.
  private var tellingIsDue: Int64?
  /// Whether something was done since memory was last given back to the system; that waits for a second without work.
  private var holdsFreed = true
  private let listener: LocalListener?
  private var clients: [KeeperClient] = []
  /// The client whose work holds the vault's write lock; other writers wait for it.
  private var holder: KeeperClient?
  /// The client that started this keeper for itself alone; the keeper ends with this client.
  private let only: KeeperClient?

  /// - Parameters:
  ///   - listener: where a session's clients connect; nil for a keeper of one client.
  ///   - client: the process that started it.
  package init(
    _ keeper: Keeper, _ model: AuthenticationModel, _ watchdog: Watchdog, method: String,
    confined: Confined, listener: LocalListener?, client: LocalSocket?
  ) {
    self.keeper = keeper
    self.model = model
    self.watchdog = watchdog
    self.method = method
    self.confined = confined
    self.listener = listener
    // Of a session, too: it says that its owner has heard the notices.
    let starter = client.map { KeeperClient($0, isTrusted: true) }
    only = listener == nil ? starter : nil
    clients = starter.map { [$0] } ?? []
    watchdog.follow(model.session)
  }

  /// Makes the session's socket; another session of this diary is told to end first.
  ///
  /// - Throws: ``SessionError``, ``AuthenticationError``.
  package static func listen(for location: DiaryLocation) throws -> LocalListener {
    let socket = SessionSocket(location)
    let lock = try socket.lock()
    defer { withExtendedLifetime(lock) {} }
    _ = try? KeeperConnection.end(location)
    return try socket.listen()
  }

  /// Tells the process that started us that the diary is open, or why it is not.
  package static func tell(_ socket: LocalSocket, _ opened: Opened) throws {
    try socket.send(try Frame(.opened, encoding: opened).encoded)
  }

  package static func tell(_ socket: LocalSocket, _ error: any Error) throws {
    try socket.send(Frame(error).encoded)
  }

  /// Serves until the session ends, however it does.
  package func run() async {
    while isServing {
      await check()
      guard isServing else { break }
      var polls = [Poll.Entry(watchdog.attention.number)]
      polls += clients.map {
        Poll.Entry($0.socket.number, read: wantsToRead($0), write: $0.hasOutput)
      }
      if let listener { polls.append(Poll.Entry(listener.number)) }
      let isBusy = clients.contains { $0.canWork(canWrite: holder == nil) }
      let isIdle = !isBusy && isOpen && listener != nil && holder == nil
      let hasWork = isBusy || isIdle && (indexIsDue || mergingIsDue)
      // The watchdog calls when the time is over or the machine slept.
      let isQuiet = isOpen && clients.isEmpty && !holdsFreed && tellingIsDue == nil
      Poll.wait(&polls, milliseconds: hasWork ? 0 : isQuiet ? 5000 : 1000)
      if hasWork || polls.contains(where: \.isReady) {
        holdsFreed = true
      } else if holdsFreed {
        ThisProcess.returnFreedMemory()
        holdsFreed = false
      }
      if polls[0].isReady { _ = try? watchdog.attention.read(64) }
      await check()
      guard isServing else { break }
      if let listener, polls.last?.isReadable ?? false { accept(listener) }
      for (client, entry) in zip(clients, polls.dropFirst()) {
        if entry.isReady { client.transfer(reading: wantsToRead(client)) }
        if entry.isHungUp { client.isLeft() }
        await serve(client)
      }
      endThoseGone()
      if isIdle, let tellingIsDue, SystemClock.awake > tellingIsDue { tell() }
      if isIdle, mergingIsDue { merge() } else if isIdle, indexIsDue { index() }
    }
    (indexing, merging) = (nil, nil)
    if watchdog.reason == nil { tell() }
    // First stop accepting clients, then wipe the keys, then tell the clients.
    listener?.removeFile()
    holder = nil
    keeper.forgetWarm()
    for client in clients { client.abandon() }
    await model.lock()
    watchdog.stop()
    for client in clients { client.end() }
    clients = []
  }

  /// Builds a piece of the search index. If it cannot be written, searching is only slow; the next change
  /// tries again.
  private func index() {
    guard isOpen else { return }
    do {
      if indexing == nil { indexing = try IndexUpdate(try keeper.vault()) }
      if let indexing, try !indexing.step(Slice(milliseconds: Self.indexMilliseconds)) { return }
    } catch {}
    indexing = nil
    indexIsDue = false
  }

  /// Merges a piece of what was moved here while the diary was closed. What is wrong with it, the next `sync` says.
  private func merge() {
    guard isOpen, holder == nil else { return }
    do {
      if merging == nil {
        let vault = try keeper.vault()
        guard let lock = try spaceLock(vault) else {
          mergingIsDue = false
          return
        }
        merging = (Reconciliation(vault), lock)
      }
      guard try merging?.work.step(Slice(milliseconds: Self.sliceMilliseconds)) != nil else {
        return
      }
      indexIsDue = true
    } catch {}
    (merging, mergingIsDue) = (nil, false)
  }

  /// Tells the other devices of what was done here. What is wrong with it, the next `sync` says.
  private func tell() {
    guard isOpen, tellingIsDue != nil else { return }
    tellingIsDue = nil
    guard let vault = try? keeper.vault(), let lock = try? spaceLock(vault) else { return }
    withExtendedLifetime(lock) { try? Reconciliation(vault).tell(within: Slice(milliseconds: 300)) }
  }

  /// Keeps any sync out; nil where the diary shares nothing, or one is under way, which merges and tells by itself.
  private func spaceLock(_ vault: Vault) throws(VaultError) -> SpaceMirror.Lock? {
    try vault.space() == nil ? nil : SpaceMirror(VaultFolder(vault.path)).lockIfFree()
  }

  private func endThoseGone() {
    let now = SystemClock.sinceBoot / 1_000_000
    for client in clients where client.isStuck(at: now, isHolder: holder === client) {
      client.end()
    }
    for client in clients where client.isOver && holder === client { holder = nil }
    if let only, only.isOver { isEnding = true }
    clients.removeAll(where: \.isOver)
  }

  /// Ends clients that leave much unread, before there is more of it.
  private func boundUnread() {
    while clients.reduce(0, { $0 + ($1.isOver ? 0 : $1.unread) }) > Self.outputLimit,
      let greediest = clients.filter({ !$0.isOver }).max(by: { $0.unread < $1.unread })
    {
      greediest.end()
    }
  }

  private var isOpen: Bool { model.state == .authenticated }

  /// A warm diary is served while it is closed, too: a face may open it again.
  private var isServing: Bool { !isEnding && (isOpen || (keeper.isWarm && only == nil)) }

  private func wantsToRead(_ client: KeeperClient) -> Bool {
    guard client.wantsToRead else { return false }
    guard client.isLarge else { return true }
    return clients.reduce(0) { $0 + ($1 === client ? 0 : $1.held) } < Self.inputLimit
  }

  private func check() async {
    let wasOpen = isOpen
    if watchdog.reason == .terminated || keeper.isFolderReplaced { isEnding = true }
    await model.checkExpiry()
    if wasOpen, !isOpen {
      dropClients(but: nil)
      watchdog.follow(nil)
    }
    if !isOpen { keeper.checkWarm() }
  }

  /// Counts what a client asks for as use of the session.
  private func touch(for client: KeeperClient) {
    guard client.purpose.isUse else { return }
    model.touch()
    watchdog.follow(model.session)
  }

  /// Ends the work of the other clients, because the diary is closing.
  private func dropClients(but one: KeeperClient?) {
    holder = nil
    (indexing, merging) = (nil, nil)
    for client in clients where client !== one { client.end() }
    clients.removeAll(where: \.isOver)
  }

  private func accept(_ listener: LocalListener) {
    guard let socket = listener.accept(), socket.peer?.user == ThisProcess.user else { return }
    let extra = clients.filter { !$0.hasPlace }
    if extra.count >= Self.reserve { extra.first?.end() }
    let hasPlace = clients.count - extra.count < Self.clientLimit
    if !hasPlace { makePlace() }
    clients.append(KeeperClient(socket, hasPlace: hasPlace))
  }

  /// For the next one who comes, ends the client that has been idle for longest, if that is half a minute.
  private func makePlace() {
    let now = SystemClock.sinceBoot / 1_000_000
    let idle = clients.filter(\.hasPlace).compactMap { client in
      client.idle(at: now).map { (client, $0) }
    }
    if let longest = idle.max(by: { $0.1 < $1.1 }), longest.1 > 30_000 { return longest.0.end() }
    // Who waits for news waits for ever.
    let watching = clients.filter { $0.hasPlace && $0.isWatching }
    if watching.count > Self.clientLimit / 2 { watching.first?.end() }
  }

  /// Does one piece of a client's work.
  private func serve(_ client: KeeperClient) async {
    guard isServing else { return }
    do {
      // A few at a time: the others, the clock and signals want their turn.
      for _ in 0..<16 where !client.isOver {
        let canWrite = holder == nil || holder === client
        guard let message = try client.nextMessage(canWrite: canWrite) else { break }
        try await handle(message, for: client)
        // The time this message took does not count as idle time of the client.
        client.moved()
        guard isServing else { return }
      }
      try work(for: client)
    } catch let error as VaultError {
      finish(client, Frame(error))
    } catch {
      client.end()
    }
  }

  private func work(for client: KeeperClient) throws {
    boundUnread()
    guard isOpen, !client.isOver, let running = client.running, client.hasRoom else { return }
    if running.access.changes, holder != nil, holder !== client { return client.moved() }
    // Work does not count as idle time; the session's life bounds it.
    if model.session?.end(at: model.clock) == nil { touch(for: client) }
    switch try running.step(Slice(milliseconds: Self.sliceMilliseconds)) {
    case .needsItems: client.waitsForItems = true
    case .entries(let entries): client.send(Frame(entries))
    case .paused: client.moved()
    case .answer(let answer):
      if running.access.changes, client.purpose.isUse {
        let notices = try keeper.takeNotices()
        if !notices.isEmpty {
          client.send(try Frame(.question, encoding: OwnerQuestion.notices(notices)))
          client.wasTold = true
        }
      }
      finish(client, Frame(.answer, answer))
    }
  }

  private func finish(_ client: KeeperClient, _ frame: Frame) {
    client.send(frame)
    if let running = client.running, running.access.changes {
      (indexIsDue, indexing) = (true, nil)
      tellingIsDue = running.tells ? nil : SystemClock.awake + Self.tellingPause
      tellWatchers(of: client)
    }
    client.running = nil
    client.waitsForItems = false
    if holder === client { holder = nil }
  }

  /// Tells those who watch that something was changed; one that has not read what it was told before is told nothing more. Nor does a
  /// process that moves and merges by itself hear of its own changes: it would go on for ever.
  private func tellWatchers(of one: KeeperClient) {
    let own = one.purpose == .attending ? one.socket.peer?.process : nil
    for client in clients where client.purpose == .watching && !client.hasOutput {
      if own == nil || client.socket.peer?.process != own { client.send(Frame(.changed)) }
    }
  }

  private func handle(_ message: KeeperClient.Message, for client: KeeperClient) async throws {
    switch message {
    case .request(let asked as ObjectKey) where client.running != nil && isOpen:
      // Between the items of an import: sealing a file counts as use.
      await check()
      guard isOpen, isServing, !client.isOver, client.running != nil else { return client.end() }
      touch(for: client)
      do {
        let key = try keeper.vault().objectKey(of: asked.digest)
        client.send(try Frame(.answer, encoding: key))
      } catch {
        // It ends the import, and is the answer to this as well.
        finish(client, Frame(error))
        client.send(Frame(error))
      }
    case .request(let request):
      guard client.running == nil else { return client.end() }
      await check()
      guard isOpen, isServing, !client.isOver else { return client.end() }
      touch(for: client)
      client.running = try RunningRequest(request, on: try keeper.vault())
      if client.running?.access == .holds { holder = client }
    case .frame(let frame): try await handle(frame, for: client)
    }
  }

  private func handle(_ frame: Frame, for client: KeeperClient) async throws {
    switch frame.kind {
    case .hello:
      // A client of another version is told so.
      client.greet(frame.payload)
      client.send(
        Frame(.hello, [Frame.version, !client.hasPlace ? Frame.noPlace : isOpen ? 1 : 0]))
    case .end: isEnding = true
    case .heard where client.wasTold: try keeper.noticesWereTold()
    case .askSession where client.isGreeted:
      client.send(try Frame(.answer, encoding: facts))
    case .lock where client.isGreeted:
      // The socket first, so that a client that is told "closed" can open a new session at once.
      if !keeper.isWarm { listener?.removeFile() }
      dropClients(but: client)
      client.abandon()
      tell()
      await model.lock()
      watchdog.follow(nil)
      client.send(try Frame(.answer, encoding: Done()))
    case .showFace where client.isGreeted && !isOpen:
      client.send(
        try await show(
          try Wire.decode(ShownFace.self, from: frame.payload, limit: Wire.requestLimit)))
    case .items where client.running != nil:
      // Sealing a long file counts as use.
      touch(for: client)
      try client.running?.take(try frame.items())
    case .endOfItems where client.running != nil:
      client.running?.endItems()
      client.waitsForItems = false
    case .items where client.isGreeted, .endOfItems where client.isGreeted:
      // The rest of an import that was refused: its answer is on the way.
      break
    default: client.end()
    }
  }

  /// Judges a face for the closed, warm diary.
  private func show(_ face: ShownFace) async throws -> Frame {
    do {
      model.limits = SessionLimits(asking: face.idle, face.life)
      switch try await model.authenticate(try face.probe()) {
      case .accepted(let similarity, let threshold):
        method = "face"
        mergingIsDue = true
        watchdog.follow(model.session)
        return try Frame(
          .answer,
          encoding: FaceAnswer.recognised(similarity: similarity, threshold: threshold, facts))
      case .refused(let left):
        return try Frame(.answer, encoding: FaceAnswer.refused(attemptsLeft: left))
      }
    } catch let error as AuthenticationError {
      return Frame(error)
    } catch let error as VectorError {
      return Frame(error)
    }
  }

  private var facts: SessionFacts {
    SessionFacts(method: method, remaining: model.session?.remaining(at: model.clock), confined)
  }
}

extension SessionFacts {
  package init(
    method: String, remaining: (life: Duration, idle: Duration)?, _ confined: Confined
  ) {
    self.init(
      method: method, life: Int(remaining?.life.components.seconds ?? 0),
      idle: Int(remaining?.idle.components.seconds ?? 0), tried: confined.tried.names,
      confined: confined.found.names)
  }
}
