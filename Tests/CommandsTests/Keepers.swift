import Testing

@testable import Access
@testable import Client
@testable import Platform
@testable import Requests

/// The processes that hold the keys of a home's diary.
extension Home {
  var location: DiaryLocation {
    DiaryLocation(
      vault: folder, devices: path + "/.local/state/facediary", runtime: path + "/run")
  }

  var keepers: [OtherProcess] {
    let socket = SessionSocket(location)
    return (OtherProcess.named { socket.isKept(by: $0) } ?? []).filter { !$0.isGone(within: 0) }
  }

  /// Connects to the session as a client of the right version does.
  func connectToKeeper() throws -> LocalSocket {
    let socket = try #require(try SessionSocket(location).connect())
    try socket.send(Frame(.hello, [Frame.version]).encoded)
    socket.setPatience(seconds: 20)
    _ = try socket.receive()
    return socket
  }
}
