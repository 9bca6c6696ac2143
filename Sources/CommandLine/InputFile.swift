package import Platform

/// A file a person named, or standard input for `-`; closed with its last owner.
package final class InputFile {
  package let descriptor: Descriptor
  private var wasRead = false

  /// - Throws: `notFound` when there is none.
  package init(_ path: String) throws(PlatformError) {
    descriptor = path == "-" ? .standardInput : try Descriptor.open(path)
  }

  /// A file below a folder that is imported.
  ///
  /// - Throws: as ``InputFolder/open(_:)``, and when there is none.
  package init(_ relative: String, in folder: InputFolder) throws(PlatformError) {
    guard let file = try folder.open(relative) else {
      throw PlatformError(.system(.noEntry), folder.path + "/" + relative)
    }
    descriptor = file
  }

  /// In bytes, nil when that is not known beforehand.
  package var size: Int? {
    guard let status = try? descriptor.status(), status.kind == .regular else { return nil }
    return status.size
  }

  /// Back to the beginning, for who tries again; what cannot go back has been read once and is gone.
  package func rewind() throws(PlatformError) {
    if wasRead { try descriptor.rewind() }
  }

  /// The next bytes, none at the end.
  package func piece() throws(PlatformError) -> [UInt8] {
    wasRead = true
    return try descriptor.read()
  }

  /// - Throws: ``InputTooLarge`` when there is more than `limit`.
  package func contents(limit: Int) throws -> [UInt8] {
    do throws(PlatformError) { return try descriptor.readAll(limit: limit) } catch {
      guard error.reason == .tooLarge(limit: limit) else { throw error }
      throw InputTooLarge(path: error.path, limit: limit)
    }
  }
}

/// A file over its limit; what that means depends on what it was to be.
package struct InputTooLarge: Error {
  package let path: String
  package let limit: Int
}
