/// The place of a name among others by how many entries have it.
package struct TallyRank: Sendable, Equatable {
  package let rank: Int
  package let name: String
  package let count: Int

  /// Equal counts share a rank; the next one counts all before it.
  package static func list(_ counts: [TallyCount]) -> [TallyRank] {
    var list: [TallyRank] = []
    let sorted = counts.filter { $0.count > 0 }
      .sorted { ($1.count, $0.name) < ($0.count, $1.name) }
    for (index, each) in sorted.enumerated() {
      let rank = list.last.flatMap { $0.count == each.count ? $0.rank : nil } ?? index + 1
      list.append(TallyRank(rank: rank, name: each.name, count: each.count))
    }
    return list
  }
}

/// The same beside an earlier period.
package struct RankedTally: Sendable {
  package let rank: Int
  package let name: String
  package let count: Int
  package let previousRank: Int?
  /// Places gained; 0 kept; nil new.
  package var movement: Int? { previousRank.map { $0 - rank } }

  package init(_ now: TallyRank, before: [TallyRank]?) {
    rank = now.rank
    name = now.name
    count = now.count
    previousRank = before?.first { SearchQuery.areEqual($0.name, now.name) }?.rank
  }
}
