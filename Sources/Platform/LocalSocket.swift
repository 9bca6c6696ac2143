internal import CLibrary
internal import CPlatform

/// A connected stream socket between two processes of this machine.
package final class LocalSocket: Sendable {
  private let file: Descriptor
  package var number: Int32 { file.number }

  package init(_ file: Descriptor) { self.file = file }

  /// Two connected sockets.
  package static func pair() throws(PlatformError) -> (LocalSocket, LocalSocket) {
    var ends: [Int32] = [0, 0]
    guard unsafe cplatform_socket_pair(&ends) == 0 else { throw PlatformError("socket") }
    return (
      LocalSocket(Descriptor(ends[0], name: "socket")),
      LocalSocket(Descriptor(ends[1], name: "socket"))
    )
  }

  /// Connects to a socket's file; nil when nobody listens there.
  ///
  /// - Parameter seconds: how long the listener may keep us waiting; 0 for ever.
  /// - Throws: `timedOut` when somebody listens who does not accept connections.
  package static func connect(
    _ directory: String, _ name: String, patience seconds: Int = 0
  ) throws(PlatformError) -> LocalSocket? {
    let file = try make()
    if seconds > 0 { LocalSocket(file).setPatience(seconds: seconds) }
    let status = unsafe try SocketAddress.with(directory, name) { address, size in
      retrying { unsafe Int(CLibrary.connect(file.number, address, size)) }
    }
    if status == 0 { return LocalSocket(file) }
    let path = directory + "/" + name
    switch Errno.last {
    case .refused, .noEntry, .notDirectory: return nil
    case .wouldBlock: throw PlatformError(.timedOut, path)
    default: throw PlatformError(path)
    }
  }

  fileprivate static func make() throws(PlatformError) -> Descriptor {
    let file = cplatform_socket()
    guard file >= 0 else { throw PlatformError("socket") }
    return Descriptor(file, name: "socket")
  }

  /// Who is at the other end: user and process, as the kernel knows them.
  package var peer: (user: UInt32, process: OtherProcess)? {
    var process: Int32 = 0
    let user = unsafe cplatform_peer(number, &process)
    guard user >= 0 else { return nil }
    return (UInt32(user), OtherProcess(id: process))
  }

  /// How long a read or write waits before it fails with `timedOut`.
  package func setPatience(seconds: Int) { setPatience(milliseconds: seconds * 1000) }

  /// - Parameter milliseconds: 0 waits for ever.
  package func setPatience(milliseconds: Int) {
    var limit = timeval(tv_sec: milliseconds / 1000, tv_usec: milliseconds % 1000 * 1000)
    for name in [SO_SNDTIMEO, SO_RCVTIMEO] {
      unsafe setsockopt(
        number, SOL_SOCKET, name, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
  }

  package func setNonBlocking() { file.setNonBlocking() }

  /// Ends the conversation for both sides.
  package func shutDown() { shutdown(number, Int32(SHUT_RDWR)) }

  /// Sends as much as can be now; nil when nothing can.
  package func sendAvailable(_ bytes: ArraySlice<UInt8>) throws(PlatformError) -> Int? {
    let count = unsafe bytes.withUnsafeBytes { raw in
      let start = raw.baseAddress
      let size = raw.count
      return retrying { unsafe CLibrary.send(number, start, size, Int32(MSG_NOSIGNAL)) }
    }
    if count < 0, errno == EAGAIN { return nil }
    guard count > 0 else { throw PlatformError("socket") }
    return count
  }

  /// Sends all of it, waiting as long as ``setPatience(seconds:)`` allows.
  package func send(_ bytes: [UInt8]) throws(PlatformError) {
    var done = 0
    while done < bytes.count {
      guard let count = try sendAvailable(bytes[done...]) else {
        throw PlatformError(.timedOut, "socket")
      }
      done += count
    }
  }

  /// Gives the process at the other end one of our descriptors. Nothing else may be sent through this socket.
  package func pass(_ number: Int32) throws(PlatformError) {
    guard cplatform_send_descriptor(self.number, number) == 0 else { throw PlatformError("socket") }
  }

  /// A descriptor that the process at the other end passes.
  package func receiveDescriptor(named name: String) throws(PlatformError) -> Descriptor {
    let number = cplatform_receive_descriptor(self.number)
    guard number >= 0 else { throw PlatformError(name) }
    return Descriptor(number, name: name)
  }

  /// The next bytes, empty at the end; nil when there are none now, or in time.
  package func receive(_ limit: Int = 64 << 10) throws(PlatformError) -> [UInt8]? {
    var failed = false
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { region, count in
      let start = region.baseAddress
      let got = retrying { unsafe recv(number, start, limit, 0) }
      failed = got < 0
      count = max(0, got)
    }
    guard failed else { return bytes }
    guard errno == EAGAIN else { throw PlatformError("socket") }
    return nil
  }
}

/// A socket's file that others connect to: 0600, in a directory of one's own.
package final class LocalListener: Sendable {
  private let file: Descriptor
  private let path: String
  private let identity: [UInt64]?
  package var number: Int32 { file.number }

  /// Makes the socket's file, in the place of one that is there.
  package init(_ directory: String, _ name: String) throws(PlatformError) {
    path = directory + "/" + name
    try FileSystem.remove(path)
    file = try LocalSocket.make()
    let number = file.number
    // The file gets no more than the socket has. The umask is of all threads, and of what they start meanwhile.
    guard fchmod(number, 0o600) == 0 else { throw PlatformError(path) }
    let status = unsafe try SocketAddress.with(directory, name) { address, size in
      unsafe bind(number, address, size)
    }
    guard status == 0, listen(number, 64) == 0 else { throw PlatformError(path) }
    file.setNonBlocking()
    identity = (try? FileStatus(path))?.identity
  }

  /// The next one who connects, nil when there is none.
  package func accept() -> LocalSocket? {
    let client = cplatform_accept(number)
    guard client >= 0 else { return nil }
    return LocalSocket(Descriptor(client, name: "socket"))
  }

  /// Removes the socket's file, unless it is a successor's.
  package func removeFile() {
    guard let identity, (try? FileStatus(path))?.identity == identity else { return }
    try? FileSystem.remove(path)
  }
}

/// An address holds 107 bytes. A longer path is reached through a descriptor of its directory.
private enum SocketAddress {
  static func with<Result>(
    _ directory: String, _ name: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) throws(PlatformError) -> Result {
    var path = directory + "/" + name
    var handle: Descriptor?
    if path.utf8.count > 100 {
      let opened = try Descriptor.open(directory, [.directory])
      path = "/proc/self/fd/\(opened.number)/\(name)"
      handle = opened
      guard path.utf8.count <= 100 else { throw PlatformError(.tooLarge(limit: 100), directory) }
    }
    defer { withExtendedLifetime(handle) {} }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { target in
      for (index, byte) in path.utf8.enumerated() { unsafe target[index] = byte }
    }
    return unsafe withUnsafePointer(to: address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
