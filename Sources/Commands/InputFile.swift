#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A file a person named, or standard input for `-`; closed with its last owner.
final class InputFile {
  let descriptor: Int32
  private let path: String

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

  deinit { if descriptor > 0 { close(descriptor) } }

  /// The next bytes, none at the end.
  func piece() throws -> [UInt8] {
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
