package import Authentication
package import DiaryVault
package import FaceMatching
internal import Platform
package import Sealing

// MARK: Faces

/// What is enrolled on this device, nil when nothing is.
package struct ListFaces: OwnerRequest {
  package static let kind = OwnerRequestKind.listFaces
  package init() {}
  @MainActor package func run(_ owner: OwnerWork) throws -> EnrolledFaces? {
    try owner.keeper.faces(try owner.owner())
  }
}

package struct EnrollFaces: OwnerRequest {
  package static let kind = OwnerRequestKind.enrollFaces
  let faces: WireRegistration
  package init(_ registration: FaceRegistration) { faces = WireRegistration(registration) }
  @MainActor package func run(_ owner: OwnerWork) throws -> EnrollmentReport {
    try owner.keeper.enroll(try faces.registration(), try owner.owner())
  }
}

/// Answers how many are left.
package struct RemoveFace: OwnerRequest {
  package static let kind = OwnerRequestKind.removeFace
  let face: String
  package init(_ face: String) { self.face = face }
  @MainActor package func run(_ owner: OwnerWork) throws -> Int {
    try owner.keeper.removeFace(face, try owner.owner())
    return try owner.keeper.faces(try owner.owner())?.faces.count ?? 0
  }
}

package struct RenameFace: OwnerRequest {
  package static let kind = OwnerRequestKind.renameFace
  let face: String
  let label: String
  package init(_ face: String, to label: String) {
    self.face = face
    self.label = label
  }
  @MainActor package func run(_ owner: OwnerWork) throws -> Done {
    try owner.keeper.renameFace(face, to: label, try owner.owner())
    return Done()
  }
}

package struct RecalibrateFaces: OwnerRequest {
  package static let kind = OwnerRequestKind.recalibrateFaces
  let threshold: Double
  let calibrated: CalibratedScoring?
  let faceGuard: FaceGuard?
  package init(threshold: Double, calibrated: CalibratedScoring?, faceGuard: FaceGuard?) {
    self.threshold = threshold
    self.calibrated = calibrated
    self.faceGuard = faceGuard
  }
  @MainActor package func run(_ owner: OwnerWork) throws -> Done {
    try owner.keeper.recalibrateFaces(
      threshold: threshold, calibrated: calibrated, faceGuard: faceGuard, try owner.owner())
    return Done()
  }
}

/// A registration with its embeddings as bytes.
struct WireRegistration: Codable, Sendable {
  let embeddings: [WireEmbedding]
  let label: String?
  let model: String?
  let threshold: Double?
  let saved: Double?
  let calibrated: CalibratedScoring?
  let faceGuard: FaceGuard?
  let force: Bool
  let replacesSamples: Bool

  init(_ faces: FaceRegistration) {
    replacesSamples = faces.replacesSamples
    embeddings = faces.embeddings.map(WireEmbedding.init)
    label = faces.label
    model = faces.model
    threshold = faces.threshold
    saved = faces.saved
    calibrated = faces.calibrated
    faceGuard = faces.faceGuard
    force = faces.force
  }

  func registration() throws(VectorError) -> FaceRegistration {
    var shots: [Embedding] = []
    for shot in embeddings { shots.append(try shot.embedding()) }
    var registration = FaceRegistration(
      embeddings: shots, label: label, model: model, threshold: threshold, saved: saved,
      calibrated: calibrated, faceGuard: faceGuard, force: force)
    registration.replacesSamples = replacesSamples
    return registration
  }
}

// MARK: Policy

package struct ReadPolicy: OwnerRequest {
  package static let kind = OwnerRequestKind.readPolicy
  package init() {}
  @MainActor package func run(_ owner: OwnerWork) throws -> AccessPolicy {
    try owner.keeper.policy()
  }
}

package struct SetPolicy: OwnerRequest {
  package static let kind = OwnerRequestKind.setPolicy
  let policy: AccessPolicy
  package init(_ policy: AccessPolicy) { self.policy = policy }
  @MainActor package func run(_ owner: OwnerWork) throws -> Done {
    try owner.keeper.setPolicy(policy, try owner.owner())
    return Done()
  }
}

// MARK: Key slots

