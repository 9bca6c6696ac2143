internal import Dates
package import Words

/// The parts of an import that an entry has no place for.
package struct LostParts {

  private struct Part: Hashable {
    let what: LostPart
    let place: String
  }

  private var order: [Part] = []
  private var counts: [Part: Int] = [:]

  var isEmpty: Bool { order.isEmpty }

  /// Places that are named one by one: a small file may have very many.
  private static let limit = 10_000

  package mutating func add(_ what: LostPart, _ place: String) {
    var part = Part(what: what, place: place)
    if order.count >= Self.limit, counts[part] == nil { part = Part(what: what, place: "…") }
    if counts.updateValue((counts[part] ?? 0) + 1, forKey: part) == nil { order.append(part) }
  }

  package init() {}

  package mutating func add(_ other: LostParts) {
    for part in other.order {
      if counts[part] == nil { order.append(part) }
      counts[part, default: 0] += other.counts[part] ?? 0
    }
  }

  /// Each once, in the order they were met, with its count.
  package var parts: [(what: LostPart, place: String, count: Int)] {
    order.map { ($0.what, $0.place, counts[$0] ?? 0) }
  }
}
