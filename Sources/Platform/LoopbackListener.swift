internal import CLibrary
internal import CPlatform

/// A free port of the loopback address, of either version of it.
///
/// As long as any process has ``held``, nobody else can listen there. So a browser that still shows our page after we were killed
/// talks to nobody in our place.
package struct LoopbackPort {
  /// Listens on `127.0.0.1`.
  package let listener: Descriptor
  /// Have the port, and accept nothing: a browser that tries `::1` first goes on to `127.0.0.1`.
  package let held: [Descriptor]
  package let number: UInt16

  package init() throws(PlatformError) {
    for _ in 0..<16 {
      var held: [Int32] = [-1, -1]
      let number = unsafe cplatform_listen_loopback(&held)
      // Somebody has the port of the other version: another one.
      if number < 0, errno == EADDRINUSE { continue }
      guard number >= 0 else { break }
      listener = Descriptor(number, name: "127.0.0.1")
      self.held = held.filter { $0 >= 0 }.map { Descriptor($0, name: "loopback") }
      guard let port = UInt16(exactly: cplatform_port(number)) else { break }
      self.number = port
      return
    }
    throw PlatformError("127.0.0.1")
  }
}

/// Accepts connections of programs of this machine, and knows whose they are.
package final class LoopbackListener: Sendable {
  private let file: Descriptor
  package let port: UInt16
  /// What the kernel is asked with, and its table of connections for where it does not answer, opened before this process gives up
  /// files and sockets.
  private let kernel: Descriptor?
  private let table: Descriptor?
  package var number: Int32 { file.number }

  /// - Parameter file: the one that listens, of a ``LoopbackPort``.
  package init(_ file: Descriptor) throws(PlatformError) {
    guard let port = UInt16(exactly: cplatform_port(file.number)) else {
      throw PlatformError("127.0.0.1")
    }
    (self.file, self.port) = (file, port)
    let kernel = cplatform_ask_kernel()
    self.kernel = kernel < 0 ? nil : Descriptor(kernel, name: "netlink")
    table = try? Descriptor.open("/proc/net/tcp")
    guard self.kernel != nil || table != nil else { throw PlatformError("/proc/net/tcp") }
  }

  /// The next one who connects, and the user whose it is as the kernel knows it; nil when there is none.
  package func accept() -> (socket: LocalSocket, user: UInt32?)? {
    let client = cplatform_accept(number)
    guard client >= 0 else { return nil }
    let socket = LocalSocket(Descriptor(client, name: "127.0.0.1"))
    return (socket, user(of: client))
  }

  private func user(of client: Int32) -> UInt32? {
    let answer = kernel.map { cplatform_peer_user($0.number, client) } ?? -2
    guard answer == -2 else { return UInt32(exactly: answer) }
    let theirs = cplatform_peer_port(client)
    guard let theirs = UInt16(exactly: theirs), let table, (try? table.rewind()) != nil,
      let text = try? table.readAll(limit: 16 << 20)
    else { return nil }
    return Self.user(in: text, from: theirs, to: port)
  }

  /// Finds a connection that stands in a table of `/proc/net/tcp`: `sl local remote state … … … uid`, addresses and ports in
  /// hexadecimal.
  static func user(in table: [UInt8], from theirs: UInt16, to ours: UInt16) -> UInt32? {
    // 127.0.0.1, in the kernel's order.
    func end(_ port: UInt16) -> [UInt8] {
      let digits = String(port, radix: 16, uppercase: true)
      return Array(("0100007F:" + String(repeating: "0", count: 4 - digits.count) + digits).utf8)
    }
    let (local, remote) = (end(theirs), end(ours))
    for line in table.split(separator: 10).dropFirst() {
      let fields = line.split(separator: 32)
      guard fields.count > 7, fields[1].elementsEqual(local), fields[2].elementsEqual(remote),
        fields[3].elementsEqual("01".utf8)
      else { continue }
      return UInt32(String(decoding: fields[7], as: UTF8.self))
    }
    return nil
  }
}
