internal import Platform

/// The folder that is one diary: `vault`, the rows; `objects/`, the files of entries; `index/`, what search is fast by.
package struct VaultFolder: Sendable {
  package let path: String

  package init(_ path: String) { self.path = path }

  /// The rows, an SQLite file; its log stands beside it.
  package var file: String { path + "/vault" }
  package var objects: String { path + "/objects" }
  package var index: String { path + "/index" }

  /// Makes the folder, which must not be there.
  func make() throws(VaultError) {
    try onDisk { () throws(PlatformError) in
      guard try FileSystem.makeDirectory(path) else {
        throw PlatformError(.system(.exists), path)
      }
    }
  }

  /// - Throws: ``VaultError``: `noVault`; `olderFormat` for a diary that is one file; `notAVault` for anything else that is
  ///   no folder with a vault in it.
  func check() throws(VaultError) {
    let status: FileStatus
    do throws(PlatformError) { status = try FileStatus(path, following: true) } catch {
      throw error.isMissing ? VaultError(.noVault, path) : VaultError(error)
    }
    switch status.kind {
    case .directory:
      guard FileSystem.exists(file) else {
        throw VaultError(.notAVault, path, "a folder without a vault in it")
      }
    case .regular:
      // The format before this one was a single file.
      let head = (try? FileHead.read(path, count: 72)) ?? []
      guard head.count == 72, Array(head[68..<72]) == Array("FDb1".utf8) else {
        throw VaultError(.notAVault, path, "not a folder")
      }
      throw VaultError(.olderFormat, path)
    default: throw VaultError(.notAVault, path, "not a folder")
    }
  }

  /// Removes a diary that never got its name, or a backup, as well as it can.
  package func remove() {
    for suffix in ["", "-wal", "-shm", "-journal"] { try? FileSystem.remove(file + suffix) }
    for folder in [objects, index, path] {
      for name in (try? FileSystem.names(in: folder)) ?? [] {
        try? FileSystem.remove(folder + "/" + name)
      }
      FileSystem.removeDirectory(folder)
    }
  }

  /// Gives a finished diary its name, never over anything.
  package func publish(as target: String) throws(VaultError) {
    // What still stands in the log is not on the disk for certain.
    guard ((try? FileStatus(file + "-wal"))?.size ?? 0) == 0 else {
      throw VaultError(.system, path, "is still open")
    }
    try onDisk { () throws(PlatformError) in
      try FileSystem.synchronize(directory: path)
      try FileSystem.rename(path, toNew: target)
      try FileSystem.synchronize(directory: FileSystem.parent(of: target))
    }
  }

  /// - Throws: ``VaultError`` `vaultExists`.
  package static func requireFree(_ path: String) throws(VaultError) {
    guard !FileSystem.exists(path) else { throw VaultError(.vaultExists, path) }
  }

  /// Whether the rows are gone, whatever else of the diary is still there.
  package var hasNoRows: Bool { !FileSystem.exists(file) }

  /// Gives a diary that was put together again its name: of nothing, or of a folder whose rows are gone.
  ///
  /// - Throws: ``VaultError``: `vaultExists`; `conflict` when the log of the rows that are gone is still there: it would be
  ///   played into the new ones.
  package func publish(inPlaceOf lost: VaultFolder) throws(VaultError) {
    guard FileSystem.exists(lost.path) else { return try publish(as: lost.path) }
    try lost.requireNoRows()
    try onDisk { () throws(PlatformError) in
      for name in (try? FileSystem.names(in: objects)) ?? [] {
        try FileSystem.makeDirectory(lost.objects)
        try FileSystem.rename(objects + "/" + name, to: lost.objects + "/" + name)
      }
      if FileSystem.exists(lost.objects) { try FileSystem.synchronize(directory: lost.objects) }
      try FileSystem.rename(file, toNew: lost.file)
      try FileSystem.synchronize(directory: lost.path)
    }
    remove()
  }

  /// - Throws: as ``publish(inPlaceOf:)``.
  package func requireNoRows() throws(VaultError) {
    guard hasNoRows else { throw VaultError(.vaultExists, path) }
    guard ((try? FileStatus(file + "-wal"))?.size ?? 0) == 0 else {
      throw VaultError(
        .conflict, file + "-wal", "the log of a vault that is gone is still there; move it away")
    }
  }
}
