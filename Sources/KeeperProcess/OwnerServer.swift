internal import Dates
package import Keeper
package import Platform
package import Requests
internal import Words

/// Serves the owner's requests of the one client that started this keeper, one after another.
@MainActor
package final class OwnerServer {
  private let socket: LocalSocket
  private let keeper: Keeper
  private let desk: any OwnerDesk
  private let given: GivenSecret?
  private let rights: OwnerRights?
  /// What has come in and was not served.
  private(set) package var buffer: FrameBuffer
  private let touch: () -> Void
  private let purpose: KeeperTask.Purpose

  /// - Parameters:
  ///   - given: what opened the diary; nil when none is open.
  ///   - buffer: what has come in already.
  ///   - purpose: what it was started for, which says the requests that are done here.
  ///   - touch: called whenever something is done.
  package init(
    _ keeper: Keeper, _ desk: any OwnerDesk, given: GivenSecret?, socket: LocalSocket,
    _ buffer: FrameBuffer, for purpose: KeeperTask.Purpose, touch: @escaping () -> Void
  ) {
    self.touch = touch
    self.purpose = purpose
    self.socket = socket
    self.buffer = buffer
    self.keeper = keeper
    self.desk = desk
    self.given = given
    rights = keeper.claimOwner()
  }

  /// Serves until the client leaves.
  package func run() async {
    while await serveOne() != nil {}
  }

  /// Serves one request.
  ///
  /// - Returns: whether it was done, and not answered by an error; nil when the client has left.
  package func serveOne() async -> Bool? {
    // People think at prompts; the client's end is the end.
    guard let frame = try? receive() else { return nil }
    let (answer, isDone): (Frame, Bool)
    do {
      (answer, isDone) = (Frame(.answer, try await run(frame)), true)
    } catch SessionError.gone {
      return nil
    } catch {
      (answer, isDone) = (Frame(error), false)
    }
    return (try? socket.send(answer.encoded)) == nil ? nil : isDone
  }

  private func run(_ frame: Frame) async throws -> [UInt8] {
    guard frame.kind == .request,
      let kind = frame.payload.first.flatMap(RequestKind.init(rawValue:)),
      case .owner(let type) = kind.service,
      purpose.does(type.access)
    else { throw SessionError.foreign }
    // What a program told of the device key is not kept for the next question.
    defer { if !purpose.isOwner { keeper.close() } }
    return try await run(type, Array(frame.payload.dropFirst()))
  }

  private func run<R: OwnerServed>(_: R.Type, _ bytes: [UInt8]) async throws -> [UInt8] {
    let request = try Wire.decode(R.self, from: bytes, limit: Wire.requestLimit)
    let answer = try await request.run(
      OwnerWork(keeper: keeper, rights: rights, desk: desk, given: given, ask: ask))
    let notices = try keeper.takeNotices()
    if !notices.isEmpty { _ = try ask(.notices(notices)) }
    return try Wire.encode(answer)
  }

  private func ask(_ question: OwnerQuestion) throws -> OwnerReply {
    touch()
    try socket.send(try Frame(.question, encoding: question).encoded)
    switch question {
    case .progress, .notices: return .yes
    default: break
    }
    let frame = try receive()
    guard frame.kind == .reply else { throw SessionError.gone }
    return try frame.decoded(OwnerReply.self)
  }

  private func receive() throws -> Frame {
    while true {
      if let frame = try buffer.next() {
        touch()
        guard frame.kind == .heard else { return frame }
        try keeper.noticesWereTold()
        continue
      }
      guard let bytes = try socket.receive() else { continue }
      guard !bytes.isEmpty else { throw SessionError.gone }
      buffer.append(bytes[...])
    }
  }
}
