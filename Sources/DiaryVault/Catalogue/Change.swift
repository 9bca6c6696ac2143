internal import Bytes
internal import Entries

/// Changing a vault: one transaction, sealed when it is done, under the device's lock.
extension Vault {
  /// Runs `body` as one durable change: all of it, or nothing.
  func change<Result>(
    repairing: Bool = false, _ body: (CatalogueEdit) throws(VaultError) -> Result
  ) throws(VaultError) -> Result {
    let change = try beginChange(repairing: repairing)
    defer { change.undo() }
    let result = try body(change.edit)
    try change.commit()
    return result
  }

  /// Begins a change that ends with ``OpenChange/commit()``, or is undone when it is released.
  ///
  /// - Parameters:
  ///   - reviving: a backup becomes a live vault with this change.
  ///   - repairing: it may be one of a vault whose key slots are not all there.
  func beginChange(
    reviving: Bool = false, repairing: Bool = false
  ) throws(VaultError) -> OpenChange {
    let lock = try anchors.lock()
    let store = try writing()
    try store.begin(writing: true)
    do throws(VaultError) {
      let (ref, record) = try readState(store)
      guard record.role == .live && !isOnlyRead || reviving else {
        throw VaultError(.readOnly, path, .backupIsOnlyRead)
      }
      guard missingSlots == 0 || repairing else {
        throw VaultError(.damaged, .keySlots, "", .slotsMissing(missingSlots))
      }
      if !reviving, let remembered = try anchors.load() {
        let finding = try goOn(record, at: ref, after: remembered)
        if finding != .same { try anchors.save(anchor(record, at: ref)) }
      }
      return OpenChange(
        vault: self, store: store, lock: lock,
        edit: CatalogueEdit(Catalogue(vault: self, store: store, state: record)))
    } catch {
      store.rollback()
      throw error
    }
  }

  /// What ``replace(_:)`` puts in place of everything.
  struct Replacement {
    var state: StateRecord
    var keys: VaultKeys
    var keyring: Keyring
    /// This device's name from then on.
    var device: [UInt8]
  }

  /// One change that may replace everything, the keys included, and leaves no log behind.
  func replace(
    reviving: Bool = false, repairing: Bool = false,
    _ body: (Catalogue) throws(VaultError) -> Replacement
  ) throws(VaultError) {
    let change = try beginChange(reviving: reviving, repairing: repairing)
    defer { change.undo() }
    let store = change.edit.catalogue.store
    var new = try body(change.edit.catalogue)
    new.state.slots = KnownSlots(new.keyring, after: new.state.slots, at: settings.now())
    new.state.devices[new.device, default: DeviceState(counter: 0, templates: nil)].counter += 1
    try store.put(keyring: new.keyring.encoded())
    try commit(
      new.state, through: store, keys: new.keys, keyring: new.keyring, device: new.device)
    change.undo()
    emptyLog()
    try? store.shrink()
  }

  /// A write transaction under way.
  ///
  /// The device's lock is held over commit and anchor, so the anchor is at most one commit behind. When
  /// saving the anchor fails the commit still counts; the next access brings the anchor up to it, or
  /// says why it can't.
  final class OpenChange {
    let edit: CatalogueEdit
    private let vault: Vault
    private let store: VaultRows
    private var lock: AnyObject?

    fileprivate init(vault: Vault, store: VaultRows, lock: AnyObject, edit: CatalogueEdit) {
      self.vault = vault
      self.store = store
      self.lock = lock
      self.edit = edit
    }

    deinit { undo() }

    func commit() throws(VaultError) { _ = try commit(within: .unlimited) }

    /// False when the slice was over before it was durable.
    func commit(within slice: Slice) throws(VaultError) -> Bool {
      guard lock != nil else { return true }
      do throws(VaultError) {
        if edit.isChanged {
          guard try edit.sealPages(within: slice) else { return false }
          var state = try edit.finish()
          state.devices[vault.device, default: DeviceState(counter: 0, templates: nil)].counter += 1
          try vault.commit(state, through: store)
        }
        undo()
        return true
      } catch {
        undo()
        throw error
      }
    }

    /// Undoes what was not committed and releases the lock. Does nothing the second time.
    func undo() {
      guard lock != nil else { return }
      store.rollback()
      lock = nil
    }
  }
}
