#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A file that appears at once when it is whole, in a regular file's place or where none is: 0600, never
/// through a link.
final class ReplacedFile {
  private let replacing: Bool
  private let path: String
  private let temporary: String
  private let file: Int32
  private var buffer: [UInt8] = []
  private var isDone = false

  /// - Parameter replacing: whether a regular file at `path` gives way; else it is a conflict.
  init(_ path: String, replacing: Bool = true) throws {
    self.path = path
    self.replacing = replacing
    var facts = stat()
    if !replacing, unsafe lstat(path, &facts) == 0 { throw Self.exists(path) }
    if unsafe lstat(path, &facts) == 0, facts.st_mode & S_IFMT != S_IFREG {
      throw Failure(.conflict, "\(path) is not a regular file; it was not touched")
    }
    let folder = path.utf8.lastIndex(of: 0x2f).map { String(path[...$0]) } ?? ""
    // A name of its own: the file's may be as long as a name can be.
    temporary = folder + ".facediary-\(getpid())-\(UInt32.random(in: 0...UInt32.max)).new"
    file = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw Self.failure(path) }
    fchmod(file, 0o600)
  }

  deinit {
    if !isDone {
      close(file)
      unsafe unlink(temporary)
    }
  }

  func write(_ bytes: [UInt8]) throws {
    buffer += bytes
    if buffer.count >= 256 << 10 { try flush() }
  }

  private func flush() throws {
    defer { buffer = [] }
    try Output.write(buffer, to: file)
  }

  func commit() throws {
    try flush()
    guard fsync(file) == 0 else { throw Self.failure(path) }
    if replacing {
      guard unsafe rename(temporary, path) == 0 else { throw Self.failure(path) }
    } else {
      // A link, unlike a rename, never takes another file's place.
      guard unsafe link(temporary, path) == 0 else {
        throw errno == EEXIST ? Self.exists(path) : Self.failure(path)
      }
      unsafe unlink(temporary)
    }
    isDone = true
    close(file)
  }

  private static func exists(_ path: String) -> Failure {
    Failure(.conflict, "\(path) is there already; it was not touched", hint: "name another with -o")
  }

  private static func failure(_ path: String) -> Failure {
    let number = errno
    return Failure(
      number == ENOSPC ? .diskFull : number == ENOENT ? .notFound : .system,
      unsafe "\(path): \(String(cString: strerror(number)))")
  }
}
