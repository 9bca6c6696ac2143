package import CommandLine

/// The window: what its page says, and what the command says about it.
///
/// The page gets all of the first kind at once, by their names; `{0}` in them stands for what the page puts there.
package enum WindowMessage: String, Sendable, CaseIterable {
  // The page.
  case appName, loading, pageOver, closedMeanwhile
  case doorTitle, doorFace, doorLooking, doorPassphrase, doorOpen, doorPinentry, doorPinentryWaits
  case doorPageField, doorTypeHere, doorSeesTyping, doorForgot, doorCode, filesLost, textsLost
  case textsKept, enrolInSettings, doorTriesLeft, doorLockedOut, doorWait, doorNeedsSecret
  case firstTitle, firstText, firstMake, firstAtTerminal, firstInDialog, firstNoTerminal,
    firstMakeCommand, firstRestore, firstRestoreText, firstRestoreFolder, firstRestoreNow
  case firstRestored, firstFace, firstJoin, firstJoinText, firstJoinNow, firstJoined, sharedFolder,
    pairingCode, setUpCamera, cameraText, cameraIsSetUp, dialogWords, stop, stopped
  case search, searchHint, newEntry, allEntries, starred, withPhotos, trash, journals
  case tags, kinds, calendar, previousMonth, nextMonth, goToDay, writeOnDay, onThisDay, nothingHere
  case nothingFound, firstEntry, conflictMark, openMenu
  case titleField, bodyField, bodyHint, dateField, untilField, journalField, kindField
  case placeField, weatherField, tagsField, none, save, cancel, preview, write, keptAt
  case keepFailed, unsaved, saved, savedEntry, discardAsk, discard, keepWriting, addPhotos
  case camera, takePhoto, takePhotoAsk, takePhotoNow, cameraRefused
  case removeFile, uploading, timeLeft, drafts, recover, recovered, discardKept
  case recoveredAsNew, conflictSave, saysNow, saveAnyway, filesRefused, foundCount
  case edit, star, unstar, moveToTrash, movedToTrash, undo, restore, restored, purge, purgeAsk,
    purged
  case changedSince
  case history, revision, showRevision, bringBack, back, download, tooLarge, attachments, words
  case previous, next, conflictTitle, conflictText, keepThis, keepBoth, someDevice
  case care, statistics, entriesCount, wordsCount, daysCount, streakNow, streakLongest, yearPicture
  case perMonth, ranking, rankNew, rankTags, rankKinds, rankJournals, rankWords
  case share, shareText, invite, inviteText
  case devices, noDevices, thisDevice, lastHeard, never, syncNow, syncing, synced, conflictsCount
  case lockNow, hide, hidden, show, keys, keysText, close, addJournal, journalName, add
  case draftOfNew, draftOfEdit, draftOfTemplate, names, rename, nameField, emojiField, fromField
  case toField, removeJournalAsk, entriesToTrash, entriesToJournal, addKind, removeKindAsk
  case mergeTags, mergeTagsAsk, entriesChanged, templates, addTemplate, templateField
  case removeTemplateAsk, emptyTrash, emptyTrashAsk, toEntries, previousYear, nextYear, yes, no
  case brokenOff, unreadableFile, lockingTitle, lockingText, lockingField, lockingMinute,
    lockingMinutes
  case habits, habitsText, habitSaved, languageField, inlineTagsField
  case verifyTitle, verifyText, verifyNow
  case savedAt, savesAfterFiles, detachAsk, detachNow, trashedSave, goneSave, saveAsNew
  case restoreAndSave, dateUnfinished, historyText, dayAndTime, allTags, doorDeclined, made
  case settings, backups, backupText, backupFolder, backupNow, backupLast, backupNone, backupMade
  case importTitle, importText, importChoose, importPreview, importNow
  case exportTitle, exportText, exportAsk, exportNow, exportMade, formatHTML, formatMarkdown,
    formatJSON
  case faces, facesText, showFaces, addFace, addFaceText, removeFaceAsk, remove, noFaces, noCamera
  case waysIn, wayPassphrase, wayRecovery, wayFace, wayFacePassphrase, addCode, changePassphrase
  case codeAdded, passphraseChanged, chooseFolder, removeWayAsk, wayRemoved, enlarge
  case inTerminal, inDialog, needsDialog, ownerAsk, photos, textOnly, addTag, noPhotos
  case openLinkAsk, open, busy, failed, entry, menu, closed, photo
  // The command.
  case trashChanged
  case fileTooLarge, importTooLarge, noMemory, tooManyFiles, uploadBroken, folderWanted, oneAtATime
  case serverEnded, noBrowser, nameBrowser, browserEnded, browserSilent, opened

  /// Those that the page has.
  package static let fixed: [WindowMessage] = Array(allCases.prefix { $0 != .trashChanged })

  /// Its name on the page.
  package var key: String { rawValue }
}

extension WindowMessage: Message {
  package func text(in language: Language) -> String { language.phrasebook.text(self) }
}
