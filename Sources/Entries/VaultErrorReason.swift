extension VaultError {
  /// What an error is about, where a person has a word for it.
  public enum Thing: String, Sendable, Codable, CaseIterable {
    case entry, revision, journal, kind, template, attachment, face
    case slot = "way in"
    case title, body, tag, tags, date, until, zone, location, weather, emoji, label, policy
    case entries, journals, kinds, templates, attachments
    case entryID = "entry id"
    case attachmentName = "attachment name"
    case attachmentType = "attachment type"
    case keySlots = "list of ways in"
    case deviceKey = "device key"
    case passphrase, record, message, search
    case device

    // Records of the vault, and what its devices share.
    case stateRecord = "state record"
    case directorySection = "directory section"
    case headerPage = "header page"
    case header, register, history
    case entryRow = "entry row"
    case entryRows = "entry rows"
    case row, database, keyring
    case keySlot = "key slot"
    case vaultKey = "vault key"
    case draftKey = "draft key"
    case object
    case searchIndex = "search index"
    case keptText = "kept text"
    case enrolledFaces = "enrolled faces"
    case session
    case segment, pack, roster, space
    case ownKeys = "this device's keys"
    case otherDevices = "what is kept of other devices"
    case foreignEntry = "an entry of other devices"
    case foreignName = "a name of other devices"
    case pairingCode = "pairing code"
    case pairingRequest = "pairing request"
    case recoveryCode = "recovery code"
  }

  /// Why, in a form that can be decided on and put into any language. Sizes are in bytes of UTF-8.
  public enum Reason: Sendable, Equatable, Codable {
    /// Nothing to add to the code.
    case none
    /// Words of another program: the operating system, SQLite, a helper.
    case said(String)

    // What was expected instead.
    case atMost(Int)
    case atMostAtOnce(Int)
    case atMostPerEntry(Int)
    case atMostBytes(Int)
    case atMostBytesWithoutSpaces(Int)
    case atMostBytesWithoutNUL(Int)
    case bytes(ClosedRange<Int>)
    case oneLine
    case oneLineOfBytes(Int)
    case atMostWords(Int)
    case nameOfBytes(Int)
    case fileNameOfBytes(Int)
    case mediaType
    case oneTebibyte
    case atMostWithOtherNames(Int, Int)
    case noNUL, notBlank, oneEmoji, ianaName
    case textTitleOrAttachment
    case notBeforeDate, startNotAfterEnd
    case yearsAndOffset, daysOfYears
    case idOrPosition, idOf26
    case withinBounds
    case passphraseOfBytes(ClosedRange<Int>)
    case noItems

    // Why it cannot be done now.
    case wasEditedMeanwhile
    case isThereAlready, hasEmojiAlready, isBuiltIn, inheritsItself
    case hasOtherContent
    case revisionIsNewer(UInt64)
    case hasOtherTexts(Int)
    case isBackupOfAnotherDiary, isNoBackup, backupIsOnlyRead, logNeedsWriting
    /// What was being done, and SQLite's number.
    case storageFailed(String)
    case isLastWayIn
    /// A passphrase that another key slot has already.
    case opensByThisAlready
    /// Of the space that a diary's devices share.
    case sharesAlready, sharesNothing, noSuchSpace, isThisDevice, isRevokedAlready, letsInNoMore,
      wasRevoked
    /// Changes wait behind so many removals that the owner has not agreed to.
    case changesWait(Int)
    /// A pairing code that names another space than the one whose device answered.
    case codeOfAnotherSpace
    /// The device that was asked to let this one in said no.
    case wasNotLetIn
    /// Another process moves objects between this diary and its place.
    case otherSync
    case wasReplacedWhileOpen, keyWasReplaced, wasChangedMeanwhile
    case deviceKeyWasReplaced, deviceKeyIsAtHand
    /// By what holds it, of a diary whose rows are gone.
    case deviceKeyIsOutOfReach(String)
    /// Of a diary whose rows are gone: this device opened it before, and nothing is left that says by which key and ways in.
    case nothingSaysWhatOpens
    /// A key in a TPM that asks for a PIN, and a diary that a face alone is to open again.
    case pinKeepsNothingWarm
    case otherLogIsThere
    case hasSecondName, isNotOfTheDiary, hasNotArrived
    case isInTrash, isNotInTrash
    case isNotStaged
    /// A backup that was copied only in part: something in it is missing or changed.
    case isNotWhole

    // What is wrong with the file.
    case missing
    case notTheOneItsParentKnows, notThoseTheVaultKnows
    case olderThanSession, olderThanDevice, notAContinuation
    /// Sealed under a vault key that was replaced, or one that does not follow the one known here.
    case keyWasRetired, keyIsForeign
    /// This device's own key.
    case deviceWasReplaced
    /// A diary whose key was replaced before a backup was made that is to be restored into it.
    case isOfEarlierKey
    case lockedMemory, memoryForArgon2id
    /// This many key slots that the state record knows are gone.
    case slotsMissing(Int)
    /// A key slot that was removed.
    case slotWasRemoved
    /// A recovery code that is not that of the space.
    case isNoSpaceCode
    /// A secret of an older copy that was replaced since.
    case isNoLongerValid
    case wasNeverOpenedHere
    /// Trying all passphrases together would take too long.
    case tooMuchWork
    case keyring([KeyringProblem])
    case sealDoesNotFit, malformed, limitsRefused, laterVersion, tooLarge
    case isCut, notUTF8
    case notAFile, notAFolder, folderWithoutVault, linkToNothing
    case stillOpen, cannotBeMovedAside
    /// The folder of another diary.
    case insideDiary(String)
    /// Another folder has the name now that a diary was to get.
    case wasMoved
    /// Something that is no diary's lies in the folder of a diary whose rows are gone.
    case isNoDiarysFolder
    /// An object, by its name.
    case objectMissing(String)
    case objectHasOtherLength(String)
    case objectIsAnother(String)
    case countsDoNotFit, sizeDoesNotFit, fileHasTwoSizes
    case isThereTwice, rowMissing, rowNamesOtherPage, rowNamesNoPage, belongsToNothing
    case rowsMissing(found: Int, known: Int)
    case knownTextMissing, revisionsOutOfOrder, ofAnotherEntry
    case notOfThisDiary, notTheOpenDiary
    case vaultKnowsNone, templatesGone, missingOrUnreadable

    case noLibsodium
    /// What is wrong with a program that keeps the device key or looks through the camera, or with its command.
    case program(ProgramTrouble)
    /// What is wrong with the chip that keeps the device key.
    case chip(ChipError.Trouble)
    /// The chip has counted sessions that this copy knows nothing of, fewer than it does, or none.
    case chipIsAhead, chipIsBehind, chipHasNoCounter
  }

  /// What is wrong with a program that keeps the device key or looks through the camera, or with its command.
  public enum ProgramTrouble: Sendable, Equatable, Codable {
    case noCommand, wordsWithoutLineBreaks, notOnPath
    case wordsOf(ClosedRange<Int>)
    case commandOfBytes(Int)
    case cannotStart(String)
    case noAnswerWithin(seconds: Int)
    case printedMoreThan(Int)
    case ended(operation: String, code: Int32, says: String)
    case noSecretLine, notHexadecimal
    case gaveUnknownKey, didNotKeepKey, hasNoKey
  }
}

