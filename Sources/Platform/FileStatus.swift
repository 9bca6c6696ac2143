internal import CLibrary

/// What the system says of a file.
package struct FileStatus: Sendable, Equatable {
  package enum Kind: Sendable, Equatable { case regular, directory, link, pipe, other }

  package let kind: Kind
  /// In bytes.
  package let size: Int
  package let owner: UInt32
  /// The lowest nine bits of its mode.
  package let permissions: UInt32
  /// Whether only its owner may take a name out of the directory.
  package let isSticky: Bool
  package let names: Int
  /// Device and inode: what tells one file from another.
  package let identity: [UInt64]
  /// Seconds since 1970 when it last got its name, mode or size.
  package let changed: Int64
  /// What changes with every change of it.
  package let stamp: [UInt64]
  /// Seconds since 1970 when its bytes last changed.
  package let modified: Int64
  /// The nanoseconds of that second.
  package let modifiedNanoseconds: Int64
  /// Bytes that it has on the disk.
  package let allocated: Int

  init(_ facts: stat) {
    kind =
      switch facts.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .directory
      case S_IFLNK: .link
      case S_IFIFO: .pipe
      default: .other
      }
    size = Int(facts.st_size)
    owner = facts.st_uid
    permissions = UInt32(facts.st_mode) & 0o777
    isSticky = facts.st_mode & S_ISVTX != 0
    names = Int(facts.st_nlink)
    identity = [UInt64(facts.st_dev), UInt64(facts.st_ino)]
    changed = Int64(facts.st_ctim.tv_sec)
    stamp =
      identity + [
        UInt64(bitPattern: changed), UInt64(bitPattern: Int64(facts.st_ctim.tv_nsec)),
        UInt64(bitPattern: Int64(facts.st_size)),
      ]
    modified = Int64(facts.st_mtim.tv_sec)
    modifiedNanoseconds = Int64(facts.st_mtim.tv_nsec)
    allocated = Int(facts.st_blocks) * 512
  }

  /// - Parameter following: whether a link stands for what it names.
  package init(_ path: String, following: Bool = false) throws(PlatformError) {
    var facts = stat()
    let status = unsafe following ? stat(path, &facts) : lstat(path, &facts)
    guard status == 0 else { throw PlatformError(path) }
    self.init(facts)
  }

  /// Whether a large file may be mostly holes. A file system may say so of one that was written this moment, or of every file.
  package var isSparse: Bool { size > 64 << 20 && allocated < size / 2 }

  /// Whether it is this user's, and nobody else may read or write it.
  package var isPrivate: Bool { isOurs && permissions & 0o077 == 0 }

  /// Whether it is this user's.
  package var isOurs: Bool { owner == ThisProcess.user }

  /// Whether others may put another file in the place of one in this directory, as whom it belongs to always may.
  package var isWritableByOthers: Bool {
    permissions & 0o022 != 0 && !isSticky || !isOurs && owner != 0
  }
}
