package import Bytes

/// What sealed records begin with. A version that adds what programs without it may pass over puts it at the end, where they
/// keep it; one that changes what is there raises the number, and they say that they are too old.
package enum RecordVersion {
  package static let first: UInt8 = 1
}

extension ByteReader {
  /// - Throws: ``SealingError``: `newer` for a version this program does not know.
  package mutating func expectVersion() throws(SealingError) {
    let version = try uint8()
    guard version <= RecordVersion.first else { throw .newer }
    guard version == RecordVersion.first else { throw .malformed }
  }
}
