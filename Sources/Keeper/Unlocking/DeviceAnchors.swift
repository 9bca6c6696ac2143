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

  /// - Parameter isNew: the device key was made just now. Only then may there be no anchor: whoever can
  ///   delete one must not be able to put an older vault back unnoticed.
  init(_ store: DeviceStore, _ keys: DeviceKeys, isNew: Bool = false) {
    self.isNew = isNew
    self.store = store
    directory = store.directory
    self.keys = keys
    // It names every slot and every device there ever was.
    file = AlternatingFile(
      directory, "anchor", context: store.associatedData("FDv1 anchor"), copySize: 64 << 10)
  }

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

  func save(_ anchor: Anchor) throws(VaultError) {
    do throws(AuthenticationError) { try file.write(anchor.encoded(), key: keys.anchor) } catch {
      throw VaultError(error)
    }
    isNew = false
  }

  func lock() throws(VaultError) -> AnyObject {
    do throws(AuthenticationError) {
      return try directory.lock("lock")
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
      case .storeDamaged: .damaged
      case .diskFull: .diskFull
      case .busy: .busy
      case .loose: .permission
      case .memory: .memory
      default: .system
      }
    self.init(code, error.subject, error.reason, part: part)
  }
}
