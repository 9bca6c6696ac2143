package import Platform

/// A file a person named, or standard input for `-`; closed with its last owner.
package final class InputFile {
  package let descriptor: Descriptor
  private var wasRead = false
  /// A pipe with a name: nobody may write into it.
  private let isNamedPipe: Bool

  /// - Throws: `notFound` when there is none.
  package init(_ path: String) throws(PlatformError) {
    guard path != "-" else {
      descriptor = .standardInput
      isNamedPipe = false
      return
    }
    // Opening a pipe otherwise waits for somebody at its other end, for ever if need be.
    descriptor = try Descriptor.open(path, [.nonBlocking])
    descriptor.setBlocking()
    // A pipe that a shell passes on already had its writer.
    isNamedPipe = try descriptor.status().kind == .pipe && !path.hasPrefix("/dev/fd/")
  }

  /// A file below a folder that is imported.
  ///
  /// - Throws: as ``InputFolder/open(_:)``, and when there is none.
  package init(_ relative: String, in folder: InputFolder) throws(PlatformError) {
    guard let file = try folder.open(relative) else {
      throw PlatformError(.system(.noEntry), folder.path + "/" + relative)
    }
    descriptor = file
    isNamedPipe = false
  }

  /// In bytes, nil when that is not known beforehand.
  package var size: Int? {
    guard let status = try? descriptor.status(), status.kind == .regular else { return nil }
    return status.size
  }

  /// Goes back to the beginning, for another try. Input that cannot go back has been read and is
  /// gone.
  package func rewind() throws(PlatformError) {
    if wasRead { try descriptor.rewind() }
  }

  /// The next bytes, none at the end.
  ///
  /// - Throws: `notRegular` for a pipe into which nobody writes.
  package func piece() throws(PlatformError) -> [UInt8] {
    if isNamedPipe, !wasRead { try awaitWriter() }
    wasRead = true
    return try descriptor.read()
  }

  /// The same terminal, opened once more so that reading it never waits; the file itself where that cannot be.
  ///
  /// A signal from the keyboard throws away what was typed but not read yet. A process that was just told of a line would
  /// otherwise wait for the next one.
  package func terminalWithoutWaiting() -> Descriptor {
    (try? Descriptor.open("/proc/self/fd/\(descriptor.number)", [.nonBlocking])) ?? descriptor
  }

  /// The next pieces, until they are so many bytes or more, or the file ends.
  package func beginning(_ count: Int) throws(PlatformError) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let piece = try piece()
      if piece.isEmpty { break }
      bytes += piece
    }
    return bytes
  }

  /// Waits a moment for a process to open the pipe for writing.
  private func awaitWriter() throws(PlatformError) {
    for _ in 0..<40 {
      // A pipe that nobody has opened yet reports nothing; one with data, or whose writer left, does.
      var entries = [Poll.Entry(descriptor.number)]
      Poll.wait(&entries, milliseconds: 50)
      if entries[0].isReady { return }
    }
    throw PlatformError(.notRegular, descriptor.name)
  }

  /// - Throws: ``InputTooLarge`` when there is more than `limit`; as ``piece()``.
  package func contents(limit: Int) throws -> [UInt8] {
    do throws(PlatformError) {
      if isNamedPipe { try awaitWriter() }
      return try descriptor.readAll(limit: limit)
    } catch {
      guard error.reason == .tooLarge(limit: limit) else { throw error }
      throw InputTooLarge(path: error.path, limit: limit)
    }
  }
}

/// A file over its limit. The caller knows what the file was meant to be.
package struct InputTooLarge: Error {
  package let path: String
  package let limit: Int

  package init(path: String, limit: Int) {
    self.path = path
    self.limit = limit
  }
}
