internal import Bytes
package import Entries
internal import Platform

extension VaultError {
  /// The same, where it is about a directory that is held open, by the path that a person knows.
  package func named(_ path: String) -> VaultError {
    OpenDirectory.leads(name) ? naming(path) : self
  }
}

/// The folder of a diary or backup that is being made, or removed, under another name.
///
/// It is held open, and all that is done in it is done through that: who may write to the folder above can give its name to another
/// folder between any two steps. What a process that is killed leaves is removed by the next one. A file in it says that it may be; a name
/// alone says nothing.
package final class UnfinishedFolder {
  /// How the names of such folders end.
  package static let suffix = ".new"
  private static let mark = ".unfinished"

  /// The path that it has for now.
  private var name: String
  private let opened: OpenDirectory
  private var isPublished = false

  /// Leads to it whatever is done with its name, as long as this is held.
  package var folder: VaultFolder { VaultFolder(opened.path) }

  /// Makes one.
  ///
  /// - Parameter name: its path, which must be free and ends as those of unfinished folders do.
  /// - Throws: ``VaultError`` `conflict` in the folder of another diary.
  package init(named name: String) throws(VaultError) {
    let folder = VaultFolder(name)
    try folder.make()
    self.name = name
    opened = try onDisk { () throws(PlatformError) in
      do throws(PlatformError) {
        let opened = try OpenDirectory(new: name)
        try Self.mark(opened)
        return opened
      } catch {
        FileSystem.removeDirectory(name)
        throw error
      }
    }
  }

  /// Makes one for a vault, in the folder of the name that it will get. What processes left there that were killed is removed: it holds
  /// an older state of a diary, with its ways in.
  package convenience init(in parent: String) throws(VaultError) {
    for name in (try? FileSystem.names(in: parent)) ?? []
    where name.wholeMatch(of: /\.facediary-[0-9a-z]{13}\.new/) != nil {
      let path = parent + "/" + name
      // None is being made for a day.
      guard let status = try? FileStatus(path), status.kind == .directory,
        status.owner == ThisProcess.user, status.modified < SystemClock.wall - 86_400
      else { continue }
      Self.remove(leftAt: path)
    }
    try self.init(
      named: parent + "/.facediary-" + Base32.encode(Randomness.system.bytes(8)) + Self.suffix)
  }

  private static func mark(_ folder: OpenDirectory) throws(PlatformError) {
    guard !FileSystem.exists(folder.path + "/" + mark) else { return }
    _ = try Descriptor.open(folder.path + "/" + mark, [.write, .create, .exclusive, .noFollow])
  }

  /// A kill may have come after a diary got its name, and before its mark went.
  static func unmark(_ folder: VaultFolder) {
    guard !folder.path.hasSuffix(suffix), !OpenDirectory.isOne(folder.path) else { return }
    try? FileSystem.remove(folder.path + "/" + mark)
  }

  // MARK: Removing

  /// Removes it, unless it was published.
  package func remove() {
    if !isPublished { Self.remove(opened, named: name) }
  }

  /// Removes a diary or backup that is marked as unfinished, as well as it can.
  package static func remove(leftAt path: String) {
    // A link or another folder in its place leads to files that are not ours.
    guard let opened = try? OpenDirectory(noFollow: path) else { return }
    guard FileSystem.exists(opened.path + "/" + mark) else {
      // A kill may have come before the mark.
      return FileSystem.removeDirectory(path)
    }
    remove(opened, named: path)
  }

  /// The mark goes last: who is killed meanwhile leaves what the next one removes.
  private static func remove(_ opened: OpenDirectory, named path: String) {
    for name in (try? FileSystem.names(in: opened.path)) ?? [] where name != mark {
      FileSystem.removeTree(opened.path + "/" + name)
    }
    opened.remove(path)
  }

  /// Removes a finished backup, under the name of one that is being made: a process that is killed meanwhile leaves what the next one removes.
  ///
  /// - Parameter isBackup: whether a folder is one. Something else may have its name by now.
  package static func remove(
    _ path: String, as unfinished: String, where isBackup: (VaultFolder) -> Bool
  ) {
    guard let opened = try? OpenDirectory(noFollow: path), isBackup(VaultFolder(opened.path)),
      (try? mark(opened)) != nil
    else { return }
    let isRenamed = (try? FileSystem.rename(path, toNew: unfinished)) != nil
    remove(opened, named: isRenamed ? unfinished : path)
  }

  // MARK: Publishing

  /// Gives what is finished its name, and never replaces anything.
  ///
  /// - Throws: ``VaultError`` `vaultExists`; `conflict` where another folder got the name: somebody moves folders here.
  package func publish(as target: String) throws(VaultError) {
    try folder.requireNoLog()
    try onDisk { () throws(PlatformError) in
      try FileSystem.synchronize(directory: opened.path)
      try FileSystem.rename(name, toNew: target)
      name = target
      try FileSystem.synchronize(directory: FileSystem.parent(of: target))
    }
    guard opened.isNamed(target) else { throw VaultError(.conflict, target, .wasMoved) }
    // From now on nobody who sweeps may take it for unfinished.
    try onDisk { () throws(PlatformError) in
      try FileSystem.remove(opened.path + "/" + Self.mark)
      try FileSystem.synchronize(directory: opened.path)
    }
    isPublished = true
  }

  /// What else than its rows a diary's folder holds, or a backup's that stood in its place.
  private static let known: Set<String> = [
    "contents", "objects", "index", "sync", "vault-wal", "vault-shm", "vault-journal", mark,
  ]

  /// - Parameter target: what the folder is called.
  /// - Throws: ``VaultError`` `conflict` for a folder with anything that is not a diary's. What a system puts into any folder is hidden.
  package static func requireDiarys(
    _ folder: VaultFolder, named target: String
  ) throws(VaultError) {
    guard FileSystem.exists(folder.path) else { return }
    let names = try onDisk { () throws(PlatformError) in try FileSystem.names(in: folder.path) }
    let other = names.first { !known.contains($0) && !$0.hasPrefix(".") && $0 != "lost+found" }
    if let other { throw VaultError(.conflict, target + "/" + other, .isNoDiarysFolder) }
  }

  /// Gives a diary that was put together again its name: of nothing, or of a folder whose rows are gone.
  ///
  /// - Throws: ``VaultError``: `vaultExists`; `conflict` when the log of the rows that are gone is still there, which would be
  ///   played into the new ones, and for a folder with anything that is not a diary's.
  package func publish(inPlaceOf target: String) throws(VaultError) {
    guard FileSystem.exists(target) else { return try publish(as: target) }
    let kept = try onDisk { () throws(PlatformError) in
      try OpenDirectory(noFollow: FileSystem.realPath(target) ?? target)
    }
    defer { withExtendedLifetime(kept) {} }
    let lost = VaultFolder(kept.path)
    try lost.requireNoRows()
    try Self.requireDiarys(lost, named: target)
    try folder.requireNoLog()
    try onDisk { () throws(PlatformError) in
      let objects = folder.objects
      for name in FileSystem.exists(objects) ? try FileSystem.names(in: objects) : [] {
        try FileSystem.makeDirectory(lost.objects)
        try FileSystem.rename(objects + "/" + name, to: lost.objects + "/" + name)
      }
      if FileSystem.exists(lost.objects) { try FileSystem.synchronize(directory: lost.objects) }
      try FileSystem.rename(folder.file, toNew: lost.file)
      try FileSystem.synchronize(directory: lost.path)
    }
  }
}
