internal import Client
internal import Dates
internal import Entries
internal import Formats
internal import Requests
internal import Words

/// The rows of a timeline as far as they have been scrolled to: a stretch of a list, which grows at both
/// ends when somebody comes near and is cut where nobody looks. Only these rows are ever opened.
@MainActor
struct Timeline {
  private static let stretch = 200
  private static let most = 2000

  private let connection: KeeperConnection
  private(set) var filter = EntryFilter()
  private(set) var query: SearchQuery?
  private(set) var rows: [Entry] = []
  private var reachesNewest = true
  private var reachesOldest = true
  /// The row chosen, and the one at the top.
  private(set) var selected = 0
  private(set) var top = 0

  init(_ connection: KeeperConnection) throws {
    self.connection = connection
    try reload()
  }

  /// Whether the list stands anywhere but at its beginning.
  var isScrolled: Bool { top > 0 || !reachesNewest }

  /// Whether the rows are all there are.
  var isWhole: Bool { reachesNewest && reachesOldest }

  var chosen: Entry? { rows.indices.contains(selected) ? rows[selected] : nil }

  mutating func show(_ filter: EntryFilter, matching query: SearchQuery?) throws {
    self.filter = filter
    self.query = query.flatMap { $0.isEmpty ? nil : $0 }
    try reload(keepsRow: false)
  }

  /// Reads everything again, and keeps the chosen entry if it is still there.
  ///
  /// - Parameter keepsRow: whether else the one that stands in its place is chosen.
  mutating func reload(keepsRow: Bool = true) throws {
    let before = chosen?.id
    rows = try load(.newestFirst, after: nil)
    reachesNewest = true
    reachesOldest = rows.count < Self.stretch
    selected =
      before.flatMap { id in rows.firstIndex { $0.id == id } }
      ?? (keepsRow ? min(selected, max(0, rows.count - 1)) : 0)
    top = min(top, selected)
  }

  /// Takes over an entry as it is now.
  mutating func refresh(_ id: EntryID) throws {
    guard let place = rows.firstIndex(where: { $0.id == id }) else { return try reload() }
    var found: Entry?
    do {
      _ = try connection.run(
        ShowEntries([.id(id)])
      ) { found = $0 }
    } catch let error as VaultError where error.code == .notFound {
      rows.remove(at: place)
      selected = min(selected, max(0, rows.count - 1))
      return
    }
    guard let found, found.date == rows[place].date else { return try reload() }
    rows[place] = found.light
  }

  private func load(
    _ order: ListEntries.Order, after: Entry?, in filter: EntryFilter? = nil
  ) throws -> [Entry] {
    var entries: [Entry] = []
    _ = try connection.run(
      ListEntries(
        filter ?? self.filter, order: order, limit: Self.stretch, query: query,
        after: after.map { .id($0.id) })
    ) { entries.append($0) }
    return entries
  }

  mutating func move(by count: Int) throws {
    selected += count
    if selected >= rows.count - 50, !reachesOldest, let last = rows.last {
      let more = try load(.newestFirst, after: last)
      reachesOldest = more.count < Self.stretch
      rows += more
      if rows.count > Self.most {
        let cut = rows.count - Self.most
        rows.removeFirst(cut)
        selected -= cut
        top -= cut
        reachesNewest = false
      }
    }
    if selected < 50, !reachesNewest, let first = rows.first {
      let more = try load(.oldestFirst, after: first)
      reachesNewest = more.count < Self.stretch
      rows = more.reversed() + rows
      selected += more.count
      top += more.count
      if rows.count > Self.most {
        rows.removeLast(rows.count - Self.most)
        reachesOldest = false
      }
    }
    selected = min(max(0, selected), max(0, rows.count - 1))
    top = min(max(0, top), max(0, rows.count - 1))
  }

  mutating func moveToNewest() throws {
    if !reachesNewest {
      rows = try load(.newestFirst, after: nil)
      reachesNewest = true
      reachesOldest = rows.count < Self.stretch
    }
    selected = 0
    top = 0
  }

  /// To the newest entry of a day or, if it has none, of those before it; else to the oldest there is.
  mutating func move(toDay day: Int) throws {
    if let first = rows.first, first.date.day > day || reachesNewest,
      let row = rows.firstIndex(where: { $0.date.day <= day })
    {
      selected = row
      top = row
      return
    }
    var upToThen = filter
    upToThen.toDay = min(day, filter.toDay ?? day)
    let found = try load(.newestFirst, after: nil, in: upToThen)
    guard !found.isEmpty else { return try moveToOldest() }
    rows = found
    reachesNewest = false
    reachesOldest = found.count < Self.stretch
    selected = 0
    top = 0
  }

  mutating func moveToOldest() throws {
    if !reachesOldest {
      rows = try load(.oldestFirst, after: nil).reversed()
      reachesOldest = true
      reachesNewest = rows.count < Self.stretch
    }
    selected = max(0, rows.count - 1)
    top = selected
  }

  mutating func choose(_ row: Int) { if rows.indices.contains(row) { selected = row } }

  /// Chooses an entry, where the filter shows it.
  mutating func choose(_ id: EntryID) throws {
    if !rows.contains(where: { $0.id == id }) {
      let entry = try connection.entry(.id(id))
      try move(toDay: entry.date.day)
    }
    if let row = rows.firstIndex(where: { $0.id == id }) { selected = row }
  }

  /// A line of the list: a day, or an entry by its row.
  enum Line: Equatable {
    case day(Int)
    case entry(Int)
  }

  /// The rows that fill so many lines. The first one is always the day of the entry below it: it stays while its
  /// entries pass.
  mutating func lines(_ height: Int) -> [Line] {
    guard !rows.isEmpty, height > 1 else { return [] }
    top = min(top, selected)
    // From the chosen one upwards, as far as there is room.
    var least = selected
    var used = 2
    while least > 0 {
      let needed = rows[least - 1].date.day == rows[least].date.day ? 1 : 2
      guard used + needed <= height else { break }
      used += needed
      least -= 1
    }
    top = max(top, least)
    var lines = stretch(height)
    // The end of the list stands at the foot, not at the head.
    while lines.count < height, top > 0 {
      top -= 1
      let more = stretch(height)
      guard more.count <= height, more.last == .entry(rows.count - 1) else {
        top += 1
        break
      }
      lines = more
    }
    return lines
  }

  private func stretch(_ height: Int) -> [Line] {
    var lines: [Line] = []
    for row in top..<rows.count {
      if row == top || rows[row].date.day != rows[row - 1].date.day {
        lines.append(.day(rows[row].date.day))
      }
      guard lines.count < height else { break }
      lines.append(.entry(row))
      if lines.count >= height { break }
    }
    return lines
  }
}
