/// Why some bytes are not a face vector, or two vectors cannot be compared.
public struct VectorError: Error, Sendable, Equatable, Codable {
  public enum Problem: Sendable, Equatable, Codable {
    /// Nothing in it.
    case empty
    /// None of the forms that are read.
    case unknownFormat
    /// The text or header is not what its format wants: where, and what was expected there.
    case malformed(at: String, expected: String)
    /// NaN or infinity, or a number too large for float32.
    case notFinite(row: Int, component: Int)
    /// A vector of zeros has no direction.
    case allZero(row: Int)
    /// Fewer than 16 or more than 8192 components.
    case dimension(Int)
    /// Rows of different lengths.
    case unequalRows(row: Int, count: Int, expected: Int)
    /// An array of integers, complex numbers, text, …: embeddings are floating point.
    case elementType(String)
    /// A pickled Python object: reading one would run its code.
    case pickled
    case fortranOrder
    /// Neither 1-D nor 2-D.
    case shape(String)
    case truncated(expected: Int, found: Int)
    case trailingBytes(at: Int)
    /// Over the size limit, in bytes.
    case tooLarge(limit: Int)
    /// More rows than one probe or enrolment may have.
    case tooManyRows(limit: Int)
    /// Fewer different frames than the enrolled way of scoring was measured with.
    case tooFewFrames(found: Int, wanted: Int)
    /// Another number of components than its partner.
    case dimensionMismatch(found: Int, expected: Int)
    /// Another face model than its partner, the option or the enrolled templates.
    case modelMismatch(found: String, expected: String)
  }

  public let problem: Problem
  /// The file, `standard input` or the program the bytes came from.
  public let source: String

  public init(_ problem: Problem, in source: String) {
    self.problem = problem
    self.source = source
  }
}
