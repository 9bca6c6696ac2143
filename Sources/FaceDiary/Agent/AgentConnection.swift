internal import CPlatform
internal import DiaryVault
internal import Sealing

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// One client of the agent: what came in, what goes out, and its operation.
@MainActor
final class AgentConnection {
  /// Output kept before the operation has to wait for its client.
  private static let outputLimit = 1 << 20

  let file: Int32
  var running: RunningOperation?
  var waitsForItems = false
  var isGreeted = false
  private(set) var isOver = false
  private var input = FrameBuffer()
  /// An operation that waits for another client's import to end.
  private var waiting: Operation?
  private var output: [UInt8] = []
  private var sent = 0
  /// When anything last moved, milliseconds since boot.
  private var lastMove = cplatform_boot_time(1) / 1_000_000

  init(_ file: Int32) { self.file = file }

  var hasOutput: Bool { sent < output.count }
  var hasRoom: Bool { output.count - sent < Self.outputLimit }
  /// One message at a time: a client that floods waits in its own socket.
  var wantsToRead: Bool {
    !input.hasFrame && waiting == nil && (running == nil ? !hasOutput : waitsForItems)
  }

  /// Whether there is something to do without waiting for anybody.
  func canWork(canWrite: Bool) -> Bool {
    if waiting != nil { return canWrite }
    if running != nil, !waitsForItems { return hasRoom }
    return input.hasFrame
  }

  /// Whether this client has kept us waiting too long.
  ///
  /// Half a message, or none at all before the greeting, is worth seconds. A reader with its screen full, a file that
  /// comes slowly and somebody who just thinks hold nothing that others need: they have a quarter of an hour. An
  /// import holds the vault's write lock: two minutes.
  func isStuck(at now: Int64, isImporter: Bool) -> Bool {
    let waited = now - lastMove
    if !isGreeted || (!input.isEmpty && !input.hasFrame && waiting == nil) {
      return waited > 10_000
    }
    return waited > (isImporter ? 120_000 : 900_000)
  }

  /// Reads and writes what can be without waiting.
  func transfer() {
    guard !isOver else { return }
    while hasOutput {
      let rest = output.count - sent
      let count = unsafe output.withUnsafeBytes { raw in
        unsafe Glibc.send(file, raw.baseAddress! + sent, rest, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EAGAIN || errno == EINTR { break }
      guard count > 0 else { return end() }
      sent += count
      moved()
    }
    // Also while more keeps coming: what was sent long ago must not pile up behind it.
    if sent > Self.outputLimit || (!hasOutput && sent > 0) {
      output.removeFirst(sent)
      sent = 0
    }
    guard wantsToRead else { return }
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    let count = unsafe recv(file, &chunk, chunk.count, 0)
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    guard count > 0 else { return end() }
    input.append(chunk[..<count])
    moved()
  }

  func moved() { lastMove = cplatform_boot_time(1) / 1_000_000 }

  /// The next whole message, nil when there is none or it has to wait for another client's import.
  func nextMessage(canWrite: Bool) throws -> Message? {
    if let waiting {
      guard canWrite else {
        // Waiting for others is no stalling of its own.
        moved()
        return nil
      }
      self.waiting = nil
      return .operation(waiting)
    }
    if !canWrite, running?.writesLater == true {
      moved()
      return nil
    }
    guard running == nil || waitsForItems, let frame = try input.next() else { return nil }
    guard frame.kind == .operation else { return .frame(frame) }
    let operation = try frame.decoded(Operation.self)
    if operation.writes, !canWrite {
      waiting = operation
      return nil
    }
    return .operation(operation)
  }

  enum Message {
    case operation(Operation)
    case frame(Frame)
  }

  func send(_ frame: Frame) {
    output += frame.encoded
    transfer()
  }

  func end() {
    guard !isOver else { return }
    isOver = true
    running = nil
    waiting = nil
    close(file)
  }
}
