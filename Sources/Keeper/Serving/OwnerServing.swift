package import Access
internal import Bytes
internal import DiaryVault
package import Entries
package import Requests
internal import Sealing

extension ListFaces: OwnerServed {
  @MainActor package func run(_ owner: OwnerWork) throws -> EnrolledFaces? {
    try owner.keeper.faces(try owner.owner())
  }
}

extension EnrollFaces: OwnerServed {
  @MainActor package func run(_ owner: OwnerWork) throws -> EnrollmentReport {
    try owner.keeper.enroll(try faces.registration(), try owner.owner())
  }
}

extension RemoveFace: OwnerServed {
  @MainActor package func run(_ owner: OwnerWork) throws -> Int {
    try owner.keeper.removeFace(face, try owner.owner())
    return try owner.keeper.faces(try owner.owner())?.faces.count ?? 0
  }
}

extension RenameFace: OwnerServed {
  @MainActor package func run(_ owner: OwnerWork) throws -> Done {
    try owner.keeper.renameFace(face, to: label, try owner.owner())
    return Done()
  }
}

extension RecalibrateFaces: OwnerServed {
  @MainActor package func run(_ owner: OwnerWork) throws -> Done {
    try owner.keeper.recalibrateFaces(
      threshold: threshold, calibrated: calibrated, faceGuard: faceGuard, try owner.owner())
    return Done()
  }
}

extension ReadPolicy: OwnerServed {
  @MainActor package func run(_ owner: OwnerWork) throws -> AccessPolicy {
    try owner.keeper.policy()
  }
}

extension SetPolicy: OwnerServed {
  @MainActor package func run(_ owner: OwnerWork) throws -> Done {
    try owner.keeper.setPolicy(policy, try owner.owner())
    return Done()
  }
}

extension AddPassphrase: OwnerServed {
  @MainActor package func run(_ owner: OwnerWork) throws -> [KeySlotFacts] {
    let rights = try owner.owner()
    try owner.keeper.addSlot(
      .passphrase, try owner.desk.newPassphrase(), limits: limits, rights)
    return try owner.slots()
  }
}

extension AddRecoveryCode: OwnerServed {
  @MainActor package func run(_ owner: OwnerWork) throws -> [KeySlotFacts] {
    let rights = try owner.owner()
    let code = try RecoveryCode.make()
    // Shown before it counts: a way in that nobody knows of must not stay.
    try owner.announce(try RecoveryCode.text(of: code), CodeFacts())
    try owner.keeper.addSlot(.recovery, code, limits: .moderate, rights)
    return try owner.slots()
  }
}

extension AddFacePassphrase: OwnerServed {
  @MainActor package func run(_ owner: OwnerWork) throws -> [KeySlotFacts] {
    let rights = try owner.owner()
    let passphrase = try owner.desk.newPassphrase()
    try owner.endSession()
    try owner.keeper.addFacePassphrase(passphrase, limits: limits, rights)
    return try owner.slots()
  }
}

extension RemoveSlot: OwnerServed {
  @MainActor package func run(_ owner: OwnerWork) throws -> [KeySlotFacts] {
    try owner.keeper.removeSlot(slot, try owner.owner())
    return try owner.slots()
  }
}

extension ChangePassphrase: OwnerServed {
  @MainActor package func run(_ owner: OwnerWork) throws -> [KeySlotFacts] {
    let rights = try owner.owner()
    let keeper = owner.keeper
    let passphrase = try owner.desk.newPassphrase()
    if try keeper.faceNeedsPassphrase() { try owner.endSession() }
    let old = owner.given?.factor == .passphrase ? owner.given : nil
    try keeper.changePassphrase(
      from: try old.map { SecretBytesBox(try $0.secret.copy()) }, to: passphrase,
      limits: isExact ? limits : try owner.noLess(than: limits), rights)
    return try owner.slots()
  }
}

extension OwnerWork {
  /// The work for a new passphrase: never less than the most that a present one has.
  fileprivate func noLess(than limits: Argon2Cost) throws -> Argon2Cost {
    let before = try keeper.vault().keyring.slots.filter { $0.kind == .passphrase }.map(\.limits)
    return limits.atLeast(before)
  }
}

extension RotateKeys: OwnerServed {
  /// Answers what the owner should be told.
  @MainActor package func run(_ owner: OwnerWork) throws -> Done {
    let rights = try owner.owner()
    var kept: SecretBytesBox?
    switch passphrase {
    case .given:
      if let given = owner.given, given.factor == .passphrase {
        kept = SecretBytesBox(try given.secret.copy())
      }
    case .new: kept = SecretBytesBox(try owner.desk.newPassphrase())
    case .none: break
    }
    // Before a code is shown that might then not count.
    try owner.keeper.vault().requireRotatable()
    var facts = CodeFacts()
    let shown = try owner.keeper.vault().keyring.slots
    let dropped = Set(try owner.keeper.slotsDropped(keeping: kept).map(\.id))
    facts.dropped = try owner.keeper.slotFacts().filter { dropped.contains($0.id) }
    facts.leavesSpace = try owner.keeper.vault().sharesWithDevices()
    let code = try RecoveryCode.make()
    // Shown before anything changes: a diary whose code nobody saw could not be recovered.
    try owner.announce(try RecoveryCode.text(of: code), facts)
    guard case .yes = try owner.ask(.replaceKey) else { return Done() }
    try owner.endSession()
    try owner.keeper.rotate(
      recovery: code, passphrase: kept, limits: isExact ? limits : try owner.noLess(than: limits),
      shown: shown, rights, progress: owner.progress)
    return Done()
  }
}

