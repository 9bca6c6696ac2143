internal import Platform

/// A file a person named, or standard input for `-`; closed with its last owner.
final class InputFile {
  let descriptor: Descriptor
  private var wasRead = false

  /// - Throws: `notFound` when there is none.
  fileprivate init(_ path: String) throws(PlatformError) {
    descriptor = path == "-" ? .standardInput : try Descriptor.open(path)
  }

  /// A file that belongs to an import: a regular one, never through a link.
  init(entryFile path: String) throws(PlatformError) {
    descriptor = try Descriptor.open(path, [.noFollow, .nonBlocking])
    guard size != nil else { throw PlatformError(.notRegular, path) }
  }

  /// In bytes, nil when that is not known beforehand.
  var size: Int? {
    guard let status = try? descriptor.status(), status.kind == .regular else { return nil }
    return status.size
  }

  /// Back to the beginning, for who tries again; what cannot go back has been read once and is gone.
  func rewind() throws(PlatformError) {
    if wasRead { try descriptor.rewind() }
  }

  /// The next bytes, none at the end.
  func piece() throws(PlatformError) -> [UInt8] {
    wasRead = true
    return try descriptor.read()
  }

  /// - Throws: ``InputTooLarge`` when there is more than `limit`.
  func contents(limit: Int) throws -> [UInt8] {
    do throws(PlatformError) { return try descriptor.readAll(limit: limit) } catch {
      guard error.reason == .tooLarge(limit: limit) else { throw error }
      throw InputTooLarge(path: error.path, limit: limit)
    }
  }
}

/// A file over its limit; what that means depends on what it was to be.
struct InputTooLarge: Error {
  let path: String
  let limit: Int
}

extension Invocation {
  /// Opens what a person named; `purpose` claims standard input when that is it.
  func input(_ path: String, as purpose: String) throws -> InputFile {
    if path == "-" { try claimStandardInput(for: purpose) }
    return try InputFile(path)
  }

  /// All bytes of it.
  func read(_ path: String, as purpose: String, limit: Int) throws -> [UInt8] {
    try input(path, as: purpose).contents(limit: limit)
  }
}
