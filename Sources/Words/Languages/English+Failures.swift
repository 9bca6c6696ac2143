internal import CommandLine
internal import Entries

extension English {
  static func text(_ message: FailureMessage) -> String {
    switch message {
    case .thereAlready(let path):
      "\(path) already exists and was not changed"
    case .answerUnreadable:
      "the session's answer cannot be read"
    case .jsonAt(let line, let column, let expected):
      "line \(line), column \(column): expected \(expected)"
    case .noDiary(let path):
      "there is no diary at \(path)"
    case .withOptions(let advice, let options):
      "\(advice.text(in: .english)) (with \(options))"
    case .makeOne:
      "to create one: facediary init; if there was one before, check that its disk is connected, or restore a backup: facediary restore-backup BACKUP"
    case .notAVault(let path, let detail):
      "\(path) is not a diary vault, or its beginning is damaged (\(detail.text(in: .english)))"
    case .nameRightFile:
      "name the right folder with --vault or FACEDIARY_VAULT; if this is the right one, restore a backup (facediary restore-backup BACKUP), or copy what can still be read (facediary salvage OUT)"
    case .olderFormat(let path):
      "\(path) has a format from before the first release"
    case .exportFirst:
      "export it with the program that wrote it, and import that"
    case .newerFormat(let path):
      "\(path) was written by a newer facediary"
    case .update:
      "update facediary"
    case .damaged(let subject, let detail):
      "damaged: \(subject.text(in: .english)) (\(detail.text(in: .english)))"
    case .one(let thing, let name):
      "\(thing.text(in: .english)) \(name)"
    case .acceptIfKnown:
      "if you know why, continue with: facediary accept-rollback"
    case .replaceLostSlots:
      "on a device that still has them, run facediary verify --repair; or replace all of them with facediary keys rotate"
    case .copyObjectsToo(let path):
      "this copy needs the folder objects that is next to the original backup: copy that folder into the directory that contains this copy; or copy what can still be read: facediary salvage OUT --vault '\(path)'"
    case .passphraseNotCause:
      "your passphrase is not the cause; for details: facediary verify"
    case .tryAgainOrRecover:
      "because of this damage, a mistyped passphrase cannot be recognised: try it again, or give the recovery code with --recovery-file"
    case .tampered(let subject, let detail):
      "\(subject.text(in: .english)) was altered (\(detail.text(in: .english)))"
    case .rolledBack(let subject, let detail):
      "an older copy of the diary was put back (\(subject.text(in: .english)): \(detail.text(in: .english)))"
    case .salvageForeignKey:
      "if its key was replaced on two devices at once, copy its entries into a new diary: facediary salvage OUT"
    case .salvageOtherKey:
      "put the newer diary back; to copy what only this copy has, run facediary salvage with a passphrase or recovery code that was valid then"
    case .deviceStoreIsOld(let detail):
      "the device store is an older copy: \(detail.text(in: .english))"
    case .resetOldDevice:
      "put the newer copy back, or create a new device key: facediary device reset"
    case .acceptIfYou:
      "if that was you, continue with: facediary accept-rollback"
    case .forked(let subject, let detail):
      "this copy of the diary was changed somewhere else (\(subject.text(in: .english)): \(detail.text(in: .english)))"
    case .makeNamed(let command, let name):
      "for a list: facediary \(command); to create it: facediary \(command) add '\(name)'"
    case .acceptToGoOn:
      "to continue from this copy: facediary accept-rollback"
    case .notTheRecoveryCode:
      "wrong recovery code"
    case .notThePassphrase:
      "wrong passphrase"
    case .copyOfItsOwn(let path):
      "close the diary and give it a file of its own: cp -p '\(path)' '\(path).copy' && mv '\(path).copy' '\(path)'"
    case .moveFileAway(let path):
      "no entry is in it; move it away: mv '\(path)' '\(path).moved'"
    case .perhapsExchanged(let path):
      "this device has opened other diaries, but never the one in \(path). If this should be your diary, its file was exchanged for another diary's: restore a backup with facediary restore-backup"
    case .lostPassphrase:
      "if you have forgotten it, open the diary with the recovery code: facediary unlock --recovery-file -"
    case .replacedSince(let kind):
      "this \(kind.text(in: .english)) opens the copy, but was replaced after the copy was made"
    case .giveTodays:
      "give one that is valid now; if the diary's key was replaced after the copy was made, copy the entries with: facediary salvage OUT"
    case .noWayIn(let kind):
      "the diary has no way in by \(kind.text(in: .english))"
    case .notFound(let thing, let name):
      "no \(thing.text(in: .english)) \(name)"
    case .ambiguous(let name, let thing):
      "\(name) matches more than one \(thing.text(in: .english))"
    case .because(let subject, let detail):
      because(subject.text(in: .english), detail.text(in: .english))
    case .expected(let subject, let expected):
      "\(subject.text(in: .english)): expected \(expected.text(in: .english))"
    case .writerBusy:
      "another process is writing to the diary"
    case .tryAgain:
      "try again in a moment"
    case .cannotBeWritten(let path, let detail):
      "\(path) cannot be written (\(detail.text(in: .english)))"
    case .diskFull:
      "the disk is full"
    case .readFromReadOnly:
      "to read a diary on a disk that cannot be written, name another folder for what this device remembers, and give the passphrase: --device FOLDER"
    case .nothingChanged:
      "nothing was changed"
    case .cannotBeRead(let path, let detail):
      "\(path) cannot be read (\(detail.text(in: .english)))"
    case .copyToWritable:
      "copy the whole folder to a disk that can be written, and open the copy"
    case .makeItTheDiary:
      "if it is in the folder where the diary should be, move it to another folder; then make it the diary: facediary restore-backup FOLDER"
    case .noAccess(let path, let detail):
      "no access to \(path) (\(detail.text(in: .english)))"
    case .noMemory(let what):
      "cannot get \(what.text(in: .english))"
    case .raiseLimit:
      "raise the limit with: ulimit -l 1024 (kilobytes)"
    case .noFace:
      "no face is enrolled on this device"
    case .unlockThenEnroll:
      "unlock with the passphrase, then: facediary enroll FILE…"
    case .faceLockedOut:
      "the face is locked out after too many refusals"
    case .unlockOnce:
      "open the diary once with the passphrase or the recovery code"
    case .deviceStoreDamaged(let path, let detail):
      "this device's store is damaged: \(path) (\(detail.text(in: .english)))"
    case .unlockThenEnrollAgain:
      "unlock with the passphrase or the recovery code, then enrol again"
    case .deviceStoreGone:
      "the diary was opened here before, and its device store is gone"
    case .unlockWithSecret:
      "unlock with the passphrase or the recovery code"
    case .faceNotEnough(let why):
      "a face is not enough now: \(why.text(in: .english))"
    case .unlockOnceSeePolicy:
      "open the diary once with the passphrase or the recovery code; see: facediary policy"
    case .waiting(let seconds):
      "too many wrong or interrupted attempts; try again in \(counted(seconds, "second", "seconds"))"
    case .recoveryWithoutWaiting:
      "the recovery code opens the diary without waiting"
    case .helperFailed(let program, let why):
      "the helper that keeps the device key failed (\(program): \(why.text(in: .english)))"
    case .resetIfGone:
      "if the device key is permanently lost, or its TPM does not count any more: facediary device reset; if the diary is damaged or missing as well, run this again with --device and the name of a new folder, or copy what can still be read: facediary salvage OUT"
    case .chmodPath(let path):
      "other users could read or change it; to prevent that: chmod go= '\(path)'. If the file has a second name (a hard link), replace it with a copy: cp -p '\(path)' '\(path).new' && mv '\(path).new' '\(path)'"
    case .chmodDirectory(let path):
      "if it is a directory of your own that others may use: chmod go= '\(path)'; otherwise, name another directory"
    case .allowPath(let path):
      "to let yourself, and nobody else, read and write it: chmod -R u=rwX,go= '\(path)'"
    case .diaryBusy:
      "another process is using the diary"
    case .verifierFailed(let why):
      "the verifier failed: \(why.text(in: .english))"
    case .openAlready:
      "the diary is already open"
    case .needsSecretNow:
      "this needs the passphrase or the recovery code, even while the diary is open"
    case .noLibsodium:
      "libsodium could not be started"
    case .passphraseSize:
      "a passphrase must have 1 to 1024 bytes of UTF-8"
    case .damagedData(let what):
      "damaged data (\(what))"
    case .sessionEnded:
      "the session has ended"
    case .openAgain:
      "open it again with: facediary unlock"
    case .foreignSession:
      "the running session belongs to another version or user"
    case .lockThenUnlock:
      "end it with: facediary lock, then unlock again"
    case .sessionFull:
      "the diary is open, but too many programs are using it"
    case .sessionSilent:
      "the running session does not answer; the diary may still be open"
    case .endWithLock:
      "end it with: facediary lock"
    case .sessionOutdated:
      "the running session belonged to another version and was told to end"
    case .stillOpen(let processes):
      "the diary may still be open: process \(processes) could not be ended"
    case .killProcesses(let processes):
      "end it with: kill -9 \(processes.replacing(",", with: ""))"
    case .chipFailed(let path, let why):
      "\(path): \(why.text(in: .english))"
    case .joinChipGroup(let path):
      "add your user to the group that \(path) belongs to, usually tss, and log in again"
    case .keepKeyElsewhere:
      "keep the device key in a file or with a helper (facediary device --help); if it is in the TPM already and the diary does not open: facediary device reset"
    case .waitOrReset:
      "wait, or create a new device key with the passphrase or recovery code: facediary device reset; if the diary is damaged or missing, run this again with --device and the name of a new folder"
    case .pinentryFailed(let program, let why):
      "\(program) could not ask for the secret: \(why)"
    case .openElsewhere:
      "the diary is still open in a process that cannot be seen from here"
    case .lockThere:
      "run facediary lock in the container where it was opened, or quit the app that has it open"
    case .closedUnknown:
      "cannot tell whether the diary is closed: /proc cannot be read"
    case .endKeepersYourself:
      "end all processes whose names begin with \"fdk:\""
    case .socketFailed(let why):
      "the session's socket cannot be created: \(why)"
    case .diskFullAt(let path):
      "\(path): the disk is full"
    case .nameAnother:
      "give another name with -o"
    case .notRegularFile(let path):
      "\(path) is not a regular file; it was not touched"
    case .largerThan(let path, let limit):
      "\(path): larger than \(limit) bytes"
    case .notOnPath(let program):
      "program \(program) is not on the PATH"
    case .cannotStart(let program, let why):
      "\(program) cannot be started: \(why)"
    case .noAnswer(let program, let seconds):
      "\(program) did not answer within \(seconds) seconds"
    case .printedTooMuch(let program, let limit):
      "\(program) printed more than \(limit) bytes"
    case .programEnded(let program, let code, let says):
      "\(program) failed with exit code \(code)\(says)"
    case .notCommand(let words):
      "not a command: \(words)"
    }
  }

