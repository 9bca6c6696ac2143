package import Access

/// What anybody sees of a vault without a key: the diary's own, or the one at a path.
package struct LookAtVault: Request {
  package typealias Answer = VaultFacts
  package static let kind = RequestKind.lookAtVault
  package static let access = RequestAccess.closed(.look)
  package let path: String?
  package init(at path: String? = nil) { self.path = path }
}

package struct VaultFacts: Codable, Sendable {
  /// 16 bytes.
  package let id: [UInt8]
  package let slots: [KeySlotFacts]
  /// This device's store of it.
  package let directory: String
  private let place: DeviceKeyPlace?
  private let trouble: KeeperError?

  /// - Parameter place: where the device key is kept.
  package init(
    id: [UInt8], slots: [KeySlotFacts], directory: String,
    place: Result<DeviceKeyPlace, any Error>
  ) {
    self.id = id
    self.slots = slots
    self.directory = directory
    switch place {
    case .success(let place): (self.place, trouble) = (place, nil)
    case .failure(let error): (self.place, trouble) = (nil, KeeperError(error))
    }
  }

  /// Where the device key is kept.
  ///
  /// - Throws: why that cannot be said, to who needs to know it.
  package func deviceKeyPlace() throws -> DeviceKeyPlace {
    if let trouble { throw trouble.thrown }
    return place ?? .file
  }
}

/// Where the state machine stands, and what would open the diary now.
package struct AskStanding: Request {
  package typealias Answer = Standing
  package static let kind = RequestKind.askStanding
  package static let access = RequestAccess.closed(.look)
  package init() {}
}

package struct Standing: Codable, Sendable {
  package enum Device: String, Codable, Sendable { case new, known, damaged }

  package let vault: VaultFacts
  package var device = Device.new
  package var state = AppState.loading
  package var face = FaceStanding.unknown
  /// How many faces are enrolled here.
  package var enrolled = 0
  /// Why a face is not enough now, nil when it is; asked where one is enrolled.
  package var faceNeeds: SecretNeed?
  /// Whether a face opens the diary only in a session that is kept warm.
  package var isWarm = false
  /// Seconds until a passphrase may be tried; 0 for now.
  package var passphraseWait: Int64 = 0
  /// Why the device key cannot be had from where it is kept: then no secret opens the diary with this device store.
  package var keyTrouble: KeeperError?

  package init(vault: VaultFacts) { self.vault = vault }
}

/// What SQLite says of the database as a file; this needs no key.
package struct CheckDatabase: Request {
  package typealias Answer = [String]
  package static let kind = RequestKind.checkDatabase
  package static let access = RequestAccess.closed(.copy)
  package init() {}
}

/// Copies the diary as a backup; the client asks the process with the open diary to seal its state record.
package struct MakeBackup: Request {
  package typealias Answer = Done
  package static let kind = RequestKind.makeBackup
  package static let access = RequestAccess.closed(.copy)
  package let target: String
  package init(at target: String) { self.target = target }
}

/// Which of these folders are backups of the diary that one of them is a backup of.
package struct FindBackups: Request {
  package typealias Answer = [String]
  package static let kind = RequestKind.findBackups
  package static let access = RequestAccess.closed(.copy)
  package let one: String
  package let others: [String]
  package init(like one: String, among others: [String]) {
    self.one = one
    self.others = others
  }
}

/// Removes backups of a directory, with the objects that no other needs; answers which are gone.
package struct RemoveBackups: Request {
  package typealias Answer = [String]
  package static let kind = RequestKind.removeBackups
  package static let access = RequestAccess.closed(.copy)
  package let paths: [String]
  package let directory: String
  /// The name of a backup that stays. A listing without it is incomplete, and then no objects are removed.
  package let kept: String
  package init(_ paths: [String], in directory: String, keeping kept: String) {
    self.paths = paths
    self.directory = directory
    self.kept = kept
  }
}
