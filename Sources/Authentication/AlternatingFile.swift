package import Access
internal import Bytes
internal import Entries
internal import Platform
package import Sealing

/// A small sealed record that is overwritten often: two copies written in turn, so that a torn write
/// leaves the one before, and one `fdatasync` makes it durable.
///
/// Each copy: `sequence u64 ‖ length u32 ‖ sealed`, the second at a fixed place. The sequence is in the associated data.
package struct AlternatingFile: Sendable {
  /// Where the second copy begins: the largest a copy can be.
  private let copySize: Int
  private let directory: DeviceDirectory
  private let name: String
  private let context: [UInt8]

  /// - Parameters:
  ///   - context: what the record is and whose, bound into the seal.
  ///   - copySize: 4 KiB, or more for a record that can grow.
  package init(
    _ directory: DeviceDirectory, _ name: String, context: [UInt8], copySize: Int = 4096
  ) {
    self.copySize = copySize
    self.directory = directory
    self.name = name
    self.context = context
  }

  /// The newest record that opens, nil when the file is not there.
  ///
  /// - Throws: `storeDamaged` when it is there and neither copy opens.
  package func read(key: borrowing SecretBytes) throws(AuthenticationError) -> [UInt8]? {
    guard let file = try directory.openForReading(name) else { return nil }
    // Ignore anything that somebody appended to the file.
    let bytes = try onDevice { () throws(PlatformError) in try file.read(2 * copySize, at: 0) }
    guard let best = newest(bytes, key: key) else {
      throw AuthenticationError(.storeDamaged, directory.path + "/" + name, .sealDoesNotFit)
    }
    return best.content
  }

  package func write(_ content: [UInt8], key: borrowing SecretBytes) throws(AuthenticationError) {
    guard let file = try openForUpdate() else {
      // The first record comes with its file, so that there is never an empty one.
      return try directory.write(
        name, [UInt8](repeating: 0, count: copySize) + (try slot(1, content, key: key)))
    }
    let old = try onDevice { () throws(PlatformError) in try file.read(2 * copySize, at: 0) }
    let sequence = (newest(old, key: key)?.sequence ?? 0) + 1
    guard sequence <= UInt64(Int64.max) else {
      throw AuthenticationError(.storeDamaged, directory.path + "/" + name, .malformed)
    }
    let slot = try slot(sequence, content, key: key)
    try onDevice { () throws(PlatformError) in
      try file.write(slot, at: Int(sequence % 2) * copySize)
      try file.synchronizeData()
    }
  }

  /// The file; nil where there is none, also where something else had its name, which gets another one. Whoever writes has read before,
  /// and was told.
  private func openForUpdate() throws(AuthenticationError) -> Descriptor? {
    do throws(AuthenticationError) { return try directory.openForUpdate(name) } catch {
      guard error.code == .storeDamaged else { throw error }
      try directory.putAside(name)
      return nil
    }
  }

  /// Overwrites both copies: what was there before does not come back with half of the file.
  package func writeBoth(
    _ content: [UInt8], key: borrowing SecretBytes
  ) throws(AuthenticationError) {
    try write(content, key: key)
    try write(content, key: key)
  }

  private func slot(
    _ sequence: UInt64, _ content: [UInt8], key: borrowing SecretBytes
  ) throws(AuthenticationError) -> [UInt8] {
    let sealed = unsafe AEAD.seal(
      content.span.bytes, associatedData: associatedData(sequence).span.bytes, key: key)
    var writer = ByteWriter(reserving: sealed.count + 12)
    writer.put(sequence)
    writer.put(UInt32(sealed.count))
    writer.put(sealed)
    guard writer.bytes.count <= copySize else {
      throw AuthenticationError(.system, name, .tooLarge)
    }
    return writer.bytes
  }

  private func newest(
    _ bytes: [UInt8], key: borrowing SecretBytes
  ) -> (sequence: UInt64, content: [UInt8])? {
    var best: (sequence: UInt64, content: [UInt8])?
    for start in [0, copySize] where bytes.count > start {
      var reader = ByteReader(bytes, in: start..<min(bytes.count, start + copySize))
      guard let sequence = try? reader.counter(), let count = try? reader.uint32(),
        let sealed = try? reader.bytes(Int(count)),
        let content = unsafe try? AEAD.open(
          sealed.span.bytes, associatedData: associatedData(sequence).span.bytes, key: key),
        sequence > best?.sequence ?? 0
      else { continue }
      best = (sequence, content)
    }
    return best
  }

  private func associatedData(_ sequence: UInt64) -> [UInt8] {
    var writer = ByteWriter()
    writer.put(context)
    writer.put(sequence)
    return writer.bytes
  }
}
