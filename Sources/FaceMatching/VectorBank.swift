internal import CSimilarity
internal import Synchronization

/// Unit vectors packed in rows, for comparing many at once.
package struct VectorBank: Sendable {
  package let count: Int
  package let dimension: Int
  /// `count × dimension`, padded with three zero rows so that tiles of four never run over.
  private let rows: [Float]

  /// - Throws: ``VectorError`` `dimensionMismatch` naming the row.
  package init(_ embeddings: [Embedding], source: String = "vectors") throws(VectorError) {
    let dimension = embeddings.first?.dimension ?? 0
    var rows: [Float] = []
    rows.reserveCapacity((embeddings.count + 3) * dimension)
    for (index, embedding) in embeddings.enumerated() {
      guard embedding.dimension == dimension else {
        throw VectorError(
          .dimensionMismatch(found: embedding.dimension, expected: dimension),
          in: "\(source), vector \(index + 1)")
      }
      rows += embedding.unit
    }
    rows += [Float](repeating: 0, count: 3 * dimension)
    self.rows = rows
    self.dimension = dimension
    count = embeddings.count
  }

  /// The similarities of one unit vector with every row.
  package func similarities(to probe: [Float]) -> [Float] {
    precondition(probe.count == dimension)
    return unsafe [Float](unsafeUninitializedCapacity: count) { out, initialized in
      unsafe rows.withUnsafeBufferPointer { rows in
        unsafe probe.withUnsafeBufferPointer { probe in
          guard let start = out.baseAddress else { return }
          unsafe csimilarity_rows(probe.baseAddress!, rows.baseAddress!, count, dimension, start)
        }
      }
      initialized = count
    }
  }

  /// Calls `body` with every pair once, row below column, in tiles; never holds the matrix.
  ///
  /// - Parameter rows: the tile rows (of four) to do, for dividing the work among threads.
  package func eachPair(
    tileRows: some Sequence<Int>, _ body: (_ row: Int, _ column: Int, _ similarity: Float) -> Void
  ) {
    unsafe rows.withUnsafeBufferPointer { rows in
      guard let start = rows.baseAddress else { return }
      unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: 16) { tile in
        for tileRow in tileRows {
          for tileColumn in tileRow..<tileCount {
            unsafe csimilarity_tile(
              start + tileRow * 4 * dimension, start + tileColumn * 4 * dimension, dimension,
              tile.baseAddress!)
            for i in 0..<4 where tileRow * 4 + i < count {
              for j in 0..<4 {
                let (row, column) = (tileRow * 4 + i, tileColumn * 4 + j)
                if column > row, column < count { unsafe body(row, column, tile[i * 4 + j]) }
              }
            }
          }
        }
      }
    }
  }

  package var tileCount: Int { (count + 3) / 4 }
}
