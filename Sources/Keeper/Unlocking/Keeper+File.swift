internal import Access
internal import Authentication
internal import Bytes
package import DiaryVault
internal import Entries

/// The vault file, and which of this device's stores is of the same diary.
extension Keeper {
  /// The vault file with its slots, and the device's spare of them.
  package func file() throws -> LockedVault { try file(settings) }

  func file(_ settings: VaultSettings) throws -> LockedVault {
    try file(try naming(settings), settings)
  }

  private func file(_ naming: Naming, _ settings: VaultSettings) throws -> LockedVault {
    if let file = naming.file, naming.sure == nil, naming.own == nil { return file }
    // With both copies gone, the spare is that of the only store of which nobody can say that it is another diary's.
    let only = naming.file == nil && naming.untold.count == 1 ? naming.untold[0] : nil
    return try locked(
      settings, spare: (naming.sure ?? naming.own ?? only)?.keyring,
      isOfSpare: naming.file != nil && naming.sure != nil)
  }

  private func locked(
    _ settings: VaultSettings, spare: [UInt8]? = nil, isOfSpare: Bool = false
  ) throws(VaultError) -> LockedVault {
    if let glance { return try LockedVault(glance, spare: spare, isOfSpare: isOfSpare) }
    return try LockedVault(location.vault, settings: settings, spare: spare, isOfSpare: isOfSpare)
  }

  /// Holds the file open until ``endGlance()``, for an opening: it is looked at a dozen times.
  package func beginGlance() { glance = VaultGlance(location.vault, settings: settings) }

  package func endGlance() { glance = nil }

  /// The same, after the secret has shown which diary it is, where nothing else could.
  func file(settledBy secret: GivenSecret) throws -> LockedVault {
    try settleName(by: secret)
    return try file()
  }

  /// Finds out by a secret which diary the vault is, where its id may have been forged and the store that would know it waits for a
  /// PIN or a program: whose slots the secret opens, with a key that opens the vault's state. One that opens nothing is counted here, as on the
  /// vault as it is named.
  ///
  /// - Throws: ``VaultError`` `wrongSecret` for one that opens nothing.
  func settleName(by secret: GivenSecret) throws {
    settledName = nil
    let naming = try naming(settings)
    guard naming.sure == nil, let first = naming.untold.first else { return }
    let file =
      try naming.file
      ?? LockedVault(location.vault, settings: settings, spare: first.keyring, isOfSpare: false)
    let trial = try beginTrial(secret.factor, on: file, nil, nil)
    let found: Spare?
    do { found = try naming.untold.first { try isOf($0, naming, secret) } } catch {
      try trial.end(.unknown)
      throw error
    }
    // What comes next counts it. But it may fail before it looks at one that is wrong, and so say which is which.
    if found == nil, naming.file != nil {
      do throws(VaultError) { try prove(secret, file) } catch {
        if [.wrongSecret, .noSuchSlot].contains(error.code) {
          try trial.end(.wrong)
          throw error
        }
      }
    }
    try trial.end(found == nil && naming.file == nil ? .wrong : .unknown)
    settledName = found?.store.vaultID
  }

  /// Whether a secret shows that the vault is a store's.
  private func isOf(_ spare: Spare, _ naming: Naming, _ secret: GivenSecret) throws -> Bool {
    let file = try LockedVault(
      location.vault, settings: settings, spare: spare.keyring, isOfSpare: naming.file != nil)
    do throws(VaultError) { try prove(secret, file) } catch {
      // Then it is that diary, whether or not it may be opened so.
      return [.rolledBack, .forked].contains(error.code) || error.reason == .isNoLongerValid
    }
    return true
  }

  /// The vault's id; nil where it may be that of another store than the one it is named after, and only a secret can show it.
  func settledID() throws -> [UInt8]? {
    let naming = try naming(settings)
    let others = naming.untold.filter { $0.store.vaultID != naming.own?.store.vaultID }
    if naming.file != nil, naming.sure == nil, !others.isEmpty { return nil }
    return try file(naming, settings).keyring.vaultID
  }

  /// What a vault is called, by its file and by the stores of this device.
  private struct Naming {
    /// nil where neither copy of the slots can be read.
    var file: LockedVault?
    /// The store of the id in the file.
    var own: Spare?
    /// The store that remembers the state that the file has now, where the file's id is in doubt or another's.
    var sure: Spare?
    /// Stores of which nobody can say, where none is sure.
    var untold: [Spare] = []
  }

