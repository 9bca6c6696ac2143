internal import CLibrary
internal import CPlatform

/// An open file, pipe end or socket; closed with its last owner.
package final class Descriptor: Sendable {
  package let number: Int32
  private let isOwned: Bool
  /// What errors are about: a path, or `standard output`.
  package let name: String

  /// - Parameter isOwned: whether it is closed with this object; the standard streams are not.
  package init(_ number: Int32, name: String, isOwned: Bool = true) {
    self.number = number
    self.name = name
    self.isOwned = isOwned
  }

  deinit { if isOwned { close(number) } }

  package static let standardInput = Descriptor(0, name: "standard input", isOwned: false)
  package static let standardOutput = Descriptor(1, name: "standard output", isOwned: false)
  package static let standardError = Descriptor(2, name: "standard error", isOwned: false)

  /// How a file is opened. Every file is close-on-exec.
  package struct Options: OptionSet, Sendable {
    package let rawValue: Int32
    package init(rawValue: Int32) { self.rawValue = rawValue }
    package static let write = Options(rawValue: 1)
    package static let create = Options(rawValue: 2)
    /// With ``create``: the file must not be there.
    package static let exclusive = Options(rawValue: 4)
    /// A link as the last component is an error.
    package static let noFollow = Options(rawValue: 8)
    /// Opening a pipe or device does not wait for its other end.
    package static let nonBlocking = Options(rawValue: 16)
    package static let directory = Options(rawValue: 32)
    package static let readWrite = Options(rawValue: 64)

    var flags: Int32 {
      // A terminal that is opened does not become this process's own.
      var flags = O_CLOEXEC | O_NOCTTY
      flags |= contains(.readWrite) ? O_RDWR : contains(.write) ? O_WRONLY : O_RDONLY
      if contains(.create) { flags |= O_CREAT }
      if contains(.exclusive) { flags |= O_EXCL }
      if contains(.noFollow) { flags |= O_NOFOLLOW }
      if contains(.nonBlocking) { flags |= O_NONBLOCK }
      if contains(.directory) { flags |= O_DIRECTORY }
      return flags
    }
  }

  /// Opens a file; one that is made gets mode 0600.
  package static func open(
    _ path: String, _ options: Options = []
  ) throws(PlatformError) -> Descriptor {
    let file = retrying { Int(unsafe cplatform_open(path, options.flags, 0o600)) }
    guard file >= 0 else {
      if errno == ELOOP, options.contains(.noFollow) { throw PlatformError(.link, path) }
      throw PlatformError(path)
    }
    return Descriptor(Int32(file), name: path)
  }

  /// Two ends of a new pipe.
  package static func pipe() throws(PlatformError) -> (read: Descriptor, write: Descriptor) {
    var ends: [Int32] = [0, 0]
    guard unsafe cplatform_pipe(&ends) == 0 else { throw PlatformError("pipe") }
    return (Descriptor(ends[0], name: "pipe"), Descriptor(ends[1], name: "pipe"))
  }

  // MARK: Reading

  /// Reads into memory of the caller's; returns the number of bytes, 0 at the end.
  package func read(into region: UnsafeMutableRawBufferPointer) throws(PlatformError) -> Int {
    let count = retrying { unsafe CLibrary.read(number, region.baseAddress, region.count) }
    guard count >= 0 else { throw PlatformError(name) }
    return count
  }

  /// The next bytes, at most `limit`; none at the end.
  package func read(_ limit: Int = 256 << 10) throws(PlatformError) -> [UInt8] {
    var failure: PlatformError?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { region, count in
      do throws(PlatformError) {
        count = unsafe try read(into: UnsafeMutableRawBufferPointer(region))
      } catch {
        failure = error
        count = 0
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// The next bytes without waiting: nil when there are none now, empty at the end.
  package func readAvailable(_ limit: Int = 64 << 10) throws(PlatformError) -> [UInt8]? {
    do throws(PlatformError) { return try read(limit) } catch {
      guard error.errno == .wouldBlock else { throw error }
      return nil
    }
  }

  /// Everything up to the end.
  ///
  /// - Throws: `tooLarge` when there is more than `limit`.
  package func readAll(limit: Int) throws(PlatformError) -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let more = try read(min(256 << 10, max(4096, limit - bytes.count + 1)))
      if more.isEmpty { return bytes }
      guard bytes.count + more.count <= limit else {
        throw PlatformError(.tooLarge(limit: limit), name)
      }
      // What came in one piece stays in one place: a caller that wipes a secret wipes all of it.
      if bytes.isEmpty { bytes = more } else { bytes += more }
    }
  }

  /// Bytes at a place of a regular file; fewer at its end.
  package func read(_ count: Int, at offset: Int) throws(PlatformError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let done = unsafe bytes.withUnsafeMutableBytes { region in
      let start = region.baseAddress
      return retrying { unsafe pread(number, start, count, off_t(offset)) }
    }
    guard done >= 0 else { throw PlatformError(name) }
    return done == count ? bytes : Array(bytes.prefix(done))
  }

  /// Has the system begin to read what will be wanted soon.
  package func prefetch(_ count: Int, at offset: Int) {
    _ = posix_fadvise(number, offset, count, POSIX_FADV_WILLNEED)
  }

  // MARK: Writing

  /// Writes all of it.
  package func write(_ bytes: [UInt8], at offset: Int? = nil) throws(PlatformError) {
    try write(bytes[...], at: offset)
  }

  package func write(_ bytes: ArraySlice<UInt8>, at offset: Int? = nil) throws(PlatformError) {
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { raw in
        let start = unsafe raw.baseAddress! + done
        return retrying {
          if let offset {
            unsafe pwrite(number, start, bytes.count - done, off_t(offset + done))
          } else {
            unsafe CLibrary.write(number, start, bytes.count - done)
          }
        }
      }
      guard count > 0 else { throw PlatformError(name) }
      done += count
    }
  }

  /// Returns when all that was written is on the disk.
  package func synchronize() throws(PlatformError) {
    guard fsync(number) == 0 else { throw PlatformError(name) }
  }

  /// The same for a file whose size did not change.
  package func synchronizeData() throws(PlatformError) {
    guard fdatasync(number) == 0 else { throw PlatformError(name) }
  }

  package func rewind() throws(PlatformError) {
    guard lseek(number, 0, SEEK_SET) == 0 else { throw PlatformError(name) }
  }

  /// Where the next bytes are that are no hole; nil where none follow. A file system that knows of no holes says `offset`.
  package func nextData(from offset: Int) -> Int? {
    let place = cplatform_next_data(number, Int64(offset))
    return place >= 0 ? Int(place) : errno == ENXIO ? nil : offset
  }

  package func status() throws(PlatformError) -> FileStatus {
    var facts = stat()
    guard unsafe fstat(number, &facts) == 0 else { throw PlatformError(name) }
    return FileStatus(facts)
  }

  package func setCloseOnExec() { _ = cplatform_set_cloexec(number) }

  package func setBlocking() { _ = cplatform_set_blocking(number) }

  package func setNonBlocking() { _ = cplatform_set_nonblocking(number) }

  /// Whether something can be read from it now.
  package var isReadable: Bool {
    var entries = [Poll.Entry(number)]
    Poll.wait(&entries, milliseconds: 0)
    return entries[0].isReady
  }

  /// Takes another descriptor's place, as its own: `dup2`.
  package func replace(_ other: Int32) { dup2(number, other) }
}

