package import DiaryVault
internal import Platform
internal import Sealing

/// Runs operations in the session's agent.
package final class AgentClient: DiaryConnection {
  private let socket: LocalSocket
  private var buffer = FrameBuffer()

  /// Connects to the session of a diary, nil when there is none.
  ///
  /// - Parameter waitingForFace: to one that is closed and opens again for a face; else to one that is open.
  package init?(_ location: DiaryLocation, waitingForFace: Bool = false) throws {
    guard let socket = try SessionSocket(location).connect() else { return nil }
    self.socket = socket
    // It greets at once, or hangs; what is asked of it then may take its time.
    socket.setPatience(seconds: 5)
    do {
      guard try greet() != waitingForFace else { return nil }
      socket.setPatience(seconds: 120)
    } catch SessionError.gone {
      // The socket was there, and its session ended as we came.
      return nil
    }
  }

  private init(connected socket: LocalSocket) { self.socket = socket }

  /// Tells the session of a diary to end, warm or not; does nothing when there is none.
  package static func end(_ location: DiaryLocation) throws {
    guard let socket = try SessionSocket(location).connect() else { return }
    let client = AgentClient(connected: socket)
    client.socket.setPatience(seconds: 5)
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
    for socket in try SessionSocket.connectAll(runtime: runtime) {
      let client = AgentClient(connected: socket)
      client.socket.setPatience(seconds: 5)
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
    do throws(PlatformError) { try socket.send(frame.encoded) } catch { throw SessionError.gone }
  }

  private func receive() throws -> Frame {
    while true {
      if let frame = try buffer.next() { return frame }
      let bytes: [UInt8]?
      do throws(PlatformError) { bytes = try socket.receive() } catch { throw SessionError.gone }
      guard let bytes else { throw SessionError.silent }
      guard !bytes.isEmpty else { throw SessionError.gone }
      buffer.append(bytes[...])
    }
  }
}
