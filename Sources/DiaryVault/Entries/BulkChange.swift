package import Entries
internal import SealedFiles

/// The same change to many entries, all of them or none, a slice of time after another.
///
/// The vault's write lock is held until the last step; releasing this object before that undoes everything.
package final class BulkChange {
  /// Which entries are meant.
  enum Selection {
    /// Those that are named, each once.
    case named([EntryReference], inTrash: Bool)
    /// Every one in the diary, or in the trash, that fits.
    case every(inTrash: Bool, (Header) -> Bool)
    /// Every one that fits, wherever it is; those in the trash do not count in the answer.
    case everywhere((Header) -> Bool)
  }

  enum Effect {
    case mark((inout Header) -> Void)
    /// For good, with all revisions.
    case remove
  }

  private enum Stage { case finding, gathering, looking, changing, sealing, done, failed }

  private let vault: Vault
  private let change: Vault.OpenChange
  private let effect: Effect
  private let countsTrash: Bool
  private var stage = Stage.finding
  private var lock: ObjectLock?

  private var names: ArraySlice<EntryReference> = []
  private var namedInTrash = false
  private var cursors: [(HeaderCursor, inTrash: Bool)] = []
  private let fits: (Header) -> Bool
  private var seen: Set<EntryID> = []
  private var found: [(id: EntryID, isInTrash: Bool)] = []
  private var next = 0

  /// Objects of what is removed, and those that nothing has; less those that some entry has.
  private var objects: Set<ObjectName> = []
  private let findsUnfinished: Bool
  /// Refs of the pages of what is removed.
  private var pages: Set<Ref> = []

  /// - Parameters:
  ///   - findsUnfinished: whether objects that neither an entry nor a kept text has go, too.
  ///   - select: says which, and changes what else belongs to it in the same transaction.
  ///   - effect: asked after that.
  init(
    _ vault: Vault, findsUnfinished: Bool = false,
    _ select: (CatalogueEdit) throws(VaultError) -> Selection, effect: () -> Effect
  ) throws(VaultError) {
    self.vault = vault
    change = try vault.beginChange()
    self.findsUnfinished = findsUnfinished
    let selection = try select(change.edit)
    self.effect = effect()
    switch selection {
    case .named(let references, let inTrash):
      names = references[...]
      namedInTrash = inTrash
      fits = { _ in true }
      countsTrash = true
    case .every(let inTrash, let fits):
      self.fits = fits
      countsTrash = true
      cursors = [(Self.cursor(change.edit.catalogue, inTrash: inTrash), inTrash)]
    case .everywhere(let fits):
      self.fits = fits
      countsTrash = false
      cursors = [false, true].map { (Self.cursor(change.edit.catalogue, inTrash: $0), $0) }
    }
  }

  private static func cursor(_ catalogue: Catalogue, inTrash: Bool) -> HeaderCursor {
    var filter = EntryFilter()
    filter.trash = inTrash
    return HeaderCursor(catalogue, filter: filter, newestFirst: true)
  }

  /// Goes on; the number of entries changed once it is all durable, nil when the slice was over first.
  package func step(_ slice: Slice) throws(VaultError) -> Int? {
    do throws(VaultError) { return try go(slice) } catch {
      // Undo all of it; a further step fails, too.
      change.undo()
      stage = .failed
      throw error
    }
  }

  private func go(_ slice: Slice) throws(VaultError) -> Int? {
    repeat {
      switch stage {
      case .finding: if try find(slice) { stage = isRemoving ? .gathering : .changing }
      case .gathering:
        if next < found.count {
          let (place, header) = try change.edit.place(of: found[next].id.key)
          pages.insert(try change.edit.catalogue.ref(of: place))
          objects.formUnion(try change.edit.catalogue.objects(of: header))
          next += 1
        } else {
          next = 0
          try beginLooking()
          stage = .looking
        }
      // Before anything is removed: afterwards the path to the other entries has pages that are not sealed yet.
      case .looking: if try lookForOwners(slice) { stage = .changing }
      case .changing:
        if next < found.count {
          try change(found[next].id, isInTrash: found[next].isInTrash)
          next += 1
        } else {
          // A kill right after the change must leave none of their words, either.
          vault.forgetWords(of: pages)
          if isRemoving { try change.edit.forget(found.map(\.id)) }
          stage = .sealing
        }
      case .sealing:
        if try change.commit(within: slice) {
          // It is durable already; what is not removed now, emptying the trash removes.
          VaultFolder(vault.path).remove(objects)
          lock = nil
          if isRemoving { vault.forgetRemoved() }
          stage = .done
        }
      case .failed: throw VaultError(.conflict, vault.path)
      case .done: return found.count { countsTrash || !$0.isInTrash }
      }
    } while !slice.isOver
    return nil
  }

  func finish() throws(VaultError) -> Int {
    while true {
      if let count = try step(.unlimited) { return count }
    }
  }

  /// Looks inside the transaction: an entry that was purged a moment ago is "not found", not missing.
  private func find(_ slice: Slice) throws(VaultError) -> Bool {
    if let reference = names.popFirst() {
      let id = try change.edit.header(reference, trash: namedInTrash).id
      if seen.insert(id).inserted { found.append((id, namedInTrash)) }
      return false
    }
    guard let (cursor, inTrash) = cursors.first else { return true }
    switch try cursor.next(within: slice) {
    case .found(let header):
      if fits(header) {
        seen.insert(header.id)
        found.append((header.id, inTrash))
      }
    case .paused: break
    case .ended: cursors.removeFirst()
    }
    return false
  }

  private func change(_ id: EntryID, isInTrash: Bool) throws(VaultError) {
    let edit = change.edit
    var (place, header) = try edit.place(of: id.key)
    guard (header.trashed != nil) == isInTrash else {
      throw VaultError(.conflict, .entry, id.short)
    }
    switch effect {
    case .mark(let body):
      body(&header)
      try edit.replace(place, by: header)
    case .remove:
      try edit.remove(place)
      try edit.deleteRows(of: header)
    }
  }

  private var isRemoving: Bool { if case .remove = effect { true } else { false } }

  private func beginLooking() throws(VaultError) {
    let folder = VaultFolder(vault.path)
    // No file may be sealed in the meantime: an object without an entry may soon get one.
    if findsUnfinished || !objects.isEmpty { lock = folder.lockObjects() }
    if lock == nil {
      objects = []
    } else {
      let kept = vault.filesOfKeptTexts(vault)
      if findsUnfinished, kept.areAll { objects.formUnion(try folder.objectNames()) }
      // A file that is in two places is one object.
      objects.subtract(kept.objects)
    }
    if !objects.isEmpty {
      cursors = [false, true].map { (Self.cursor(change.edit.catalogue, inTrash: $0), $0) }
    }
  }

  /// Objects that an entry has in any revision stay.
  private func lookForOwners(_ slice: Slice) throws(VaultError) -> Bool {
    guard let (cursor, _) = cursors.first, !objects.isEmpty else { return true }
    switch try cursor.next(within: slice) {
    case .found(let header):
      // Only the objects of entries that stay are kept.
      if !seen.contains(header.id) {
        objects.subtract(try change.edit.catalogue.objects(of: header))
      }
    case .paused: break
    case .ended: cursors.removeFirst()
    }
    return false
  }
}

