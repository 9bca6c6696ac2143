internal import Platform

/// How long a piece of work may go on before others have their turn.
package struct Slice: Sendable {
  private let end: Int64

  package static let unlimited = Slice(end: .max)

  private init(end: Int64) { self.end = end }

  /// A slice that begins now.
  package init(milliseconds: Int64) { end = SystemClock.awake + milliseconds * 1_000_000 }

  package var isOver: Bool { end != .max && SystemClock.awake >= end }
}

/// The result of looking for the next item.
package enum Found<Value> {
  case found(Value)
  /// The slice was over first; looking again goes on from there.
  case paused
  case ended

  package var value: Value? {
    if case .found(let value) = self { value } else { nil }
  }
}
