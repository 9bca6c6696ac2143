internal import CLibrary
internal import CPlatform

/// Names of files: making, moving and removing them.
package enum FileSystem {
  package static func exists(_ path: String, following: Bool = false) -> Bool {
    (try? FileStatus(path, following: following)) != nil
  }

  package static func isDirectory(_ path: String) -> Bool {
    (try? FileStatus(path, following: true))?.kind == .directory
  }

  package static func isWritable(_ path: String) -> Bool { unsafe access(path, W_OK) == 0 }
  package static func isExecutable(_ path: String) -> Bool { unsafe access(path, X_OK) == 0 }

  /// The folder that really holds what a path names, also through a link; for a missing file, the one that would hold it.
  package static func realParent(of path: String) -> String {
    parent(of: realPath(path) ?? path)
  }

  /// The folder that a full path lies in, without links and `..`, as it will be when folders on the way that are not there yet
  /// have been made.
  package static func realFolder(above path: String) -> String {
    var folder = "/"
    for part in parent(of: path).split(separator: "/") where part != "." {
      guard part != ".." else {
        folder = parent(of: folder)
        continue
      }
      let next = (folder == "/" ? "" : folder) + "/" + part
      folder = realPath(next) ?? next
    }
    return folder
  }

  /// A path that may be relative to a directory, as a whole one.
  package static func path(_ path: String, in directory: @autoclosure () -> String) -> String {
    path.hasPrefix("/") ? path : directory() + "/" + path
  }

  /// The part of a path before its last component; `/` for one in the root, `.` for a bare name.
  package static func parent(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: 0x2f) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  package static func name(of path: String) -> String {
    path.utf8.lastIndex(of: 0x2f).map { String(path[path.utf8.index(after: $0)...]) } ?? path
  }

  /// The path without links, nil when there is no such file.
  package static func realPath(_ path: String) -> String? {
    guard let real = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }

  /// The path of what may not be there, its directory without links.
  package static func resolved(_ path: String) -> String? {
    guard let directory = realPath(parent(of: path)) else { return nil }
    return (directory == "/" ? "" : directory) + "/" + name(of: path)
  }

  package static func linkTarget(_ path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = unsafe readlink(path, &buffer, buffer.count - 1)
    guard count > 0 else { return nil }
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Where relative paths begin. Of a directory that was deleted it is a path below which nothing can be made.
  package static var currentDirectory: String {
    guard let path = unsafe getcwd(nil, 0) else { return "/proc/self/cwd" }
    defer { unsafe free(path) }
    return unsafe String(cString: path)
  }

  package static func rename(_ path: String, to other: String) throws(PlatformError) {
    guard unsafe CLibrary.rename(path, other) == 0 else { throw PlatformError(other) }
  }

  /// Renames, never over something that is there.
  package static func rename(_ path: String, toNew other: String) throws(PlatformError) {
    guard unsafe cplatform_rename_new(path, other) == 0 else { throw PlatformError(other) }
  }

  /// Exchanges two names: at once, or where the file system cannot, through a third one beside them. Killed in between, `path`
  /// is missing, or its old content stands under the third name.
  package static func exchange(_ path: String, _ other: String) throws(PlatformError) {
    if unsafe cplatform_exchange(path, other) == 0 { return }
    guard [EINVAL, ENOSYS].contains(errno) else { throw PlatformError(path) }
    let third = path + ".replaced"
    removeTree(third)
    for (from, to) in [(path, third), (other, path), (third, other)] {
      guard unsafe CLibrary.rename(from, to) == 0 else { throw PlatformError(from) }
    }
  }

  /// Removes a file; one that is not there is no error.
  package static func remove(_ path: String) throws(PlatformError) {
    guard unsafe unlink(path) == 0 || errno == ENOENT else { throw PlatformError(path) }
  }

  /// Removes an empty directory, as well as it can.
  package static func removeDirectory(_ path: String) { _ = unsafe rmdir(path) }

  /// How many bytes there is room for where a path lies; nil where that cannot be told.
  package static func room(at path: String) -> Int? {
    var status = statvfs()
    guard unsafe statvfs(path, &status) == 0, status.f_blocks > 0 else { return nil }
    return Int(
      clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        .partialValue)
  }

  /// Removes what has this name, a directory with all that is in it, following no link, as well as it can.
  ///
  /// Each directory is opened by its parent's descriptor, so that one which becomes a link meanwhile leads nowhere.
  package static func removeTree(_ path: String) { unsafe cplatform_remove_tree(path) }

  /// - Returns: false when it is there already.
  @discardableResult
  package static func makeDirectory(_ path: String) throws(PlatformError) -> Bool {
    if unsafe mkdir(path, 0o700) == 0 { return true }
    guard errno == EEXIST || errno == EISDIR else { throw PlatformError(path) }
    return false
  }

  package static func makeLink(_ path: String, to target: String) throws(PlatformError) {
    guard unsafe symlink(target, path) == 0 else { throw PlatformError(path) }
  }

  /// Directories on the way that are missing are made 0700; those that are there stay as they are.
  package static func makeDirectories(_ path: String) throws(PlatformError) {
    var partial = path.hasPrefix("/") ? "" : "."
    for component in path.split(separator: "/") {
      partial += "/" + component
      try makeDirectory(partial)
    }
  }

  /// A new private directory, 0700, named `prefix` and six random characters.
  package static func makeTemporaryDirectory(_ prefix: String) throws(PlatformError) -> String {
    var template = Array((prefix + "XXXXXX").utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw PlatformError(prefix) }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Where files of a moment go: `TMPDIR`, unless others may put something else in their place there.
  package static var temporaryFolder: String {
    guard let named = ThisProcess.variable("TMPDIR"), named.hasPrefix("/"),
      let status = try? FileStatus(named, following: true), !status.isWritableByOthers
    else { return "/tmp" }
    return named
  }

  /// A new private file, 0600, named `prefix` and six random characters.
  package static func makeTemporaryFile(_ prefix: String) throws(PlatformError) -> Descriptor {
    var template = Array((prefix + "XXXXXX").utf8CString)
    let file = unsafe cplatform_temporary_file(&template)
    guard file >= 0 else { throw PlatformError(prefix) }
    return Descriptor(
      file, name: String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    )
  }

  /// The names in a directory, in no order.
  package static func names(in path: String) throws(PlatformError) -> [String] {
    try entries(in: path).map(\.name)
  }

  /// The names in a directory, and whether each is that of a regular file: a link is none.
  package static func entries(
    in path: String
  ) throws(PlatformError) -> [(name: String, isFile: Bool)] {
    guard let directory = unsafe opendir(path) else { throw PlatformError(path) }
    defer { unsafe closedir(directory) }
    var names: [(name: String, isFile: Bool)] = []
    errno = 0
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != ".", name != ".." {
        let type = unsafe Int(entry.pointee.d_type)
        let isFile =
          type == Int(DT_UNKNOWN)
          ? (try? FileStatus(path + "/" + name))?.kind == .regular : type == Int(DT_REG)
        names.append((name, isFile))
      }
      errno = 0
    }
    // Half a list must not pass for a whole one.
    guard errno == 0 else { throw PlatformError(path) }
    return names
  }

  /// Makes what happened to a directory's names durable.
  package static func synchronize(directory path: String) throws(PlatformError) {
    try Descriptor.open(path.isEmpty ? "/" : path, [.directory]).synchronize()
  }

  /// Whether a directory lives in memory: tmpfs, ramfs.
  package static func isInMemory(_ path: String) -> Bool { unsafe cplatform_in_memory(path) == 1 }

  /// Takes everybody else's permissions from a file.
  ///
  /// - Throws: `fileNotPrivate` where the file system keeps none.
  package static func makePrivate(_ path: String) throws(PlatformError) {
    let file = try Descriptor.open(path, [.noFollow, .nonBlocking])
    guard fchmod(file.number, 0o600) == 0 else { throw PlatformError(path) }
    guard try FileStatus(path).isPrivate else { throw PlatformError(.fileNotPrivate, path) }
  }

  /// The places on disks to which the system moves memory, where nothing encrypts them.
  package static func swapsInClear() -> [String] {
    guard let bytes = try? Descriptor.open("/proc/swaps").readAll(limit: 1 << 20) else { return [] }
    return swapsInClear(String(decoding: bytes, as: UTF8.self)) { device in
      (try? Descriptor.open("/sys/block/\(device)/dm/uuid").readAll(limit: 4096))
        .map { String(decoding: $0, as: UTF8.self) }
    }
  }

  /// The same from the lines of `/proc/swaps`.
  ///
  /// - Parameter identity: what the device mapper says a device is.
  static func swapsInClear(_ lines: String, identity: (String) -> String?) -> [String] {
    lines.split(separator: "\n").dropFirst().compactMap { line in
      guard let place = line.split(whereSeparator: \.isWhitespace).first.map(String.init) else {
        return nil
      }
      let device = (realPath(place) ?? place).split(separator: "/").last.map(String.init) ?? ""
      // Compressed memory is memory; what dm-crypt writes is encrypted.
      if device.hasPrefix("zram") || identity(device)?.hasPrefix("CRYPT-") == true { return nil }
      return place
    }
  }
}
