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
  private var input: [UInt8] = []
  private var output: [UInt8] = []
  private var sent = 0
  /// When anything last moved, milliseconds since boot.
  private var lastMove = cplatform_boot_time(1) / 1_000_000

  init(_ file: Int32) { self.file = file }

  var hasOutput: Bool { sent < output.count }
  var hasRoom: Bool { output.count - sent < Self.outputLimit }
  /// One request at a time: a client that floods waits in its own socket.
  var wantsToRead: Bool { running == nil ? input.count < Frame.sizeLimit + 5 && !hasOutput : waitsForItems }

  func isStuck(at now: Int64, patience: Int64) -> Bool {
    guard now - lastMove > patience else { return false }
    return running == nil || hasOutput || waitsForItems
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
    if !hasOutput, sent > 0 {
      output = []
      sent = 0
    }
    guard wantsToRead else { return }
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    let count = unsafe recv(file, &chunk, chunk.count, 0)
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    guard count > 0 else { return end() }
    input += chunk[..<count]
    moved()
  }

  private func moved() { lastMove = cplatform_boot_time(1) / 1_000_000 }

  /// The next whole message, nil when there is none or it has to wait for another client's import.
  func nextFrame(canWrite: Bool) throws -> Frame? {
    guard running == nil || waitsForItems else { return nil }
    guard !canWrite, running == nil, input.count > 4,
      Frame.Kind(rawValue: input[4]) == .operation
    else { return try Frame.take(from: &input) }
    // Only operations that write wait; look at this one without taking it.
    var copy = input
    guard let frame = try Frame.take(from: &copy) else { return nil }
    if try frame.decoded(Operation.self).writes {
      moved()
      return nil
    }
    input = copy
    return frame
  }

  func send(_ frame: Frame) {
    output += frame.encoded
    transfer()
  }

  func end() {
    guard !isOver else { return }
    isOver = true
    running = nil
    close(file)
  }
}
