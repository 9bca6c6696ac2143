internal import DiaryVault
internal import Platform
internal import Sealing

/// One client of the agent: what came in, what goes out, and its operation.
@MainActor
final class AgentConnection {
  /// Output kept before the operation has to wait for its client.
  private static let outputLimit = 1 << 20

  let socket: LocalSocket
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
  private var lastMove = SystemClock.sinceBoot / 1_000_000

  init(_ socket: LocalSocket) { self.socket = socket }

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
      let count: Int?
      do throws(PlatformError) { count = try socket.sendAvailable(output[sent...]) } catch {
        return end()
      }
      guard let count else { break }
      sent += count
      moved()
    }
    // Also while more keeps coming: what was sent long ago must not pile up behind it.
    if sent > Self.outputLimit || (!hasOutput && sent > 0) {
      output.removeFirst(sent)
      sent = 0
    }
    guard wantsToRead else { return }
    do throws(PlatformError) {
      guard let bytes = try socket.receive() else { return }
      guard !bytes.isEmpty else { return end() }
      input.append(bytes[...])
      moved()
    } catch {
      end()
    }
  }

  func moved() { lastMove = SystemClock.sinceBoot / 1_000_000 }

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
  }
}
