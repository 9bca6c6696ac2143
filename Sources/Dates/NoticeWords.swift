package import Access
internal import Bytes
package import CommandLine
internal import Entries
internal import Words

extension DiaryNotice {
  /// Whether it is said also to who wants no remarks.
  package var isWarning: Bool {
    switch self {
    case .deviceStoreGone, .deviceMemoryGone, .newDevice, .deviceStoreReplaced,
      .olderCopyAcceptedElsewhere,
      .keyReplacedElsewhere, .leftSpace, .waysInLost, .isReplaceable,
      .inPlaceOfAnother:
      true
    case .keepsFormerState, .deviceStoreBehind, .backup, .wasReadable, .isReadable,
      .faceKeepsPassphrase, .faceDropped, .keyringDamaged, .faceStaysLocked, .logRestored:
      false
    }
  }

  package var words: any Message {
    switch self {
    case .keepsFormerState: OpeningMessage.keepsFormerState
    case .deviceStoreBehind(let what, let why): OpeningMessage.deviceStoreBehind(what, why)
    case .logRestored: OpeningMessage.logRestored
    case .faceStaysLocked(let why): OpeningMessage.faceStaysLocked(why)
    case .backup(let made): OpeningMessage.isBackup(localTime(made))
    case .deviceStoreGone: OpeningMessage.deviceStoreRemade
    case .deviceMemoryGone: OpeningMessage.deviceMemoryGone
    case .newDevice: OpeningMessage.firstOpeningHere
    case .deviceStoreReplaced(let path): OpeningMessage.deviceStorePutAside(path)
    case .olderCopyAcceptedElsewhere: KeepingMessage.acceptedElsewhere
    case .keyReplacedElsewhere: KeepingMessage.keyReplacedElsewhere
    case .leftSpace(let device, let id):
      KeepingMessage.leftSpace(device: visible(device), id: String(id.prefix(8)))
    case .waysInLost(let count): KeepingMessage.waysInLost(count)
    case .isReplaceable(let folder): OpeningMessage.folderIsWritable(folder)
    case .inPlaceOfAnother(let path): OpeningMessage.inPlaceOfAnother(path)
    case .wasReadable(let path): OpeningMessage.vaultWasReadable(path)
    case .isReadable(let path): OpeningMessage.vaultIsReadable(path)
    case .faceKeepsPassphrase(let slot):
      KeepingMessage.faceKeepsPassphrase(id: String(Base32.encode(slot.id).prefix(8)))
    case .faceDropped(let slot):
      KeepingMessage.faceDropped(
        id: "\(Base32.encode(slot.id).prefix(8))",
        created: slot.created.map(localDay) ?? "?")
    case .keyringDamaged(let problems):
      OpeningMessage.keySlotCopyBroken(VaultError.Reason.keyring(problems))
    }
  }
}
