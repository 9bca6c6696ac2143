/// A face embedding: what a face model makes of one picture of a face, as a direction.
///
/// Cosine similarity ignores length, so a vector is normalised once, here, in `Double`, and kept
/// as unit `float32`.
public struct Embedding: Sendable, Equatable {
  /// Accepted numbers of components.
  public static let dimensions = 16...8192

  /// The components of the unit vector.
  public let unit: [Float]
  /// The Euclidean length the vector had.
  public let norm: Double
  /// The canonical name of the face model, nil when the file named none.
  public let model: String?

  public var dimension: Int { unit.count }

  /// Checks and normalises `components` (16 to 8192, finite, not all zero).
  ///
  /// - Parameters:
  ///   - row: which row of `source` this is, for the error; from 0.
  /// - Throws: ``VectorError`` `dimension`, `notFinite`, `allZero`.
  public init(
    _ components: [Float], model: String? = nil, source: String = "vector", row: Int = 0
  ) throws(VectorError) {
    guard Self.dimensions.contains(components.count) else {
      throw VectorError(.dimension(components.count), in: source)
    }
    var sum = 0.0
    for (index, component) in components.enumerated() {
      guard component.isFinite else {
        throw VectorError(.notFinite(row: row, component: index), in: source)
      }
      sum += Double(component) * Double(component)
    }
    guard sum > 0 else { throw VectorError(.allZero(row: row), in: source) }
    let norm = sum.squareRoot()
    unit = components.map { Float(Double($0) / norm) }
    self.norm = norm
    self.model = model.map(FaceModel.canonicalName)
  }

  private init(unit: [Float], norm: Double, model: String?) {
    self.unit = unit
    self.norm = norm
    self.model = model
  }

  /// The same vector, said to be of `model`.
  ///
  /// - Throws: ``VectorError`` `modelMismatch` when its file named another one, `dimensionMismatch`
  ///   when the model is known to make vectors of another dimension.
  public func assigned(to model: String, source: String = "vector") throws(VectorError) -> Embedding
  {
    let name = FaceModel.canonicalName(model)
    if let own = self.model, own != name {
      throw VectorError(.modelMismatch(found: own, expected: name), in: source)
    }
    if let known = FaceModel.named(name), known.dimension != dimension {
      throw VectorError(
        .dimensionMismatch(found: dimension, expected: known.dimension), in: source)
    }
    return Embedding(unit: unit, norm: norm, model: name)
  }
}

extension Embedding {
  /// Makes sure that it can stand beside vectors of a dimension and a model, where both name one.
  ///
  /// - Throws: ``VectorError``: `dimensionMismatch`, `modelMismatch`, naming `source`.
  package func requireFit(
    dimension expected: Int, model expectedModel: String?, in source: String
  ) throws(VectorError) {
    guard dimension == expected else {
      throw VectorError(.dimensionMismatch(found: dimension, expected: expected), in: source)
    }
    if let model, let expectedModel, model != expectedModel {
      throw VectorError(.modelMismatch(found: model, expected: expectedModel), in: source)
    }
  }
}
