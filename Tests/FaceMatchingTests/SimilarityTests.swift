import Testing

@testable import FaceMatching

@Suite struct SimilarityTests {
  /// The serial oracle: everything in `Double`.
  private func oracle(_ a: [Float], _ b: [Float]) -> Double {
    var dot = 0.0
    var aa = 0.0
    var bb = 0.0
    for (x, y) in zip(a, b) {
      dot += Double(x) * Double(y)
      aa += Double(x) * Double(x)
      bb += Double(y) * Double(y)
    }
    return dot / (aa * bb).squareRoot()
  }

  @Test(arguments: [16, 17, 31, 127, 128, 129, 511, 512, 513, 4096, 8192], [0, 1, 100] as [Float])
  func `the cosine is within a millionth of the oracle, with any common offset`(
    count: Int, offset: Float
  ) throws {
    var random = Seeded(state: UInt64(count))
    for _ in 0..<20 {
      let a = (0..<count).map { _ in Float.random(in: -1...1, using: &random) + offset }
      let b = (0..<count).map { _ in Float.random(in: -1...1, using: &random) + offset }
      let cosine = try Similarity.cosine(try Embedding(a), try Embedding(b))
      #expect(abs(cosine - oracle(a, b)) < 1e-6)
      let portable = Similarity.portableDot(try Embedding(a).unit, try Embedding(b).unit)
      #expect(abs(portable - cosine) < 1e-6)
    }
  }

  @Test func `0_9990 and 0_9991 are told apart`() throws {
    var random = Seeded(state: 9)
    let base = (0..<512).map { _ in Float.random(in: -1...1, using: &random) + 30 }
    func tilted(_ amount: Float) -> [Float] {
      base.enumerated().map { $1 + ($0 % 2 == 0 ? amount : -amount) }
    }
    let far = tilted(1.3423)
    let near = tilted(1.2733)
    let (x, y) = (oracle(base, far), oracle(base, near))
    #expect(abs((y - x) - 1e-4) < 2e-5)
    let a = try Embedding(base)
    let difference =
      try Similarity.cosine(a, try Embedding(near)) - Similarity.cosine(a, try Embedding(far))
    #expect(abs(difference - (y - x)) < 1e-6)
  }

  @Test func `subnormal and huge components keep their direction`() throws {
    for scale in [Float.leastNonzeroMagnitude * 1000, 1e-30, 1e30, 1e36] {
      let a = (0..<64).map { Float($0 + 1) * scale }
      let b = (0..<64).map { Float(64 - $0) * scale }
      #expect(abs(try Similarity.cosine(try Embedding(a), try Embedding(b)) - oracle(a, b)) < 1e-6)
    }
  }

  @Test func `a vector is 1 with itself and −1 with its opposite, never beyond`() throws {
    var random = Seeded(state: 4)
    for _ in 0..<200 {
      let a = (0..<128).map { _ in Float.random(in: -1...1, using: &random) }
      let same = try Similarity.cosine(try Embedding(a), try Embedding(a.map { $0 * 3 }))
      #expect(same <= 1 && same > 1 - 1e-6)
      #expect(try Similarity.cosine(try Embedding(a), try Embedding(a.map { -$0 })) >= -1)
    }
  }

  @Test func `the average score is the mean over all pairs`() throws {
    var random = Seeded(state: 8)
    func vector() -> [Float] { (0..<40).map { _ in Float.random(in: -1...1, using: &random) } }
    let enrolled = (0..<3).map { _ in vector() }
    let shown = (0..<4).map { _ in vector() }
    let expected = enrolled.flatMap { a in shown.map { oracle(a, $0) } }.reduce(0, +) / 12
    let templates = try enrolled.map {
      FaceTemplate(id: "", label: "", embedding: try Embedding($0), created: 0)
    }
    let probe = try Probe(try shown.map { try Embedding($0) })
    #expect(abs(probe.score(against: templates) - expected) < 1e-6)
    #expect(
      abs(
        probe.score(against: templates, by: .bestOf) - enrolled.flatMap { a in
          shown.map { oracle(a, $0) }
        }.max()!) < 1e-6)
  }

  @Test func `model names are found in any spelling, unknown ones have no threshold`() {
    for name in ["dlib", "DLIB", "dlib-resnet v1", "Dlib_ResNet_V1"] {
      #expect(FaceModel.named(name)?.threshold == 0.93)
    }
    for name in ["facenet", "Facenet_128", "facenet128"] {
      #expect(FaceModel.canonicalName(name) == "facenet_128")
    }
    #expect(FaceModel.named("my model") == nil)
    #expect(FaceModel.canonicalName("My Model") == "my_model")
    let names: [String] = FaceModel.all.flatMap { [$0.name] + $0.aliases }
    #expect(Set(names).count == names.count)
  }

  @Test func `a probe that cannot be compared says why`() throws {
    let a = try Embedding((0..<32).map { Float($0 + 1) }, model: "dlib")
    let b = try Embedding((0..<33).map { Float($0 + 1) })
    #expect(throws: VectorError(.dimensionMismatch(found: 33, expected: 32), in: "p")) {
      try Probe([a, b], source: "p")
    }
    #expect(throws: VectorError(.empty, in: "p")) { try Probe([], source: "p") }
    #expect(throws: VectorError(.tooManyRows(limit: 16), in: "p")) {
      try Probe(Array(repeating: a, count: 65), source: "p")
    }
    #expect(
      throws: VectorError(.modelMismatch(found: "dlib_resnet_v1", expected: "sface"), in: "v")
    ) { try a.assigned(to: "sface", source: "v") }
    #expect(throws: VectorError(.dimensionMismatch(found: 32, expected: 128), in: "v")) {
      try a.assigned(to: "dlib", source: "v")
    }
  }
}
