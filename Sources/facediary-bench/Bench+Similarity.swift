internal import CSimilarity
internal import FaceMatching
internal import Foundation

extension Bench {
  /// `count` random unit vectors.
  private func vectors(_ count: Int, _ dimension: Int) throws -> [Embedding] {
    var state: UInt64 = 11
    return try (0..<count).map { _ in
      try Embedding(
        (0..<dimension).map { _ in
          state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          return Float(Int32(truncatingIfNeeded: state >> 32)) / Float(Int32.max)
        })
    }
  }

  func similarity() throws -> [Row] {
    let dimension = 512
    // `--entries` scales this part too: 10,000 (the default) is the full size of the table.
    let scale = Double(min(entries, 10_000)) / 10_000
    var rows = try pair(dimension)
    let cores = ProcessInfo.processInfo.activeProcessorCount
    for full in [100_000, 1_000_000] {
      let count = max(64, Int(Double(full) * scale))
      // A thousand different vectors, repeated: the measurement is of reading memory.
      let some = try vectors(min(count, 1000), dimension)
      let bank = try VectorBank((0..<count).map { some[$0 % some.count] })
      let memory = [Float](repeating: 1, count: count * dimension)
      for threads in Set([1, cores]).sorted() {
        rows.append(
          row(
            "one probe against \(count) × \(dimension), \(threads) threads", runs: 7,
            limit: "read as many floats"
          ) {
            sink(bank.similarities(to: some[0].unit, threads: threads)[0])
          } _: {
            read(memory, threads: threads)
          })
      }
    }
    let count = max(64, Int(10_000 * scale))
    let embeddings = try vectors(count, dimension)
    let faces = LabelledFaces(embeddings.enumerated().map { ("p\($0.offset / 10)", $0.element) })
    let bank = try VectorBank(embeddings)
    for threads in Set([1, cores]).sorted() {
      rows.append(
        row(
          "all pairs of \(count) × \(dimension), counted, \(threads) threads", runs: 3,
          limit: "the products alone"
        ) {
          sink(Float(Calibration.count(bank, faces, threads: threads).impostors.histogram.total))
        } _: {
          VectorBank.perform(threads) { thread in
            var last: Float = 0
            bank.eachPair(blocks: stride(from: thread, to: bank.blockCount, by: threads)) {
              last = $2
            }
            sink(last)
          }
        })
    }
    return rows + (try calibration(embeddings))
  }

  /// The whole command, beside NumPy on the same file: its product, the triangle of it and a histogram, where it is installed.
  private func calibration(_ embeddings: [Embedding]) throws -> [Row] {
    guard try launch("/usr/bin/env", ["python3", "-c", "import numpy"]) == 0 else { return [] }
    let floats = embeddings.map(\.unit)
    let (count, dimension) = (floats.count, floats[0].count)
    // The head of the .npy format, version 1.0, filled with spaces to a multiple of 64.
    let head = "{'descr': '<f4', 'fortran_order': False, 'shape': (\(count), \(dimension)), }"
    let padded = head + String(repeating: " ", count: 128 - 10 - 1 - head.utf8.count) + "\n"
    var file = Data([0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(padded.utf8.count), 0])
    file += Data(padded.utf8)
    for row in floats { unsafe row.withUnsafeBytes { unsafe file.append(contentsOf: $0) } }
    let vectors = home + "/vectors.npy"
    try file.write(to: URL(fileURLWithPath: vectors))
    let labels = home + "/labels.csv"
    let lines = (0..<count).map { "p\($0 / 10),vectors.npy,\($0)\n" }
    try Data(("person,file,row\n" + lines.joined()).utf8).write(to: URL(fileURLWithPath: labels))
    let script = """
      import numpy, sys
      x = numpy.load(sys.argv[1])
      products = x @ x.T
      print(numpy.histogram(products[numpy.triu_indices(len(x), 1)], bins=2000))
      """
    return try [("", ["--no-attack"]), (" with crafted vectors", [])].map { name, options in
      try row(
        "calibrate \(count) × \(dimension)\(name), whole process", runs: 5,
        limit: "NumPy: product, triangle, histogram"
      ) {
        guard try launch(program, ["calibrate", labels] + options) == 0 else {
          throw Failed(words: ["calibrate"])
        }
      } _: {
        try launch("/usr/bin/env", ["python3", "-c", script, vectors])
      }
    }
  }

  private func pair(_ dimension: Int) throws -> [Row] {
    let two = try vectors(2, dimension)
    let (a, b) = (two[0].unit, two[1].unit)
    let times = 100_000
    return [
      row("one pair of \(dimension)", runs: 9, limit: "the bare C kernel", scale: Double(times)) {
        var sum = 0.0
        for _ in 0..<times { sum += Similarity.dot(a, b) }
        sink(Float(sum))
      } _: {
        unsafe a.withUnsafeBufferPointer { a in
          unsafe b.withUnsafeBufferPointer { b in
            var sum = 0.0
            for _ in 0..<times {
              unsafe sum += csimilarity_dot(a.baseAddress!, b.baseAddress!, dimension)
            }
            sink(Float(sum))
          }
        }
      },
      row(
        "one pair of \(dimension), portable Swift", runs: 9, limit: "the C kernel",
        scale: Double(times)
      ) {
        // The optimiser would compute the product of one pair once.
        let both = [a, b]
        var sum = 0.0
        for turn in 0..<times { sum += Similarity.portableDot(both[turn & 1], b) }
        sink(Float(sum))
      } _: {
        var sum = 0.0
        for _ in 0..<times { sum += Similarity.dot(a, b) }
        sink(Float(sum))
      },
    ]
  }

  private func read(_ memory: [Float], threads: Int) {
    let share = memory.count / threads
    VectorBank.perform(threads) { thread in
      unsafe sink(
        memory.withUnsafeBufferPointer {
          unsafe csimilarity_read($0.baseAddress! + thread * share, share)
        })
    }
  }
}

/// Keeps the optimiser from removing results that are not used.
@inline(never)
private func sink(_ value: Float) {
  if value == .infinity { print(value) }
}
