internal import Bytes
internal import Entries
internal import Replication

/// How many entries may go by what other devices did, without that a person is asked.
struct RemovalConsent {
  /// How many may still go, beside the few that go without asking.
  private var allowed: Int
  /// How many of those have gone.
  private(set) var agreed = 0
  /// The rows of entries that came since the first segment was merged: nobody is asked of them.
  private var came: Set<Int64> = []
  /// The rows of those that were here before and went since.
  private var went: Set<Int64> = []
  /// How many of the trash have gone.
  private var emptied = 0
  /// How many each segment would remove that waits for a yes.
  private(set) var stopped: [LogEnd: Int] = [:]

  init(allowing removals: Int) { allowed = removals }

  /// Called when an entry came or went by what was merged.
  mutating func note(_ row: Int64, isHere: Bool) {
    if !isHere {
      if came.remove(row) == nil { went.insert(row) }
    } else if !went.contains(row) {
      came.insert(row)
    }
  }

  /// Whether a segment may remove these entries.
  mutating func allows(
    _ name: LogEnd, _ removed: Set<Identity>, _ edit: CatalogueEdit, _ store: ReplicaStore,
    at now: Int64
  ) throws(VaultError) -> Bool {
    var (count, trashed) = (0, 0)
    for entry in removed {
      let row = store.record.id(of: entry).key
      // One that went to the trash meanwhile was counted then.
      guard try edit.holds(row), !came.contains(row), !went.contains(row) else { continue }
      if try edit.place(of: row).header.trashed == nil { count += 1 } else { trashed += 1 }
    }
    // In this sync and those of the last day: what waits for a yes does not go in slices.
    let total = store.record.removedLately(at: now) + count
    stopped[name] = nil
    let isMuch = count > 0 && (total > 20 || (total > 2 && total * 20 > store.record.living))
    // What was in the trash was asked of when it went there, or is its owner's: only very much of it is asked of once more.
    guard isMuch || trashed > 0 && emptied + trashed > 20 else {
      store.record.noteRemoved(count, at: now)
      emptied += trashed
      return true
    }
    count += trashed
    guard count <= allowed else {
      stopped[name] = count
      return false
    }
    if allowed < .max { allowed -= count }
    agreed += count
    store.record.allowRemovals()
    return true
  }
}
