package import Bytes
internal import Sealing

/// What a device keeps of a roster: its own form, never sent.
extension Roster {
  /// What was taken, for ``init(space:_:)``: it was judged already.
  package func encoded() -> [UInt8] {
    var writer = ByteWriter(reserving: 512)
    writer.putVarint(UInt64(rules.nodes.count))
    for (place, node) in rules.nodes.enumerated() {
      node.hash.encode(to: &writer)
      writer.putCounted(node.record.encoded())
      writer.put(seals[place])
      guard let epoch = epochs[place] else { continue }
      writer.put(epoch.id)
      writer.put(epoch.verdict.rawValue)
      writer.put(EpochOpening.encoded(epoch.opening))
      writer.putVarint(UInt64(epoch.receivers.count))
      for receiver in epoch.receivers { receiver.encode(to: &writer) }
      writer.putVarint(UInt64(epoch.lacking.count))
      for place in epoch.lacking { writer.putVarint(UInt64(place)) }
    }
    return writer.bytes
  }

  package init(space: Identity, _ encoded: [UInt8]) throws(SealingError) {
    self.init(space: space)
    var reader = ByteReader(encoded)
    for _ in 0..<(try reader.varint()) {
      let hash = try Hash(&reader)
      let record = try RosterRecord(kept: try reader.counted())
      if case .space(let signing, let box, _) = record.action {
        (recoverySigning, recoveryBox) = (signing, box)
      }
      rules.append(record, hash)
      seals.append(try reader.bytes(EpochKey.idBytes))
      guard record.beginsEpoch else { continue }
      let place = rules.nodes.count - 1
      let id = try reader.bytes(EpochKey.idBytes)
      guard let verdict = Epoch.Verdict(rawValue: try reader.uint8()) else { throw .malformed }
      let opening = try EpochOpening.read(&reader)
      var receivers: [Member] = []
      for _ in 0..<(try reader.varint()) { receivers.append(try Member(kept: &reader)) }
      var lacking: [Int] = []
      for _ in 0..<(try reader.varint()) {
        guard let other = Int(exactly: try reader.varint()), other < place else { throw .malformed }
        lacking.append(other)
      }
      epochs[place] = Epoch(
        id: id, verdict: verdict, opening: opening, receivers: receivers, lacking: lacking)
    }
    try reader.expectEnd()
    result = rules.result()
    chooseEpoch()
  }
}
