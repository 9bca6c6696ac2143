internal import Bytes
internal import Dates
internal import Entries
internal import Keeper
internal import Platform
internal import Requests
internal import Words

/// One client of a keeper: what came in, what goes out, and its request.
@MainActor
final class KeeperClient {
  /// Output kept before the request has to wait for its client.
  private static let outputLimit = 1 << 20
  /// Milliseconds that a client that serves others waits for another one's change.
  private static let servingPatience: Int64 = 3000

  let socket: LocalSocket
  var running: RunningRequest?
  var waitsForItems = false
  /// Whether it said which version it speaks, and may ask for something.
  private(set) var isGreeted: Bool
  /// Whether it was told what the owner has to know, and may say that it was heard.
  var wasTold: Bool
  /// What it said that it is for.
  private(set) var purpose = Frame.Client.acting
  /// Whether there was room for it; one without is told so, and may only say that the session is to end.
  let hasPlace: Bool
  private(set) var isOver = false
  private var input = FrameBuffer()
  /// A request that waits for another client's import to end.
  private var waiting: (any VaultServed)?
  private var waitingSize = 0
  /// When it began to wait, milliseconds since boot.
  private var waitingSince: Int64 = 0
  private var output: [UInt8] = []
  private var sent = 0
  /// When anything last moved, milliseconds since boot.
  private var lastMove = SystemClock.sinceBoot / 1_000_000
  /// When the message began of which not all has come.
  private var began: Int64?

  /// - Parameter isTrusted: whether it started this keeper, and needs no greeting.
  init(_ socket: LocalSocket, hasPlace: Bool = true, isTrusted: Bool = false) {
    self.socket = socket
    self.hasPlace = hasPlace
    isGreeted = isTrusted
    wasTold = isTrusted
    socket.setNonBlocking()
  }

  /// Bytes of it that we hold.
  var held: Int { input.count + waitingSize }
  /// Bytes it has not read yet.
  var unread: Int { output.count - sent }
  /// Whether what it sends counts against the memory of all.
  var isLarge: Bool { input.isLarge }

  var hasOutput: Bool { sent < output.count }
  var hasRoom: Bool { unread < Self.outputLimit }
  /// One message at a time: a client that floods waits in its own socket.
  var wantsToRead: Bool {
    !input.hasFrame && waiting == nil && (running == nil ? !hasOutput : waitsForItems && hasRoom)
  }

  /// Whether there is something to do without waiting for anybody.
  func canWork(canWrite: Bool) -> Bool {
    if waiting != nil { return canWrite }
    if running != nil, !waitsForItems { return hasRoom }
    return input.hasFrame && hasRoom
  }

  /// Whether this client has kept us waiting too long.
  ///
  /// A client that has sent half a message, or nothing before the greeting, has a few seconds. A
  /// client that reads slowly, sends a file slowly or waits for a person holds nothing that others
  /// need, and has a quarter of an hour. A client whose work holds the vault's write lock has two
  /// minutes.
  func isStuck(at now: Int64, isHolder: Bool) -> Bool {
    let waited = now - lastMove
    // A byte now and then is no progress.
    if let began, now - began > 60_000 { return true }
    if isGreeted, purpose == .watching, input.isEmpty, !hasOutput { return false }
    if !isGreeted || (!input.isEmpty && !input.hasFrame && waiting == nil) {
      return waited > 10_000
    }
    return waited > (isHolder ? 120_000 : 900_000)
  }

  /// Reads and writes what can be without waiting.
  func transfer(reading: Bool = false) {
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
    guard reading else { return }
    do throws(PlatformError) {
      guard let bytes = try socket.receive() else { return }
      guard !bytes.isEmpty else { return end() }
      input.append(bytes[...])
      moved()
      began = input.hasFrame || input.isEmpty ? nil : began ?? lastMove
    } catch {
      end()
    }
  }

  /// Takes its greeting; one of another version may only tell us to end.
  func greet(_ payload: [UInt8]) {
    let purpose = Frame.Client(rawValue: payload.dropFirst().first ?? 0)
    isGreeted = payload.first == Frame.version && payload.count <= 2 && purpose != nil
    self.purpose = purpose ?? .acting
  }

  /// How long nothing was asked of us nor is due, in milliseconds; nil while there is anything to do.
  func idle(at now: Int64) -> Int64? {
    guard running == nil, waiting == nil, !hasOutput, !input.hasFrame, purpose != .watching else {
      return nil
    }
    return now - lastMove
  }

  /// Whether it waits for news and nothing else.
  var isWatching: Bool { isGreeted && purpose == .watching && running == nil }

  func moved() { lastMove = SystemClock.sinceBoot / 1_000_000 }

  /// The next whole message, nil when there is none or it has to wait for another client's import.
  func nextMessage(canWrite: Bool) throws -> Message? {
    if let waiting {
      guard canWrite else {
        // Waiting for another client does not count as stalling.
        moved()
        if purpose == .serving, lastMove - waitingSince > Self.servingPatience {
          stopWaiting()
          throw VaultError(.busy, .database)
        }
        return nil
      }
      stopWaiting()
      return .request(waiting)
    }
    if !canWrite, running?.access.changes == true {
      moved()
      return nil
    }
    guard running == nil || waitsForItems && hasRoom, let frame = try input.next() else {
      return nil
    }
    guard hasPlace || [.end, .hello].contains(frame.kind) else { throw SealingError.malformed }
    guard frame.kind == .request else { return .frame(frame) }
    guard isGreeted else { throw SealingError.malformed }
    let request = try RunningRequest.decode(frame)
    if type(of: request).access.changes, !canWrite {
      waiting = request
      waitingSize = frame.payload.count
      waitingSince = SystemClock.sinceBoot / 1_000_000
      return nil
    }
    return .request(request)
  }

  enum Message {
    case request(any VaultServed)
    case frame(Frame)
  }

  func send(_ frame: Frame) {
    output += frame.encoded
    transfer()
  }

  /// It has gone. What it asked for and could not be done yet is not done: nobody would hear of it, and it may be asked for again.
  func isLeft() {
    if waiting != nil { end() }
  }

  private func stopWaiting() { (waiting, waitingSize) = (nil, 0) }

  /// Drops its work, because the vault is about to be closed.
  func abandon() {
    running = nil
    stopWaiting()
    waitsForItems = false
  }

  func end() {
    guard !isOver else { return }
    isOver = true
    abandon()
    // The other side learns of it now, not when the last reference goes.
    socket.shutDown()
  }
}
