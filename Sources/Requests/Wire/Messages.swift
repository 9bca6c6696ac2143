package import Access
package import FaceMatching

/// What `status` says of a running session.
package struct SessionFacts: Codable, Sendable, Equatable {
  /// `face`, `passphrase` or `recovery`.
  package let method: String
  /// Seconds left in all, and until idleness ends it.
  package let life: Int
  package let idle: Int
  /// What the process that holds the keys tried to give up: `files`, `programs`, `network`.
  package let tried: [String]
  /// Which of these it found to be gone.
  package let confined: [String]

  package init(method: String, life: Int, idle: Int, tried: [String], confined: [String]) {
    self.method = method
    self.life = life
    self.idle = idle
    self.tried = tried
    self.confined = confined
  }

  private enum CodingKeys: String, CodingKey { case method, life, idle, tried, confined }

  /// Bounds the numbers, because any program may listen in a session's place.
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let longest = 0...Int(SessionLimits.longestLife.components.seconds)
    func seconds(_ key: CodingKeys) throws -> Int {
      min(max(try values.decode(Int.self, forKey: key), longest.lowerBound), longest.upperBound)
    }
    self.init(
      method: try values.decode(String.self, forKey: .method), life: try seconds(.life),
      idle: try seconds(.idle), tried: try values.decode([String].self, forKey: .tried),
      confined: try values.decode([String].self, forKey: .confined))
  }
}

/// A diary that was just opened, as its keeper tells the process that started it.
package struct Opened: Codable, Sendable {
  package let session: SessionFacts
  /// Of the face that was accepted.
  package let similarity: Double?
  package let threshold: Double?
  package let frames: Int
  /// How faces are scored here, when one was.
  package let scoring: ScoringFacts?
  package let notices: [DiaryNotice]

  package init(
    session: SessionFacts, similarity: Double?, threshold: Double?, frames: Int,
    scoring: ScoringFacts?, notices: [DiaryNotice]
  ) {
    self.session = session
    self.similarity = similarity
    self.threshold = threshold
    self.frames = frames
    self.scoring = scoring
    self.notices = notices
  }
}

/// How a probe is scored: enough to say what more shots or frames would gain, without a template.
package struct ScoringFacts: Codable, Sendable {
  package let templates: Int
  package let calibrated: CalibratedScoring?

  package init(templates: Int, calibrated: CalibratedScoring?) {
    self.templates = templates
    self.calibrated = calibrated
  }
}

/// A face on its way to the process that may open the diary with it.
package struct ShownFace: Codable, Sendable {
  let frames: [WireEmbedding]
  /// What was asked for; nil for what the policy allows.
  package let idle: Duration?
  package let life: Duration?

  package init(_ probe: Probe, idle: Duration?, life: Duration?) {
    frames = probe.frames.map(WireEmbedding.init)
    self.idle = idle
    self.life = life
  }

  package func probe() throws(VectorError) -> Probe {
    var embeddings: [Embedding] = []
    for frame in frames { embeddings.append(try frame.embedding()) }
    return try Probe(embeddings)
  }
}

/// What a keeper says of a face it was shown.
package enum FaceAnswer: Codable, Sendable {
  case recognised(similarity: Double, threshold: Double, SessionFacts)
  case refused(attemptsLeft: Int)
}

/// An embedding as bytes: its unit vector in little-endian float32, which has length 1 to within rounding.
struct WireEmbedding: Codable, Sendable {
  let unit: [UInt8]
  let model: String?

  init(_ embedding: Embedding) {
    unit = embedding.unit.flatMap { component in
      let bits = component.bitPattern
      return (0..<4).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) }
    }
    model = embedding.model
  }

  func embedding() throws(VectorError) -> Embedding {
    let components = stride(from: 0, to: unit.count - unit.count % 4, by: 4).map { start in
      var bits: UInt32 = 0
      for byte in unit[start..<start + 4].reversed() { bits = bits << 8 | UInt32(byte) }
      return Float(bitPattern: bits)
    }
    return try Embedding(components, model: model)
  }
}
