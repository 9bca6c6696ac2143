#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A file a person named, or standard input for `-`; closed with its last owner.
final class InputFile {
  let descriptor: Int32
  private let path: String
  private var wasRead = false

  /// - Throws: ``Failure`` `notFound` when there is none.
  fileprivate init(_ path: String) throws {
    self.path = path
    guard path != "-" else {
      descriptor = 0
      return
    }
    descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw Self.failure(path, errno == ENOENT || errno == ENOTDIR ? .notFound : .system)
    }
  }

  /// A file that belongs to an import: a regular one, never through a link.
  init(entryFile path: String) throws {
    self.path = path
    descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw Self.failure(path, errno == ENOENT || errno == ENOTDIR ? .notFound : .system)
    }
    guard size != nil else { throw Failure(.invalid, "\(path) is not a regular file") }
  }

  deinit { if descriptor > 0 { close(descriptor) } }

  /// In bytes, nil when that is not known beforehand.
  var size: Int? {
    var facts = stat()
    guard unsafe fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    return Int(facts.st_size)
  }

  /// Back to the beginning, for who tries again; what cannot go back has been read once and is gone.
  func rewind() throws {
    guard wasRead else { return }
    guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw Self.failure(path, .system) }
  }

  /// The next bytes, none at the end.
  func piece() throws -> [UInt8] {
    wasRead = true
    var chunk = [UInt8](repeating: 0, count: 256 << 10)
    while true {
      let count = unsafe read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Self.failure(path, .system) }
      return Array(chunk[..<count])
    }
  }

  /// - Throws: ``InputTooLarge`` when there is more than `limit`.
  func contents(limit: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let more = try piece()
      if more.isEmpty { return bytes }
      guard bytes.count + more.count <= limit else { throw InputTooLarge(path: path, limit: limit) }
      bytes += more
    }
  }

  private static func failure(_ path: String, _ code: Failure.Code) -> Failure {
    let reason = unsafe String(cString: strerror(errno))
    return Failure(code, "\(path): \(reason)")
  }
}

/// A file over its limit; what that means depends on what it was to be.
struct InputTooLarge: Error {
  let path: String
  let limit: Int
}

extension Invocation {
  /// Opens what a person named; `purpose` claims standard input when that is it.
  func input(_ path: String, as purpose: String) throws -> InputFile {
    if path == "-" { try claimStandardInput(for: purpose) }
    return try InputFile(path)
  }

  /// All bytes of it.
  func read(_ path: String, as purpose: String, limit: Int) throws -> [UInt8] {
    try input(path, as: purpose).contents(limit: limit)
  }
}
