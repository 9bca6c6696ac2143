internal import Bytes
internal import Entries
internal import SealedFiles

/// Objects in the place that are of no use to this device.
struct UnusableObjects {
  /// Those that are not what their names say, and those that no device of the space can have written.
  var refused: Set<ObjectPath> = []
  /// Those under a key of which nothing is known here.
  var unreadable: Set<ObjectPath> = []

  func union(_ other: UnusableObjects) -> UnusableObjects {
    UnusableObjects(
      refused: refused.union(other.refused), unreadable: unreadable.union(other.unreadable))
  }
}

extension SyncReport {
  /// The same with what was not as it should be. That a device was revoked says all: it can read nothing new.
  func telling(_ found: Set<SyncTrouble>, _ unusable: UnusableObjects) -> SyncReport {
    var (report, found) = (self, found)
    if found.contains(.closed) {
      // Nor can it tell what is missing: others took away what it still has.
      found = found.filter { !$0.isLoss }
    } else {
      if !unusable.unreadable.isEmpty { found.insert(.unreadable(unusable.unreadable.count)) }
      report.unusable = Self.few(unusable.refused.map(\.text))
      report.unreadable = Self.few(unusable.unreadable.map(\.text))
    }
    report.troubles = found.sorted { "\($0)" < "\($1)" }
    return report
  }
}