  private func naming(_ settings: VaultSettings) throws -> Naming {
    let all = spares()
    var naming = Naming()
    do throws(VaultError) {
      naming.file = try locked(settings)
    } catch {
      guard error.code == .damaged, !all.isEmpty else { throw error }
      if all.count == 1 {
        naming.untold = all
        return naming
      }
    }
    let id = naming.file?.keyring.vaultID
    naming.own = all.first { $0.store.vaultID == id }
    let others = all.filter { $0.store.vaultID != id }
    // What is damaged, or was put there, may be the vault's id. Where nothing looks like that, no program and no chip is asked, least of
    // all another diary's, and a diary that is alone on the device needs no asking at all. Slots that another store keeps are another
    // diary's, whatever id stands above them.
    let isDoubtful =
      naming.file.map { file in
        !file.isNamed || file.isMixed
          || others.contains { file.hasSlots(ofSpare: $0.keyring) }
      } ?? true
    let isQuiet = naming.own != nil && !isDoubtful
    if let settled = all.first(where: { $0.store.vaultID == settledName }) {
      naming.sure = settled
      return naming
    }
    if isQuiet, others.isEmpty { return naming }
    for spare in (naming.own.map { [$0] } ?? []) + others {
      switch remembers(spare, settings, quietly: isQuiet) {
      case true?:
        naming.untold = []
        if isDoubtful || spare.store.vaultID != id { naming.sure = spare }
        return naming
      case false?: break
      case nil: if !isQuiet { naming.untold.append(spare) }
      }
    }
    return naming
  }

  private typealias Spare = (store: DeviceStore, keyring: [UInt8])

  private func spares() -> [Spare] {
    DeviceDirectory(location.devices).names().compactMap { name in
      guard let id = Base32.decode(name), id.count == 16 else { return nil }
      let store = DeviceStore(base: location.devices, vaultID: id)
      return (try? store.spareKeyring()).flatMap(\.self).map { (store, $0) }
    }
  }

  /// Whether a store's anchor is of the state that the file has now. That needs the device's key, and no secret; nil where a PIN has to
  /// be given for the key (the one that was given may be another diary's, and the chip counts wrong ones), and where a program or chip
  /// does not give it.
  ///
  /// - Parameter isQuiet: whether only a key that lies in a file is used.
  private func remembers(
    _ spare: Spare, _ settings: VaultSettings, quietly isQuiet: Bool = false
  ) -> Bool? {
    if let known = remembered[spare.store.vaultID] { return known }
    let notes = [ChipDeviceKeyStore.fileName, HelperDeviceKeyStore.fileName]
    if isQuiet, !Set(notes).isDisjoint(with: spare.store.directory.names()) { return nil }
    let answer = ask(spare, settings)
    remembered[spare.store.vaultID] = .some(answer)
    return answer
  }

  private func ask(_ spare: Spare, _ settings: VaultSettings) -> Bool? {
    do throws(AuthenticationError) {
      let store = try store(spare.store.vaultID)
      if try chipStore(in: store.directory).hasPIN() { return nil }
      guard let keys = try store.keys(), let anchor = try? DeviceAnchors(store, keys).load() else {
        return false
      }
      return anchor.isOfState(in: location.vault, settings: settings)
    } catch {
      return error.code == .helper ? nil : false
    }
  }

  /// Without a log the file of a diary looks like a backup's, and any program that can write it can make it so.
  func restoreLog(of vault: Vault) throws {
    do throws(VaultError) {
      try vault.keepLog()
      notices.append(.logRestored)
    } catch {
      // On a disk that is only read, or full, it stays as it is until the next opening.
      guard [.readOnly, .permission, .diskFull, .busy].contains(error.code) else { throw error }
    }
  }

  /// What a wrong secret says of the file that stands in the place of the diary.
  func unproven(
    _ error: VaultError, _ store: DeviceStore, isKnown: Bool
  ) throws -> VaultError {
    if isKnown { return try hasSpare(store) ? error : Self.noSpare(store) }
    let own = Base32.encode(store.vaultID)
    let knowsOthers = DeviceDirectory(location.devices).names().contains {
      $0 != own && Base32.decode($0)?.count == store.vaultID.count
    }
    guard error.reason == .none, knowsOthers else { return error }
    return VaultError(.wrongSecret, location.vault, .wasNeverOpenedHere, slot: error.slot)
  }
}
