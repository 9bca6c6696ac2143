package import Access
package import Bytes
package import Entries
package import FaceMatching

// MARK: Faces

/// What is enrolled on this device, nil when nothing is.
package struct ListFaces: Request {
  package typealias Answer = EnrolledFaces?
  package static let kind = RequestKind.listFaces
  package static let access = RequestAccess.owner
  package init() {}
}

package struct EnrollFaces: Request {
  package typealias Answer = EnrollmentReport
  package static let kind = RequestKind.enrollFaces
  package static let access = RequestAccess.owner
  package let faces: WireRegistration
  package init(_ registration: FaceRegistration) { faces = WireRegistration(registration) }
}

/// Answers how many are left.
package struct RemoveFace: Request {
  package typealias Answer = Int
  package static let kind = RequestKind.removeFace
  package static let access = RequestAccess.owner
  package let face: String
  package init(_ face: String) { self.face = face }
}

package struct RenameFace: Request {
  package typealias Answer = Done
  package static let kind = RequestKind.renameFace
  package static let access = RequestAccess.owner
  package let face: String
  package let label: String
  package init(_ face: String, to label: String) {
    self.face = face
    self.label = label
  }
}

package struct RecalibrateFaces: Request {
  package typealias Answer = Done
  package static let kind = RequestKind.recalibrateFaces
  package static let access = RequestAccess.owner
  package let threshold: Double
  package let calibrated: CalibratedScoring?
  package let faceGuard: FaceGuard?
  package init(threshold: Double, calibrated: CalibratedScoring?, faceGuard: FaceGuard?) {
    self.threshold = threshold
    self.calibrated = calibrated
    self.faceGuard = faceGuard
  }
}

/// A registration with its embeddings as bytes.
package struct WireRegistration: Codable, Sendable {
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

  package func registration() throws(VectorError) -> FaceRegistration {
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

package struct ReadPolicy: Request {
  package typealias Answer = AccessPolicy
  package static let kind = RequestKind.readPolicy
  package static let access = RequestAccess.closed(.look)
  package init() {}
}

package struct SetPolicy: Request {
  package typealias Answer = Done
  package static let kind = RequestKind.setPolicy
  package static let access = RequestAccess.owner
  package let policy: AccessPolicy
  package init(_ policy: AccessPolicy) { self.policy = policy }
}

// MARK: Key slots

/// Adds a passphrase to those there are. The keeper asks for it.
package struct AddPassphrase: Request {
  package typealias Answer = [KeySlotFacts]
  package static let kind = RequestKind.addPassphrase
  package static let access = RequestAccess.owner
  package let limits: Argon2Cost
  package init(limits: Argon2Cost) { self.limits = limits }
}

/// Adds a recovery code to those there are.
package struct AddRecoveryCode: Request {
  package typealias Answer = [KeySlotFacts]
  package static let kind = RequestKind.addRecoveryCode
  package static let access = RequestAccess.owner
  package init() {}
}

/// A face and a passphrase together; the face alone then opens nothing.
package struct AddFacePassphrase: Request {
  package typealias Answer = [KeySlotFacts]
  package static let kind = RequestKind.addFacePassphrase
  package static let access = RequestAccess.owner
  package let limits: Argon2Cost
  package init(limits: Argon2Cost) { self.limits = limits }
}

package struct RemoveSlot: Request {
  package typealias Answer = [KeySlotFacts]
  package static let kind = RequestKind.removeSlot
  package static let access = RequestAccess.owner
  package let slot: [UInt8]
  package init(_ slot: [UInt8]) { self.slot = slot }
}

package struct ChangePassphrase: Request {
  package typealias Answer = [KeySlotFacts]
  package static let kind = RequestKind.changePassphrase
  package static let access = RequestAccess.owner
  package let limits: Argon2Cost
  /// Whether `limits` hold although there was more work before.
  package let isExact: Bool
  package init(limits: Argon2Cost, isExact: Bool) {
    self.limits = limits
    self.isExact = isExact
  }
}

/// A new vault key, with everything sealed anew.
package struct RotateKeys: Request {
  package enum Passphrase: String, Codable, Sendable {
    /// The one that opened the diary, when one did.
    case given
    /// One that the keeper asks for.
    case new
    case none
  }

  package typealias Answer = Done
  package static let kind = RequestKind.rotateKeys
  package static let access = RequestAccess.owner
  package let passphrase: Passphrase
  package let limits: Argon2Cost
  /// Whether a passphrase may get less work than it had.
  package let isExact: Bool
  package init(passphrase: Passphrase, limits: Argon2Cost, isExact: Bool) {
    self.passphrase = passphrase
    self.limits = limits
    self.isExact = isExact
  }
}

// MARK: The device key, backups

/// A new device key, kept in another place.
package struct MoveDeviceKey: Request {
  package typealias Answer = Done
  package static let kind = RequestKind.moveDeviceKey
  package static let access = RequestAccess.owner
  package let place: DeviceKeyPlace
  /// Whether the chip asks for a PIN from then on.
  package let hasPIN: Bool
  package init(to place: DeviceKeyPlace, hasPIN: Bool = false) {
    self.place = place
    self.hasPIN = hasPIN
  }
}

/// Puts a backup in the place of what the open diary holds, or back into it where other devices have it, too.
package struct RestoreBackup: Request {
  package struct Answer: Codable, Sendable {
    /// How many entries came back or changed; nil where all was replaced.
    package let broughtBack: Int?

    package init(broughtBack: Int?) { self.broughtBack = broughtBack }
  }

  package static let kind = RequestKind.restoreBackup
  package static let access = RequestAccess.owner
  package let path: String
  package init(_ path: String) { self.path = path }
}

// MARK: Without an open diary

/// Makes a vault; its recovery code is shown before it has its name.
package struct CreateVault: Request {
  package typealias Answer = CodeFacts
  package static let kind = RequestKind.createVault
  package static let access = RequestAccess.closed(.custody)
  package let limits: Argon2Cost
  /// Whether the keeper asks for a passphrase.
  package let hasPassphrase: Bool
  package let faces: WireRegistration?
  package init(limits: Argon2Cost, hasPassphrase: Bool, faces: FaceRegistration?) {
    self.limits = limits
    self.hasPassphrase = hasPassphrase
    self.faces = faces.map(WireRegistration.init)
  }
}

/// Rescues what still opens of a damaged vault into a new one.
package struct SalvageVault: Request {
  package typealias Answer = Salvaged
  package static let kind = RequestKind.salvageVault
  package static let access = RequestAccess.closed(.custody)
  package let target: String
  package let limits: Argon2Cost
  package init(to target: String, limits: Argon2Cost) {
    self.target = target
    self.limits = limits
  }
}

/// Makes a backup the diary when the diary's file is gone.
package struct ReviveBackup: Request {
  package typealias Answer = Done
  package static let kind = RequestKind.reviveBackup
  package static let access = RequestAccess.closed(.custody)
  package let path: String
  package init(_ path: String) { self.path = path }
}

/// Goes on from an older copy that was put back on purpose.
package struct AcceptOlderCopy: Request {
  package typealias Answer = Done
  package static let kind = RequestKind.acceptOlderCopy
  package static let access = RequestAccess.closed(.custody)
  package init() {}
}
