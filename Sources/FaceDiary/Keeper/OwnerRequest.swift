package import DiaryVault
package import Sealing

/// What makes access permanent or takes it away, asked of a keeper that a passphrase or recovery code opened just now.
///
/// A running session does not know these: each starts a keeper of its own, which asks for the secret itself.
package protocol OwnerRequest: Codable, Sendable {
  associatedtype Answer: Codable & Sendable
  static var kind: OwnerRequestKind { get }
  @MainActor func run(_ owner: OwnerWork) throws -> Answer
}

/// The owner's requests, and their numbers on the wire.
package enum OwnerRequestKind: UInt8, CaseIterable, Codable, Sendable {
  case listFaces = 1
  case enrollFaces, removeFace, renameFace, recalibrateFaces
  case readPolicy, setPolicy
  case addPassphrase, addRecoveryCode, addFacePassphrase, removeSlot, changePassphrase, rotateKeys
  case moveDeviceKey, restoreBackup
  case createVault, salvageVault, reviveBackup, acceptOlderCopy
  case beginSpace, inviteDevice, joinSpace, recoverSpace, revokeDevice

  var type: any OwnerRequest.Type {
    switch self {
    case .listFaces: ListFaces.self
    case .enrollFaces: EnrollFaces.self
    case .removeFace: RemoveFace.self
    case .renameFace: RenameFace.self
    case .recalibrateFaces: RecalibrateFaces.self
    case .readPolicy: ReadPolicy.self
    case .setPolicy: SetPolicy.self
    case .addPassphrase: AddPassphrase.self
    case .addRecoveryCode: AddRecoveryCode.self
    case .addFacePassphrase: AddFacePassphrase.self
    case .removeSlot: RemoveSlot.self
    case .changePassphrase: ChangePassphrase.self
    case .rotateKeys: RotateKeys.self
    case .moveDeviceKey: MoveDeviceKey.self
    case .restoreBackup: RestoreBackup.self
    case .createVault: CreateVault.self
    case .salvageVault: SalvageVault.self
    case .reviveBackup: ReviveBackup.self
    case .acceptOlderCopy: AcceptOlderCopy.self
    case .beginSpace: BeginSpace.self
    case .inviteDevice: InviteDevice.self
    case .joinSpace: JoinSpace.self
    case .recoverSpace: RecoverSpace.self
    case .revokeDevice: RevokeDevice.self
    }
  }
}

/// What a keeper asks its client in the middle of an owner's request.
package enum OwnerQuestion: Codable, Sendable {
  /// How far it is. Not answered.
  case progress(Int, Int)
  /// What the owner should know of what was done. Not answered.
  case notices([Diary.Notice])
  /// A recovery code is about to be shown; answered with the words around it.
  case announce(CodeFacts)
  /// A session of this diary has to end first. The client ends it: an owner's keeper has given up the network.
  case endSession
  /// The new code was shown: is it written down, and shall the key be replaced?
  case replaceKey
  /// Shall the backup take the diary's place?
  case replaceDiary(BackupFacts)
  /// Shall the diary go on from this copy?
  case acceptOlderCopy(OlderCopy)
  /// Objects are to be moved between the mirror and the place: of a space, and of a pairing.
  case exchange(space: String?, join: String?)
  /// A device asks to come in: does it show these symbols?
  case letIn(name: String, check: String)
  /// The request is made; these symbols are to be compared.
  case asked(check: String)
}

package enum OwnerReply: Codable, Sendable {
  case yes, no
  /// What stands before and after the code on standard output.
  case announcement(before: String, after: String)
}

/// What belongs to a recovery code that is shown.
package struct CodeFacts: Codable, Sendable {
  /// The vault's, when it is a new one: 26 base32 characters.
  package var id: String?
  package var enrolled: EnrollmentReport?
  /// Slots that are dropped with it.
  package var dropped: [KeySlotFacts] = []
  package var salvaged: Salvaged?

  init(id: String? = nil, salvaged: Salvaged? = nil) {
    self.id = id
    self.salvaged = salvaged
  }
}

/// Where a keeper gets secrets and shows them: the terminal, standard streams, files. No secret crosses a socket.
@MainActor
package protocol OwnerDesk {
  /// A passphrase somebody makes up now.
  func newPassphrase() throws -> SecretBytes
  /// The passphrase or recovery code, given now.
  func secretNow() throws -> GivenSecret
  /// The passphrase of a backup that was made before the key was replaced, nil when none was named.
  func backupPassphrase() throws -> SecretBytesBox?
  /// Writes a recovery code to standard output; done when it is written.
  func show(_ code: borrowing SecretBytes, before: String, after: String) throws
  /// The recovery code of the space that the diary's devices share: its 16 bytes.
  func spaceCode() throws -> SecretBytesBox
  /// The one-time code by which this device asks to come in: 16 bytes, and what the space's name begins with.
  func pairingCode() throws -> (code: SecretBytesBox, space: String)
}

/// What an owner's request works with.
@MainActor
package struct OwnerWork {
  package let keeper: Keeper
  /// Of the diary that was opened; nil for a request that opens none.
  let rights: OwnerRights?
  let desk: any OwnerDesk
  /// What opened it.
  let given: GivenSecret?
  let ask: (OwnerQuestion) throws -> OwnerReply

  /// - Throws: ``AuthenticationError`` `notOwner` when nothing was opened.
  func owner() throws -> OwnerRights {
    guard let rights else { throw AuthenticationError(.notOwner, keeper.location.vault) }
    return rights
  }

  /// Ends the session of this diary, where there is one.
  func endSession() throws {
    guard case .yes = try ask(.endSession) else { throw SessionError.foreign }
  }

  func progress(_ done: Int, _ total: Int) { _ = try? ask(.progress(done, total)) }

  /// Shows a recovery code; when this throws, nobody saw it.
  func announce(_ code: borrowing SecretBytes, _ facts: CodeFacts) throws {
    guard case .announcement(let before, let after) = try ask(.announce(facts)) else {
      throw SessionError.foreign
    }
    try desk.show(code, before: before, after: after)
  }

  /// The open diary's slots.
  func slots() throws -> [KeySlotFacts] {
    keeper.isOpen ? try keeper.slotFacts() : []
  }
}