/// Waiting for descriptors.
package struct Poll: Sendable {
  package struct Entry: Sendable {
    package let number: Int32
    package var wantsRead: Bool
    package var wantsWrite: Bool
    package fileprivate(set) var isReadable = false
    package fileprivate(set) var isReady = false
    /// Whether nobody is at the other end any more.
    package fileprivate(set) var isHungUp = false

    package init(_ number: Int32, read: Bool = true, write: Bool = false) {
      self.number = number
      wantsRead = read
      wantsWrite = write
    }
  }

  /// Waits until one is ready, at most so long; a signal ends it early with none ready.
  package static func wait(_ entries: inout [Entry], milliseconds: Int) {
    var polls = entries.map {
      pollfd(
        fd: $0.number,
        events: Int16(($0.wantsRead ? POLLIN : 0) | ($0.wantsWrite ? POLLOUT : 0)), revents: 0)
    }
    let ready = unsafe poll(&polls, nfds_t(polls.count), Int32(clamping: milliseconds))
    for index in entries.indices {
      entries[index].isReady = ready > 0 && polls[index].revents != 0
      entries[index].isHungUp = ready > 0 && polls[index].revents & Int16(POLLHUP) != 0
      entries[index].isReadable = ready > 0 && polls[index].revents & Int16(POLLIN) != 0
    }
  }
}
