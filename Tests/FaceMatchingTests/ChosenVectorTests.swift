import Testing

@testable import FaceMatching

/// Vectors made from other people's faces, on synthetic populations with no, a small and a large common direction.
@Suite struct ChosenVectorTests {
  /// Few splits: a test is not a measurement.
  private static let goal = GateCalibration.Goal(splits: 5)
  static let offsets: [Float] = [0, 0.5, 3, 18]

  private func faces(offset: Float, shots: Int = 6, seed: UInt64 = 1) throws -> LabelledFaces {
    try Population.faces(persons: 40, shots: shots, noise: 0.7, offset: offset, seed: seed)
  }

  @Test(arguments: offsets)
  func `the suggested threshold holds the rate of strangers and of vectors made to pass at once`(
    offset: Float
  ) throws {
    let faces = try faces(offset: offset)
    let found = try #require(GateCalibration.enrolled(faces, enroll: 3, frames: 3, Self.goal))
    let scoring = try #require(found.scoring)
    let rates = try #require(found.rates)
    #expect(rates.fmr <= 1e-3)
    #expect(try #require(rates.chosen) <= 0.01)
    // Another draw of halves and of starts does not open many more.
    let again = ChosenVectors(
      faces, scoring: scoring.scoring, enroll: 3, frames: 3, splits: 5, seed: 99)
    #expect(
      again.attack(scoring.threshold, found.faceGuard).share(at: scoring.threshold).share <= 0.04)
  }

  @Test func `a large common direction lets made vectors in, and the guard keeps most of them out`()
    throws
  {
    let faces = try faces(offset: 3)
    let threshold = try #require(try Calibration.single(faces).suggested)
    let attack = ChosenVectors(faces, scoring: .average, enroll: 3, frames: 1, splits: 5)
    let open = attack.attack(threshold, nil).share(at: threshold).share
    let guarded = attack.attack(threshold, FaceGuard.learned(from: faces)).share(at: threshold)
    #expect(open > 0.2)
    #expect(guarded.share < open / 2)
  }

  @Test(arguments: offsets)
  func `the mean of public faces is no face, and real faces are`(offset: Float) throws {
    let faces = try faces(offset: offset)
    let faceGuard = try #require(FaceGuard.learned(from: faces, frames: 3))
    let mean = try Embedding(Similarity.mean(of: faces.embeddings.map(\.unit)))
    #expect(!faceGuard.admits(mean.unit))
    // Faces that it did not learn from.
    let others = try self.faces(offset: offset, seed: 7).embeddings
    let refused = others.count { !faceGuard.admits($0.unit) }
    #expect(Double(refused) / Double(others.count) <= 0.05)
  }

  @Test(arguments: Scoring.allCases)
  func `more frames of different strangers never raise the false match rate`(scoring: Scoring)
    throws
  {
    let faces = try faces(offset: 3)
    let found = try #require(GateCalibration.enrolled(faces, enroll: 3, frames: 2, Self.goal))
    let threshold = try #require(
      EnrolledCalibration(faces, enroll: 3, frames: 2, faceGuard: found.faceGuard).reports
        .first { $0.scoring == scoring }?.report.suggested)
    let owner = faces.embeddings.prefix(3).map {
      FaceTemplate(id: "", label: "", embedding: $0, created: 0)
    }
    let set = TemplateSet(
      model: "m", dimension: 64, threshold: threshold,
      calibrated: CalibratedScoring(
        scoring: scoring, enroll: 3, frames: 2, threshold: threshold), faceGuard: found.faceGuard,
      templates: owner)
    let strangers = stride(from: 6, to: faces.embeddings.count, by: 6).map { faces.embeddings[$0] }
    func opens(_ frames: [Embedding]) throws -> Bool {
      let probe = try Probe(frames)
      try probe.checkFits(set)
      return set.isOneFace(probe) && set.score(probe) >= threshold
    }
    for start in 0..<38 {
      let few = try opens(Array(strangers[start..<(start + 2)]))
      for count in 2...Probe.frameLimit {
        let crowd = (0..<count).map { strangers[(start + $0) % strangers.count] }
        #expect(try opens(crowd) == few)
      }
    }
    for count in (Probe.frameLimit + 1)...64 {
      let crowd = (0..<count).map { strangers[$0 % strangers.count] }
      #expect(throws: VectorError(.tooManyRows(limit: 16), in: "probe")) { try Probe(crowd) }
    }
  }

  @Test func `without a calibration a crowd is refused, and its average gains nothing`() throws {
    let faces = try faces(offset: 3)
    let single = try GateCalibration.single(faces, .init(chosenVectorRate: nil))
    let threshold = try #require(single.report.suggested)
    let set = TemplateSet(
      model: "m", dimension: 64, threshold: threshold,
      templates: faces.embeddings.prefix(3).map {
        FaceTemplate(id: "", label: "", embedding: $0, created: 0)
      })
    let strangers = stride(from: 6, to: faces.embeddings.count, by: 6).map { faces.embeddings[$0] }
    for count in 2...16 {
      let probe = try Probe((0..<count).map { strangers[$0] })
      // Frames resemble one another as much as two pictures that are accepted, where nothing is known.
      #expect(!set.isOneFace(probe))
      let best = try strangers.prefix(count).map { set.score(try Probe([$0])) }.max() ?? 1
      #expect(set.score(probe) <= best + 1e-6)
    }
  }

  @Test func `what is nearer to the mean face than the owner is scores less, by the weight`() throws
  {
    let faces = try faces(offset: 3)
    let learned = try #require(FaceGuard.learned(from: faces, enroll: 3, frames: 3))
    // A strong common direction weighs, none does not.
    #expect(learned.weight > 0.1 && learned.weight <= 1)
    let none = try #require(
      FaceGuard.learned(from: self.faces(offset: 0), enroll: 3, frames: 3))
    #expect(none.weight < learned.weight)
    #expect(FaceGuard.learned(from: faces)?.weight == 0)
    let owner = Array(faces.embeddings.prefix(3)).map(\.unit)
    let nearer = zip(owner[0], learned.mean).map { $0 + $1 }
    let probe = try Embedding(nearer).unit
    let plain = Shots(owner).score(Shots([probe]), by: .meanDirection)
    let weighed = Shots(owner, learned).score(Shots([probe], learned), by: .meanDirection)
    #expect(weighed < plain - 0.01)
    // The owner's own frames lose next to nothing, and an average is not weighed at all.
    let own = Array(faces.embeddings[3..<6]).map(\.unit)
    let kept = Shots(owner, learned).score(Shots(own, learned), by: .meanDirection)
    #expect(abs(kept - Shots(owner).score(Shots(own), by: .meanDirection)) < 0.1)
    #expect(
      Shots(owner, learned).score(Shots(own, learned), by: .average)
        == Shots(owner).score(Shots(own), by: .average))
    #expect(throws: VectorError.self) {
      try FaceGuard(
        mean: learned.mean, frameBound: 1, probeBound: 1, likeness: -1, weight: 1.5)
    }
  }

  @Test func `one picture shown again and again is one frame`() throws {
    let faces = try faces(offset: 0)
    let probe = try Probe([Embedding](repeating: faces.embeddings[0], count: 16))
    #expect(probe.frames.count == 1)
  }

  @Test func `the built-in mean faces are refused, and a guard reads back as it was`() throws {
    for name in ["dlib", "facenet"] {
      let faceGuard = try #require(FaceModel.named(name)?.faceGuard)
      #expect(!faceGuard.admits(faceGuard.mean))
      #expect(faceGuard.mean.count == 128)
    }
    #expect(throws: VectorError.self) {
      try FaceGuard(
        mean: [Float](repeating: 1, count: 64), frameBound: 1.5, probeBound: 0, likeness: 0)
    }
    #expect(throws: VectorError.self) {
      try FaceGuard(
        mean: [Float](repeating: .nan, count: 64), frameBound: 0.5, probeBound: 0.5, likeness: 0)
    }
  }

  @Test func `a guard from a file does not take the place of the model's own`() throws {
    let own = try #require(FaceModel.named("dlib")?.faceGuard)
    let loose = try FaceGuard(mean: own.mean, frameBound: 0.9999, probeBound: 0.9999, likeness: -1)
    var near = own.mean
    near[0] += 0.02
    let average = try Embedding(near, source: "average")
    #expect(loose.admits(average.unit) && !own.admits(average.unit))
    for (model, isRefused) in [("dlib_resnet_v1", true), ("another", false)] {
      let set = TemplateSet(
        model: model, dimension: own.mean.count, threshold: 0.93, faceGuard: loose,
        templates: [FaceTemplate(id: "", label: "", embedding: average, created: 0)])
      #expect(try set.isOneFace(Probe([average])) != isRefused)
      #expect(set.admits(average.unit) != isRefused)
    }
  }
}
