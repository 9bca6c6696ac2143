internal import Authentication
internal import DiaryVault
package import Platform
internal import Sealing

/// The session agent: the process that authenticated, serving operations until its time is over.
///
/// One thread, one `poll`: clients that are slow, half, malformed or many wait their turn and can
/// neither stop it nor get at anything; no message returns a key.
@MainActor
package final class AgentServer {
  /// Clients at once; more wait in the socket's queue.
  private static let clientLimit = 64

  private let diary: Diary
  private let model: AuthenticationModel
  private var method: String
  private var isEnding = false
  private let socket: SessionSocket
  private let listener: LocalListener
  private var clients: [AgentConnection] = []
  /// The client whose import holds the vault; other writers wait for it.
  private var importer: AgentConnection?

  /// Listens for commands; another session of this diary is told to end first.
  ///
  /// - Throws: ``SessionError``, ``AuthenticationError``.
  package init(diary: Diary, model: AuthenticationModel, method: String) throws {
    self.diary = diary
    self.model = model
    self.method = method
    socket = SessionSocket(diary.location)
    let lock = try socket.lock()
    try? AgentClient.end(diary.location)
    listener = try socket.listen()
    withExtendedLifetime(lock) {}
  }

  /// Serves until the session ends, however it does.
  ///
  /// - Parameter stop: a descriptor that becomes readable when a signal asks for the end.
  package func run(until stop: Descriptor) async {
    while isServing {
      await check()
      guard isServing else { break }
      var polls = [
        Poll.Entry(stop.number),
        Poll.Entry(listener.number, read: clients.count < Self.clientLimit),
      ]
      polls += clients.map {
        Poll.Entry($0.socket.number, read: $0.wantsToRead, write: $0.hasOutput)
      }
      // A second at most: a suspend must be noticed soon after waking.
      Poll.wait(
        &polls,
        milliseconds: clients.contains { $0.canWork(canWrite: importer == nil) } ? 0 : 1000)
      await check()
      guard isServing else { break }
      if polls[0].isReady { break }
      if polls[1].isReadable { accept() }
      for (client, entry) in zip(clients, polls.dropFirst(2)) {
        if entry.isReady { client.transfer() }
        await serve(client)
      }
      let now = SystemClock.sinceBoot / 1_000_000
      for client in clients where client.isStuck(at: now, isImporter: importer === client) {
        client.end()
      }
      for client in clients where client.isOver && importer === client { importer = nil }
      clients.removeAll(where: \.isOver)
    }
    // First nobody can come in, then the keys go, then the clients learn of it.
    listener.removeFile()
    importer = nil
    diary.forgetWarm()
    await model.lock()
    for client in clients { client.end() }
    clients = []
  }

  private var isOpen: Bool { model.state == .authenticated }

  /// A warm diary is served while it is closed, too: a face may open it again.
  private var isServing: Bool { !isEnding && (isOpen || diary.isWarm) }

  private func check() async {
    let wasOpen = isOpen
    await model.checkExpiry()
    if wasOpen, !isOpen { dropClients(but: nil) }
    if !isOpen { diary.checkWarm() }
  }

  /// What others were doing in the diary ends with its being open.
  private func dropClients(but one: AgentConnection?) {
    importer = nil
    for client in clients where client !== one { client.end() }
    clients.removeAll(where: \.isOver)
  }

  private func accept() {
    guard let socket = listener.accept(), socket.peer?.user == ThisProcess.user else { return }
    clients.append(AgentConnection(socket))
  }

  /// Does one piece of a client's work.
  private func serve(_ client: AgentConnection) async {
    guard isServing else { return }
    do {
      // A few at a time: the others, the clock and signals want their turn.
      for _ in 0..<16 where !client.isOver {
        let canWrite = importer == nil || importer === client
        guard let message = try client.nextMessage(canWrite: canWrite) else { break }
        try await handle(message, for: client)
        // Time we took is not time the client wasted.
        client.moved()
        guard isServing else { return }
      }
      guard let running = client.running, client.hasRoom else { return }
      if running.writesLater, importer != nil, importer !== client { return client.moved() }
      switch try running.next() {
      case .needsItems: client.waitsForItems = true
      case .entries(let entries): client.send(Frame(entries))
      case .piece(let bytes):
        model.touch()
        client.send(Frame(.piece, bytes))
      case .reply(let reply): finish(client, try Frame(reply))
      }
    } catch let error as VaultError {
      if let frame = try? Frame(error) { finish(client, frame) } else { client.end() }
    } catch {
      client.end()
    }
  }

  private func finish(_ client: AgentConnection, _ frame: Frame) {
    client.send(frame)
    client.running = nil
    client.waitsForItems = false
    if importer === client { importer = nil }
  }

  private func handle(
    _ message: AgentConnection.Message, for client: AgentConnection
  ) async throws {
    switch message {
    case .operation(let operation):
      guard client.isGreeted, client.running == nil else { return client.end() }
      await check()
      guard isServing, !client.isOver else { return client.end() }
      if operation.isActivity { model.touch() }
      try await begin(operation, for: client)
    case .frame(let frame):
      switch frame.kind {
      case .hello:
        // Who speaks another version learns of it, and can only tell us to end.
        client.isGreeted = frame.payload == [Frame.version]
        client.send(Frame(.hello, [Frame.version, isOpen ? 1 : 0]))
      case .end: isEnding = true
      case .items where client.running != nil:
        // A long file is somebody at work.
        model.touch()
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
  }

  private func begin(_ operation: Operation, for client: AgentConnection) async throws {
    switch operation {
    case .session: client.send(try Frame(Reply.session(facts)))
    case .lock:
      // The socket first, so that who is told "closed" can open a new session at once.
      if !diary.isWarm { listener.removeFile() }
      await model.lock()
      client.send(try Frame(Reply.done))
      dropClients(but: client)
    case .showFace(let face) where !isOpen: client.send(try Frame(try await show(face)))
    case _ where !isOpen: client.end()
    case .importEntries:
      client.running = try RunningOperation(operation, on: try diary.vault())
      importer = client
    default: client.running = try RunningOperation(operation, on: try diary.vault())
    }
  }

  /// Judges a face for the closed, warm diary.
  private func show(_ face: ShownFace) async throws -> Reply {
    do {
      switch try await model.authenticate(try face.probe()) {
      case .accepted(let similarity, let threshold):
        method = "face"
        let policy = try diary.policy()
        model.limitSession(
          (face.limits ?? SessionLimits(idle: .seconds(policy.idle))).within(.seconds(policy.life)))
        return .recognised(similarity: similarity, threshold: threshold, facts)
      case .refused(let left): return .refused(attemptsLeft: left)
      }
    } catch let error as AuthenticationError {
      return .notNow(error)
    } catch let error as VectorError {
      throw VaultError(.invalid, error.source, "a vector that fits those enrolled")
    }
  }

  private var facts: SessionFacts {
    let left = model.session?.remaining(at: model.clock)
    return SessionFacts(
      method: method, life: Int(left?.life.components.seconds ?? 0),
      idle: Int(left?.idle.components.seconds ?? 0))
  }
}
