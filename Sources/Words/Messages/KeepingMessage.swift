package import CommandLine
package import Entries

/// Backups, verifying, salvage, the locks.
package enum KeepingMessage: Sendable {
  /// What `verify` found: where, why, and what to do.
  case problem(VerifyReport.Problem.Severity, what: String, why: String, next: String)
  case acceptedRollback
  case nothingToAccept
  /// The path of the newest of several.
  case newestBackup(String)
  case setBackupFolder
  case acceptedElsewhere
  case olderCopy(entries: Int, remembered: Int)
  case olderCopyLacks(Int)
  case olderCopySlot(kind: any Message, created: String)
  case olderCopyLost(Int)
  case waysInLost(Int)
  case olderCopyPolicy
  case copyOfLaterKey
  case notRemoved(String)
  case olderCopyFaces
  case olderCopyUnknown(entries: Int)
  case faceDropped(id: String, created: String)
  case faceKeepsPassphrase(id: String)
  case notDirectory(String)
  case notWholeKeptOlder
  case lookWithVerify
  case removedOlder(Int)
  case backupMade(String)
  /// Photos and files that the diary itself has lost.
  case backupLacksFiles(Int)
  case restoreAsks
  case giveYes
  case restored
  case moveAway(String)
  case readOtherBackup(String)
  case moveDeviceStoreAway(String)
  case beginDeviceAnew(String)
  case giveUpDeviceStore(String)
  case moveFileAway(String)
  case replaceKeyForDevices
  case otherKey
  case giveBackupPassphrase
  case replaces(present: Int, entries: Int, made: String)
  case notByPolicy(rule: String)
  /// The folder has none.
  case noBackupIn(String)
  case bringsBack(made: String, entries: Int)
  case broughtBack(Int)
  case becomes(made: String, entries: Int)
  case backupLacks(files: Int)
  case keyReplacedElsewhere
  case leftSpace(device: String, id: String)
  case willLeaveSpace
  case goOn
  case lost(any Message)
  case othersLost(Int)
  case otherProblems(Int)
  case onlyOlder(Int)
  case nameless(Int)
  case openRescued(String)
  case rescued(entries: Int, attachments: Int, path: String)
  case deviceKeyInFile
  case deviceKeyByHelper
  case deviceKeyInChip, deviceKeyInChipWithPIN
  case deviceBegunAnew
  case deviceStore(String)
  case keptBy(String)
  case keptInChip
  case keptInFile
  case deviceKeyMissing
  case askToRemoveLastCode
  case slotRemoved
  case weakestFace
  case weakestHelper
  case weakestPassphrase
  case passphraseAdded
  case codeAdded
  case facePassphraseAdded
  case noSuchKind(String)
  case slotKinds
  case rotateAsks
  case lookAtKeys
  case willBeDropped(id: String, kind: String, created: String)
  case rotated
  case askToRotate
  case oldCodeStays
  /// - Parameter replaced: how many passphrases opened the diary before and open it no more.
  case passphraseChanged(replaced: Int)
  case closedByRule
  case ruleChanged(String, from: String, to: String)
  case ruleIs(String, String)
  case ruleExpected(rule: String, value: String, expected: any Message)
  case durationBetween(least: String, most: String)
  case onOrOff
  case backupsAreWritable(String)
  case cameraOrWarm
  case cameraSeals([String])
  case cameraReadsFolder(String)
  case turnOnFacePassphrase
  case mended(Int)
  case whole(entries: Int, revisions: Int)
  case notWhole(problems: Int, entries: Int)
  case unfinished(Int)
  case keptFiles(Int)
  case restoreOrSalvage
  case fetchRestoreOrSalvage
  case repairForeign
  case repairSpare
}
