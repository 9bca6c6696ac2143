public import Access
internal import Authentication
package import Bytes
internal import DiaryVault
internal import Entries
internal import Platform
internal import SealedFiles
public import Sealing

/// What making a diary gives.
public final class CreatedDiary: Sendable {
  /// The vault's id, 26 base32 characters.
  public let id: String
  /// The recovery code as text, to be shown once.
  public let recoveryCode: SecretBytes
  public let enrolled: EnrollmentReport?

  init(id: String, recoveryCode: consuming SecretBytes, enrolled: EnrollmentReport?) {
    self.id = id
    self.recoveryCode = recoveryCode
    self.enrolled = enrolled
  }
}

extension Keeper {
  /// Makes the vault, its device store, and the recovery code; leaves the diary closed.
  ///
  /// Everything is built under another name and given its own at the end, so a kill on the way leaves
  /// no half vault.
  ///
  /// - Parameters:
  ///   - passphrase: UTF-8, 1 to 1024 bytes; nil for a diary without one.
  ///   - faces: registered at once.
  ///   - announce: shows the recovery code. When it throws there is no diary: one whose code nobody saw
  ///     could not be recovered.
  /// - Throws: ``VaultError`` `vaultExists`, with the file untouched, and those of writing;
  ///   ``VectorError``, ``EnrollmentError`` for the faces; ``AuthenticationError`` for the store.
  package func create(
    passphrase: consuming SecretBytes?, limits: Argon2Cost = .moderate,
    faces: FaceRegistration? = nil,
    announce: (CreatedDiary) throws -> Void = { _ in }
  ) throws -> CreatedDiary {
    guard !FileSystem.exists(location.vault) else {
      throw VaultError(.vaultExists, location.vault)
    }
    let parent = FileSystem.parent(of: location.vault)
    try onDisk { () throws(PlatformError) in try FileSystem.makeDirectories(parent) }
    let made = try UnfinishedFolder(in: parent)
    defer { made.remove() }
    let (created, store): (CreatedDiary, DeviceStore)
    do {
      (created, store) = try create(
        in: made.folder, passphrase: passphrase, limits: limits, faces: faces)
    } catch let error as VaultError {
      throw error.named(location.vault)
    }
    do {
      try announce(created)
      try naming(location.vault) { try made.publish(as: location.vault) }
    } catch {
      store.directory.removeAll()
      throw error
    }
    return created
  }

  /// Names what is being made by the path that it will have.
  func naming<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as VaultError { throw error.named(path) }
  }

  /// Makes the vault in a folder that is to get its name, and its device store, which is left only where all is made.
  func create(
    in folder: VaultFolder, passphrase: consuming SecretBytes?, limits: Argon2Cost,
    faces: FaceRegistration? = nil
  ) throws -> (CreatedDiary, DeviceStore) {
    let vaultID = settings.randomness.bytes(16)
    let store = try store(vaultID)
    do {
      let keys = try store.makeKeys()
      let code = try RecoveryCode.make()
      let text = try RecoveryCode.text(of: code)
      var enrolled: EnrollmentReport?
      do {
        let vault = try Vault.create(
          at: folder.path, vaultID: vaultID, recovery: code, device: keys.id,
          anchors: DeviceAnchors(store, keys, isNew: true), settings: settings)
        switch consume passphrase {
        case .some(let passphrase):
          try vault.addSlot(.passphrase, secret: passphrase, limits: limits)
        case .none: break
        }
        // From the first moment the vault knows that this device has opened it.
        try ledger(store, keys, vault: folder.path).reset()
        try access(store, keys).opened(bySecret: true, policy: [])
        places.note(vaultID)
        if let faces { enrolled = try enroll(faces, into: vault, store, keys) }
        try store.keep(vault.spare)
      }
      return (
        CreatedDiary(id: Base32.encode(vaultID), recoveryCode: text, enrolled: enrolled), store
      )
    } catch {
      store.directory.removeAll()
      throw error
    }
  }
}
