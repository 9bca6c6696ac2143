internal import Bytes
internal import Entries

/// Something that is kept of the other devices: in one row, or in several where it is long. What other devices write decides how long it
/// gets, and a row has a limit.
struct ReplicaRow {
  private let catalogue: Catalogue
  private let row: Int64

  /// By which it is written.
  private let keys: VaultKeys

  init(_ catalogue: Catalogue, _ row: Int64, sealing keys: VaultKeys? = nil) {
    (self.catalogue, self.row) = (catalogue, row)
    self.keys = keys ?? catalogue.vault.keys
  }

  /// Where the parts of a long one stand. The numbers of rows end below 2⁴¹.
  private func part(_ index: Int) -> Int64 { 1 << 62 + row << 16 + Int64(index) }

  private func unpadded(_ row: Int64, _ ref: Ref) throws(VaultError) -> [UInt8] {
    let plain = try catalogue.replica(row, ref)
    return try unsealing(.otherDevices) { () throws(SealingError) in try Padding.unpad(plain) }
  }

  /// What stands in its own row: the content, or the refs of the parts.
  private enum Head {
    case content([UInt8])
    case parts([Ref])
  }

  private func head(_ ref: Ref) throws(VaultError) -> Head {
    var reader = ByteReader(try unpadded(row, ref))
    return try unsealing(.otherDevices) { () throws(SealingError) in
      switch try reader.uint8() {
      case 0: return .content(try reader.bytes(reader.remaining))
      case 1:
        var refs: [Ref] = []
        while !reader.isAtEnd { refs.append(try Ref(&reader)) }
        return .parts(refs)
      default: throw .malformed
      }
    }
  }

  func content(_ ref: Ref) throws(VaultError) -> [UInt8] {
    switch try head(ref) {
    case .content(let content): return content
    case .parts(let refs):
      var content: [UInt8] = []
      for (index, ref) in refs.enumerated() { content += try unpadded(part(index), ref) }
      return content
    }
  }

  /// The numbers of all its rows.
  func rows(_ ref: Ref) throws(VaultError) -> [Int64] {
    guard case .parts(let refs) = try head(ref) else { return [row] }
    return [row] + refs.indices.map(part)
  }

  /// Writes it anew.
  ///
  /// - Returns: the ref of its row.
  func put(_ content: [UInt8]) throws(VaultError) -> Ref {
    let limit = catalogue.vault.settings.replicaPart
    var writer = ByteWriter(reserving: min(content.count, limit) + 1)
    var count = 0
    if content.count <= limit {
      writer.put(UInt8(0))
      writer.put(content)
    } else {
      writer.put(UInt8(1))
      for start in stride(from: 0, to: content.count, by: limit) {
        let piece = Array(content[start..<min(start + limit, content.count)])
        try put(Padding.pad(piece), at: part(count)).write(to: &writer)
        count += 1
      }
    }
    // Of one that was longer before nothing stays.
    try catalogue.store.removeReplica(in: part(count)..<(1 << 62 + (row + 1) << 16))
    return try put(Padding.pad(writer.bytes), at: row)
  }

  private func put(_ plain: [UInt8], at row: Int64) throws(VaultError) -> Ref {
    let sealed = keys.seal(
      plain, .replica, object: VaultKeys.object(row),
      randomness: catalogue.vault.settings.randomness)
    try catalogue.store.put(sealed, .replica(row))
    return unsafe Ref(sealed: sealed.span.bytes)!
  }
}
