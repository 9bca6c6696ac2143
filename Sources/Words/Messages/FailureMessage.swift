package import CommandLine

/// What the modules below could not do, and what helps.
package enum FailureMessage: Sendable {
  case thereAlready(String)
  case answerUnreadable
  case jsonAt(line: Int, column: Int, expected: String)
  case noDiary(String)
  case makeOne
  /// An advice for a diary that the command line named.
  indirect case withOptions(any Message, String)
  case notAVault(path: String, detail: any Message)
  case nameRightFile
  case olderFormat(String)
  case exportFirst
  case newerFormat(String)
  case update
  case damaged(subject: any Message, detail: any Message)
  /// A thing and its name: `entry 01abc`.
  case one(thing: any Message, name: String)
  case acceptIfKnown
  case replaceLostSlots
  case passphraseNotCause
  case copyObjectsToo(String)
  case tryAgainOrRecover
  case tampered(subject: any Message, detail: any Message)
  case rolledBack(subject: any Message, detail: any Message)
  case acceptIfYou
  case deviceStoreIsOld(any Message)
  case resetOldDevice
  case salvageOtherKey
  case salvageForeignKey
  case forked(subject: any Message, detail: any Message)
  case acceptToGoOn
  case makeNamed(String, String)
  case notTheRecoveryCode
  case notThePassphrase
  case copyOfItsOwn(String)
  case moveFileAway(String)
  case lostPassphrase
  /// In the place of the diary stands one that this device has never opened, though it has opened others.
  case perhapsExchanged(String)
  case replacedSince(any Message)
  case giveTodays
  case noWayIn(any Message)
  case notFound(thing: any Message, name: String)
  case ambiguous(name: String, thing: any Message)
  case because(subject: any Message, detail: any Message)
  case expected(subject: any Message, expected: any Message)
  case writerBusy
  case tryAgain
  case cannotBeWritten(path: String, detail: any Message)
  case diskFull
  case readFromReadOnly
  case nothingChanged
  case noAccess(path: String, detail: any Message)
  case cannotBeRead(path: String, detail: any Message)
  case copyToWritable
  case makeItTheDiary
  case noMemory(any Message)
  case raiseLimit
  case noFace
  case unlockThenEnroll
  case faceLockedOut
  case unlockOnce
  case deviceStoreDamaged(path: String, detail: any Message)
  case unlockThenEnrollAgain
  case deviceStoreGone
  case unlockWithSecret
  case faceNotEnough(any Message)
  case unlockOnceSeePolicy
  case waiting(Int)
  case recoveryWithoutWaiting
  case helperFailed(program: String, why: any Message)
  case resetIfGone
  case chmodPath(String)
  case chmodDirectory(String)
  case allowPath(String)
  case diaryBusy
  case verifierFailed(any Message)
  case openAlready
  case needsSecretNow
  case noLibsodium
  case passphraseSize
  case damagedData(String)
  case sessionEnded
  case openAgain
  case foreignSession
  case lockThenUnlock
  case sessionSilent
  case sessionFull
  case endWithLock
  case sessionOutdated
  case stillOpen(String)
  case killProcesses(String)
  case chipFailed(path: String, why: any Message)
  case joinChipGroup(path: String)
  case keepKeyElsewhere
  case waitOrReset
  case pinentryFailed(program: String, why: String)
  case openElsewhere
  case lockThere
  case closedUnknown
  case endKeepersYourself
  case socketFailed(String)
  case diskFullAt(String)
  case nameAnother
  case notRegularFile(String)
  case largerThan(path: String, limit: Int)
  case notOnPath(String)
  case cannotStart(program: String, why: String)
  case noAnswer(program: String, seconds: Int)
  case printedTooMuch(program: String, limit: Int)
  case programEnded(program: String, code: Int, says: String)
  case notCommand(String)
}
