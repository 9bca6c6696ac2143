internal import Sealing

/// The same change to many entries, all of them or none, a slice of time after another.
///
/// The vault's write lock is held until the last step; letting it go before undoes everything.
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

  private enum Stage { case finding, changing, looking, sealing, freeing, done, failed }

  private let vault: Vault
  private let change: Vault.OpenChange
  private let effect: Effect
  private let countsTrash: Bool
  private var stage = Stage.finding

  private var names: ArraySlice<EntryReference> = []
  private var namedInTrash = false
  private var cursors: [(HeaderCursor, inTrash: Bool)] = []
  private let fits: (Header) -> Bool
  private var seen: Set<EntryID> = []
  private var found: [(id: EntryID, isInTrash: Bool)] = []
  private var next = 0

  /// Attachments of what is removed, and those that nothing has.
  private var attachments: Set<Int64> = []
  private var unfinished: Set<Int64> = []
  private let findsUnfinished: Bool
  private var freeing: [Int64] = []

  /// - Parameters:
  ///   - findsUnfinished: whether attachments that no entry has go, too.
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
      // Nothing of it counts, also for who asks again.
      change.undo()
      stage = .failed
      throw error
    }
  }

  private func go(_ slice: Slice) throws(VaultError) -> Int? {
    repeat {
      switch stage {
      case .finding: if try find(slice) { stage = .changing }
      case .changing:
        if next < found.count {
          try change(found[next].id, isInTrash: found[next].isInTrash)
          next += 1
        } else if findsUnfinished {
          unfinished = try change.edit.attachmentRows()
          if !unfinished.isEmpty {
            cursors = [false, true].map { (Self.cursor(change.edit.catalogue, inTrash: $0), $0) }
          }
          stage = .looking
        } else {
          stage = .sealing
        }
      case .looking: if try lookForUnfinished(slice) { stage = .sealing }
      case .sealing:
        if try change.commit(within: slice) {
          freeing = Array(attachments.union(unfinished))
          stage = .freeing
        }
      case .freeing:
        // It is durable already; what is not freed now, emptying the trash frees.
        do throws(VaultError) { if try vault.freeAttachments(&freeing) { stage = .done } } catch {
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

  /// Asked of the transaction itself: what another process purged a moment ago is not found, not missing.
  private func find(_ slice: Slice) throws(VaultError) -> Bool {
    if let reference = names.popFirst() {
      let id = try change.edit.catalogue.header(reference, trash: namedInTrash).id
      if seen.insert(id).inserted { found.append((id, namedInTrash)) }
      return false
    }
    guard let (cursor, inTrash) = cursors.first else { return true }
    switch try cursor.next(within: slice) {
    case .found(let header): if fits(header) { found.append((header.id, inTrash)) }
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
      attachments.formUnion(try edit.attachments(of: header))
      try edit.remove(place)
      try edit.deleteRows(of: id)
    }
  }

  /// Attachments that an entry has in any revision are not unfinished.
  private func lookForUnfinished(_ slice: Slice) throws(VaultError) -> Bool {
    guard let (cursor, _) = cursors.first, !unfinished.isEmpty else { return true }
    switch try cursor.next(within: slice) {
    case .found(let header): unfinished.subtract(try change.edit.attachments(of: header))
    case .paused: break
    case .ended: cursors.removeFirst()
    }
    return false
  }
}

extension CatalogueEdit {
  /// The attachments of an entry and of all its revisions.
  fileprivate func attachments(of header: Header) throws(VaultError) -> Set<Int64> {
    Set(try catalogue.revisions(of: header).flatMap { $0.header.attachments.map(\.row) })
  }

  /// Every attachment there are rows of, but those that are being taken in.
  fileprivate func attachmentRows() throws(VaultError) -> Set<Int64> {
    // Chunks whose attachment is gone belong to nobody either.
    let rows = Set(try catalogue.store.rows(of: .attachment) + catalogue.store.chunkOwners())
    return rows.subtracting(catalogue.vault.staged.keys)
  }
}

extension Vault {
  /// Moves entries to the trash: all of them, or none.
  package func deleting(_ references: [EntryReference]) throws(VaultError) -> BulkChange {
    let now = settings.now
    return try BulkChange(self) { _ in
      .named(references, inTrash: false)
    } effect: {
      .mark { $0.trashed = now() }
    }
  }

  /// Takes entries back out of the trash.
  package func restoring(_ references: [EntryReference]) throws(VaultError) -> BulkChange {
    try BulkChange(self) { _ in
      .named(references, inTrash: true)
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
