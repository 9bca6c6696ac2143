internal import CSimilarity
internal import Dispatch

/// Unit vectors side by side in panels of 32, for comparing many at once.
///
/// Component k of vector v of a panel is at `k × 32 + v`: a kernel then reads memory from front to back,
/// multiplies 32 vectors by one component at a time, and has nothing to sum across a register.
package struct VectorBank: Sendable {
  package let count: Int
  package let dimension: Int
  private let panels: Panels

  static let width = 32
  private static let panelsPerBlock = 4

  /// - Throws: ``VectorError`` `dimensionMismatch` naming the row.
  package init(_ embeddings: [Embedding], source: String = "vectors") throws(VectorError) {
    let dimension = embeddings.first?.dimension ?? 0
    for (index, embedding) in embeddings.enumerated() where embedding.dimension != dimension {
      throw VectorError(
        .dimensionMismatch(found: embedding.dimension, expected: dimension),
        in: "\(source), vector \(index + 1)")
    }
    self.dimension = dimension
    count = embeddings.count
    panels = Panels(embeddings, dimension: dimension)
  }

  /// The similarities of one unit vector with every row, on so many threads.
  package func similarities(to probe: [Float], threads: Int = 1) -> [Float] {
    precondition(probe.count == dimension)
    // The last panel may hold fewer vectors than it answers for.
    return unsafe [Float](unsafeUninitializedCapacity: panelCount * Self.width) {
      out, initialized in
      defer { initialized = count }
      guard let start = out.baseAddress else { return }
      let place = unsafe Place(out: start)
      let share = (panelCount + threads - 1) / threads
      Self.perform(threads) { thread in
        unsafe probe.withUnsafeBufferPointer { probe in
          for panel in min(panelCount, thread * share)..<min(panelCount, (thread + 1) * share) {
            unsafe csimilarity_panel(
              probe.baseAddress!, panels.start(of: panel), dimension,
              place.out + panel * Self.width)
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

  /// Calls `body` with every pair once, row below column; never holds the matrix.
  ///
  /// - Parameter blocks: the blocks of rows to do, of ``blockCount``, for dividing the work among threads.
  package func eachPair(
    blocks: some Sequence<Int>, _ body: (_ row: Int, _ column: Int, _ similarity: Float) -> Void
  ) {
    unsafe eachTile(blocks: blocks) { rows, columns, tile in
      for row in rows {
        for column in max(columns.lowerBound, row + 1)..<max(columns.upperBound, row + 1) {
          unsafe body(
            row, column,
            tile[(row - rows.lowerBound) * Self.width + column - columns.lowerBound])
        }
      }
    }
  }

  /// The same by tiles: the similarities of the vectors `rows` with the vectors `columns`, row by row with
  /// ``width`` places each. On the diagonal only those right of it are pairs.
  ///
  /// A block of four panels of rows stays in a core's cache while all columns pass by.
  func eachTile(
    blocks: some Sequence<Int>,
    _ body: (_ rows: Range<Int>, _ columns: Range<Int>, UnsafeMutableBufferPointer<Float>) -> Void
  ) {
    unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: Self.width * Self.width) {
      tile in
      for block in blocks {
        let first = block * Self.panelsPerBlock
        for column in first..<panelCount {
          for row in first...min(column, first + Self.panelsPerBlock - 1) {
            unsafe csimilarity_tile(
              panels.start(of: row), panels.start(of: column), dimension, tile.baseAddress!)
            unsafe body(vectors(of: row), vectors(of: column), tile)
          }
        }
      }
    }
  }

  package var blockCount: Int { (panelCount + Self.panelsPerBlock - 1) / Self.panelsPerBlock }

  private var panelCount: Int { (count + Self.width - 1) / Self.width }

  private func vectors(of panel: Int) -> Range<Int> {
    panel * Self.width..<min(count, (panel + 1) * Self.width)
  }
}

/// The memory of a bank, on cache lines' boundaries, which an array does not promise: a load across two
/// lines costs two.
@safe private final class Panels: @unchecked Sendable {
  // Written in init alone.
  private let memory: UnsafeMutablePointer<Float>
  private let floatsPerPanel: Int

  init(_ embeddings: [Embedding], dimension: Int) {
    let width = VectorBank.width
    let count = (embeddings.count + width - 1) / width
    floatsPerPanel = dimension * width
    let floats = count * floatsPerPanel
    guard let memory = unsafe csimilarity_allocate(floats) else {
      fatalError("there is no memory for \(embeddings.count) vectors")
    }
    unsafe self.memory = memory
    unsafe memory.initialize(repeating: 0, count: floats)
    for (index, embedding) in embeddings.enumerated() {
      let place = unsafe memory + index / width * floatsPerPanel + index % width
      for k in 0..<dimension { unsafe place[k * width] = embedding.unit[k] }
    }
  }

  deinit { unsafe csimilarity_free(memory) }

  func start(of panel: Int) -> UnsafePointer<Float> {
    unsafe UnsafePointer(memory + panel * floatsPerPanel)
  }
}
