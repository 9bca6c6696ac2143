internal import CSimilarity
internal import Dispatch

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

  /// The similarities of one unit vector with every row, on so many threads.
  package func similarities(to probe: [Float], threads: Int = 1) -> [Float] {
    precondition(probe.count == dimension)
    return unsafe [Float](unsafeUninitializedCapacity: count) { out, initialized in
      defer { initialized = count }
      guard let start = out.baseAddress else { return }
      let share = (count + threads - 1) / threads
      let place = unsafe Place(out: start)
      Self.perform(threads) { thread in
        let from = min(count, thread * share)
        let size = min(count, from + share) - from
        unsafe rows.withUnsafeBufferPointer { rows in
          unsafe probe.withUnsafeBufferPointer { probe in
            unsafe csimilarity_rows(
              probe.baseAddress!, rows.baseAddress! + from * dimension, size, dimension,
              place.out + from)
          }
        }
      }
    }
  }

  /// Where threads put their own parts of one array.
  @safe private struct Place: @unchecked Sendable {
    let out: UnsafeMutablePointer<Float>
  }

  /// Runs `body` once a thread and waits for all.
  package static func perform(_ threads: Int, _ body: @Sendable (Int) -> Void) {
    if threads == 1 { return body(0) }
    DispatchQueue.concurrentPerform(iterations: threads, execute: body)
  }

  /// Calls `body` with every pair once, row below column, in tiles; never holds the matrix.
  ///
  /// Tiles of four by four go through blocks of 64 by 64 rows, which stay in a core's cache: without
  /// them every four rows would read all the others from memory again.
  ///
  /// - Parameter blockRows: the rows of blocks to do, for dividing the work among threads.
  package func eachPair(
    blockRows: some Sequence<Int>, _ body: (_ row: Int, _ column: Int, _ similarity: Float) -> Void
  ) {
    unsafe eachTile(blockRows: blockRows) { row, column, tile in
      for i in 0..<min(4, count - row) {
        for j in 0..<min(4, count - column) where column + j > row + i {
          unsafe body(row + i, column + j, tile[i * 4 + j])
        }
      }
    }
  }

  /// The same by tiles: sixteen similarities of four rows from `row` on with four from `column` on; on the
  /// diagonal and at the end some of them are no pairs.
  func eachTile(
    blockRows: some Sequence<Int>,
    _ body: (_ row: Int, _ column: Int, UnsafeMutableBufferPointer<Float>) -> Void
  ) {
    unsafe rows.withUnsafeBufferPointer { rows in
      guard let start = rows.baseAddress else { return }
      unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: 16) { tile in
        for blockRow in blockRows {
          for blockColumn in blockRow..<blockCount {
            let columns = tiles(of: blockColumn)
            for tileRow in tiles(of: blockRow) {
              for tileColumn in columns where tileColumn >= tileRow {
                unsafe csimilarity_tile(
                  start + tileRow * 4 * dimension, start + tileColumn * 4 * dimension, dimension,
                  tile.baseAddress!)
                unsafe body(tileRow * 4, tileColumn * 4, tile)
              }
            }
          }
        }
      }
    }
  }

  /// Blocks of sixteen tiles.
  package var blockCount: Int { (tileCount + 15) / 16 }

  private var tileCount: Int { (count + 3) / 4 }

  private func tiles(of block: Int) -> Range<Int> {
    (block * 16)..<min(tileCount, block * 16 + 16)
  }
}
