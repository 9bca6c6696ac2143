internal import Bytes
internal import Entries
internal import Replication

/// Puts entries of one second in the order that every device shows: that in which they were first told of.
///
/// An entry's key has its date, and a number of this device, which says nothing to the others. Where entries of several devices share
/// a second, they exchange these numbers.
struct SharedSeconds {
  let edit: CatalogueEdit
  let store: ReplicaStore

  /// Of a second that has more entries, they stay as they came: their histories are read for each change.
  static let limit = 1_000

  func mend() throws(VaultError) {
    for date in edit.sharedDates {
      let headers = try edit.headers(at: date, trashed: true, limit: Self.limit + 1)
      guard headers.count > 1, headers.count <= Self.limit else { continue }
      try mend(headers)
    }
  }

  private func mend(_ headers: [Header]) throws(VaultError) {
    var stamps: [Stamp?] = []
    for header in headers {
      guard let entry = store.record.entry(of: header.id) else {
        stamps.append(nil)
        continue
      }
      try store.load(entry)
      stamps.append(store.replica.firstStamp(of: entry))
    }
    // What nobody was told of is the last, and stays in its order.
    let sorted = headers.indices.sorted { one, other in
      switch (stamps[one], stamps[other]) {
      case (let first?, let second?) where first != second: first < second
      case (nil, _?): false
      case (_?, nil): true
      default: one < other
      }
    }
    var moved: [Header] = []
    for (place, index) in sorted.enumerated() where place != index {
      var header = headers[index]
      let before = header.digest
      header.added = headers[place].added
      moved.append(header)
      // A number of this device is nothing to tell of.
      if let entry = store.record.entry(of: header.id), store[entry].header == before {
        store[entry].header = header.digest
      }
    }
    if !moved.isEmpty { try edit.move(moved) }
  }
}
