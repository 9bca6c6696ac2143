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
    guard (try? FileStatus(folder))?.kind == .directory else { return }
    for name in names { try? FileSystem.remove(folder + "/" + name) }
  }
}

/// A query as the index answers it: for each page that a shard knows, which of its entries can be hits.
final class IndexedQuery {
  private let index: SearchIndex
  private let query: PreparedQuery
  private var results: [String: BitSet] = [:]
  /// Shards that did not read to the end: their pages are looked at directly.
  private var broken: Set<String> = []

  init(_ index: SearchIndex, _ query: PreparedQuery) {
    self.index = index
    self.query = query
    index.refresh()
  }

  /// The records of a page that can be hits, nil when no shard knows the page.
  func candidates(in page: PageRef) -> [Int]? {
    for shard in index.shards where !broken.contains(shard.name) {
      guard let place = shard.pages[page.ref], place.entries.count == Int(page.count) else {
        continue
      }
      let set: BitSet
      if let known = results[shard.name] {
        set = known
      } else {
        do throws(VaultError) { set = try query.candidates(in: shard) } catch {
          broken.insert(shard.name)
          continue
        }
        results[shard.name] = set
      }
      return place.entries.filter(set.contains).map { $0 - place.entries.lowerBound }
    }
    return nil
  }
}

extension PreparedQuery {
  /// The entries of a shard that can be what is looked for.
  func candidates(in shard: IndexShard) throws(VaultError) -> BitSet {
    var result = BitSet(full: shard.entries)
    for group in groups {
      var any = BitSet(count: shard.entries)
      for term in group { any = any.union(try shard.entries(holding: term.needles)) }
      result = result.intersection(any)
      if result.isEmpty { return result }
    }
    for term in excluded where term.isExact {
      result = result.subtracting(try shard.entries(holding: term.needles))
    }
    return result
  }
}
