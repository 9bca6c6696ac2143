internal import Access
internal import Bytes
internal import FaceMatching
internal import Sealing

/// How often a face was refused, in two places that must agree.
///
/// Both are raised durably *before* the verdict, so a kill cannot win a try back; restoring either side
/// alone is noticed. Restoring both together is noticed where a chip counts the tries.
package struct AttemptLedger {
  /// The other place: a row of the vault.
  package struct Row {
    let read: () throws -> [UInt8]?
    let write: ([UInt8]) throws -> Void

    package init(read: @escaping () throws -> [UInt8]?, write: @escaping ([UInt8]) throws -> Void) {
      self.read = read
      self.write = write
    }
  }

  private let keys: DeviceKeys
  private let counter: (any DeviceCounter)?
  private let directory: DeviceDirectory
  private let file: AlternatingFile
  private let row: Row
  private let rowContext: [UInt8]

  package init(_ store: DeviceStore, _ keys: DeviceKeys, row: Row) {
    self.keys = keys
    self.row = row
    counter = store.counter
    directory = store.directory
    file = AlternatingFile(
      store.directory, "attempts", context: store.associatedData("FDv1 attempts device"))
    rowContext = store.associatedData("FDv1 attempts vault")
  }

  private struct Count: Equatable {
    private static let version: UInt8 = 2
    /// Raised by every reset.
    var generation: UInt64
    var used: UInt32
    /// The chip's counter when this was written, or the value it was about to get; 0 without a chip.
    var chip: UInt64 = 0

    var bytes: [UInt8] {
      var writer = ByteWriter()
      writer.put(Self.version)
      writer.put(generation)
      writer.put(used)
      writer.put(chip)
      return writer.bytes
    }

    init(generation: UInt64, used: UInt32, chip: UInt64) {
      self.generation = generation
      self.used = used
      self.chip = chip
    }

    init?(_ bytes: [UInt8]?) {
      guard let bytes else { return nil }
      var reader = ByteReader(bytes)
      guard (try? reader.uint8()) == Self.version, let generation = try? reader.counter(),
        let used = try? reader.uint32(), let chip = try? reader.uint64(), reader.isAtEnd
      else { return nil }
      self.init(generation: generation, used: used, chip: chip)
    }
  }

  private func counts() throws -> (device: Count?, vault: Count?) {
    // A record that does not open counts as absent, and an absent record locks the face out.
    var own: [UInt8]?
    do throws(AuthenticationError) { own = try file.read(key: keys.attempts) } catch {
      guard error.code == .storeDamaged else { throw error }
    }
    var other: [UInt8]?
    if let sealed = try row.read() {
      other = unsafe try? AEAD.open(
        sealed.span.bytes, associatedData: rowContext.span.bytes, key: keys.attempts)
    }
    return (Count(own), Count(other))
  }

  /// The count on which both records and the chip agree; nil when they do not, which locks the face out.
  private func agreed() throws -> Count? {
    guard let count = try agreedOnDisk() else { return nil }
    guard let counter else { return count }
    // A kill between the records and the chip leaves it one behind them.
    guard let now = try counter.value(.tries, keys), count.chip == now || count.chip == now &+ 1
    else { return nil }
    return count
  }

  private func agreedOnDisk() throws -> Count? {
    guard case (let device?, let vault?) = try counts() else { return nil }
    let newer = device.generation >= vault.generation ? device : vault
    let older = device.generation >= vault.generation ? vault : device
    if newer.generation == older.generation {
      let used = max(device.used, vault.used)
      // Apart by one: a kill between the two raises.
      guard used - min(device.used, vault.used) <= 1 else { return nil }
      return Count(
        generation: newer.generation, used: used, chip: max(device.chip, vault.chip))
    }
    // Apart by a reset: a kill between its two writes, and at most one raise since.
    guard newer.generation - older.generation == 1, newer.used <= 1 else { return nil }
    return newer
  }

  /// Tries left; 0 when locked out.
  package func left() throws -> Int {
    var count = try agreed()
    // Another process may be counting at this moment, between one place and the other.
    if count == nil {
      count = try directory.locked("attempts.lock") { try agreed() }
    }
    return count.map { max(0, FaceLockout.tries - Int($0.used)) } ?? 0
  }

  /// Takes one try; returns how many are left after it.
  ///
  /// - Throws: `lockedOut` when none was left; what writing either record throws.
  package func take() throws -> Int {
    // Read, raise and write as one: two probes at once are two tries.
    try directory.locked("attempts.lock") { try takeLocked() }
  }

  private func takeLocked() throws -> Int {
    guard var count = try agreed(), count.used < FaceLockout.tries else {
      throw AuthenticationError(.lockedOut, "face")
    }
    if case (let device?, let vault?) = try counts(), device != vault {
      // Finish a reset or a raise that was cut short, so that a kill or a failure from here on leaves at most one step undone.
      try write(count)
    }
    count.used += 1
    if let counter {
      count.chip = (try counter.value(.tries, keys) ?? 0) &+ 1
      try write(count)
      _ = try counter.raise(.tries, keys)
    } else {
      try write(count)
    }
    return FaceLockout.tries - Int(count.used)
  }

  /// Starts over. Only an opened vault may ask for this.
  package func reset() throws {
    try directory.locked("attempts.lock") { try resetLocked() }
  }

  private func resetLocked() throws {
    let (device, vault) = try counts()
    if let device, device == vault, device.used == 0, try agreed() != nil { return }
    var generation = max(device?.generation ?? 0, vault?.generation ?? 0) + 1
    // The same reset again, where its second record could not be written: however often, they are one step apart.
    if let device, let vault, device.used == 0, device.generation == vault.generation + 1 {
      generation = device.generation
    }
    var now: UInt64 = 0
    if let counter {
      now = try counter.value(.tries, keys) ?? counter.remake(.tries, keys)
    }
    try write(Count(generation: generation, used: 0, chip: now))
  }

  private func write(_ count: Count) throws {
    try file.write(count.bytes, key: keys.attempts)
    unsafe try row.write(
      AEAD.seal(
        count.bytes.span.bytes, associatedData: rowContext.span.bytes, key: keys.attempts))
  }
}
