internal import Access
internal import CommandLine
internal import Dates
internal import Formats
internal import Platform
internal import Words

extension Invocation {
  /// A file that a command writes for somebody, whose path they named.
  ///
  /// - Throws: ``Failure`` `invalid` for one in the diary's own folder or in this device's stores: what stands there is replaced
  ///   by nothing but the diary itself.
  func outputFile(_ path: String, replacing: Bool = true) throws -> AtomicFile {
    try requireElsewhere(path)
    return try AtomicFile(path, existing: replacing ? .replaced : .refused)
  }

  /// A new folder that a command fills for somebody, whose path they named.
  ///
  /// - Throws: ``Failure``: `invalid` as for a file, `conflict` when there is anything by that name.
  @MainActor
  func newFolder(_ path: String) throws -> NewFolder {
    try requireElsewhere(path)
    return try NewFolder(path)
  }

  /// - Throws: ``Failure`` `invalid` for a file or folder in the diary's own folder or in this device's stores: only the diary
  ///   writes there, and what lies there is lost with it.
  func requireElsewhere(_ path: String, named name: String? = nil) throws {
    let parent = FileSystem.realFolder(above: Self.absolute(path))
    for own in [location.vault, location.devices] {
      guard let folder = FileSystem.realPath(own) else { continue }
      guard parent != folder, !parent.hasPrefix(folder + "/") else {
        throw Failure(
          .invalid, ExchangeMessage.isOwnFolder(name ?? path), hint: ExchangeMessage.nameOtherPlace)
      }
    }
  }
}
