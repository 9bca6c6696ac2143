public import Entries

/// What the owner should be told after an opening or a change.
public enum DiaryNotice: Sendable, Equatable, Codable {
  /// The device key could not be read; a new one was made, and the old store put aside at this path.
  /// Faces must be enrolled again, and an older copy of the vault could not have been noticed.
  case deviceStoreReplaced(path: String)
  /// This device opened the vault for the first time.
  case newDevice
  /// This device opened the vault before, and its store is gone: faces must be enrolled again.
  case deviceStoreGone
  /// An older copy or a backup became the diary while this device remembered nothing of it: of an earlier key, too.
  case deviceMemoryGone
  /// One of the vault's two copies of its key slots is broken.
  case keyringDamaged([KeyringProblem])
  /// This is a backup, made at this time (seconds since 1970): it can only be read.
  case backup(Int64)
  /// The request was carried out, but this part of the device store could not be updated, for this reason.
  case deviceStoreBehind(String, VaultError.Reason)
  /// Another process was reading, so the vault's file without its log still is what it was before the change: what was taken away opens
  /// that. The next opening without such a process ends it.
  case keepsFormerState
  /// The vault's file was written without a log, as a backup is; it has its log again.
  case logRestored
  /// The chip that holds the device key does not count tries at the face, for this reason: no face opens the diary.
  case faceStaysLocked(VaultError.Reason)
  /// The policy allows no face to open the diary alone any more: this slot, of another device, is gone.
  case faceDropped(KeySlotFacts)
  /// A way in by face and passphrase still needs the passphrase it was made with.
  case faceKeepsPassphrase(KeySlotFacts)
  /// An older copy of the diary was accepted on another device; this one goes on from it, too.
  case olderCopyAcceptedElsewhere
  /// The vault key was replaced on another device since this one opened the diary.
  case keyReplacedElsewhere
  /// The diary left the space that it shared with other devices. Who has a copy of it from before can act as this device of it.
  case leftSpace(device: String, id: String)
  /// So many ways in of today are lost: what was left of the diary does not show them to be the owner's.
  case waysInLost(Int)
  /// Others could read the vault's file: now only its owner can.
  case wasReadable(path: String)
  /// Others can read it, and that could not be changed.
  case isReadable(path: String)
  /// Other diaries were opened at this path before, and this one was not.
  case inPlaceOfAnother(path: String)
  /// Others can write the folder that the vault is in, and so replace it.
  case isReplaceable(folder: String)
}
