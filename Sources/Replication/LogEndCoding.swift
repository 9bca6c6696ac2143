package import Bytes

extension [LogEnd] {
  package func encode(to writer: inout ByteWriter) {
    writer.putVarint(UInt64(count))
    for end in self {
      end.device.encode(to: &writer)
      writer.putVarint(end.sequence)
      end.hash.encode(to: &writer)
    }
  }

  /// In order, each from number 1.
  package init(_ reader: inout ByteReader) throws(SealingError) {
    self = []
    let count = try reader.varint()
    guard count <= UInt64(Segment.endLimit) else { throw .malformed }
    for _ in 0..<count {
      let end = LogEnd(
        device: try DeviceID(&reader), sequence: try reader.varint(), hash: try Hash(&reader))
      guard end.sequence > 0, last.map({ $0 < end }) ?? true else { throw .malformed }
      append(end)
    }
  }
}

extension ByteReader {
  /// A byte that is 0 or 1.
  mutating func flag() throws(SealingError) -> Bool {
    let byte = try uint8()
    guard byte <= 1 else { throw .malformed }
    return byte == 1
  }
}
