internal import Platform

/// What is looked at before SQLite opens a file.
extension RowStore {
  /// The path with its directory's links resolved, its last component not: that one must be no link. A path in an open directory stays as
  /// it is.
  private static func resolve(_ path: String, creating: Bool) throws(StoreError) -> String {
    let parent = FileSystem.parent(of: path)
    let opened = OpenDirectory.leads(path) ? parent : nil
    guard let directory = opened ?? FileSystem.realPath(parent) else {
      throw StoreError(Errno.last == .noEntry ? .notFound : .permission, "open")
    }
    let resolved = (directory == "/" ? "" : directory) + "/" + FileSystem.name(of: path)
    if creating {
      // Made by us, private whatever the umask says; SQLite gives its WAL the same mode.
      do throws(PlatformError) {
        _ = try Descriptor.open(resolved, [.readWrite, .create, .exclusive, .noFollow])
      } catch {
        let code: StoreError.Code =
          error.isExisting
          ? .exists
          : error.isDiskFull ? .diskFull : error.errno == .readOnly ? .readOnly : .permission
        throw StoreError(code, "create")
      }
    } else {
      let status: FileStatus
      do throws(PlatformError) { status = try FileStatus(resolved) } catch {
        throw StoreError(error.isMissing ? .notFound : .permission, "open")
      }
      // A directory, a device or a link is not a vault; a pipe would make the open hang.
      guard status.kind == .regular else { throw StoreError(.notADatabase, "open") }
      // A second name would keep what is later removed under this one, and would get a log of its own.
      guard status.names == 1 else {
        throw StoreError(.secondName, "")
      }
      guard status.size > 0 else { throw StoreError(.notADatabase, "open") }
      try checkFilesBeside(resolved, status)
    }
    return resolved
  }

  /// Bytes of the longest path that SQLite takes, with the longest name that it adds.
  private static let longest = 512 - 1 - "-journal".utf8.count

  /// The path by which SQLite reaches a file, as long as the directory is held open that comes with it: that of a longer one than it takes.
  static func reach(
    _ path: String, creating: Bool
  ) throws(StoreError) -> (path: String, directory: OpenDirectory?) {
    let resolved = try resolve(path, creating: creating)
    guard resolved.utf8.count > longest else { return (resolved, nil) }
    do throws(PlatformError) {
      let directory = try OpenDirectory(FileSystem.parent(of: resolved))
      return (directory.path + "/" + FileSystem.name(of: resolved), directory)
    } catch {
      throw StoreError(error.isMissing ? .notFound : .permission, "open")
    }
  }

  /// SQLite looks for them and opens what is there.
  private static func checkFilesBeside(
    _ resolved: String, _ status: FileStatus
  ) throws(StoreError) {
    for suffix in ["-journal", "-wal", "-shm"] {
      guard let beside = try? FileStatus(resolved + suffix) else { continue }
      guard beside.kind == .regular else { throw StoreError(.foreignBeside, suffix) }
      guard beside.names == 1 else { throw StoreError(.secondName, suffix) }
      // A database with a log has no journal. One that somebody put there would be played into it.
      guard suffix != "-journal" || beside.size == 0 || !usesLog(resolved) else {
        throw StoreError(.foreignBeside, suffix)
      }
      // Made while the database itself could only be read, and kept so by SQLite.
      if suffix != "-journal", beside.owner == ThisProcess.user,
        beside.permissions & 0o600 != 0o600, status.permissions & 0o600 == 0o600
      {
        try? FileSystem.makePrivate(resolved + suffix)
      }
    }
  }

  /// Whether the head of a database says that it is written through a log (the file format's read and write versions).
  private static func usesLog(_ path: String) -> Bool {
    let head = try? Descriptor.open(path, [.noFollow, .nonBlocking]).read(20, at: 0)
    return head.map { $0.count == 20 && $0[18] == 2 } ?? false
  }

  /// Whether a log waits to be read.
  static func hasLog(_ path: String) -> Bool {
    ((try? FileStatus(path + "-wal"))?.size ?? 0) > 0
  }
}