/// A passphrase beside those there are. The keeper asks for it.
package struct AddPassphrase: OwnerRequest {
  package static let kind = OwnerRequestKind.addPassphrase
  let limits: PassphraseLimits
  package init(limits: PassphraseLimits) { self.limits = limits }
  @MainActor package func run(_ owner: OwnerWork) throws -> [KeySlotFacts] {
    let rights = try owner.owner()
    try owner.keeper.addSlot(
      .passphrase, try owner.desk.newPassphrase(), limits: limits, rights)
    return try owner.slots()
  }
}

/// A recovery code beside those there are.
package struct AddRecoveryCode: OwnerRequest {
  package static let kind = OwnerRequestKind.addRecoveryCode
  package init() {}
  @MainActor package func run(_ owner: OwnerWork) throws -> [KeySlotFacts] {
    let rights = try owner.owner()
    let code = try RecoveryCode.make()
    // Shown before it counts: a way in that nobody knows of must not stay.
    try owner.announce(try RecoveryCode.text(of: code), CodeFacts())
    try owner.keeper.addSlot(.recovery, code, limits: .moderate, rights)
    return try owner.slots()
  }
}

/// A face and a passphrase together; the face alone then opens nothing.
package struct AddFacePassphrase: OwnerRequest {
  package static let kind = OwnerRequestKind.addFacePassphrase
  let limits: PassphraseLimits
  package init(limits: PassphraseLimits) { self.limits = limits }
  @MainActor package func run(_ owner: OwnerWork) throws -> [KeySlotFacts] {
    let rights = try owner.owner()
    let passphrase = try owner.desk.newPassphrase()
    try owner.endSession()
    try owner.keeper.addFacePassphrase(passphrase, limits: limits, rights)
    return try owner.slots()
  }
}

package struct RemoveSlot: OwnerRequest {
  package static let kind = OwnerRequestKind.removeSlot
  let slot: [UInt8]
  package init(_ slot: [UInt8]) { self.slot = slot }
  @MainActor package func run(_ owner: OwnerWork) throws -> [KeySlotFacts] {
    try owner.keeper.removeSlot(slot, try owner.owner())
    return try owner.slots()
  }
}

package struct ChangePassphrase: OwnerRequest {
  package static let kind = OwnerRequestKind.changePassphrase
  let limits: PassphraseLimits
  /// Whether `limits` hold although there was more work before.
  let isExact: Bool
  package init(limits: PassphraseLimits, isExact: Bool) {
    self.limits = limits
    self.isExact = isExact
  }
  @MainActor package func run(_ owner: OwnerWork) throws -> [KeySlotFacts] {
    let rights = try owner.owner()
    let keeper = owner.keeper
    let passphrase = try owner.desk.newPassphrase()
    if try keeper.faceNeedsPassphrase() { try owner.endSession() }
    // Never less work than before.
    let before = try keeper.vault().keyring.slots.filter { $0.kind == .passphrase }
    let most = before.map(\.limits).max { $0.memory < $1.memory }
    let raised = most.map { $0.memory > limits.memory ? $0 : limits } ?? limits
    let old = owner.given?.factor == .passphrase ? owner.given : nil
    try keeper.changePassphrase(
      from: try old.map { SecretBytesBox(try $0.secret.copy()) }, to: passphrase,
      limits: isExact ? limits : raised, rights)
    return try owner.slots()
  }
}

/// A new vault key, with everything sealed anew.
package struct RotateKeys: OwnerRequest {
  package enum Passphrase: String, Codable, Sendable {
    /// The one that opened the diary, when one did.
    case given
    /// One that the keeper asks for.
    case new
    case none
  }

  package static let kind = OwnerRequestKind.rotateKeys
  let passphrase: Passphrase
  let limits: PassphraseLimits
  package init(passphrase: Passphrase, limits: PassphraseLimits) {
    self.passphrase = passphrase
    self.limits = limits
  }

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
    try owner.endSession()
    var facts = CodeFacts()
    let dropped = Set(try owner.keeper.slotsDropped(keeping: kept).map(\.id))
    facts.dropped = try owner.keeper.slotFacts().filter { dropped.contains($0.id) }
    let code = try RecoveryCode.make()
    // Shown before anything changes: a diary whose code nobody saw could not be recovered.
    try owner.announce(try RecoveryCode.text(of: code), facts)
    guard case .yes = try owner.ask(.replaceKey) else { return Done() }
    try owner.keeper.rotate(
      recovery: code, passphrase: kept, limits: limits, rights, progress: owner.progress)
    return Done()
  }
}

// MARK: The device key, backups

