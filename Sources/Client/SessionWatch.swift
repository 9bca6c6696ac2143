package import Access
package import Platform
internal import Requests

/// A client that asks for nothing: it is told when something was changed in a session, and when that ends.
package final class SessionWatch {
  private let socket: LocalSocket
  private var buffer = FrameBuffer()

  /// nil when no session of the diary is open.
  package convenience init?(_ location: DiaryLocation) throws {
    guard let socket = try SessionSocket(location).connect() else { return nil }
    try self.init(connected: socket)
  }

  /// By a socket that somebody else has connected.
  package init(connected socket: LocalSocket) throws {
    self.socket = socket
    socket.setNonBlocking()
    try socket.send(Frame(.hello, [Frame.version, Frame.Client.watching.rawValue]).encoded)
  }

  /// Readable when there is news.
  package var number: Int32 { socket.number }

  package enum News { case changed, nothing, over }

  private var heard = News.nothing

  /// Whether the session has ended; what was changed is told by ``news()`` all the same.
  package var isOver: Bool {
    listen()
    return heard == .over
  }

  /// What was told since the last call.
  package func news() -> News {
    listen()
    defer { if heard == .changed { heard = .nothing } }
    return heard
  }

  private func listen() {
    while heard != .over {
      let bytes: [UInt8]?
      do throws(PlatformError) { bytes = try socket.receive() } catch {
        heard = .over
        return
      }
      guard let bytes else { return }
      guard !bytes.isEmpty else {
        heard = .over
        return
      }
      buffer.append(bytes[...])
      do {
        while let frame = try buffer.next() {
          switch frame.kind {
          case .hello where frame.payload == [Frame.version, 1]: break
          case .changed: heard = .changed
          // Of another version, or closed and waiting for a face.
          default:
            heard = .over
            return
          }
        }
      } catch { heard = .over }
    }
  }
}
