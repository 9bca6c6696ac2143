import FaceMatching
import Foundation
import Scratch
import Testing

/// What the fuzzers have found worth keeping, and inputs like it, read without libFuzzer: a change that traps on one fails here.
struct CorpusTests {
  /// How many altered inputs each target reads.
  static let count = Thoroughness.isThorough ? max(500, 5_000 / Thoroughness.share) : 500

  @Test(arguments: fuzzTargets.map(\.name))
  func `everything that reads bytes from outside reads the corpus and what is like it`(
    name: String
  ) async throws {
    let kept = Scratch()
    // A process of its own: a trap ends it and not the tests.
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      [
        name = name as String, input = (kept.path + "/input") as String, count = Self.count as Int,
        seed = UInt64(1 + Thoroughness.turn) as UInt64
      ]
      in
      try await MainActor.run {
        defer { try? FileManager.default.removeItem(atPath: fuzzFolder) }
        let target = try #require(fuzzTargets.first { $0.name == name })
        let inputs = try Corpus.inputs(of: name)
        let file = open(input, O_CREAT | O_WRONLY, 0o600)
        var random = SplitMix64(state: seed)
        var most = rlimit(rlim_cur: 2 << 30, rlim_max: 2 << 30)
        setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &most)
        let altered = (0..<count).lazy.map { _ in Corpus.altered(inputs, &random) }
        for bytes in inputs + [[]] + Array(altered) {
          ftruncate(file, 0)
          pwrite(file, bytes, bytes.count, 0)
          // Ten seconds of work, and 2 GiB, are too much for any of them.
          var limit = itimerval(
            it_interval: timeval(), it_value: timeval(tv_sec: 10, tv_usec: 0))
          setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &limit, nil)
          target.read(bytes)
        }
      }
    }
    guard result == nil else { return }
    let found = try Data(contentsOf: URL(fileURLWithPath: kept.path + "/input"))
    Issue.record("\(name) does not read \(found.base64EncodedString())")
  }
}

/// The inputs kept for a target.
enum Corpus {
  static func inputs(of target: String) throws -> [[UInt8]] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("corpus/\(target)")
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    try #require(!files.isEmpty)
    return try files.sorted { $0.path < $1.path }.map { [UInt8](try Data(contentsOf: $0)) }
  }

  /// One of them with a few mistakes: bits, extremes, numbers, pieces left out, repeated, or of another.
  static func altered(_ inputs: [[UInt8]], _ random: inout SplitMix64) -> [UInt8] {
    var bytes = inputs.randomElement(using: &random) ?? []
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let place = Int.random(in: 0...bytes.count, using: &random)
      let end = min(bytes.count, place + Int.random(in: 1...16, using: &random))
      switch Int.random(in: 0..<7, using: &random) {
      case 0 where place < end: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 1 where place < end:
        bytes[place] = [0, 1, 0x7f, 0x80, 0xfe, 0xff].randomElement(using: &random)!
      case 2:
        for index in place..<min(bytes.count, place + 8) { bytes[index] = 0xff }
      case 3: bytes.removeSubrange(place..<end)
      case 4: bytes.insert(contentsOf: bytes[place..<end], at: place)
      case 5:
        let other = inputs.randomElement(using: &random) ?? []
        bytes = bytes[..<place] + other.suffix(max(0, other.count - place))
      default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
      }
    }
    return Array(bytes.prefix(4096))
  }
}