  static func text(_ message: VectorMessage) -> String {
    switch message {
    case .empty(let source):
      "\(source) contains no vector"
    case .notVectors(let source):
      "\(source) is not a vector file"
    case .vectorForms:
      "the formats are npy, JSON, CSV, fvecs, and raw float32 in a file named .f32"
    case .malformed(let source, let place, let expected):
      "\(source), \(place): expected \(expected)"
    case .notFinite(let source, let row, let component):
      "\(source), row \(row), component \(component): expected a finite float32 number"
    case .allZero(let source, let row):
      "\(source), row \(row): all components are zero"
    case .dimension(let source, let count):
      "\(source): \(count) components; expected 16 to 8192"
    case .unequalRows(let source, let row, let count, let expected):
      "\(source), row \(row): \(count) components; expected \(expected)"
    case .elementType(let source, let type):
      "\(source): elements of type \(type); expected float16, float32 or float64"
    case .pickled(let source):
      "\(source): pickled Python objects are not supported"
    case .saveWithoutPickle:
      "save the array with numpy.save(…, allow_pickle=False)"
    case .fortranOrder(let source):
      "\(source): rows in Fortran order are not supported"
    case .saveContiguous:
      "save numpy.ascontiguousarray(…) instead"
    case .shape(let source, let shape):
      "\(source): shape \(shape); expected one vector, or rows of them"
    case .truncated(let source, let found, let expected):
      "\(source): ends at byte \(found); expected \(expected) bytes"
    case .trailingBytes(let source, let offset):
      "\(source): unexpected bytes after the data, from byte \(offset)"
    case .tooManyRows(let source, let limit):
      "\(source): more than \(limit) vectors"
    case .tooFewFrames(let source, let found, let wanted):
      "\(source): \(counted(found, "frame", "different frames")); this face was calibrated for \(wanted) frames (repeat --face)"
    case .otherDimension(let source, let found, let expected):
      "\(source): \(found) components; expected \(expected)"
    case .otherModel(let source, let found, let expected):
      "\(source): made by the model \(found); expected \(expected)"
    }
  }

