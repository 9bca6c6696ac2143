internal import Access
internal import Authentication
internal import Bytes
internal import Chip
internal import Entries
internal import Sealing
internal import Synchronization

/// The device key sealed by a TPM, with a counter for each ``CountedThing`` in the chip's memory.
///
/// `chip` in the store: `"FDTP1" ‖ PIN u8 ‖ place of each counter u32 ‖ public part, counted ‖ private part, counted ‖ checksum 16`. Nothing in
/// it is secret: what it holds opens on the chip that sealed it, after the PIN where there is one.
struct ChipDeviceKeyStore: DeviceKeyStore, DeviceCounter {
  static let fileName = "chip"
  private static let tag = Array("FDTP1".utf8)
  /// How many places for a counter there are.
  private static let places = 16

  private let directory: DeviceDirectory
  private let line: ChipLine
  private let held: HeldDeviceKeys
  /// Whether the key may be held in memory until the diary is closed.
  private let mayHold: Bool

  var isElsewhere: Bool { true }

  init(_ directory: DeviceDirectory, _ line: ChipLine, _ held: HeldDeviceKeys, mayHold: Bool) {
    self.directory = directory
    self.line = line
    self.held = held
    self.mayHold = mayHold
  }

  /// Whether a store keeps its key this way.
  static func isUsed(in directory: DeviceDirectory) throws(AuthenticationError) -> Bool {
    guard directory.exists else { return false }
    return try directory.read(fileName, limit: 4096) != nil
  }

  private struct Note {
    let hasPIN: Bool
    /// Where its counters lie.
    var counters: [CountedThing: UInt32]
    let sealed: TPM.Sealed

    init(hasPIN: Bool, counters: [CountedThing: UInt32], sealed: TPM.Sealed) {
      self.hasPIN = hasPIN
      self.counters = counters
      self.sealed = sealed
    }

    init(_ bytes: [UInt8]) throws(SealingError) {
      guard bytes.count > tag.count + 16 else { throw .malformed }
      let content = Array(bytes.dropLast(16))
      guard Digest.areEqual(Array(bytes.suffix(16)), Self.checksum(content)) else {
        throw .notAuthentic
      }
      var reader = ByteReader(content)
      guard try reader.bytes(tag.count) == tag else { throw .malformed }
      hasPIN = try reader.uint8() == 1
      var counters: [CountedThing: UInt32] = [:]
      for thing in CountedThing.allCases {
        let index = try reader.uint32()
        guard TPM.counterIndices.contains(index) else { throw .malformed }
        counters[thing] = index
      }
      self.counters = counters
      let publicPart = try reader.counted()
      sealed = TPM.Sealed(publicPart: publicPart, privatePart: try reader.counted())
      try reader.expectEnd()
    }

    var bytes: [UInt8] {
      var writer = ByteWriter(reserving: 512)
      for byte in tag { writer.put(byte) }
      writer.put(UInt8(hasPIN ? 1 : 0))
      for thing in CountedThing.allCases { writer.put(counters[thing]!) }
      writer.putCounted(sealed.publicPart)
      writer.putCounted(sealed.privatePart)
      return writer.bytes + Self.checksum(writer.bytes)
    }

    private static func checksum(_ content: [UInt8]) -> [UInt8] {
      Digest.blake2b(content, count: 16, domain: "FDv1 chip checksum")
    }

    /// What the key is held under.
    var name: String {
      "chip " + Base32.encode(Digest.blake2b(sealed.privatePart, domain: "FDv1 chip name"))
    }
  }

  private func note() throws(AuthenticationError) -> Note? {
    guard directory.exists, let bytes = try directory.read(Self.fileName, limit: 4096) else {
      return nil
    }
    // Not as damage of the store, which an opening by passphrase would mend with a key in a file.
    do throws(SealingError) { return try Note(bytes) } catch {
      throw AuthenticationError(
        .helper, directory.path + "/" + Self.fileName, .chip(.noteDamaged))
    }
  }

  // MARK: The key

  /// Whether a PIN has to be given before the key can be had.
  func needsPIN() throws(AuthenticationError) -> Bool {
    try hasPIN() && held.pin == nil
  }

  /// Whether the chip gives its key only for a PIN.
  func hasPIN() throws(AuthenticationError) -> Bool { try note()?.hasPIN ?? false }

