package import Access
internal import Platform
internal import Requests

/// A client that asks for nothing: it is told when something was changed in a session, and when that ends.
package final class SessionWatch {
  private let socket: LocalSocket
  private var buffer = FrameBuffer()

  /// nil when no session of the diary is open.
  package init?(_ location: DiaryLocation) throws {
    guard let socket = try SessionSocket(location).connect() else { return nil }
    self.socket = socket
    socket.setNonBlocking()
    try socket.send(Frame(.hello, [Frame.version, Frame.Client.watching.rawValue]).encoded)
  }

  /// Readable when there is news.
  package var number: Int32 { socket.number }

  package enum News { case changed, nothing, over }

  /// What was told since the last call.
  package func news() -> News {
    var news = News.nothing
    while true {
      let bytes: [UInt8]?
      do throws(PlatformError) { bytes = try socket.receive() } catch { return .over }
      guard let bytes else { return news }
      guard !bytes.isEmpty else { return .over }
      buffer.append(bytes[...])
      do {
        while let frame = try buffer.next() {
          switch frame.kind {
          case .hello where frame.payload == [Frame.version, 1]: break
          case .changed: news = .changed
          // Of another version, or closed and waiting for a face.
          default: return .over
          }
        }
      } catch { return .over }
    }
  }
}
