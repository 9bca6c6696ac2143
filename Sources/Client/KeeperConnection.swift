package import Access
internal import Bytes
package import Entries
package import Platform
package import Requests
package import SealedFiles

/// A client's end: sends requests to the process that holds the keys.
package final class KeeperConnection: DiaryConnection {
  private let socket: LocalSocket
  private let location: DiaryLocation
  private var buffer = FrameBuffer()
  private var lastSend: Int64 = 0
  /// Whether an answer is still to come. What is asked after one that never came, or was not understood, would get the answer to something else.
  private var isOwed = false
  /// Whether the items of an import are being sent.
  private var isSendingItems = false
  private var store: ObjectStore?
  /// When the whole conversation has to be over, where it has a limit.
  private var deadline: Int64?
  /// Seconds for each answer while there is a limit.
  private var patience = 5
  /// Called with what the owner should know of what was done.
  package var heed: (([DiaryNotice]) -> Void)?

  /// Connects to the session of a diary, nil when there is none.
  ///
  /// - Parameters:
  ///   - waitingForFace: to one that is closed and opens again for a face; else to one that is open.
  ///   - client: what it is for.
  ///   - patience: seconds for each answer, and three times as many in all; nil for the usual times.
  ///   - end: when all answers have to be there, in nanoseconds of ``SystemClock/awake``.
  package convenience init?(
    session location: DiaryLocation, waitingForFace: Bool = false,
    as client: Frame.Client = .acting, patience: Int? = nil, until end: Int64? = nil
  ) throws {
    guard let socket = try SessionSocket(location).connect(patience: end == nil ? 2 : 1) else {
      return nil
    }
    try self.init(
      connected: socket, to: location, waitingForFace: waitingForFace, as: client,
      patience: patience, until: end)
  }

  /// By a socket that somebody else has connected: ``SessionSocket/connect()``.
  package init?(
    connected socket: LocalSocket, to location: DiaryLocation, waitingForFace: Bool = false,
    as client: Frame.Client = .acting, patience: Int? = nil, until end: Int64? = nil
  ) throws {
    self.socket = socket
    self.location = location
    // A working keeper greets at once; later requests may take longer.
    deadline = end ?? SystemClock.awake + Int64(patience ?? 5) * 3_000_000_000
    self.patience = patience ?? 5
    socket.setPatience(seconds: self.patience)
    do {
      guard try greet(client) != waitingForFace else { return nil }
      if patience == nil { deadline = nil }
      // Longer than the keeper waits for a client that holds up the others.
      socket.setPatience(seconds: patience ?? 150)
    } catch SessionError.gone {
      // The socket was there, but its session ended while we connected.
      return nil
    }
  }

  /// To a keeper that we started ourselves.
  package init(started socket: LocalSocket, of location: DiaryLocation) {
    self.socket = socket
    self.location = location
  }

  /// Waits until the keeper we started has opened the diary.
  ///
  /// - Throws: why it could not; ``SessionError`` `gone` when it died.
  package func waitUntilOpened() throws -> Opened {
    let frame = try receive()
    switch frame.kind {
    case .opened: return try frame.decoded(Opened.self)
    case .failure: throw try frame.decoded(KeeperError.self).thrown
    default: throw SessionError.foreign
    }
  }

  /// Tells the session of a diary to end, warm or not.
  ///
  /// - Returns: whether there was one.
  @discardableResult
  package static func end(_ location: DiaryLocation) throws -> Bool {
    guard let socket = try SessionSocket(location).connect() else { return false }
    try end(socket)
    return true
  }

  /// Tells every session of this user that has a socket here to end.
  ///
  /// - Throws: ``SessionError`` `silent` when one did not, after all were told.
  static func endAll(runtime: String) throws {
    let deadline = SystemClock.awake + 10_000_000_000
    var isSilent = false
    for listener in SessionSocket.all(runtime: runtime) {
      guard SystemClock.awake < deadline else { throw SessionError.silent }
      do { try listener.connect().map(end) } catch SessionError.silent { isSilent = true } catch {
        // A socket that is not ours cannot be told to end.
      }
    }
    if isSilent { throw SessionError.silent }
  }

  private static func end(_ socket: LocalSocket) throws {
    let deadline = SystemClock.awake + 5_000_000_000
    socket.setPatience(seconds: 5)
    guard (try? socket.send(Frame(.end).encoded)) != nil else { return }
    // Its end of the socket closes when the keys are wiped.
    while true {
      let bytes: [UInt8]?
      do throws(PlatformError) { bytes = try socket.receive() } catch { return }
      guard let bytes, SystemClock.awake < deadline else { throw SessionError.silent }
      if bytes.isEmpty { return }
    }
  }

  /// Whether the diary is open.
  private func greet(_ client: Frame.Client) throws -> Bool {
    let what = client == .acting ? [] : [client.rawValue]
    try send(Frame(.hello, [Frame.version] + what))
    let answer: Frame
    // What is no message is not our session's, and says nothing of the diary.
    do { answer = try receive() } catch is SealingError { throw SessionError.foreign }
    guard answer.kind == .hello, answer.payload.first == Frame.version, answer.payload.count == 2
    else {
      // Of another version: nothing it says can be understood, but every version knows how to end.
      try? send(Frame(.end))
      throw SessionError.outdated
    }
    if answer.payload[1] == Frame.noPlace { throw SessionError.full }
    return answer.payload[1] == 1
  }

  /// What the keeper had for the owner was said: it need not be said again.
  package func heard() { try? send(Frame(.heard)) }

  /// Who is at the other end, as the kernel knows it.
  package var process: OtherProcess? { socket.peer?.process }

  // MARK: The session

  package func session() throws -> SessionFacts { try ask(Frame(.askSession)) }

  package func lock() throws { let _: Done = try ask(Frame(.lock)) }

  package func show(_ face: ShownFace) throws -> FaceAnswer {
    try ask(try Frame(.showFace, encoding: face))
  }

  private func ask<Answer: Decodable>(_ frame: Frame) throws -> Answer {
    try begin(frame)
    let answer = try receive()
    switch answer.kind {
    case .answer: return ended(try answer.decoded(Answer.self))
    case .failure: throw ended(try answer.decoded(KeeperError.self).thrown)
    default: throw SessionError.foreign
    }
  }

  /// Asks for something, unless an answer is still to come.
  private func begin(_ frame: Frame) throws {
    guard !isOwed else {
      socket.shutDown()
      throw SessionError.gone
    }
    isOwed = true
    try send(frame)
  }

  /// The answer has come, whole.
  private func ended<Answer>(_ answer: Answer) -> Answer {
    isOwed = false
    return answer
  }

  /// Opens every record there, while `other` looks at the database as a file.
  ///
  /// - Parameter other: a keeper that opens nothing.
  package func verify(beside other: KeeperConnection) throws -> VerifyReport {
    var database: Result<[String], any Error>?
    let beside = Lane()
    beside.start { database = Result { try other.run(CheckDatabase()) } }
    var report = VerifyReport()
    do { report = try run(VerifyVault()) } catch {
      beside.wait()
      throw error
    }
    beside.wait()
    report.note(try database!.get())
    return report
  }

  // MARK: Requests

  package func run<R: Request>(
    _ request: R, items: () throws -> ImportItem?, entry: (Entry) throws -> Void
  ) throws -> R.Answer {
    try run(request, items: items, entry: entry, progress: { _, _ in }, answer: { _ in .no })
  }

  /// Runs an owner's request; `answer` says what the keeper asks in between.
  package func run<R: Request>(
    _ request: R, progress: (Int, Int) -> Void = { _, _ in },
    answer: (OwnerQuestion) throws -> OwnerReply
  ) throws -> R.Answer {
    try run(
      request, items: { nil }, entry: { _ in }, progress: progress, answer: answer)
  }

  private func run<R: Request>(
    _ request: R, items: () throws -> ImportItem?, entry: (Entry) throws -> Void,
    progress: (Int, Int) -> Void, answer: (OwnerQuestion) throws -> OwnerReply
  ) throws -> R.Answer {
    let hasItems = R.kind == .importEntries
    switch R.access {
    // No time limit: people need time to answer, and so does work on a whole vault.
    case .closed, .owner: socket.setPatience(seconds: 0)
    // Nor is it known how long this import waits for another one.
    case .holds where hasItems: socket.setPatience(seconds: 0)
    case .reads, .writes, .holds: break
    }
    try begin(try Frame(request))
    if hasItems {
      isSendingItems = true
      defer { isSendingItems = false }
      try sendItems(items)
    }
    while true {
      let frame = try receive()
      switch frame.kind {
      case .entries: for each in try frame.entries() { try entry(each) }
      case .question:
        if let reply = try reply(to: try frame.decoded(OwnerQuestion.self), progress, answer) {
          try send(try Frame(.reply, encoding: reply))
        }
      case .answer: return ended(try frame.decoded(R.Answer.self))
      case .failure: throw ended(try frame.decoded(KeeperError.self).thrown)
      default: throw SessionError.foreign
      }
    }
  }

  /// The answer to a keeper's question; nil for what it only tells.
  private func reply(
    to question: OwnerQuestion, _ progress: (Int, Int) -> Void,
    _ answer: (OwnerQuestion) throws -> OwnerReply
  ) throws -> OwnerReply? {
    switch question {
    case .progress(let done, let total): progress(done, total)
    case .notices(let notices):
      guard let heed else { break }
      heed(notices)
      heard()
    case .endSession:
      try Self.end(location)
      return .yes
    default: return try answer(question)
    }
    return nil
  }

  /// Imports: files among the items are sealed here, beside the rows, and only their names go to the keeper.
  package func importing(
    _ request: ImportEntries, items: () throws -> ImportItem?
  ) throws -> ImportCounts {
    let sealer = ImportSealer(objectStore(isDry: request.isDryRun))
    return try run(request, items: { try sealer.next { try awake(items) } })
  }

  /// Tells the keeper that somebody is at work while a long file is sealed.
  private func awake(_ items: () throws -> ImportItem?) throws -> ImportItem? {
    if SystemClock.awake - lastSend > 1_000_000_000 { try? send(Frame([ImportItem]())) }
    return try items()
  }

  /// Seals files for this diary. They are kept for entries to take while this connection exists.
  package func objectStore(isDry: Bool = false) -> ObjectStore {
    if !isDry, let store { return store }
    let made = ObjectStore(VaultFolder(location.vault), isDry: isDry) { [unowned self] digest in
      try objectKey(of: digest)
    }
    if !isDry { store = made }
    return made
  }

  /// Asked between the items of an import, too.
  private func objectKey(of digest: [UInt8]) throws -> [UInt8] {
    guard isSendingItems else { return try ask(try Frame(ObjectKey(digest))) }
    try send(try Frame(ObjectKey(digest)))
    let frame = try receive()
    if frame.kind == .answer { return try frame.decoded(ObjectKey.Answer.self) }
    guard frame.kind == .failure else { throw SessionError.foreign }
    // An import that was refused meanwhile says why; what was asked is answered behind it.
    _ = try receive()
    throw ended(try frame.decoded(KeeperError.self).thrown)
  }

  /// An attachment's bytes.
  package func read(
    _ name: String, of entry: EntryReference, revision: UInt64? = nil,
    _ piece: ([UInt8]) throws -> Void
  ) throws {
    let reader = try ObjectReader(
      try run(FindAttachment(name, of: entry, revision: revision)),
      in: VaultFolder(location.vault))
    while let bytes = try reader.next() { try piece(bytes) }
  }

  private func sendItems(_ items: () throws -> ImportItem?) throws {
    var batch: [ImportItem] = []
    var size = 0
    while let item = try items() {
      batch.append(item)
      size += item.size
      if size >= 256 << 10 {
        // A keeper that has already refused one no longer reads; its answer says why.
        guard (try? send(Frame(batch))) != nil else { return }
        batch = []
        size = 0
      }
    }
    if !batch.isEmpty { try? send(Frame(batch)) }
    try? send(Frame(.endOfItems))
  }

  private func send(_ frame: Frame) throws {
    lastSend = SystemClock.awake
    do throws(PlatformError) { try socket.send(frame.encoded) } catch { throw SessionError.gone }
  }

  private func receive() throws -> Frame {
    while true {
      if let frame = try buffer.next() { return frame }
      if let deadline {
        let left = (deadline - SystemClock.awake) / 1_000_000
        guard left > 0 else { throw SessionError.silent }
        socket.setPatience(milliseconds: min(Int(left), patience * 1000))
      }
      let bytes: [UInt8]?
      do throws(PlatformError) { bytes = try socket.receive() } catch { throw SessionError.gone }
      guard let bytes else { throw SessionError.silent }
      guard !bytes.isEmpty else { throw SessionError.gone }
      buffer.append(bytes[...])
    }
  }
}