  /// Whether both hold the same sealed key.
  func hasKey(of other: ChipDeviceKeyStore) -> Bool {
    guard let own = try? note() else { return false }
    return (try? other.note())?.name == own.name
  }

  func get() throws(AuthenticationError) -> SecretBytes? {
    guard let note = try note() else { return nil }
    if let box = held[note.name] {
      return try copying(box.secret)
    }
    guard !note.hasPIN || held.pin != nil else { throw line.error(.needsPIN) }
    var authorisation = note.hasPIN ? held.pin.map(Self.authorisation) ?? [] : []
    defer { authorisation.wipe() }
    let key = try line.with { chip throws(ChipError) in
      try chip.unseal(note.sealed, authorisation: authorisation)
    }
    // No key of ours is of another length, and no such answer makes this a new device.
    guard key.count == DeviceKeys.length else { throw line.error(.nonsense) }
    if mayHold {
      held[note.name] = SecretBytesBox(try copying(key))
    }
    return key
  }

  /// Seals the key, under the PIN where one was given, and makes a counter for it.
  func store(_ key: borrowing SecretBytes) throws(AuthenticationError) {
    let pin = held.pin
    let copy = try copying(key)
    let keys = try DeviceKeys(copy)
    var authorisation = pin.map(Self.authorisation) ?? []
    defer { authorisation.wipe() }
    let sealed = try line.with { chip throws(ChipError) in
      try chip.seal(key, authorisation: authorisation)
    }
    var counters: [CountedThing: UInt32] = [:]
    do throws(AuthenticationError) {
      for thing in CountedThing.allCases { counters[thing] = try makeCounter(thing, keys) }
      try directory.make()
      try directory.write(
        Self.fileName, Note(hasPIN: pin != nil, counters: counters, sealed: sealed).bytes)
    } catch {
      for (thing, index) in counters { removeCounters(of: thing, at: [index], keys) }
      throw error
    }
  }

  func erase() throws(AuthenticationError) {
    removeCounters()
    if let note = try? note() { held[note.name] = nil }
    try directory.remove(Self.fileName)
  }

  /// Best effort: the chip may be gone, and its counters with it.
  private func removeCounters() {
    guard let key = try? get(), let keys = try? DeviceKeys(key) else { return }
    for thing in CountedThing.allCases {
      removeCounters(of: thing, at: Self.places(of: keys, thing), keys)
    }
  }

  /// Removes those that accept this key, as others' may lie at these places. A chip that does not answer is asked once.
  private func removeCounters(
    of thing: CountedThing, at places: [UInt32], _ keys: DeviceKeys
  ) {
    try? line.with { chip throws(ChipError) in
      for index in places {
        do throws(ChipError) {
          _ = try chip.value(
            of: index, authorisation: Self.authorisation(of: keys, thing, at: index))
        } catch {
          guard error.trouble == .noCounter else { throw error }
          continue
        }
        try chip.removeCounter(index)
      }
    }
  }

  /// What the chip compares: 32 bytes, whatever the length of the PIN.
  private static func authorisation(_ pin: SecretBytesBox) -> [UInt8] {
    var plain = unsafe pin.secret.withUnsafeBytes { unsafe [UInt8]($0) }
    defer { plain.wipe() }
    return Digest.blake2b(plain, count: 32, domain: "FDv1 chip PIN")
  }

  // MARK: The counter

  /// A counter's authorisation value. It is different for each thing and place, so that counters cannot be confused.
  private static func authorisation(
    of keys: DeviceKeys, _ thing: CountedThing, at index: UInt32
  ) -> [UInt8] {
    var place = ByteWriter(reserving: 8)
    place.put(thing.rawValue)
    place.put(index)
    var content = unsafe keys.counter.withUnsafeBytes { unsafe [UInt8]($0) }
    content.reserveCapacity(content.count + place.bytes.count)
    content += place.bytes
    defer { content.wipe() }
    return Digest.blake2b(content, count: 32, domain: "FDv1 chip counter")
  }

