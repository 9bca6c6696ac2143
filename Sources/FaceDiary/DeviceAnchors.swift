internal import Authentication
internal import DiaryVault
internal import Sealing

/// The anchor in the device store, sealed by the device key.
final class DeviceAnchors: AnchorStore {
  private let directory: PrivateDirectory
  private let keys: DeviceKeys
  private let file: SlotFile

  init(_ store: DeviceStore, _ keys: DeviceKeys) {
    directory = store.directory
    self.keys = keys
    file = SlotFile(directory, "anchor", context: store.associatedData("FDv1 anchor"))
  }

  func load() throws(VaultError) -> Anchor? {
    do throws(AuthenticationError) {
      guard let bytes = try file.read(key: keys.anchor) else { return nil }
      do throws(SealingError) { return try Anchor(bytes) } catch {
        throw AuthenticationError(.storeDamaged, "anchor", "\(error)")
      }
    } catch {
      throw VaultError(error)
    }
  }

  func save(_ anchor: Anchor) throws(VaultError) {
    do throws(AuthenticationError) { try file.write(anchor.encoded(), key: keys.anchor) } catch {
      throw VaultError(error)
    }
  }

  private final class Lock {
    let file: FileLock
    init(_ file: consuming FileLock) { self.file = file }
  }

  func lock() throws(VaultError) -> AnyObject {
    do throws(AuthenticationError) {
      return Lock(try directory.lock("lock"))
    } catch {
      throw VaultError(error)
    }
  }
}

extension VaultError {
  /// What the device store says, in the vault's words.
  init(_ error: AuthenticationError) {
    let code: Code =
      switch error.code {
      case .storeDamaged: .damaged
      case .diskFull: .diskFull
      case .busy: .busy
      case .loose: .permission
      case .memory: .memory
      default: .system
      }
    self.init(code, error.subject, error.detail)
  }
}
