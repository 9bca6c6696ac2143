package import CommandLine

/// Making, opening and closing the diary, and how it stands.
package enum OpeningMessage: Sendable {
  case thisIsRecoveryCode
  case codeIsVoid
  case codeMayCount
  case needsNewPassphrase(String)
  case givePassphraseOrNone
  case giveNewPassphraseFile
  case newPassphrasePrompt
  case sameAgainPrompt
  case passphrasesDiffer
  case shortPassphrase
  case passphraseIsCode
  case askToUseIt
  case locked
  case showFaceOrGivePassphrase
  case openWithUnlock
  case needsSecretNow(String)
  case giveSecretFile
  case faceOrPassphraseWrong(Int)
  case givePassphraseBesideFace
  case notTheFace(Int)
  case severalFramesOrPassphrase
  case orUsePassphrase
  case passphrasePrompt
  case recoveryCodePrompt
  case pairingCodePrompt
  case spaceCodePrompt
  case oneSecretOnly
  case notARecoveryCode
  case recoveryCodeForm
  case keepsFormerState
  case inPlaceOfAnother(String)
  case deviceStoreBehind(String, any Message)
  case faceStaysLocked(any Message)
  case logRestored
  case isBackup(String)
  case deviceStoreRemade
  case deviceMemoryGone
  case firstOpeningHere
  case vaultWasReadable(String)
  case vaultIsReadable(String)
  case folderIsWritable(String)
  case deviceStorePutAside(String)
  case keySlotCopyBroken(any Message)
  case closed
  case cameraChanged(String)
  case asksInWindow(command: String, vault: String)
  case noPinentry(String)
  case dialogOrJSON
  case noDialog
  case installPinentry
  case codeIsWritten
  case codeIsNotWritten
  case pinPrompt
  case newPINPrompt
  case pinsDiffer
  case givePINFile
  case giveNewPINFile
  case needsNewPIN
  case confirmCamera
  case vault(String)
  case noDiaryYet
  indirect case open(by: OpeningMessage, idle: Int, life: Int)
  indirect case closedOpensBy([OpeningMessage])
  /// `face`, `passphrase` or `recovery`, as JSON calls it.
  case way(String)
  case facesEnrolled(count: Int, triesLeft: Int)
  case faceLockedOut
  case noFaceHere
  case openElsewhere
  /// So many are kept.
  case unsavedTexts(Int)
  case faceDataUnreadable
  case recognised(similarity: String, threshold: String)
  case openUntil(time: String, isTomorrow: Bool, idle: Int)
  case policyAllowsLess(String)
  case nothingGiven
  case wordsOfWindow(String)
  case askToMakeDiary
  case nothingMade
  case noPassphraseContradicts(String)
  case made(String)
  case nextEnroll
  case nextUnlock
  case chipIsThere
}

extension OpeningMessage {
  /// What asks for a secret that is to come from the terminal.
  package static func prompt(for purpose: InputPurpose) -> OpeningMessage {
    switch purpose {
    case .recoveryCode: .recoveryCodePrompt
    case .pairingCode: .pairingCodePrompt
    case .spaceCode: .spaceCodePrompt
    case .pin: .pinPrompt
    default: .passphrasePrompt
    }
  }
}
