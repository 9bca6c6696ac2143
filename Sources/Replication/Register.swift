/// A journal, a kind or a template: everything that any device set it to.
struct Register: Sendable {
  /// The values that count and that no other which counts has seen.
  var values: [Dot: [UInt8]] = [:]
  /// Every set of which the value was here, also such as were replaced or do not count.
  private(set) var known: Set<Dot> = []
  /// Those of which it never was.
  var gone: Set<Dot> = []
  /// The last that is known.
  private var last: Dot?

  /// Goes on from what was kept.
  init(values: [Dot: [UInt8]] = [:], known: Set<Dot> = [], gone: Set<Dot> = []) {
    self.values = values
    self.known = known
    self.gone = gone
    last = known.max()
  }

  /// - Parameter value: nil for one that is not here.
  mutating func add(_ dot: Dot, _ value: [UInt8]?, in logs: Logs) {
    guard let value else {
      if !known.contains(dot) { gone.insert(dot) }
      return
    }
    // Only what came before can have seen one that is completed.
    let isNewest = last.map { $0 < dot } ?? true
    gone.remove(dot)
    known.insert(dot)
    last = last.map { max($0, dot) } ?? dot
    guard !logs.isVoid(dot) else { return }
    values = values.filter { !logs.has(dot, seen: $0.key) }
    if isNewest || !isReplaced(dot, in: logs) { values[dot] = value }
  }

  /// Drops the values that are not needed.
  mutating func drop(in logs: Logs) {
    values = values.filter { !logs.isVoid($0.key) && !isReplaced($0.key, in: logs) }
  }

  /// Whether somebody who had seen a value gave another.
  func isReplaced(_ dot: Dot, in logs: Logs) -> Bool {
    known.contains { !logs.isVoid($0) && logs.has($0, seen: dot) }
  }

  /// Whether a value is needed and not here.
  func isLacking(_ dot: Dot, in logs: Logs) -> Bool {
    values[dot] == nil && !logs.isVoid(dot) && !isReplaced(dot, in: logs)
  }

  /// Whether one of some segments set it.
  func isOf(_ segments: Set<Int>) -> Bool {
    known.union(gone).contains { segments.contains($0.segment) }
  }
}
