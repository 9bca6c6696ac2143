/// FAISS `.fvecs` (each row: its length as int32, then float32, little endian) and bare float32.
enum BinaryVectors {
  /// A length that makes sense, repeated exactly where the rows say it must be.
  static func looksLikeFvecs(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 4 else { return false }
    let dimension = Int(word(bytes, at: 0))
    guard Embedding.dimensions.contains(dimension) else { return false }
    let stride = 4 + 4 * dimension
    // Its high bytes are zero, which no text has. A truncated file is still one, and said so below.
    return bytes.count >= stride || bytes.count > 4
  }

  static func fvecs(_ bytes: [UInt8], source: String) throws(VectorError) -> [[Float]] {
    let dimension = Int(word(bytes, at: 0))
    let stride = 4 + 4 * dimension
    guard bytes.count % stride == 0 else {
      let whole = (bytes.count / stride + 1) * stride
      throw VectorError(.truncated(expected: whole, found: bytes.count), in: source)
    }
    var rows: [[Float]] = []
    for row in 0..<(bytes.count / stride) {
      let start = row * stride
      guard Int(word(bytes, at: start)) == dimension else {
        throw VectorError(
          .malformed(at: "byte \(start)", expected: "the row length \(dimension)"), in: source)
      }
      rows.append(floats(bytes, at: start + 4, count: dimension))
    }
    return rows
  }

  static func raw(_ bytes: [UInt8], source: String) throws(VectorError) -> [Float] {
    guard bytes.count % 4 == 0 else {
      throw VectorError(.trailingBytes(at: bytes.count & ~3), in: source)
    }
    guard Embedding.dimensions.contains(bytes.count / 4) else {
      throw VectorError(.dimension(bytes.count / 4), in: source)
    }
    return floats(bytes, at: 0, count: bytes.count / 4)
  }

  private static func word(_ bytes: [UInt8], at start: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(bytes[start + $1]) << (8 * $1) }
  }

  private static func floats(_ bytes: [UInt8], at start: Int, count: Int) -> [Float] {
    (0..<count).map { Float(bitPattern: word(bytes, at: start + 4 * $0)) }
  }
}
