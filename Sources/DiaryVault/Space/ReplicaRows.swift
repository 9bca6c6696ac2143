internal import Bytes
internal import Entries
internal import Replication
internal import Sealing

extension ReplicaStore {
  /// What the rows of a space that was left have, but what depends on the vault's key: which pages are known is found out again.
  struct Rows {
    fileprivate var record: SpaceRecord
    let registers: [UInt8]?
    let segments: [[UInt8]]
    let buckets: [[UInt8]?]

    /// Writes them, sealed under another key.
    ///
    /// - Returns: what the state record keeps.
    func put(_ catalogue: Catalogue, sealing keys: VaultKeys) throws(VaultError) -> Ref {
      func put(_ row: Int64, _ content: [UInt8]) throws(VaultError) -> Ref {
        try ReplicaRow(catalogue, row, sealing: keys).put(content)
      }
      var record = record
      record.registers = try registers.map { content throws(VaultError) in
        try put(SpaceRecord.Row.registers, content)
      }
      record.pages = nil
      for (index, content) in segments.enumerated() {
        record.segments[index] = try put(SpaceRecord.Row.segments(index), content)
      }
      var directory: [Ref?] = []
      for (index, content) in buckets.enumerated() {
        directory.append(
          try content.map { content throws(VaultError) in
            try put(SpaceRecord.Row.bucket(index), content)
          })
      }
      if record.directory != nil {
        record.directory = try put(SpaceRecord.Row.directory, ReplicaStore.encoded(directory))
      }
      return try put(
        SpaceRecord.Row.record,
        try unsealing(.space) { () throws(SealingError) in try record.plain() })
    }
  }

  func rows() throws(VaultError) -> Rows {
    func content(_ row: Int64, _ ref: Ref) throws(VaultError) -> [UInt8] {
      try ReplicaRow(catalogue, row).content(ref)
    }
    var segments: [[UInt8]] = []
    for (index, ref) in record.segments.enumerated() {
      segments.append(try content(SpaceRecord.Row.segments(index), ref))
    }
    var buckets: [[UInt8]?] = []
    for (index, ref) in directory.enumerated() {
      buckets.append(
        try ref.map { ref throws(VaultError) in try content(SpaceRecord.Row.bucket(index), ref) })
    }
    return Rows(
      record: record,
      registers: try record.registers.map { ref throws(VaultError) in
        try content(SpaceRecord.Row.registers, ref)
      }, segments: segments, buckets: buckets)
  }
}
