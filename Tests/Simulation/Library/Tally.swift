/// How often each kind of thing happened in some histories.
package struct Tally<Event: RawRepresentable<String> & CaseIterable & Hashable & Sendable>: Sendable
{
  private var counts: [Event: Int] = [:]

  package init() {}

  package subscript(_ event: Event) -> Int {
    get { counts[event] ?? 0 }
    set { counts[event] = newValue }
  }

  package mutating func add(_ other: Tally) { counts.merge(other.counts, uniquingKeysWith: +) }

  /// Each with its name, in the order in which they stand.
  package var text: String {
    Event.allCases.map { "\(self[$0]) \($0.rawValue)" }.joined(separator: ", ")
  }
}
