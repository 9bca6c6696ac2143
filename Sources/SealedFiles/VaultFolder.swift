internal import Bytes
package import Entries
package import Platform

/// The folder that is one diary: `vault`, the rows; `objects/`, the files of entries; `index/`, the search index.
package struct VaultFolder: Sendable {
  package let path: String

  package init(_ path: String) { self.path = path }

  /// The rows, an SQLite file; its log stands beside it.
  package var file: String { path + "/vault" }
  package var objects: String { path + "/objects" }
  package var index: String { path + "/index" }
  /// What goes to other devices and comes from them: ``SpaceMirror``.
  package var sync: String { path + "/sync" }

  /// What belongs to it, of a backup: ``BackupContents``.
  package var contents: String { path + "/contents" }
  /// The directory it stands in, which keeps the objects of the backups in it as a diary's folder keeps its own.
  package var directory: VaultFolder {
    VaultFolder(FileSystem.parent(of: FileSystem.realPath(path) ?? path))
  }

  /// Where its objects may be: in it, or, of a backup, beside it. An object is what its name and key say, wherever it was
  /// found.
  var objectPlaces: [String] {
    FileSystem.exists(contents) ? [objects, directory.objects] : [objects]
  }

  /// Makes the folder, which must not be there. One that is held open was made by who holds it.
  ///
  /// - Throws: ``VaultError`` `conflict` in the folder of another diary, which tidies what it does not know.
  package func make() throws(VaultError) {
    guard !OpenDirectory.isOne(path) else { return }
    try requireOutside()
    try onDisk { () throws(PlatformError) in
      guard try FileSystem.makeDirectory(path) else {
        throw PlatformError(.system(.exists), path)
      }
    }
  }

  /// - Throws: ``VaultError`` `conflict` where it lies in the folder of another diary.
  package func requireOutside() throws(VaultError) {
    var above = FileSystem.realFolder(above: path)
    while above != "/", above != "." {
      if let head = Self.head(of: VaultFolder(above).file), head.starts(with: "FDb".utf8) {
        throw VaultError(.conflict, path, .insideDiary(above))
      }
      above = FileSystem.parent(of: above)
    }
  }

  /// - Throws: ``VaultError``: `noVault`; `olderFormat` for a diary that is one file; `notAVault` for anything else that is
  ///   no folder with a vault in it.
  package func check() throws(VaultError) {
    let status: FileStatus
    do throws(PlatformError) { status = try FileStatus(path, following: true) } catch {
      guard error.isMissing else { throw VaultError(error) }
      throw (try? FileStatus(path)) == nil
        ? VaultError(.noVault, path) : VaultError(.notFound, path, .linkToNothing)
    }
    switch status.kind {
    case .directory:
      do throws(PlatformError) { _ = try FileStatus(file) } catch {
        throw error.isMissing
          ? VaultError(.notAVault, path, .folderWithoutVault)
          : VaultError(PlatformError(error.reason, path))
      }
      UnfinishedFolder.unmark(self)
    case .regular:
      // The format before this one was a single file.
      guard Self.head(of: path) == Array("FDb1".utf8) else {
        throw VaultError(.notAVault, path, .notAFolder)
      }
      throw VaultError(.olderFormat, path)
    default: throw VaultError(.notAVault, path, .notAFolder)
    }
  }

  /// What SQLite's header says that a file is: its application id.
  private static func head(of file: String) -> [UInt8]? {
    guard let file = try? Descriptor.open(file, [.noFollow, .nonBlocking]),
      let id = try? file.read(4, at: 68), id.count == 4
    else { return nil }
    return id
  }

  // MARK: Objects

  /// The names of the objects that are there; none where there is no place for them.
  ///
  /// - Throws: ``VaultError`` when they cannot be listed: that is not the same as none.
  ///
  /// - Parameter ofAnyKind: also what is no file, which is never one of the diary's.
  package func objectNames(ofAnyKind: Bool = false) throws(VaultError) -> [ObjectName] {
    guard FileSystem.exists(objects) else { return [] }
    return try Self.objectNames(in: objects, ofAnyKind: ofAnyKind)
  }

  private static func objectNames(
    in directory: String, ofAnyKind: Bool = false
  ) throws(VaultError) -> [ObjectName] {
    try onDisk { () throws(PlatformError) in
      try FileSystem.entries(in: directory)
    }.compactMap { ofAnyKind || $0.isFile ? ObjectName($0.name) : nil }
  }

  /// Removes the objects that are not needed, as well as it can.
  package static func removeObjects(_ lock: ObjectLock, but needed: Set<ObjectName>) {
    for name in (try? objectNames(in: lock.objects)) ?? [] where !needed.contains(name) {
      try? FileSystem.remove(lock.objects + "/" + name.text)
    }
  }

  /// Copies objects into a directory that lacks them, byte for byte.
  ///
  /// One that is there already is checked against its name, and replaced when it does not match.
  ///
  /// - Parameters:
  ///   - checked: files that were found whole, which are not read again for a while.
  ///   - working: called now and then.
  /// - Throws: ``VaultError`` `damaged` for one that is nowhere, or whose bytes are not those its name says.
  package func copy(
    _ names: some Sequence<ObjectName>, to directory: String, _ checked: CheckedObjects? = nil,
    working: () -> Void = {}
  ) throws(VaultError) {
    for name in names { try copy(name, to: directory, checked, working: working) }
    try synchronize(directory)
  }

  /// The same for those that are there and whole; the others are left out.
  package func copyWhole(
    _ names: some Sequence<ObjectName>, to directory: String, working: () -> Void
  ) throws(VaultError) {
    for name in names {
      do throws(VaultError) { try copy(name, to: directory, nil, working: working) } catch {
        guard error.code == .damaged else { throw error }
      }
    }
    try synchronize(directory)
  }

  private func synchronize(_ directory: String) throws(VaultError) {
    guard FileSystem.exists(directory) else { return }
    try onDisk { () throws(PlatformError) in try FileSystem.synchronize(directory: directory) }
  }

  private func copy(
    _ name: ObjectName, to directory: String, _ checked: CheckedObjects?, working: () -> Void
  ) throws(VaultError) {
    let target = directory + "/" + name.text
    func isWhole() throws(VaultError) -> Bool {
      if let checked { return try checked.isWhole(name) }
      return try Self.isWhole(name, target, working: working)
    }
    let opened: (file: Descriptor, size: Int)?
    do throws(VaultError) { opened = try ObjectReader.open(name, in: self) } catch {
      if error.code == .damaged, try isWhole() { return }
      throw error
    }
    guard let (file, size) = opened else {
      if try isWhole() { return }
      throw VaultError(.damaged, "objects/" + name.text, .missing)
    }
    let there = (try? FileStatus(target)).flatMap { $0.kind == .regular ? $0.size : nil }
    if there == size, try isWhole() { return }
    let holes = Holes(in: file)
    var place = 0
    let isRight = try onDisk { () throws(PlatformError) in
      let copy = try AtomicFile(target)
      let digest = FileDigest()
      while true {
        let bytes = try file.read(1 << 20, at: place)
        if bytes.isEmpty { break }
        place += bytes.count
        if place % (64 << 20) == 0 { working() }
        if holes.are(in: bytes) { return false }
        digest.add(bytes)
        try copy.write(bytes)
      }
      guard digest.finish() == name.bytes else { return false }
      try copy.commit()
      return true
    }
    guard isRight else {
      // What is broken here is whole there.
      if try isWhole() { return }
      throw VaultError(.damaged, "objects/" + name.text, .objectIsAnother(name.text))
    }
    checked?.wrote(name)
  }

  static func isWhole(
    _ name: ObjectName, _ path: String, working: () -> Void = {}
  ) throws(VaultError) -> Bool {
    guard let file = try? Descriptor.open(path, [.noFollow, .nonBlocking]),
      try onDisk({ () throws(PlatformError) in try file.status() }).kind == .regular
    else { return false }
    do throws(VaultError) { return try ObjectCheck(file, is: name).finish(working) } catch {
      // A part of the disk that cannot be read is no whole file.
      guard error.code == .system else { throw error }
      return false
    }
  }

  /// Opens a file of the diary's own place of objects; nil for another kind of file.
  package func openPlain(_ name: ObjectName) throws(VaultError) -> Descriptor? {
    guard let file = try? Descriptor.open(objects + "/" + name.text, [.noFollow, .nonBlocking])
    else { return nil }
    let status = try onDisk { () throws(PlatformError) in try file.status() }
    return status.kind == .regular ? file : nil
  }

  /// Makes the place of objects and keeps others from removing any until the lock is released; waits for a removal under way.
  package func joinObjects() throws(VaultError) -> ObjectLock {
    let lock = try onDisk { () throws(PlatformError) -> FileLock in
      if try FileSystem.makeDirectory(objects) {
        try FileSystem.synchronize(directory: path)
      }
      return try FileLock.directory(objects, sharedWithin: .seconds(15))
    }
    return ObjectLock(lock)
  }

  /// Keeps others from sealing files until the lock is released; nil while somebody seals one. A child that is just being started
  /// has a lock for a moment that its parent has released.
  package func lockObjects() -> ObjectLock? {
    (try? FileLock.directory(objects, aloneWithin: .milliseconds(100))).map { ObjectLock($0) }
  }

  /// Removes objects, and what is no file under such a name, as well as it can.
  ///
  /// - Returns: how many are gone.
  @discardableResult
  package func remove(_ names: Set<ObjectName>) -> Int {
    guard let opened = try? OpenDirectory(noFollow: objects) else { return 0 }
    defer { withExtendedLifetime(opened) {} }
    return names.count { name in
      let path = opened.path + "/" + name.text
      FileSystem.removeTree(path)
      return !FileSystem.exists(path)
    }
  }

  /// Removes the list of contents, which only a backup has; whether it did.
  package func removeContents() -> Bool { (try? FileSystem.remove(contents)) != nil }

  /// The path of what SQLite would play into the rows.
  private var log: String? {
    ["-wal", "-journal"].map { file + $0 }.first { ((try? FileStatus($0))?.size ?? 0) > 0 }
  }

  /// What still stands in the log would be left behind.
  func requireNoLog() throws(VaultError) {
    guard log == nil else {
      throw VaultError(.system, path, .stillOpen)
    }
  }

  /// - Throws: ``VaultError`` `vaultExists`.
  package static func requireFree(_ path: String) throws(VaultError) {
    guard !FileSystem.exists(path) else { throw VaultError(.vaultExists, path) }
  }

  /// Whether the rows are gone, whatever else of the diary is still there.
  package var hasNoRows: Bool { !FileSystem.exists(file) }

  /// - Throws: ``VaultError``: `vaultExists`; `conflict` when the log of the rows that are gone is still there: it would be
  ///   played into the new ones.
  package func requireNoRows() throws(VaultError) {
    guard hasNoRows else { throw VaultError(.vaultExists, path) }
    if let log { throw VaultError(.conflict, log, .otherLogIsThere) }
  }
}

/// While it is held, nobody else seals files into the folder, or nobody removes any.
package final class ObjectLock {
  private let lock: FileLock
  fileprivate init(_ lock: FileLock) { self.lock = lock }

  /// Leads to the place of objects whatever is done with its name, as long as the lock is held.
  package var objects: String { lock.directory }
}