extension MoveDeviceKey: OwnerServed {
  @MainActor package func run(_ owner: OwnerWork) throws -> Done {
    let rights = try owner.owner()
    let passphrase = owner.given?.factor == .passphrase ? owner.given : nil
    let pin = hasPIN ? SecretBytesBox(try owner.desk.newPIN()) : nil
    try owner.endSession()
    try owner.keeper.moveDeviceKey(
      to: place, pin: pin, passphrase: try passphrase.map { SecretBytesBox(try $0.secret.copy()) },
      rights)
    return Done()
  }
}

extension RestoreBackup: OwnerServed {
  @MainActor package func run(_ owner: OwnerWork) throws -> Answer {
    let rights = try owner.owner()
    let file = try LockedVault(path, settings: owner.keeper.settings)
    guard let given = try owner.secretOfBackup() ?? owner.given else {
      throw AuthenticationError(.notOwner, path)
    }
    let broughtBack = try owner.keeper.restoreBackup(
      file, given, rights, progress: owner.progress
    ) {
      try owner.confirm($0)
      try owner.endSession()
    }
    return Answer(broughtBack: broughtBack)
  }
}

extension CreateVault: OwnerServed {
  @MainActor package func run(_ owner: OwnerWork) throws -> CodeFacts {
    let faces = try faces.map { try $0.registration() }
    var facts = CodeFacts()
    func announce(_ created: CreatedDiary) throws {
      facts.id = created.id
      facts.enrolled = created.enrolled
      try owner.announce(created.recoveryCode, facts)
    }
    let keeper = owner.keeper
    if hasPassphrase {
      _ = try keeper.create(
        passphrase: try owner.desk.newPassphrase(), limits: limits, faces: faces,
        announce: announce)
    } else {
      _ = try keeper.create(passphrase: nil, limits: limits, faces: faces, announce: announce)
    }
    return facts
  }
}

extension SalvageVault: OwnerServed {
  @MainActor package func run(_ owner: OwnerWork) throws -> Salvaged {
    var rescued = Salvaged()
    let given = try owner.desk.secretNow()
    try owner.givingPIN {
      try owner.keeper.naming(target) {
        try owner.keeper.salvage(given, to: target, limits: limits, progress: owner.progress) {
          report, created in
          rescued = report
          try owner.announce(
            created.recoveryCode, CodeFacts(id: created.id, salvaged: report))
        }
      }
    }
    return rescued
  }
}

extension ReviveBackup: OwnerServed {
  @MainActor package func run(_ owner: OwnerWork) throws -> Done {
    let file = try LockedVault(path, settings: owner.keeper.settings)
    // There is no diary that could have said that a PIN is needed.
    let id = file.keyring.vaultID
    if (try? owner.keeper.needsPIN(of: id)) == true {
      try ignoringChip {
        try owner.keeper.unlockChip(with: SecretBytesBox(try owner.desk.pin()), of: id)
      }
    }
    try owner.keeper.naming(owner.keeper.location.vault) {
      try owner.keeper.reviveBackup(
        file, try owner.desk.secretNow(),
        ofBackup: try owner.secretOfBackup(), progress: owner.progress, confirm: owner.confirm)
    }
    return Done()
  }
}

extension AcceptOlderCopy: OwnerServed {
  @MainActor package func run(_ owner: OwnerWork) throws -> Done {
    let path = owner.keeper.location.vault
    let given = try owner.desk.secretNow()
    try owner.givingPIN {
      try owner.keeper.open(given, .acceptsOlderCopy) { copy throws(VaultError) in
        guard case .yes? = try? owner.ask(.acceptOlderCopy(copy)) else {
          throw VaultError(.declined, path)
        }
      }
    }
    defer { owner.keeper.close() }
    // A backup in the diary's place is older, and goes on nowhere: a backup is restored.
    guard try !owner.keeper.vault().isBackup else {
      throw VaultError(.readOnly, path, .backupIsOnlyRead)
    }
    return Done()
  }
}

/// Runs what needs the chip that keeps the device key. A PIN that is missing or wrong is the caller's to mend; what else is wrong with
/// the chip keeps nobody from rescuing a diary, and is said where its key is needed.
package func ignoringChip(_ body: () throws -> Void) throws {
  do { try body() } catch let error as AuthenticationError where error.code == .helper {
    guard case .chip(let trouble) = error.reason, ![.needsPIN, .wrongPIN].contains(trouble) else {
      throw error
    }
  }
}
