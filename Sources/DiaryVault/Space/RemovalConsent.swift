internal import Bytes
internal import Entries
internal import Replication

/// How many entries may go by what other devices did, without that a person is asked.
struct RemovalConsent {
  /// How many may still go, beside the few that go without asking.
  private var allowed: Int
  /// How many entries had ever been added before the first segment was merged. Nobody is asked of one that only came since.
  private var addedBefore: UInt64?
  /// How many each segment would remove that waits for a yes.
  private(set) var stopped: [LogEnd: Int] = [:]

  init(allowing removals: Int) { allowed = removals }

  /// Called before a segment is merged.
  mutating func begin(_ edit: CatalogueEdit) {
    addedBefore = addedBefore ?? edit.catalogue.state.added
  }

  /// Whether a segment may remove these entries.
  mutating func allows(
    _ name: LogEnd, _ removed: Set<Identity>, _ edit: CatalogueEdit, _ store: ReplicaStore,
    at now: Int64
  ) throws(VaultError) -> Bool {
    var count = 0
    for entry in removed {
      let key = store.record.id(of: entry).key
      if try edit.holds(key), try edit.place(of: key).header.added <= addedBefore ?? 0 {
        count += 1
      }
    }
    // In this sync and those of the last day: what waits for a yes does not go in slices.
    let total = store.record.removedLately(at: now) + count
    stopped[name] = nil
    guard count > 0, total > 20 || (total > 2 && total * 20 > store.record.living) else {
      store.record.noteRemoved(count, at: now)
      return true
    }
    guard count <= allowed else {
      stopped[name] = count
      return false
    }
    if allowed < .max { allowed -= count }
    store.record.allowRemovals()
    return true
  }
}