  static func text(_ expectation: ImportExpectation) -> String {
    switch expectation {
    case .end: "the end of the text"
    case .entries: "entries"
    case .anEntry: "an entry"
    case .anArrayOfEntries: "an array of entries"
    case .anEntryOrAnExport: "an entry or an export"
    case .anArrayOrAnObject: "an array or an object"
    case .anObject: "an object"
    case .anObjectALine: "one object per line"
    case .anArrayOf(let what): "an array of \(what)"
    case .formatOne: "format 1; this file has a later format"
    case .field(let field): "the field \"\(field)\""
    case .text(let field): "text in the field \"\(field)\""
    case .texts(let field): "an array of strings in the field \"\(field)\""
    case .flag(let field): "true or false in the field \"\(field)\""
    case .array(let field): "an array in the field \"\(field)\""
    case .object(let field): "an object in the field \"\(field)\""
    case .date(let field): "a date like 2026-03-01T09:30:00+09:00 in the field \"\(field)\""
    case .day(let field): "a day like 2026-03-01 in the field \"\(field)\""
    case .id(let field): "26 base32 characters in the field \"\(field)\""
    case .atMost(let limit, let field): "at most \(limit) in the field \"\(field)\""
    case .entryOfAtMost(let limit): "an entry of at most \(limit) bytes"
    case .aValue: "a value"
    case .aDate: "a date"
    case .aDateAndTime: "a date like 2026-03-01 and a time like 09:30"
    case .aMonthOfDays: "the days of a month, as RedNotebook writes them"
    case .aDateInUTC: "a date like 2026-03-01T00:30:00Z"
    }
  }

  static func text(_ thing: VaultError.Thing) -> String { thing.rawValue }

  static func text(_ reason: VaultError.Reason) -> String { reason.description }

  static func text(_ part: DamagedPart) -> String { part.description }

  /// `entry 96g2j511 is in the trash`, `/path: no space left`.
  private static func because(_ subject: String, _ detail: String) -> String {
    let isPredicate = ["is", "was", "has", "cannot", "already", "does", "belongs", "opens"]
      .contains { detail.hasPrefix($0 + " ") }
    return subject + (isPredicate ? " " : ": ") + detail
  }
}
