/// The vectors in one file, told apart by content.
public struct VectorFile: Sendable, Equatable {
  /// The largest file read for a probe or an enrolment, in bytes.
  public static let sizeLimit = 64 << 20

  public enum Format: String, Sendable { case npy, json, text, fvecs, rawFloat32 }

  public let format: Format
  /// What the file says the model is; only JSON objects can.
  public let model: String?
  /// One array of components a vector.
  public let rows: [[Float]]
  /// The file, `standard input` or a program.
  public let source: String

  /// Reads `bytes`, whatever form they are in.
  ///
  /// NumPy `.npy` (versions 1 to 3; float16, 32, 64; either byte order; 1-D or rows), a JSON array of
  /// numbers or of such arrays, a JSON object with `embedding` or `vector` and perhaps `model`,
  /// CSV or white space (one line a vector, or one number a line), FAISS `.fvecs`, and raw
  /// little-endian float32 when `source` ends in `.f32`.
  ///
  /// - Throws: ``VectorError`` naming `source`, the place and what was expected there.
  public init(_ bytes: [UInt8], source: String) throws(VectorError) {
    guard !bytes.isEmpty else { throw VectorError(.empty, in: source) }
    let format = try Self.format(of: bytes, source: source)
    let parsed: (rows: [[Float]], model: String?)
    switch format {
    case .npy: parsed = (try NumPyArray.rows(bytes, source: source), nil)
    case .json: parsed = try JSONVectors.rows(bytes, source: source)
    case .text: parsed = (try TextVectors.rows(bytes, source: source), nil)
    case .fvecs: parsed = (try BinaryVectors.fvecs(bytes, source: source), nil)
    case .rawFloat32: parsed = ([try BinaryVectors.raw(bytes, source: source)], nil)
    }
    guard !parsed.rows.isEmpty else { throw VectorError(.empty, in: source) }
    self.format = format
    self.source = source
    rows = parsed.rows
    model = parsed.model
  }

  private static func format(of bytes: [UInt8], source: String) throws(VectorError) -> Format {
    if bytes.starts(with: NumPyArray.magic) { return .npy }
    if source.lowercased().hasSuffix(".f32") { return .rawFloat32 }
    if BinaryVectors.looksLikeFvecs(bytes) { return .fvecs }
    var start = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    while start < bytes.count, [0x20, 0x09, 0x0a, 0x0d].contains(bytes[start]) { start += 1 }
    guard start < bytes.count else { throw VectorError(.empty, in: source) }
    if bytes[start] == UInt8(ascii: "[") || bytes[start] == UInt8(ascii: "{") { return .json }
    // A pickle of protocol 2 or later starts with PROTO; torch.save and .npz files are ZIP archives.
    if bytes[0] == 0x80, bytes.count > 1, bytes[1] <= 5 { throw VectorError(.pickled, in: source) }
    guard !bytes.prefix(4096).contains(where: { $0 < 0x09 || (0x0e..<0x20).contains($0) }) else {
      throw VectorError(.unknownFormat, in: source)
    }
    return .text
  }

  /// The rows as checked embeddings.
  ///
  /// - Throws: ``VectorError`` `dimension`, `notFinite`, `allZero`, `unequalRows`.
  public func embeddings() throws(VectorError) -> [Embedding] {
    var embeddings: [Embedding] = []
    embeddings.reserveCapacity(rows.count)
    for (index, row) in rows.enumerated() {
      guard row.count == rows[0].count else {
        throw VectorError(
          .unequalRows(row: index, count: row.count, expected: rows[0].count), in: source)
      }
      embeddings.append(try Embedding(row, model: model, source: source, row: index))
    }
    return embeddings
  }
}
