/// A journal, a kind or a template: everything that any device set it to.
struct Register: Sendable {
  /// The values that count and that no other which counts has seen.
  var values: [Dot: [UInt8]] = [:]
  /// Every set of which the value was here, also such as were replaced or do not count.
  var known: Set<Dot> = []
  /// Those of which it never was.
  var gone: Set<Dot> = []

  /// - Parameter value: nil for one that is not here.
  mutating func add(_ dot: Dot, _ value: [UInt8]?, in logs: Logs) {
    guard let value else {
      if !known.contains(dot) { gone.insert(dot) }
      return
    }
    gone.remove(dot)
    known.insert(dot)
    values[dot] = value
    drop(in: logs)
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