extension VaultError.Reason: CustomStringConvertible {
  /// In English.
  public var description: String {
    switch self {
    case .none: ""
    case .said(let words): words
    case .atMost(let limit): "at most \(limit)"
    case .atMostWords(let limit): "at most \(limit) words"
    case .atMostAtOnce(let limit): "at most \(limit) at once"
    case .atMostPerEntry(let limit): "at most \(limit) per entry"
    case .atMostBytes(let limit): "at most \(limit) bytes"
    case .atMostBytesWithoutSpaces(let limit): "at most \(limit) bytes without spaces"
    case .atMostBytesWithoutNUL(let limit): "at most \(limit) bytes without NUL"
    case .bytes(let range): "\(range.lowerBound) to \(range.upperBound) bytes"
    case .oneLine: "one line"
    case .oneLineOfBytes(let limit): "one line of 1 to \(limit) bytes"
    case .nameOfBytes(let limit): "a name of 1 to \(limit) bytes in one line"
    case .fileNameOfBytes(let limit): "1 to \(limit) bytes without / or controls"
    case .mediaType: "a media type like image/jpeg"
    case .oneTebibyte: "at most 1 TiB"
    case .atMostWithOtherNames(let limit, let names): "at most \(limit), with \(names) other names"
    case .noNUL: "no NUL characters"
    case .notBlank: "not blank"
    case .oneEmoji: "one emoji"
    case .ianaName: "an IANA name"
    case .textTitleOrAttachment: "text, a title or an attachment"
    case .notBeforeDate: "not before the date"
    case .startNotAfterEnd: "a start that is not after the end"
    case .yearsAndOffset: "years 1 to 9999, offset within 18 hours"
    case .daysOfYears: "days of the years 1 to 9999"
    case .idOrPosition: "an id of 4 to 26 base32 characters, @last or @N"
    case .idOf26: "26 characters"
    case .withinBounds: "values within their bounds"
    case .passphraseOfBytes(let range):
      "\(range.lowerBound) to \(range.upperBound) bytes of UTF-8"
    case .noItems: "no items are wanted"
    case .wasEditedMeanwhile: "was edited in the meantime"
    case .isThereAlready: "already exists"
    case .hasEmojiAlready: "already has this emoji"
    case .isBuiltIn: "is built in and cannot be changed"
    case .inheritsItself: "cannot inherit from itself"
    case .hasOtherContent: "already exists with different content"
    case .revisionIsNewer(let number): "the newest revision is \(number)"
    case .hasOtherTexts(let count):
      "has \(count) more \(count == 1 ? "text" : "texts") from other devices"
    case .isBackupOfAnotherDiary: "is a backup of another diary"
    case .isNoBackup: "is not a backup"
    case .logNeedsWriting: "its last changes are in a log, which needs a folder that can be written"
    case .storageFailed(let detail):
      "the file system reported an error while the file was read or written (\(detail))"
    case .backupIsOnlyRead: "a backup is read-only"
    case .isLastWayIn: "is the last way in that needs no face"
    case .opensByThisAlready: "already has this passphrase; choose another one"
    case .sharesAlready: "sync is already set up for this diary"
    case .sharesNothing: "this diary has no other devices"
    case .noSuchSpace: "the place has no diary for this sync recovery code"
    case .isThisDevice: "is this device, which leaves with: facediary sync leave"
    case .isRevokedAlready: "is revoked already"
    case .wasRevoked: "this device was revoked"
    case .changesWait(let count):
      "\(count) \(count == 1 ? "deletion" : "deletions") by another device \(count == 1 ? "waits" : "wait") for your decision; revoking a device now loses what it wrote after its own"
    case .letsInNoMore:
      "this device can invite no more devices; invite from another one, or use facediary sync recover there"
    case .otherSync: "another sync of this diary is running"
    case .wasNotLetIn: "the other device refused this one"
    case .codeOfAnotherSpace: "the pairing code belongs to the devices of another diary"
    case .wasChangedMeanwhile: "was changed in the meantime; try again"
    case .wasReplacedWhileOpen: "was replaced or moved while it was open"
    case .keyWasReplaced: "its key was replaced in the meantime; close the diary and open it again"
    case .deviceKeyWasReplaced: "was replaced in the meantime; try again"
    case .deviceKeyIsOutOfReach(let holder): "its key cannot be read from \(holder)"
    case .nothingSaysWhatOpens: "this device no longer has a record of what opened the diary"
    case .deviceKeyIsAtHand: "can be read; there is nothing to reset"
    case .pinKeepsNothingWarm: "warm mode does not work with a device key that asks for a PIN"
    case .otherLogIsThere: "the log of another vault is still there; move it away"
    case .wasMoved:
      "another folder has this name now: somebody else may write to the folder above; choose another place"
    case .isNoDiarysFolder:
      "this does not belong to a diary; move it away, or choose another folder"
    case .hasSecondName:
      "the file has a second name (a hard link), and what is changed or removed here would stay there"
    case .isInTrash: "is in the trash"
    case .isNotInTrash: "is not in the trash"
    case .hasNotArrived: "has not arrived from the other devices yet"
    case .isNotOfTheDiary: "this is not a file that the diary made"
    case .isNotStaged: "is not among the objects"
    case .isNotWhole: "is incomplete: was it copied completely?"
    case .missing: "missing"
    case .notTheOneItsParentKnows: "not the one its parent knows"
    case .notThoseTheVaultKnows: "not those the vault knows"
    case .olderThanSession: "older than what this session has seen"
    case .olderThanDevice: "older than the last one seen here"
    case .notAContinuation: "not a continuation of the last one seen here"
    case .keyWasRetired: "its key has been replaced since"
    case .deviceWasReplaced: "this device was given another key since"
    case .isOfEarlierKey: "its key was replaced before this backup was made"
    case .keyIsForeign: "its key does not follow the one known here"
    case .lockedMemory: "locked memory"
    case .memoryForArgon2id: "memory for Argon2id"
    case .slotsMissing(let count): "\(count) of those the state record knows are missing"
    case .slotWasRemoved: "was removed, and put back"
    case .isNoLongerValid: "has been replaced since this copy was made"
    case .isNoSpaceCode: "this is not the recovery code for sync of this diary"
    case .wasNeverOpenedHere: "was never opened on this device"
    case .tooMuchWork: "passphrases that take no more than 10 GiB of Argon2id's work together"
    case .keyring(let problems): problems.map(\.description).joined(separator: ", ")
    case .sealDoesNotFit: "it failed the integrity check"
    case .malformed: "malformed"
    case .limitsRefused: "limits outside the accepted range"
    case .laterVersion: "a record of a later version"
    case .tooLarge: "too large"
    case .isCut: "is truncated"
    case .notUTF8: "not UTF-8"
    case .notAFile: "is not a file"
    case .notAFolder: "not a folder"
    case .folderWithoutVault: "a folder without a vault in it"
    case .linkToNothing: "is a link to a place that is not there; is its disk mounted?"
    case .insideDiary(let path): "is in the folder of another diary, \(path)"
    case .stillOpen: "is still open"
    case .cannotBeMovedAside: "cannot be moved aside"
    case .objectMissing(let name): "objects/\(name) is missing"
    case .objectHasOtherLength(let name): "objects/\(name) has the wrong length"
    case .objectIsAnother(let name): "objects/\(name) is not the expected file"
    case .countsDoNotFit: "its counts do not match"
    case .sizeDoesNotFit: "its size does not match"
    case .fileHasTwoSizes: "one of its files has two sizes"
    case .isThereTwice: "appears twice"
    case .rowMissing: "its row is missing"
    case .rowNamesOtherPage: "its row refers to another page"
    case .rowNamesNoPage: "refers to a page that does not exist"
    case .belongsToNothing: "does not belong to anything"
    case .rowsMissing(let found, let known): "\(found) are missing, not \(known)"
    case .knownTextMissing: "a text that other devices know is missing"
    case .revisionsOutOfOrder: "revisions out of order"
    case .ofAnotherEntry: "belongs to another entry"
    case .notOfThisDiary: "not a text of this diary"
    case .notTheOpenDiary: "is not the diary that is open"
    case .vaultKnowsNone: "the vault has no record of them"
    case .templatesGone: "the enrolled faces are missing"
    case .missingOrUnreadable: "missing or unreadable"
    case .noLibsodium: "libsodium"
    case .program(let trouble): trouble.description
    case .chip(let trouble): trouble.description
    case .chipIsAhead: "vault and device store are older than the counter of the TPM"
    case .chipIsBehind: "the counter of the TPM is behind what this device remembers"
    case .chipHasNoCounter: "the TPM has lost the counter of this diary"
    }
  }
}

extension VaultError.ProgramTrouble: CustomStringConvertible {
  /// In English.
  public var description: String {
    switch self {
    case .noCommand: "is not a command"
    case .wordsWithoutLineBreaks: "expected words without line breaks"
    case .notOnPath: "is not on the PATH"
    case .wordsOf(let range): "expected \(range.lowerBound) to \(range.upperBound) words"
    case .commandOfBytes(let limit): "expected a command of at most \(limit) bytes"
    case .cannotStart(let why): "cannot be started: \(why)"
    case .noAnswerWithin(let seconds): "did not answer within \(seconds) seconds"
    case .printedMoreThan(let limit): "printed more than \(limit) bytes"
    case .ended(let operation, let code, let says):
      "\(operation) failed with exit code \(code)" + (says.isEmpty ? "" : ": \(says)")
    case .noSecretLine: "did not print secret=…"
    case .notHexadecimal: "did not print 64 hexadecimal digits"
    case .gaveUnknownKey: "returned a key that was never stored"
    case .didNotKeepKey: "did not store the device key"
    case .hasNoKey: "has no key for this diary"
    }
  }
}