/// A new device key, kept by a program, or by a file for nil.
package struct MoveDeviceKey: OwnerRequest {
  package static let kind = OwnerRequestKind.moveDeviceKey
  let helper: [String]?
  package init(to helper: [String]?) { self.helper = helper }
  @MainActor package func run(_ owner: OwnerWork) throws -> Done {
    let rights = try owner.owner()
    try owner.endSession()
    let passphrase = owner.given?.factor == .passphrase ? owner.given : nil
    try owner.keeper.moveDeviceKey(
      to: helper, passphrase: try passphrase.map { SecretBytesBox(try $0.secret.copy()) }, rights)
    return Done()
  }
}

/// Puts a backup in the place of what the open diary holds.
package struct RestoreBackup: OwnerRequest {
  package static let kind = OwnerRequestKind.restoreBackup
  let path: String
  package init(_ path: String) { self.path = path }
  @MainActor package func run(_ owner: OwnerWork) throws -> Done {
    let rights = try owner.owner()
    let file = try LockedVault(path, settings: owner.keeper.settings)
    guard let given = try owner.secretOfBackup() ?? owner.given else {
      throw AuthenticationError(.notOwner, path)
    }
    try owner.endSession()
    try owner.keeper.restoreBackup(
      file, given, rights, progress: owner.progress, confirm: owner.confirm)
    return Done()
  }
}

extension OwnerWork {
  /// What opens a backup that was made before the key was replaced, where the owner named it.
  fileprivate func secretOfBackup() throws -> GivenSecret? {
    try desk.backupPassphrase().map {
      GivenSecret(factor: .passphrase, secret: try $0.secret.copy())
    }
  }

  /// - Throws: ``VaultError`` `declined` when the owner says no.
  fileprivate func confirm(_ facts: BackupFacts) throws {
    guard case .yes = try ask(.replaceDiary(facts)) else {
      throw VaultError(.declined, keeper.location.vault)
    }
  }
}

// MARK: Without an open diary

/// Makes a vault; its recovery code is shown before it has its name.
package struct CreateVault: OwnerRequest {
  package static let kind = OwnerRequestKind.createVault
  let limits: PassphraseLimits
  /// Whether the keeper asks for a passphrase.
  let hasPassphrase: Bool
  let faces: WireRegistration?
  package init(limits: PassphraseLimits, hasPassphrase: Bool, faces: FaceRegistration?) {
    self.limits = limits
    self.hasPassphrase = hasPassphrase
    self.faces = faces.map(WireRegistration.init)
  }
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

/// Rescues what still opens of a damaged vault into a new one.
package struct SalvageVault: OwnerRequest {
  package static let kind = OwnerRequestKind.salvageVault
  let target: String
  let limits: PassphraseLimits
  package init(to target: String, limits: PassphraseLimits) {
    self.target = target
    self.limits = limits
  }
  @MainActor package func run(_ owner: OwnerWork) throws -> Salvaged {
    var rescued = Salvaged()
    try owner.keeper.salvage(
      try owner.desk.secretNow(), to: target, limits: limits, progress: owner.progress
    ) { report, created in
      rescued = report
      try owner.announce(
        created.recoveryCode, CodeFacts(id: created.id, salvaged: report))
    }
    return rescued
  }
}

/// Makes a backup the diary when the diary's file is gone.
package struct ReviveBackup: OwnerRequest {
  package static let kind = OwnerRequestKind.reviveBackup
  let path: String
  package init(_ path: String) { self.path = path }
  @MainActor package func run(_ owner: OwnerWork) throws -> Done {
    try owner.keeper.reviveBackup(
      try LockedVault(path, settings: owner.keeper.settings), try owner.desk.secretNow(),
      ofBackup: try owner.secretOfBackup(), progress: owner.progress, confirm: owner.confirm)
    return Done()
  }
}

/// Goes on from an older copy that was put back on purpose.
package struct AcceptOlderCopy: OwnerRequest {
  package static let kind = OwnerRequestKind.acceptOlderCopy
  package init() {}
  @MainActor package func run(_ owner: OwnerWork) throws -> Done {
    let path = owner.keeper.location.vault
    try owner.keeper.open(try owner.desk.secretNow(), .acceptsOlderCopy) {
      copy throws(VaultError) in
      guard case .yes? = try? owner.ask(.acceptOlderCopy(copy)) else {
        throw VaultError(.declined, path)
      }
    }
    owner.keeper.close()
    return Done()
  }
}
