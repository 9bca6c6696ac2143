/// Tells one person's face from an average of many faces.
///
/// An attacker can choose the vector. If a model gives all faces a common direction, the mean of
/// public faces is near to everybody, and nearer to the model's mean face than any real face is.
/// The guard refuses such vectors.
public struct FaceGuard: Sendable, Equatable, Codable {
  /// The direction of the mean face, a unit vector.
  public let mean: [Float]
  /// The largest cosine to ``mean`` of one real picture.
  public let frameBound: Double
  /// The same of the mean direction of the frames of one real probe.
  public let probeBound: Double
  /// The least cosine between two pictures of one person, so of two frames of one moment.
  public let likeness: Double
  /// How much of a calibrated score a probe loses for being nearer to the mean face than the owner is, 0 to 1
  /// (``Scoring/meanDirection``).
  public let weight: Double

  /// - Throws: ``VectorError``: a mean that is no vector; `malformed` for a bound outside [−1, 1].
  public init(
    mean: [Float], frameBound: Double, probeBound: Double, likeness: Double, weight: Double = 0
  ) throws(VectorError) {
    self.mean = try Embedding(mean, source: "guard").unit
    for bound in [frameBound, probeBound, likeness] where !(-1...1).contains(bound) {
      throw VectorError(.malformed(at: "bound \(bound)", expected: "a cosine"), in: "guard")
    }
    guard (0...1).contains(weight) else {
      throw VectorError(.malformed(at: "weight \(weight)", expected: "0 to 1"), in: "guard")
    }
    self.weight = weight
    self.frameBound = frameBound
    self.probeBound = probeBound
    self.likeness = likeness
  }

  private enum CodingKeys: CodingKey { case mean, frameBound, probeBound, likeness, weight }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(
      mean: values.decode([Float].self, forKey: .mean),
      frameBound: values.decode(Double.self, forKey: .frameBound),
      probeBound: values.decode(Double.self, forKey: .probeBound),
      likeness: values.decode(Double.self, forKey: .likeness),
      weight: values.decodeIfPresent(Double.self, forKey: .weight) ?? 0)
  }

  /// Whether a picture is no nearer to the mean face than real ones are; false for another dimension.
  public func admits(_ unit: [Float]) -> Bool {
    // NaN compares false, so it refuses.
    unit.count == mean.count && Similarity.dot(unit, mean) <= frameBound
  }

  /// Whether frames are of one person at one moment: neither a single frame nor their mean is an average.
  func admits(frames: [[Float]]) -> Bool {
    guard frames.allSatisfy(admits), let cosine = Shots(frames).cosine(to: mean) else {
      return false
    }
    return cosine <= max(frameBound, probeBound)
  }

  /// Whether frames resemble one another, and none is an average.
  ///
  /// - Parameter together: whether their mean must not be one either. An average similarity gains nothing by many frames, so
  ///   it need not be asked there; the direction of their mean does.
  func passes(_ frames: [[Float]], together: Bool) -> Bool {
    Self.likeness(of: frames) >= likeness
      && (together ? admits(frames: frames) : frames.allSatisfy(admits))
  }

  /// The least similarity of two of the frames; 1 of a single one.
  static func likeness(of frames: [[Float]]) -> Double {
    var least = 1.0
    for (index, one) in frames.enumerated() {
      for other in frames[(index + 1)...] { least = min(least, Similarity.dot(one, other)) }
    }
    return least
  }
}
