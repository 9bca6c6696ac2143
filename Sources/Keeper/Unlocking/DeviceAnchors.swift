internal import Access
internal import Authentication
internal import Bytes
internal import DiaryVault
internal import Entries

/// The anchor in the device store, sealed by the device key.
final class DeviceAnchors: AnchorStore {
  private let store: DeviceStore
  private let directory: DeviceDirectory
  private let keys: DeviceKeys
  private let file: AlternatingFile
  private var isNew: Bool
  /// Whether what the chip has counted is taken as it is: by an owner who accepts it.
  private let acceptsChip: Bool
  /// The directory that had the store's name when it was opened; nil where there was none.
  private let identity: [UInt64]?
  /// Whether the chip has counted this opening.
  private var isCounted = false

  /// - Parameter isNew: the device key was made just now. Only then may there be no anchor: somebody who can
  ///   delete one must not be able to put an older vault back unnoticed.
  ///   - acceptsChip: the counter is taken as the chip has it, and made anew where it is lost. It counts on from there, so that
  ///     no copy of what there was fits it again.
  init(
    _ store: DeviceStore, _ keys: DeviceKeys, isNew: Bool = false, acceptsChip: Bool = false
  ) {
    self.isNew = isNew
    self.acceptsChip = acceptsChip
    self.store = store
    directory = store.directory
    identity = directory.identity
    self.keys = keys
    // It names every slot and every device there ever was.
    file = AlternatingFile(
      directory, "anchor", context: store.associatedData("FDv1 anchor"),
      copySize: Anchor.sizeLimit)
  }

  var stamp: [UInt64]? { directory.stamp("anchor") }

  func load() throws(VaultError) -> Anchor? {
    do throws(AuthenticationError) {
      guard let bytes = try file.read(key: keys.anchor) else {
        if isNew { return nil }
        throw AuthenticationError(.storeDamaged, "anchor", .missing)
      }
      do throws(SealingError) { return try Anchor(bytes) } catch {
        throw AuthenticationError(.storeDamaged, "anchor", .malformed)
      }
    } catch {
      // Another process gave this device another key: nothing is damaged, only ours is old.
      if error.code == .storeDamaged, let now = try? store.keys(), now.id != keys.id {
        throw VaultError(.conflict, .deviceKey, "", .deviceKeyWasReplaced)
      }
      throw VaultError(error, part: .anchor)
    }
  }

  /// Keeps it. With a chip that counts, the counter is raised once before the first anchor of an opening is kept: its value is
  /// then above that of every copy of this device that was made before.
  func save(_ anchor: Anchor) throws(VaultError) {
    var anchor = anchor
    // Another process may have given this device another key, and with it another store of this name.
    guard identity == nil || directory.identity == identity else {
      throw VaultError(.conflict, .deviceKey, "", .deviceKeyWasReplaced)
    }
    do throws(AuthenticationError) {
      if let counter = store.counter {
        anchor.chip = try count(counter, anchor)
        // What the chip fits must not be found with what was remembered before.
        try file.writeBoth(anchor.encoded(), key: keys.anchor)
      } else {
        try file.write(anchor.encoded(), key: keys.anchor)
      }
    } catch {
      throw VaultError(error)
    }
    isNew = false
  }

  func willFollow(acceptance: Bool, rotation: Bool) throws(VaultError) {
    var signs: UntoldSigns = []
    if acceptance { signs.insert(.acceptedElsewhere) }
    if rotation { signs.insert(.keyReplaced) }
    try keep(untold: signs)
  }

  func willForget() throws(VaultError) { try keep(untold: .memoryGone) }

  private func keep(untold signs: UntoldSigns) throws(VaultError) {
    let access = AccessRecord(store, keys, clock: SystemAccessClock())
    do { try access.keep(untold: signs) } catch let error as AuthenticationError {
      throw VaultError(error)
    } catch {
      throw VaultError(.system, directory.path, .said("\(error)"))
    }
  }

  /// What the anchor says of the chip from now on.
  ///
  /// First the anchor says that the counter is about to rise, then it rises: killed at any point, what is remembered is the value
  /// or one below it.
  private func count(
    _ counter: any DeviceCounter, _ anchor: Anchor
  ) throws(AuthenticationError) -> ChipCount? {
    let before = try kept()
    if isCounted { return before }
    var now = try counter.value(.sessions, keys)
    if now == nil, acceptsChip { now = try counter.remake(.sessions, keys) }
    // One that was made for this device just now begins where it is.
    if isNew, !acceptsChip, let now {
      isCounted = true
      return ChipCount(value: now, isRising: false)
    }
    // What lies there now may be another anchor than the one the gate has seen.
    let isSeen = acceptsChip ? true : ChipCount.compare(before, now: now) == .same
    guard var now, isSeen else {
      throw AuthenticationError(.storeDamaged, "anchor", .chipIsAhead)
    }
    // A kill came before the chip had counted: a copy made then would fit it after this opening, too.
    if let before, before.isRising, before.value == now { now = try counter.raise(.sessions, keys) }
    var rising = anchor
    rising.chip = ChipCount(value: now, isRising: true)
    try file.write(rising.encoded(), key: keys.anchor)
    let value = try counter.raise(.sessions, keys)
    guard value == now &+ 1 else {
      throw AuthenticationError(.storeDamaged, "anchor", .chipIsAhead)
    }
    isCounted = true
    return ChipCount(value: value, isRising: false)
  }

  /// What the anchor that is kept says of the chip.
  private func kept() throws(AuthenticationError) -> ChipCount? {
    do throws(AuthenticationError) {
      guard let bytes = try file.read(key: keys.anchor) else { return nil }
      return (try? Anchor(bytes))?.chip
    } catch {
      // The owner who accepts goes on without what it said.
      guard acceptsChip, error.code == .storeDamaged else { throw error }
      return nil
    }
  }

  func chip() throws(VaultError) -> ChipReading {
    guard let counter = store.counter else { return .none }
    do throws(AuthenticationError) { return .value(try counter.value(.sessions, keys)) } catch {
      throw VaultError(error)
    }
  }

  /// What a device remembers of a diary whose rows are gone.
  ///
  /// - Throws: ``VaultError`` `conflict` when the chip knows that more was remembered once.
  func remembered() throws(VaultError) -> Anchor? {
    let anchor = try load()
    guard let anchor, case .value(let now) = try chip(),
      ChipCount.compare(anchor.chip, now: now) != .same
    else { return anchor }
    throw VaultError(.conflict, directory.path, .chipIsAhead)
  }

  func beginSession() throws(VaultError) {
    guard store.counter != nil, let anchor = try load() else { return }
    try save(anchor)
  }

  static let lockName = "lock"

  func lock() throws(VaultError) -> AnyObject {
    do throws(AuthenticationError) {
      return try directory.lock(Self.lockName)
    } catch {
      throw VaultError(error)
    }
  }
}

extension DeviceStore {
  /// Keeps a vault's ways in beside its anchor.
  func keep(_ spare: SpareSlots?) throws(AuthenticationError) {
    if let spare { try keepKeyring(spare.encoded()) }
  }
}

extension VaultError {
  /// What the device store says, in the vault's words.
  init(_ error: AuthenticationError, part: Part? = nil) {
    let code: Code =
      switch error.code {
      case .storeDamaged where error.reason == .chipIsAhead: .rolledBack
      case .storeDamaged: .damaged
      case .diskFull: .diskFull
      case .busy: .busy
      case .loose: .loose
      case .permission: .permission
      case .memory: .memory
      default: .system
      }
    self.init(code, error.subject, error.reason, part: part)
  }
}