  /// Where a counter of this key may lie, whatever the note says, which is not sealed.
  private static func places(of keys: DeviceKeys, _ thing: CountedThing) -> [UInt32] {
    var content = unsafe keys.counter.withUnsafeBytes { unsafe [UInt8]($0) }
    defer { content.wipe() }
    content.reserveCapacity(content.count + 1)
    content.append(UInt8(thing.rawValue))
    let digest = Digest.blake2b(content, count: 4 * places, domain: "FDv1 chip place")
    let range = UInt32(TPM.counterIndices.count)
    return (0..<places).map { place in
      let number = digest[4 * place..<4 * place + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      return TPM.counterIndices.lowerBound + number % range
    }
  }

  /// Makes one where nothing is yet; returns its place.
  private func makeCounter(
    _ thing: CountedThing, _ keys: DeviceKeys
  ) throws(AuthenticationError) -> UInt32 {
    try line.with { chip throws(ChipError) in
      for index in Self.places(of: keys, thing) {
        do throws(ChipError) {
          _ = try chip.makeCounter(
            index, authorisation: Self.authorisation(of: keys, thing, at: index))
          return index
        } catch {
          guard error.trouble == .isTaken else { throw error }
        }
      }
      throw line.chipError(.isTaken)
    }
  }

  private func noteInUse() throws(AuthenticationError) -> Note {
    guard let note = try note() else {
      throw AuthenticationError(.storeDamaged, directory.path + "/" + Self.fileName, .missing)
    }
    return note
  }

  private func place(of thing: CountedThing) throws(AuthenticationError) -> UInt32 {
    try noteInUse().counters[thing]!
  }

  func value(
    _ thing: CountedThing, _ keys: DeviceKeys
  ) throws(AuthenticationError) -> UInt64? {
    let index = try place(of: thing)
    return try line.with { chip throws(ChipError) in
      do throws(ChipError) {
        return try chip.value(
          of: index, authorisation: Self.authorisation(of: keys, thing, at: index))
      } catch {
        guard error.trouble == .noCounter else { throw error }
        return nil
      }
    }
  }

  func raise(
    _ thing: CountedThing, _ keys: DeviceKeys
  ) throws(AuthenticationError) -> UInt64 {
    let index = try place(of: thing)
    let authorisation = Self.authorisation(of: keys, thing, at: index)
    return try line.with { chip throws(ChipError) in
      try chip.raise(index, authorisation: authorisation)
      return try chip.value(of: index, authorisation: authorisation)
    }
  }

  func remake(
    _ thing: CountedThing, _ keys: DeviceKeys
  ) throws(AuthenticationError) -> UInt64 {
    // The note may have been altered: a counter that went on living would fit an older copy of vault and device store for ever.
    removeCounters(of: thing, at: Self.places(of: keys, thing), keys)
    let index = try makeCounter(thing, keys)
    do throws(AuthenticationError) {
      var note = try noteInUse()
      note.counters[thing] = index
      try directory.write(Self.fileName, note.bytes)
      return try value(thing, keys) ?? 0
    } catch {
      removeCounters(of: thing, at: [index], keys)
      throw error
    }
  }
}

/// Connects to the chip: with one connection per question, or with one that is kept open for later,
/// when no other can be made.
final class ChipLine: Sendable {
  private let path: String
  private let kept = Mutex<TPM?>(nil)

  init(path: String) { self.path = path }

  func with<Result: ~Copyable>(
    _ body: (TPM) throws(ChipError) -> Result
  ) throws(AuthenticationError) -> Result {
    do throws(ChipError) {
      if let chip = kept.withLock({ $0 }) { return try body(chip) }
      return try body(try TPM(path: path))
    } catch {
      // What comes next on this connection would be the answer to this question.
      switch error.trouble {
      case .unreachable, .silent, .nonsense: letGo()
      default: break
      }
      throw AuthenticationError(.helper, error.path, .chip(error.trouble))
    }
  }

  func chipError(_ trouble: ChipError.Trouble) -> ChipError { ChipError(trouble, path) }

  func error(_ trouble: ChipError.Trouble) -> AuthenticationError {
    AuthenticationError(.helper, path, .chip(trouble))
  }

  /// Connects now, for a process that is about to give up making connections. What goes wrong is said when the chip is asked.
  func keep() {
    let chip = try? TPM(path: path)
    kept.withLock { $0 = chip }
  }

  func letGo() { kept.withLock { $0 = nil } }

  /// Whether others can use the chip while a connection is kept.
  var isShared: Bool { (try? TPM(path: path))?.isShared ?? false }
}
