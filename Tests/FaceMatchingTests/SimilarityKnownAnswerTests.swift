import Foundation
import Testing

@testable import FaceMatching

/// `Keys/vectors/similarity.json`: vectors and the scores every reader must find.
@Suite struct SimilarityKnownAnswerTests {
  private struct Answer: Codable, Equatable {
    var templates: [[Float]]
    var frames: [[Float]]
    var average: Double
    var meanDirection: Double
    var bestOf: Double
  }

  private static func answers() throws -> [Answer] {
    try [(1, 1, Float(0)), (3, 2, 0), (2, 3, 20)].map { enrolled, shown, offset in
      func shots(_ count: Int, from: Int) -> [[Float]] {
        (0..<count).map {
          SampleFaces.shot(person: 7, shot: UInt64(from + $0)).prefix(24).map {
            ($0 * 64).rounded() / 64 + offset
          }
        }
      }
      let (templates, frames) = (shots(enrolled, from: 1), shots(shown, from: 50))
      let one = Shots(try templates.map { try Embedding($0).unit })
      let other = Shots(try frames.map { try Embedding($0).unit })
      return Answer(
        templates: templates, frames: frames, average: one.score(other, by: .average),
        meanDirection: one.score(other, by: .meanDirection), bestOf: one.score(other, by: .bestOf))
    }
  }

  @Test func `scores are those of the known answers, on every machine`() throws {
    let url = keys.appendingPathComponent("vectors/similarity.json")
    let answers = try Self.answers()
    if ProcessInfo.processInfo.environment["FACEDIARY_WRITE_KEYS"] != nil {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      try (encoder.encode(answers) + Data("\n".utf8)).write(to: url)
    }
    let kept = try JSONDecoder().decode([Answer].self, from: Data(contentsOf: url))
    #expect(kept.count == answers.count)
    for (kept, now) in zip(kept, answers) {
      #expect(kept.templates == now.templates && kept.frames == now.frames)
      // Lanes differ from machine to machine in the last digits.
      #expect(abs(kept.average - now.average) < 1e-6)
      #expect(abs(kept.meanDirection - now.meanDirection) < 1e-6)
      #expect(abs(kept.bestOf - now.bestOf) < 1e-6)
    }
  }
}
