public import Access
public import Bytes
internal import DiaryVault
public import FaceMatching
internal import Keeper
public import Sealing

/// The owner of an open diary, who gave the passphrase or recovery code just now.
///
/// All operations that make access permanent, or take it away, are here and nowhere else. A diary
/// that a face opened has no owner, and no argument changes that. The rights end when the diary is
/// closed; each call then throws ``AuthenticationError`` `notOwner`.
public struct DiaryOwner: ~Copyable, Sendable {
  private let diary: Diary
  private let rights: OwnerRights

  init(diary: Diary, rights: OwnerRights) {
    self.diary = diary
    self.rights = rights
  }

  private func keeping<Result: Sendable>(
    _ body: @Sendable (Keeper, OwnerRights) throws -> Result
  ) async throws -> Result {
    try await diary.keeping(rights, body)
  }

  // MARK: Faces

  /// What is enrolled on this device, nil when nothing is.
  public func faces() async throws -> EnrolledFaces? { try await keeping { try $0.faces($1) } }

  /// Registers templates: all of them, or none.
  ///
  /// - Throws: ``EnrollmentError``; ``VectorError``.
  @discardableResult
  public func enroll(_ registration: FaceRegistration) async throws -> EnrollmentReport {
    try await keeping { try $0.enroll(registration, $1) }
  }

  /// Renames a template, named by its id or an unambiguous beginning of four characters or more.
  public func renameFace(_ face: String, to label: String) async throws {
    try await keeping { try $0.renameFace(face, to: label, $1) }
  }

  /// Removes a template; with the last one the face no longer opens anything.
  public func removeFace(_ face: String) async throws {
    try await keeping { try $0.removeFace(face, $1) }
  }

  /// Gives the enrolled templates another threshold, in [−1, 1], or way of scoring, sealed with them.
  public func recalibrateFaces(
    threshold: Double, calibrated: CalibratedScoring? = nil, faceGuard: FaceGuard? = nil
  ) async throws {
    try await keeping {
      try $0.recalibrateFaces(
        threshold: threshold, calibrated: calibrated, faceGuard: faceGuard, $1)
    }
  }

  // MARK: Ways in

  /// The key slots: what opens the diary.
  public func slots() async throws -> [KeySlotFacts] {
    try await keeping { keeper, rights in
      try keeper.require(rights)
      return try keeper.slotFacts()
    }
  }

  /// Adds a passphrase, 1 to 1024 bytes of UTF-8, beside those there are.
  public func addPassphrase(
    _ passphrase: consuming SecretBytes, limits: Argon2Cost = .moderate
  ) async throws {
    let box = SecretBytesBox(passphrase)
    try await keeping {
      _ = try $0.addSlot(.passphrase, try box.secret.copy(), limits: limits, $1)
    }
  }

  /// Adds a recovery code beside those there are.
  ///
  /// - Parameter announce: shows it; when it throws, the code does not count.
  public func addRecoveryCode(
    announce: @Sendable (borrowing SecretBytes) throws -> Void
  ) async throws {
    try await keeping { keeper, rights in
      let code = try RecoveryCode.make()
      try announce(try RecoveryCode.text(of: code))
      _ = try keeper.addSlot(.recovery, code, limits: .moderate, rights)
    }
  }

  /// From now on this device's face opens the diary only together with this passphrase.
  public func addFacePassphrase(
    _ passphrase: consuming SecretBytes, limits: Argon2Cost = .moderate
  ) async throws {
    let box = SecretBytesBox(passphrase)
    try await keeping {
      try $0.addFacePassphrase(try box.secret.copy(), limits: limits, $1)
    }
  }

  /// Removes a key slot; the last that needs no face stays.
  public func removeSlot(_ id: [UInt8]) async throws {
    try await keeping { try $0.removeSlot(id, $1) }
  }

  /// Replaces the passphrase that was given for these rights by this one, or every passphrase when a recovery code was.
  public func changePassphrase(
    to passphrase: consuming SecretBytes, limits: Argon2Cost = .moderate
  ) async throws {
    let box = SecretBytesBox(passphrase)
    try await keeping {
      try $0.changePassphrase(from: nil, to: try box.secret.copy(), limits: limits, $1)
    }
  }

  /// Makes a new vault key and seals everything anew, in one step. Slots whose secret is not given are dropped.
  ///
  /// - Parameters:
  ///   - passphrase: stays valid; nil for none.
  ///   - announce: shows the new recovery code; when it throws, nothing is changed.
  ///   - progress: called with entries done and entries there.
  public func rotateKeys(
    passphrase: consuming SecretBytes?, limits: Argon2Cost = .moderate,
    announce: @Sendable (borrowing SecretBytes) throws -> Void,
    progress: @Sendable (Int, Int) -> Void = { _, _ in }
  ) async throws {
    let kept: SecretBytesBox?
    switch consume passphrase {
    case .some(let passphrase): kept = SecretBytesBox(passphrase)
    case .none: kept = nil
    }
    try await keeping { keeper, rights in
      let code = try RecoveryCode.make()
      try announce(try RecoveryCode.text(of: code))
      try keeper.rotate(
        recovery: code, passphrase: kept, limits: limits, rights, progress: progress)
    }
  }

  /// Makes a new device key, kept in another place, and discards the old one.
  ///
  /// - Parameter passphrase: what opened the diary, where its face opens it together with that passphrase.
  public func moveDeviceKey(
    to place: DeviceKeyPlace, passphrase: consuming SecretBytes? = nil
  ) async throws {
    let given: SecretBytesBox?
    switch consume passphrase {
    case .some(let passphrase): given = SecretBytesBox(passphrase)
    case .none: given = nil
    }
    try await keeping { try $0.moveDeviceKey(to: place, passphrase: given, $1) }
  }

  /// Replaces what the diary holds by a backup, in one step. Where other devices have the diary, too, entries come back as the backup
  /// has them, and what was written since stays.
  ///
  /// - Parameters:
  ///   - path: the backup.
  ///   - secret: opens it, if it was made with another key.
  /// - Throws: ``VaultError`` `conflict` for another diary's; what its damage says. Then nothing is changed.
  public func restoreBackup(
    at path: String, _ factor: SecretFactor, _ secret: consuming SecretBytes
  ) async throws {
    let given = try GivenSecret(factor, typed: secret)
    try await keeping { keeper, rights in
      _ = try keeper.restoreBackup(
        try LockedVault(path, settings: keeper.settings), given, rights, progress: { _, _ in },
        confirm: { _ in })
    }
  }

  /// Sets the policy. Turning warm mode on or off replaces the device key, so that slots in old copies no longer open.
  public func setPolicy(_ policy: AccessPolicy) async throws {
    try await keeping { try $0.setPolicy(policy, $1) }
  }
}

extension Diary {
  /// Lends the keeper to what the owner asked for.
  fileprivate func keeping<Result: Sendable>(
    _ rights: OwnerRights, _ body: @Sendable (Keeper, OwnerRights) throws -> Result
  ) throws -> Result { try body(keeper, rights) }
}
