import Foundation
import Testing

@testable import FaceMatching

@Suite struct KernelTests {
  private func vectors(_ count: Int, _ dimension: Int, seed: UInt64, offset: Float = 0) throws
    -> [Embedding]
  {
    var random = Seeded(state: seed)
    return try (0..<count).map { _ in
      try Embedding((0..<dimension).map { _ in Float.random(in: -1...1, using: &random) + offset })
    }
  }

  private func oracle(_ a: [Float], _ b: [Float]) -> Double {
    zip(a, b).reduce(0) { $0 + Double($1.0) * Double($1.1) }
  }

  @Test(
    arguments: [16, 17, 31, 63, 64, 65, 127, 128, 511, 512, 513, 529, 8191, 8192],
    [0, 50] as [Float])
  func `every kernel is within a millionth of the oracle`(dimension: Int, offset: Float) throws {
    let embeddings = try vectors(9, dimension, seed: UInt64(dimension), offset: offset)
    let bank = try VectorBank(embeddings)
    let similarities = bank.similarities(to: embeddings[4].unit)
    for (index, similarity) in similarities.enumerated() {
      #expect(abs(Double(similarity) - oracle(embeddings[4].unit, embeddings[index].unit)) < 1e-6)
    }
    var seen: Set<[Int]> = []
    bank.eachPair(blocks: 0..<bank.blockCount) { row, column, score in
      #expect(row < column && seen.insert([row, column]).inserted)
      #expect(abs(Double(score) - oracle(embeddings[row].unit, embeddings[column].unit)) < 1e-6)
    }
    #expect(seen.count == 36)
  }

  @Test(arguments: [1, 31, 32, 33, 70, 200])
  func `every pair is counted once, and the highest impostors are kept`(count: Int) throws {
    let embeddings = try vectors(count, 40, seed: UInt64(count))
    let faces = LabelledFaces(embeddings.enumerated().map { ("p\($0.offset / 3 % 7)", $0.element) })
    var impostors: [Double] = []
    var genuine = 0
    for i in 0..<count {
      for j in (i + 1)..<max(count, i + 1) {
        if faces.person[i] == faces.person[j] {
          genuine += 1
        } else {
          impostors.append(oracle(faces.embeddings[i].unit, faces.embeddings[j].unit))
        }
      }
    }
    for threads in 1...3 {
      let counts = Calibration.count(try VectorBank(faces.embeddings), faces, threads: threads)
      #expect(counts.genuine.joined().count == genuine)
      #expect(counts.impostors.histogram.total == impostors.count)
      let kept = counts.impostors.highest.map { Double($0.score) }.sorted()
      #expect(zip(kept, impostors.sorted()).allSatisfy { abs($0 - $1) < 1e-6 })
      #expect(kept.count == impostors.count)
      for pair in counts.impostors.highest { #expect(pair.one != pair.other) }
      // A score within rounding of a bin's edge may be on either side of it.
      for (bin, above) in counts.impostors.histogram.descending().prefix(40) {
        let least = ScoreHistogram.score(bin) - ScoreHistogram.resolution / 2
        #expect(impostors.count { $0 >= least - 1e-6 } >= above)
        #expect(impostors.count { $0 >= least + 1e-6 } <= above)
      }
    }
  }

  @Test func `of many impostors the highest are kept, whatever their order`() {
    var random = Seeded(state: 3)
    var kept = ImpostorScores(keeping: 100)
    var all: [Float] = []
    for index in 0..<20_000 {
      // Rising at first: each is higher than what was kept.
      let score =
        index < 5000 ? Float(index) / 5000 - 0.5 : Float.random(in: -1...1, using: &random)
      all.append(score)
      kept.add(score, index, index + 1)
    }
    #expect(kept.histogram.total == 20_000 && kept.highest.count < 2000)
    let highest = kept.highest.sorted { $0.score > $1.score }.prefix(100)
    #expect(highest.map(\.score) == Array(all.sorted(by: >).prefix(100)))
    for pair in highest { #expect(all[Int(pair.one)] == pair.score) }
  }

  @Test func `subnormals and single components keep their values`() throws {
    var a = [Float](repeating: .leastNonzeroMagnitude, count: 33)
    a[32] = 1
    var b = [Float](repeating: 0, count: 33)
    b[32] = 1
    let bank = try VectorBank([try Embedding(a), try Embedding(b)])
    #expect(bank.similarities(to: b) == [1, 1])
  }
}
