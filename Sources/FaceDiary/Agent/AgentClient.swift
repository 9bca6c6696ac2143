package import DiaryVault
internal import Sealing

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Runs operations in the session's agent.
package final class AgentClient: DiaryConnection {
  private let file: Int32
  private var buffer = FrameBuffer()

  /// Connects to the session of a diary, nil when there is none.
  ///
  /// - Parameter waitingForFace: to one that is closed and opens again for a face; else to one that is open.
  package init?(_ location: DiaryLocation, waitingForFace: Bool = false) throws {
    guard let file = try SessionSocket(location).connect() else { return nil }
    self.file = file
    // It greets at once, or hangs; what is asked of it then may take its time.
    setPatience(seconds: 5)
    do {
      guard try greet() != waitingForFace else { return nil }
      setPatience(seconds: 120)
    } catch SessionError.gone {
      // The socket was there, and its session ended as we came.
      return nil
    }
  }

  private init(connected file: Int32) { self.file = file }

  deinit { close(file) }

  /// A session that hangs must not hang every command with it.
  private func setPatience(seconds: Int) {
    var limit = timeval(tv_sec: seconds, tv_usec: 0)
    for name in [SO_SNDTIMEO, SO_RCVTIMEO] {
      unsafe setsockopt(file, SOL_SOCKET, name, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
  }

  /// Tells the session of a diary to end, warm or not; does nothing when there is none.
  package static func end(_ location: DiaryLocation) throws {
    guard let file = try SessionSocket(location).connect() else { return }
    let client = AgentClient(connected: file)
    client.setPatience(seconds: 5)
    do {
      try client.send(Frame(.end))
      // Its end of the socket closes when the keys are wiped.
      while true { _ = try client.receive() }
    } catch SessionError.gone {
      // It ended as it was told to.
    }
  }

  /// Tells every session of this user to end.
  package static func lockAll(runtime: String) throws {
    var trouble: (any Error)?
    for file in try SessionSocket.connectAll(runtime: runtime) {
      let client = AgentClient(connected: file)
      client.setPatience(seconds: 5)
      do {
        try client.send(Frame(.end))
        while true { _ = try client.receive() }
      } catch SessionError.gone {
        // It ended as it was told to.
      } catch {
        // The others are told all the same; then this one is named.
        trouble = error
      }
    }
    if let trouble { throw trouble }
  }

  /// Whether the diary is open.
  private func greet() throws -> Bool {
    try send(Frame(.hello, [Frame.version]))
    let answer = try receive()
    guard answer.kind == .hello, answer.payload.first == Frame.version, answer.payload.count == 2
    else {
      // Of another version: nothing it says can be understood, but every version knows how to end.
      try? send(Frame(.end))
      throw SessionError.outdated
    }
    return answer.payload[1] == 1
  }

  package func run(
    _ operation: Operation, items: () throws -> ImportItem?, entry: (Entry) throws -> Void,
    piece: ([UInt8]) throws -> Void
  ) throws -> Reply {
    try send(Frame(operation))
    if operation.takesItems { try sendItems(items) }
    while true {
      let frame = try receive()
      switch frame.kind {
      case .entries: for each in try frame.entries() { try entry(each) }
      case .piece: try piece(frame.payload)
      case .reply: return try frame.decoded(Reply.self)
      case .failure: throw try frame.decoded(VaultError.self)
      default: throw SessionError.foreign
      }
    }
  }

  private func sendItems(_ items: () throws -> ImportItem?) throws {
    var batch: [ImportItem] = []
    var size = 0
    while let item = try items() {
      batch.append(item)
      switch item {
      case .entry(let entry): size += entry.draft.body.utf8.count + 200
      case .piece(let bytes): size += bytes.count
      default: break
      }
      if size >= 256 << 10 {
        // An agent that has already refused one no longer reads; its answer says why.
        guard (try? send(Frame(batch))) != nil else { return }
        batch = []
        size = 0
      }
    }
    if !batch.isEmpty { try? send(Frame(batch)) }
    try? send(Frame(.endOfItems))
  }

  private func send(_ frame: Frame) throws {
    let bytes = frame.encoded
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { raw in
        unsafe Glibc.send(file, raw.baseAddress! + done, bytes.count - done, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw SessionError.gone }
      done += count
    }
  }

  private func receive() throws -> Frame {
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      if let frame = try buffer.next() { return frame }
      let count = unsafe recv(file, &chunk, chunk.count, 0)
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { throw SessionError.silent }
      guard count > 0 else { throw SessionError.gone }
      buffer.append(chunk[..<count])
    }
  }
}
