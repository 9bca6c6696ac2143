import Foundation
import Testing

@testable import Platform

@Suite struct LocalSocketTests {
  @Test func `a listener accepts, names the peer's user, and removes only its own socket file`()
    throws
  {
    let scratch = try Scratch()
    // Longer than an address holds.
    let place = scratch.path + "/" + String(repeating: "d", count: 90)
    try FileSystem.makeDirectory(place)
    let listener = try LocalListener(place, "socket")
    #expect(try FileStatus(place + "/socket").permissions == 0o600)
    let client = try #require(try LocalSocket.connect(place, "socket"))
    let server = try #require(listener.accept())
    #expect(server.peer?.user == ThisProcess.user)
    #expect(server.peer?.process.id == ThisProcess.id)
    try client.send(Array("hello".utf8))
    #expect(try server.receive() == Array("hello".utf8))
    #expect(try server.receive() == nil)
    let successor = try LocalListener(place, "socket")
    listener.removeFile()
    #expect(FileSystem.exists(place + "/socket"))
    successor.removeFile()
    #expect(!FileSystem.exists(place + "/socket"))
    #expect(try LocalSocket.connect(place, "socket") == nil)
  }

  @Test func `a read from a silent peer times out`() throws {
    let (one, other) = try LocalSocket.pair()
    one.setPatience(seconds: 1)
    #expect(try one.receive() == nil)
    withExtendedLifetime(other) {}
  }
}
