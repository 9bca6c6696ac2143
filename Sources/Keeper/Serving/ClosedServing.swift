internal import Access
internal import Authentication
internal import DiaryVault
internal import Entries
package import Requests
internal import SealedFiles

extension LookAtVault: OwnerServed {
  @MainActor package func run(_ owner: OwnerWork) throws -> VaultFacts {
    VaultFacts(
      owner.keeper,
      try path.map { path throws(VaultError) in
        try LockedVault(path, settings: owner.keeper.settings)
      } ?? owner.keeper.file())
  }
}

extension VaultFacts {
  fileprivate init(_ keeper: Keeper, _ file: LockedVault) {
    let id = file.keyring.vaultID
    let directory = DeviceStore(base: keeper.location.devices, vaultID: id).directory
    self.init(
      id: id, slots: file.keyring.slots.map { KeySlotFacts($0) }, directory: directory.path,
      place: Result { try DeviceKeyPlace(of: directory, vaultID: id) })
  }
}

extension AskStanding: OwnerServed {
  @MainActor package func run(_ owner: OwnerWork) async throws -> Standing {
    let keeper = owner.keeper
    let file = try keeper.file()
    var standing = Standing(vault: VaultFacts(keeper, file))
    do {
      standing.device = try keeper.store(file.keyring.vaultID).keys() == nil ? .new : .known
    } catch  where error.reason == .chip(.needsPIN) {
      // Nobody is asked for a PIN here.
      standing.device = .known
      standing.state = .authentication
      return standing
    } catch {
      // A program that does not give the key is not asked for it again and again.
      standing.device = .damaged
      standing.state = .authentication
      standing.face = .unreadable
      if error.code == .helper { standing.keyTrouble = KeeperError(error) }
      return standing
    }
    let model = AuthenticationModel(service: KeeperService(keeper))
    await model.checkInitialState()
    standing.state = model.state
    standing.face = model.face
    if let trouble = model.trouble as? AuthenticationError, trouble.code == .storeGone {
      standing.device = .damaged
    }
    standing.enrolled = (try? keeper.loadFaceData())?.count ?? 0
    if case .enrolled = model.face {
      do {
        standing.faceNeeds =
          try keeper.faceNeedsPassphrase()
          ? .facePassphrase : try keeper.freshness().map(SecretNeed.init)
        standing.isWarm = try keeper.policy().isWarm
      } catch {
        standing.faceNeeds = .never
      }
    }
    standing.passphraseWait = (try? keeper.passphraseWait()) ?? 0
    return standing
  }
}

extension CheckDatabase: OwnerServed {
  @MainActor package func run(_ owner: OwnerWork) throws -> [String] {
    try VerifyReport.databaseProblems(owner.keeper.location.vault, settings: owner.keeper.settings)
  }
}

extension MakeBackup: OwnerServed {
  @MainActor package func run(_ owner: OwnerWork) throws -> Done {
    try Vault.makeBackup(
      of: owner.keeper.location.vault, as: target, settings: owner.keeper.settings,
      progress: owner.progress
    ) { state in
      guard case .sealed(let sealed) = try owner.ask(.sealBackup(state)) else {
        throw VaultError(.declined, target)
      }
      return sealed
    }
    return Done()
  }
}

extension FindBackups: OwnerServed {
  @MainActor package func run(_ owner: OwnerWork) throws -> [String] {
    let settings = owner.keeper.settings
    let id = try LockedVault(one, settings: settings).keyring.vaultID
    return others.filter { LockedVault.isBackup($0, of: id, settings: settings) }
  }
}

extension RemoveBackups: OwnerServed {
  @MainActor package func run(_ owner: OwnerWork) throws -> [String] {
    VaultFolder.removeBackups(paths, in: directory, keeping: kept)
  }
}
