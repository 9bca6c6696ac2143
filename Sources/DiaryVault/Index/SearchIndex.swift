internal import Bytes
internal import Entries
internal import Platform
internal import SealedFiles

/// The shards of a vault's search index, as far as they can be read.
///
/// The index is derived from the rows and may be deleted, stale, another vault's or garbage: what no shard knows is looked
/// at directly. So it makes a search slow at worst, and never wrong.
final class SearchIndex {
  private let folder: String
  private let keys: VaultKeys
  private(set) var shards: [IndexShard] = []
  /// Files in the folder that are not shards of this vault.
  private(set) var foreign: [String] = []
  private var seen: [Int64]?

  init(_ folder: VaultFolder, _ keys: VaultKeys) {
    self.folder = folder.index
    self.keys = keys
  }

  static func isName(_ name: String) -> Bool {
    name.utf8.count == 16
      && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  static func name(_ id: UInt64) -> String {
    let digits = String(id, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Takes over what the folder holds now.
  func refresh() {
    guard let status = try? FileStatus(folder), status.kind == .directory else {
      (shards, foreign, seen) = ([], [], nil)
      return
    }
    let now = [status.modified, status.modifiedNanoseconds]
    guard seen != now else { return }
    let names = Set(((try? FileSystem.names(in: folder)) ?? []).prefix(4096))
    shards.removeAll { !names.contains($0.name) }
    foreign = []
    let known = Set(shards.map(\.name))
    for name in names.subtracting(known).sorted() {
      guard let shard = open(name) else {
        if Self.isName(name) { foreign.append(name) }
        continue
      }
      shards.append(shard)
    }
    // A change within the same tick of the file system's clock would show the same time.
    seen = SystemClock.wall > status.modified + 1 ? now : nil
  }

  private func open(_ name: String) -> IndexShard? {
    guard Self.isName(name), let id = UInt64(name, radix: 16),
      let file = try? Descriptor.open(folder + "/" + name, [.noFollow, .nonBlocking]),
      let key = try? keys.indexShard(id)
    else { return nil }
    return try? IndexShard(file, name: name, key: key)
  }

  /// Adds what a page comes to; false when no shard knows it.
  func add(_ page: PageRef, _ part: EntryTotals.Part, to totals: inout EntryTotals) -> Bool {
    shards.contains { $0.add(page, part, to: &totals) }
  }

  /// Writes a shard; the ones it replaces are removed after it has its name.
  func add(
    _ builder: IndexBuilder, replacing old: [String], randomness: Randomness
  ) throws(VaultError) {
    let id = randomness.uint64()
    let plain = builder.plain()
    let key = try unsealing(.searchIndex) { () throws(SealingError) in
      try keys.indexShard(id)
    }
    try onDisk { () throws(PlatformError) in
      try FileSystem.makeDirectory(folder)
      guard try FileStatus(folder).kind == .directory else {
        throw PlatformError(.notRegular, folder)
      }
      let file = try AtomicFile(folder + "/" + Self.name(id), existing: .refused)
      var sealed: [UInt8] = []
      sealed.reserveCapacity(SealedFile.sealedSize(plain: plain.count))
      unsafe SealedFile.seal(plain.span.bytes, 0, isLast: true, key: key, onto: &sealed)
      try file.write(sealed)
      try file.commit()
    }
    remove(old)
  }

  /// Removes every shard, because its key was replaced.
  func removeAll() {
    remove(((try? FileSystem.names(in: folder)) ?? []).filter(Self.isName))
  }

  /// Removes files of the folder, as well as it can.
  func remove(_ names: [String]) {
    guard let opened = try? OpenDirectory(noFollow: folder) else { return }
    for name in names { try? FileSystem.remove(opened.path + "/" + name) }
    withExtendedLifetime(opened) {}
  }
}

/// A query as the index answers it: for each page that a shard knows, which of its entries can be hits.
final class IndexedQuery {
  /// What the index knows of a page.
  struct Candidates {
    /// The records that can be hits.
    let records: [Int]
    /// Where a record's header decides as well: of each group the entries in which its words may stand, and the page's first one.
    fileprivate var groups: (sets: [BitSet], first: Int)?
  }

  /// What a shard answers.
  private struct Answer {
    /// Of each group, the entries in which one of its words may stand.
    let groups: [BitSet]
    let excluded: BitSet
    /// The entries of all groups that are not excluded.
    let all: BitSet
  }

  private let index: SearchIndex
  private let query: PreparedQuery
  private var answers: [String: Answer] = [:]
  /// Shards that did not read to the end: their pages are looked at directly.
  private var broken: Set<String> = []

  init(_ index: SearchIndex, _ query: PreparedQuery) {
    self.index = index
    self.query = query
    index.refresh()
  }

  /// The records of a page that can be hits, nil when no shard knows the page.
  ///
  /// - Parameter days: those of its entries.
  func candidates(in page: PageRef, of days: ClosedRange<Int>) -> Candidates? {
    for shard in index.shards where !broken.contains(shard.name) {
      guard let place = shard.pages[page.ref], place.entries.count == Int(page.count) else {
        continue
      }
      guard let answer = answer(of: shard) else { continue }
      let first = place.entries.lowerBound
      let byHeader = query.groups.map { $0.contains { $0.mayMatch(days: days) } }
      guard byHeader.contains(true) else {
        return Candidates(
          records: place.entries.filter(answer.all.contains).map { $0 - first })
      }
      let wanted = place.entries.filter { entry in
        !answer.excluded.contains(entry)
          && zip(byHeader, answer.groups).allSatisfy { $0 || $1.contains(entry) }
      }
      return Candidates(records: wanted.map { $0 - first }, groups: (answer.groups, first))
    }
    return nil
  }

  /// Whether one of the candidates can be a hit, now that its header is known.
  func allows(_ record: Int, _ header: Header, _ candidates: Candidates) -> Bool {
    guard let (sets, first) = candidates.groups else { return true }
    return zip(query.groups, sets).allSatisfy { group, set in
      set.contains(first + record)
        || group.contains {
          $0.matches(journal: header.journal, kind: header.kind, day: header.date.day)
        }
    }
  }

  private func answer(of shard: IndexShard) -> Answer? {
    if let known = answers[shard.name] { return known }
    do throws(VaultError) {
      let answer = try ask(shard)
      answers[shard.name] = answer
      return answer
    } catch {
      broken.insert(shard.name)
      return nil
    }
  }

  private func ask(_ shard: IndexShard) throws(VaultError) -> Answer {
    let none = BitSet(count: shard.entries)
    var (groups, excluded, all) = ([BitSet](), none, BitSet(full: shard.entries))
    for group in query.groups {
      var any = none
      // Where nothing is left, and no header brings anything back, the rest is not looked up.
      if !all.isEmpty || query.mayMatchHeader {
        for term in group where !term.isOfHeader {
          any = any.union(try shard.entries(holding: term.needles))
        }
      }
      groups.append(any)
      all = all.intersection(any)
    }
    if !all.isEmpty || query.mayMatchHeader {
      for term in query.excluded where term.isExact {
        excluded = excluded.union(try shard.entries(holding: term.needles))
      }
    }
    return Answer(groups: groups, excluded: excluded, all: all.subtracting(excluded))
  }
}
