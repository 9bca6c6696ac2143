internal import CLibrary
internal import CPlatform

/// A port of the loopback address that programs of this machine connect to.
package final class LoopbackListener: Sendable {
  private let file: Descriptor
  package let port: UInt16
  /// The kernel's tables of connections, opened before this process gives up files.
  private let tables: [Descriptor]
  package var number: Int32 { file.number }

  /// The same port of `::1`, where nothing is accepted: a browser that tries it first goes on to `127.0.0.1`, and nobody else can be
  /// there in our place. nil where there is no version 6.
  private let occupied: Descriptor?

  /// Listens on a port that is free.
  package convenience init() throws(PlatformError) {
    for _ in 0..<16 {
      let number = cplatform_listen_loopback()
      guard number >= 0 else { break }
      let file = Descriptor(number, name: "127.0.0.1")
      guard let port = UInt16(exactly: cplatform_port(number, 0)) else { break }
      let other = cplatform_occupy_loopback6(Int32(port))
      // Somebody has this one: another port.
      if other < 0, errno == EADDRINUSE { continue }
      let occupied = other < 0 ? nil : Descriptor(other, name: "::1")
      try self.init(file, port, occupied)
      return
    }
    throw PlatformError("127.0.0.1")
  }

  private init(
    _ file: Descriptor, _ port: UInt16, _ occupied: Descriptor?
  ) throws(PlatformError) {
    (self.file, self.port, self.occupied) = (file, port, occupied)
    var tables = [try Descriptor.open("/proc/net/tcp")]
    // A client may speak version 6 and mean the same address.
    if let other = try? Descriptor.open("/proc/net/tcp6") { tables.append(other) }
    self.tables = tables
  }

  /// The next one who connects, and the user whose it is as the kernel knows it; nil when there is none.
  package func accept() -> (socket: LocalSocket, user: UInt32?)? {
    let client = cplatform_accept(number)
    guard client >= 0 else { return nil }
    let socket = LocalSocket(Descriptor(client, name: "127.0.0.1"))
    return (socket, user(of: client))
  }

  private func user(of client: Int32) -> UInt32? {
    guard let theirs = UInt16(exactly: cplatform_port(client, 1)) else { return nil }
    return tables.lazy.compactMap { table in
      guard (try? table.rewind()) != nil, let text = try? table.readAll(limit: 16 << 20) else {
        return nil
      }
      return Self.user(in: text, from: theirs, to: self.port)
    }.first
  }

  /// Finds a connection in a table of `/proc/net`: `sl local remote state … … … uid`, addresses and ports in hexadecimal.
  static func user(in table: [UInt8], from theirs: UInt16, to ours: UInt16) -> UInt32? {
    func ends(_ field: ArraySlice<UInt8>, _ port: UInt16) -> Bool {
      guard let colon = field.firstIndex(of: UInt8(ascii: ":")) else { return false }
      // 127.0.0.1, in the kernel's order, also as the end of an address of version 6.
      return field[..<colon].suffix(8).elementsEqual("0100007F".utf8)
        && UInt16(String(decoding: field[(colon + 1)...], as: UTF8.self), radix: 16) == port
    }
    for line in table.split(separator: 10).dropFirst() {
      let fields = line.split(separator: 32)
      guard fields.count > 7, ends(fields[1], theirs), ends(fields[2], ours) else { continue }
      return UInt32(String(decoding: fields[7], as: UTF8.self))
    }
    return nil
  }
}
