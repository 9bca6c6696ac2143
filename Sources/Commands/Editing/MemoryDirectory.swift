internal import Dates
internal import Formats
internal import Platform
internal import Words

/// A private directory in memory for what one of the owner's programs needs as a file. Its contents are deleted when
/// it is removed or a signal ends us. What a kill leaves that cannot be caught is removed by the next command that makes such a
/// directory, opens the diary or closes it, as soon as the program that used it has ended, too.
final class MemoryDirectory {
  private static let prefix = "facediary-open-"
  let path: String
  /// A part in the lock on it; the program that works in it gets another one.
  let lock: FileLock
  private let opened: OpenDirectory
  private let place: ExitCleanup.Place
  private var isThere = true
  /// A file in each of them. A name alone does not say that a directory is one: somebody else can give such a name to anything of this
  /// user's that lies in a common directory.
  private static let mark = ".facediary"

  /// Where such directories can be, the best first.
  ///
  /// - Parameter onDisk: allow a temporary directory that is on a disk.
  static func bases(_ environment: [String: String], onDisk: Bool = false) -> [String] {
    let memory = [environment["XDG_RUNTIME_DIR"], "/dev/shm", "/run/user/\(ThisProcess.user)"]
      .compactMap { $0 }.filter { FileSystem.isInMemory($0) && FileSystem.isWritable($0) }
    return onDisk ? memory + [environment["TMPDIR"] ?? "/tmp"] : memory
  }

  /// - Throws: ``Failure`` `system` when there is no place in memory.
  @MainActor
  init(in bases: [String]) throws {
    guard let base = bases.first else { throw Failure(.system, WritingMessage.noMemoryDirectory) }
    Self.sweep(bases)
    var made: (path: String, lock: FileLock)?
    while made == nil {
      let path = try FileSystem.makeTemporaryDirectory(base + "/" + Self.prefix)
      // Somebody who sweeps may have been quicker.
      if let lock = try? FileLock.directory(path, alone: false), FileSystem.exists(path) {
        made = (path, lock)
      }
    }
    (path, lock) = made!
    opened = try OpenDirectory(new: path)
    place = ExitCleanup.add(opened, named: path)
    _ = try write([], as: Self.mark)
  }

  /// The same wherever this user's commands may have made one, also on a disk.
  @MainActor
  static func sweep(_ environment: [String: String]) { sweep(bases(environment, onDisk: true)) }

  /// Removes those of processes that were killed: nobody has a part in their locks. What was saved in an editor there is kept.
  @MainActor
  static func sweep(_ bases: [String]) {
    for base in bases {
      for name in (try? FileSystem.names(in: base)) ?? []
      where name.hasPrefix(prefix) && name.utf8.count == prefix.utf8.count + 6 {
        let directory = PrivateDirectory(base + "/" + name)
        guard (try? directory.check()) != nil,
          let lock = try? FileLock.directory(directory.path, alone: true),
          let opened = try? OpenDirectory(lock.directory)
        else { continue }
        withExtendedLifetime(lock) {
          guard
            [mark, OrphanedText.noteName].contains(where: {
              FileSystem.exists(opened.path + "/" + $0)
            })
          else {
            // One that was just being made has nothing in it yet.
            return FileSystem.removeDirectory(directory.path)
          }
          if OrphanedText.keep(from: opened.path) { opened.remove(directory.path) }
        }
      }
    }
  }

  deinit { remove() }

  /// Keeps typed text that could not be saved, in a private file in memory, and returns its path.
  static func keep(
    _ bytes: [UInt8], in bases: [String], as prefix: String = "facediary-kept-"
  ) throws -> String {
    var failure: (any Error)?
    for base in bases.isEmpty ? ["/dev/shm"] : bases {
      do throws(PlatformError) {
        let file = try FileSystem.makeTemporaryFile(base + "/" + prefix)
        do throws(PlatformError) { try file.write(bytes) } catch {
          // A part of it would only be found by somebody else.
          try? FileSystem.remove(file.name)
          throw error
        }
        return file.name
      } catch {
        failure = failure ?? error
      }
    }
    throw failure ?? Failure(.system, WritingMessage.noMemoryDirectory)
  }

  /// What is no text, kept the same way, and why it cannot be taken.
  static func failure(
    _ why: WritingMessage, keeping bytes: [UInt8], in bases: [String]
  ) throws -> Failure {
    Failure(.invalid, why, hint: WritingMessage.keptInMemory(try keep(bytes, in: bases)))
  }

  /// Writes a file anew: it is always there, the old one or the new one.
  func rewrite(_ bytes: [UInt8], as name: String) throws {
    let new = name + ".new"
    try FileSystem.remove(path + "/" + new)
    try FileSystem.rename(try write(bytes, as: new), to: path + "/" + name)
  }

  /// Writes such a file and returns its path.
  func write(_ bytes: [UInt8], as name: String) throws -> String {
    let file = path + "/" + name
    try Descriptor.open(file, [.write, .create, .exclusive, .noFollow]).write(bytes)
    return file
  }

  func remove() {
    guard isThere else { return }
    isThere = false
    // And whatever a program left in it.
    opened.remove(path)
    ExitCleanup.remove(place)
  }
}
