package import DiaryVault
package import Entries
package import Requests

/// A request that an open diary answers, a slice of time after another.
package protocol VaultServed: Request {
  /// Begins it; what needs no streaming is done at once.
  func begin(on vault: Vault) throws(VaultError) -> Work<Answer>
}

/// A request that is asked of a keeper of its own, which may ask its client in between.
package protocol OwnerServed: Request {
  @MainActor func run(_ owner: OwnerWork) async throws -> Answer
}

/// How the requests of one kind are done.
package enum Service {
  case vault(any VaultServed.Type)
  case owner(any OwnerServed.Type)

  package var request: any Request.Type {
    switch self {
    case .vault(let type): type
    case .owner(let type): type
    }
  }
}

extension RequestKind {
  /// What the keeper does for every request there is.
  package var service: Service {
    switch self {
    case .addEntry: .vault(AddEntry.self)
    case .editEntry: .vault(EditEntry.self)
    case .deleteEntries: .vault(DeleteEntries.self)
    case .restoreEntries: .vault(RestoreEntries.self)
    case .purgeEntries: .vault(PurgeEntries.self)
    case .listEntries: .vault(ListEntries.self)
    case .showEntries: .vault(ShowEntries.self)
    case .entryHistory: .vault(EntryHistory.self)
    case .draftKey: .vault(DraftKey.self)
    case .describeDraft: .vault(DescribeDraft.self)
    case .recoverDraft: .vault(RecoverDraft.self)
    case .keepAwake: .vault(KeepAwake.self)
    case .objectKey: .vault(ObjectKey.self)
    case .findAttachment: .vault(FindAttachment.self)
    case .importEntries: .vault(ImportEntries.self)
    case .listKeySlots: .vault(ListKeySlots.self)
    case .verifyVault: .vault(VerifyVault.self)
    case .updateIndex: .vault(UpdateIndex.self)
    case .repairVault: .vault(RepairVault.self)
    case .beginBackup: .vault(BeginBackup.self)
    case .sealBackup: .vault(SealBackup.self)
    case .listNames: .vault(ListNames.self)
    case .changeNames: .vault(ChangeNames.self)
    case .countEntries: .vault(CountEntries.self)
    case .tally: .vault(Tally.self)
    case .statistics: .vault(Statistics.self)
    case .listTemplates: .vault(ListTemplates.self)
    case .setTemplate: .vault(SetTemplate.self)
    case .settle: .vault(Settle.self)
    case .leaveSpace: .vault(LeaveSpace.self)
    case .syncStatus: .vault(AskSyncStatus.self)
    case .listConflicts: .vault(ListConflicts.self)
    case .listFaces: .owner(ListFaces.self)
    case .enrollFaces: .owner(EnrollFaces.self)
    case .removeFace: .owner(RemoveFace.self)
    case .renameFace: .owner(RenameFace.self)
    case .recalibrateFaces: .owner(RecalibrateFaces.self)
    case .readPolicy: .owner(ReadPolicy.self)
    case .setPolicy: .owner(SetPolicy.self)
    case .addPassphrase: .owner(AddPassphrase.self)
    case .addRecoveryCode: .owner(AddRecoveryCode.self)
    case .addFacePassphrase: .owner(AddFacePassphrase.self)
    case .removeSlot: .owner(RemoveSlot.self)
    case .changePassphrase: .owner(ChangePassphrase.self)
    case .rotateKeys: .owner(RotateKeys.self)
    case .moveDeviceKey: .owner(MoveDeviceKey.self)
    case .restoreBackup: .owner(RestoreBackup.self)
    case .lookAtVault: .owner(LookAtVault.self)
    case .askStanding: .owner(AskStanding.self)
    case .checkDatabase: .owner(CheckDatabase.self)
    case .makeBackup: .owner(MakeBackup.self)
    case .findBackups: .owner(FindBackups.self)
    case .removeBackups: .owner(RemoveBackups.self)
    case .createVault: .owner(CreateVault.self)
    case .salvageVault: .owner(SalvageVault.self)
    case .reviveBackup: .owner(ReviveBackup.self)
    case .acceptOlderCopy: .owner(AcceptOlderCopy.self)
    case .beginSpace: .owner(BeginSpace.self)
    case .inviteDevice: .owner(InviteDevice.self)
    case .joinSpace: .owner(JoinSpace.self)
    case .recoverSpace: .owner(RecoverSpace.self)
    case .revokeDevice: .owner(RevokeDevice.self)
    }
  }
}
