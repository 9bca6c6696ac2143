internal import CLibrary
internal import CPlatform

/// A file that appears under its name at once when it is whole: 0600, never through a link.
///
/// Until then it has no name at all (`O_TMPFILE`), so that nothing of it stays, however this process ends. Where the
/// file system has no unnamed files it has a hidden name that every exit but `SIGKILL` removes.
package final class AtomicFile {
  package enum Existing: Sendable {
    /// A regular file of that name is replaced.
    case replaced
    /// A file of that name is an error, `exists`.
    case refused
  }

  private var path: String
  private let existing: Existing
  private let file: Descriptor
  /// The hidden name, and its place in the list of what a signal removes.
  private var named: (path: String, place: ExitCleanup.Place)?
  private let stream: FileStream

  /// - Throws: `notRegular` when something else than a regular file has the name; `exists`.
  package init(_ path: String, existing: Existing = .replaced) throws(PlatformError) {
    self.path = path
    self.existing = existing
    if let status = try? FileStatus(path) {
      if existing == .refused { throw PlatformError(.system(.exists), path) }
      guard status.kind == .regular else { throw PlatformError(.notRegular, path) }
    }
    let folder = FileSystem.parent(of: path)
    let unnamed = unsafe cplatform_open_unnamed(folder, 0o600)
    if unnamed >= 0 {
      file = Descriptor(unnamed, name: path)
      stream = FileStream(file)
      return
    }
    let temporary = Self.hiddenName(in: folder)
    let place = ExitCleanup.add(file: temporary)
    do throws(PlatformError) {
      file = try Descriptor.open(temporary, [.write, .create, .exclusive, .noFollow])
    } catch {
      ExitCleanup.remove(place)
      throw PlatformError(error.reason, path)
    }
    stream = FileStream(file)
    named = (temporary, place)
  }

  deinit {
    stream.wait()
    if let named {
      try? FileSystem.remove(named.path)
      ExitCleanup.remove(named.place)
    }
  }

  /// A name of its own: the file's may be as long as a name can be.
  private static func hiddenName(in folder: String) -> String {
    folder + "/.facediary-\(ThisProcess.id)-\(UInt32.random(in: 0 ... .max)).new"
  }

  package func write(_ bytes: [UInt8]) throws(PlatformError) { try stream.write(bytes) }

  /// The same under another name of its directory, known only now.
  package func commit(as name: String) throws(PlatformError) {
    path = FileSystem.parent(of: path) + "/" + name
    try commit()
  }

  /// Makes it durable and gives it its name. The directory is not synchronized.
  package func commit() throws(PlatformError) {
    try stream.finish()
    guard fchmod(file.number, 0o600) == 0 else { throw PlatformError(path) }
    try file.synchronize()
    if named == nil {
      // The name itself, when nothing has it.
      if unsafe cplatform_link_unnamed(file.number, path) == 0 { return }
      guard errno == EEXIST, existing == .replaced else { throw PlatformError(path) }
      let temporary = Self.hiddenName(in: FileSystem.parent(of: path))
      let place = ExitCleanup.add(file: temporary)
      guard unsafe cplatform_link_unnamed(file.number, temporary) == 0 else {
        ExitCleanup.remove(place)
        throw PlatformError(path)
      }
      named = (temporary, place)
    }
    guard let hidden = named else { return }
    switch existing {
    case .replaced: try FileSystem.rename(hidden.path, to: path)
    case .refused: try FileSystem.rename(hidden.path, toNew: path)
    }
    ExitCleanup.remove(hidden.place)
    named = nil
  }
}
