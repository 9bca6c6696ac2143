package import Sealing

/// What a device remembers of the vault, so that an older copy put back is noticed.
package struct Anchor: Sendable, Equatable {
  let epoch: [UInt8]
  /// Every device's counter when this device last saw the vault.
  let counters: [[UInt8]: UInt64]
  /// The state record's nonce ‖ tag then.
  let state: Ref

  package func encoded() -> [UInt8] {
    var writer = ByteWriter(reserving: 128)
    writer.put(UInt8(1))
    writer.put(epoch)
    state.write(to: &writer)
    writer.put(UInt32(counters.count))
    for (id, counter) in counters.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      writer.put(id)
      writer.put(counter)
    }
    return writer.bytes
  }

  init(epoch: [UInt8], counters: [[UInt8]: UInt64], state: Ref) {
    self.epoch = epoch
    self.counters = counters
    self.state = state
  }

  init(_ record: StateRecord, at ref: Ref) {
    self.init(epoch: record.epoch, counters: record.devices.mapValues(\.counter), state: ref)
  }

  package init(_ encoded: [UInt8]) throws(SealingError) {
    var reader = ByteReader(encoded)
    guard try reader.uint8() == 1 else { throw .malformed }
    let epoch = try reader.bytes(16)
    let state = try Ref(&reader)
    var counters: [[UInt8]: UInt64] = [:]
    for _ in 0..<(try reader.uint32()) {
      counters[try reader.bytes(16)] = try reader.uint64()
    }
    try reader.expectEnd()
    self.init(epoch: epoch, counters: counters, state: state)
  }

  enum Finding: Equatable { case same, ahead, rolledBack, forked }

  /// Holds a state record against what is remembered.
  ///
  /// Own counter below = an older copy. One ahead = the crash between a commit and its anchor. More,
  /// or equal with another tag and no other device ahead = written by somebody else as us.
  func compare(_ record: StateRecord, at ref: Ref, device: [UInt8]) -> Finding {
    guard record.epoch == epoch else { return .forked }
    if ref == state { return .same }
    let now = record.devices.mapValues(\.counter)
    if counters.contains(where: { (now[$0.key] ?? 0) < $0.value }) { return .rolledBack }
    let own = (now[device] ?? 0) - (counters[device] ?? 0)
    let othersAhead = now.contains { $0.key != device && $0.value > (counters[$0.key] ?? 0) }
    if own > 1 || (own == 0 && !othersAhead) { return .forked }
    return .ahead
  }
}

/// Where the anchor is kept: outside the vault file, on the device.
package protocol AnchorStore: AnyObject {
  /// The anchor, nil when this device has none yet.
  func load() throws(VaultError) -> Anchor?
  /// Durable when it returns.
  func save(_ anchor: Anchor) throws(VaultError)
  /// Keeps other processes of this device from writing the vault until the token is let go.
  func lock() throws(VaultError) -> AnyObject
}
