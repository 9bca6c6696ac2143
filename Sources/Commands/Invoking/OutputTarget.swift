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
    let parent = FileSystem.realPath(FileSystem.parent(of: Self.absolute(path)))
    for own in [location.vault, location.devices] {
      guard let parent, let folder = FileSystem.realPath(own) else { continue }
      guard parent != folder, !parent.hasPrefix(folder + "/") else {
        throw Failure(
          .invalid, ExchangeMessage.isOwnFolder(path), hint: ExchangeMessage.nameOtherPlace)
      }
    }
    return try AtomicFile(path, existing: replacing ? .replaced : .refused)
  }
}
