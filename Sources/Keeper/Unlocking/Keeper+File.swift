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
    let file: LockedVault
    do throws(VaultError) {
      file = try LockedVault(location.vault, settings: settings)
    } catch {
      guard error.code == .damaged, let spare = spareOfUnnamed(settings) else { throw error }
      return try LockedVault(location.vault, settings: settings, spare: spare)
    }
    let all = spares()
    let own = all.first { $0.store.vaultID == file.keyring.vaultID }
    let others = all.filter { $0.store.vaultID != file.keyring.vaultID }
    // What is damaged, or was put there, may be the vault's id. Where nothing looks like that, no program and no chip is asked, least of
    // all another diary's, and a diary that is alone on the device needs no asking at all.
    let isDoubtful = !file.isNamed || file.isMixed
    let isQuiet = own != nil && !isDoubtful
    if !isQuiet || !others.isEmpty,
      let sure = ((own.map { [$0] } ?? []) + others).first(where: {
        remembers($0, settings, quietly: isQuiet) == true
      }), isDoubtful || sure.store.vaultID != file.keyring.vaultID
    {
      return try LockedVault(
        location.vault, settings: settings, spare: sure.keyring, isOfSpare: true)
    }
    guard let own else { return file }
    return try LockedVault(location.vault, settings: settings, spare: own.keyring)
  }

  private typealias Spare = (store: DeviceStore, keyring: [UInt8])

  private func spares() -> [Spare] {
    DeviceDirectory(location.devices).names().compactMap { name in
      guard let id = Base32.decode(name), id.count == 16 else { return nil }
      let store = DeviceStore(base: location.devices, vaultID: id)
      return (try? store.spareKeyring()).flatMap(\.self).map { (store, $0) }
    }
  }

  /// With both keyrings of the vault gone its id is unknown. The spare is that of the store that remembers the vault's last state, or
  /// of the only one of which nobody can say that it does not.
  private func spareOfUnnamed(_ settings: VaultSettings) -> [UInt8]? {
    let all = spares()
    guard all.count > 1 else { return all.first?.keyring }
    var untold: [Spare] = []
    for spare in all {
      switch remembers(spare, settings) {
      case true?: return spare.keyring
      case false?: break
      case nil: untold.append(spare)
      }
    }
    return untold.count == 1 ? untold[0].keyring : nil
  }

  /// Whether a store's anchor is of the state that the file has now. That needs the device's key, and no secret; nil where a PIN has to
  /// be given for the key: the one that was given may be another diary's, and the chip counts wrong ones.
  ///
  /// - Parameter isQuiet: whether only a key that lies in a file is used.
  private func remembers(
    _ spare: Spare, _ settings: VaultSettings, quietly isQuiet: Bool = false
  ) -> Bool? {
    if let known = remembered[spare.store.vaultID] { return known }
    let notes = [ChipDeviceKeyStore.fileName, HelperDeviceKeyStore.fileName]
    if isQuiet, !Set(notes).isDisjoint(with: spare.store.directory.names()) { return nil }
    let answer = ask(spare, settings)
    remembered[spare.store.vaultID] = answer
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
      return error.reason == .chip(.needsPIN) ? nil : false
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
}
