/// Where an entry stands in the diary: by date, then in the order of being added.
struct PageKey: Comparable, Hashable, Sendable {
  let date: Int64
  let added: UInt64

  static func < (one: Self, other: Self) -> Bool {
    (one.date, one.added) < (other.date, other.added)
  }
}