extension Vault {
  /// Removes shards of the search index that know any of these pages. They are made anew.
  fileprivate func forgetWords(of pages: Set<Ref>) {
    guard !pages.isEmpty else { return }
    searchIndex.refresh()
    searchIndex.remove(
      searchIndex.shards.filter { !pages.isDisjoint(with: $0.pages.keys) }.map(\.name))
  }

  /// Removes shards of the search index with a page that no longer exists: their words would outlive what was
  /// removed for good. They are made anew. The log has it, too, until it is written over.
  func forgetRemoved() {
    // Who reads meanwhile is not waited for: the next one tries again.
    emptyLog(waiting: false)
    searchIndex.refresh()
    guard !searchIndex.shards.isEmpty, let pages = try? Snapshot(self).catalogue.pages() else {
      return
    }
    let live = Set(pages.map(\.ref))
    searchIndex.remove(
      searchIndex.shards.filter { !live.isSuperset(of: $0.pages.keys) }.map(\.name))
  }

  /// Moves entries to the trash: all of them, or none.
  package func deleting(_ references: [EntryReference]) throws(VaultError) -> BulkChange {
    let now = settings.now
    return try BulkChange(self) { _ in
      .named(references, inTrash: false)
    } effect: {
      .mark { $0.trashed = now() }
    }
  }

  /// Takes entries back out of the trash; all of it when none are named.
  package func restoring(_ references: [EntryReference]?) throws(VaultError) -> BulkChange {
    try BulkChange(self) { _ in
      references.map { .named($0, inTrash: true) } ?? .every(inTrash: true) { _ in true }
    } effect: {
      .mark { $0.trashed = nil }
    }
  }

  /// Removes trashed entries and all their revisions for good; all of the trash when none are named.
  package func purging(_ references: [EntryReference]?) throws(VaultError) -> BulkChange {
    try BulkChange(self, findsUnfinished: references == nil) { _ in
      references.map { .named($0, inTrash: true) } ?? .every(inTrash: true) { _ in true }
    } effect: {
      .remove
    }
  }

  package func delete(_ references: [EntryReference]) throws(VaultError) -> Int {
    try deleting(references).finish()
  }

  package func restore(_ references: [EntryReference]) throws(VaultError) -> Int {
    try restoring(references).finish()
  }

  package func purge(_ references: [EntryReference]?) throws(VaultError) -> Int {
    try purging(references).finish()
  }
}
