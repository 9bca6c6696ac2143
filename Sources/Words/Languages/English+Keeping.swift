internal import CommandLine
internal import Entries

extension English {
  static func text(_ message: KeepingMessage) -> String {
    switch message {
    case .acceptedRollback:
      "accepted; the diary continues from this copy"
    case .acceptedElsewhere:
      "an older copy of the diary was accepted on another device; the diary continues from that copy"
    case .newestBackup(let path):
      "using the newest backup in that directory: \(path)"
    case .setBackupFolder:
      "name a directory, or set one for every backup: facediary config set backup DIRECTORY"
    case .nothingToAccept:
      "this is the newest copy that this device knows; there is nothing to accept"
    case .olderCopy(let entries, let remembered):
      "this copy has \(counted(entries, "entry", "entries")); when this device last saw the diary, it had \(remembered)"
    case .olderCopyLacks(let count):
      "this copy lacks \(counted(count, "entry", "entries")) added since, and all edits made since"
    case .olderCopySlot(let kind, let created):
      "this copy has a way in that has since been removed; it stays removed: \(kind.text(in: .english)), created \(created)"
    case .olderCopyLost(let count):
      "\(counted(count, "current way in is", "current ways in are")) lost: neither this copy nor this device has \(count == 1 ? "it" : "them")"
    case .waysInLost(let count):
      "\(counted(count, "current way in", "current ways in")) could not be kept and no longer \(count == 1 ? "opens" : "open") the diary. Check them with facediary keys, and add what you need: facediary keys add passphrase, facediary keys add recovery"
    case .notRemoved(let path):
      "\(path) could not be removed"
    case .copyOfLaterKey:
      "the diary's key was replaced after this device last saw the diary. The ways in are those made with the new key. Continue only if you replaced the key"
    case .olderCopyPolicy:
      "the policy has been changed since then; the stricter of the two applies"
    case .olderCopyFaces:
      "other faces were enrolled on this device when the copy was made; the current faces stay"
    case .olderCopyUnknown(let entries):
      "this device has no record of the diary: everything in this copy comes back (\(counted(entries, "entry", "entries")), its ways in and its policy)"
    case .faceKeepsPassphrase(let id):
      "the way in \(id) (face and passphrase) still uses the passphrase it was created with; to remove it: facediary keys remove \(id)"
    case .faceDropped(let id, let created):
      "a face on another device no longer opens the diary by itself: way in \(id), created \(created)"
    case .notDirectory(let path):
      "\(path) is not a directory; it was not touched"
    case .notWholeKeptOlder:
      "the diary is damaged, so no older backup was removed"
    case .lookWithVerify:
      "for details: facediary verify"
    case .removedOlder(let count):
      "older backups removed: \(count)"
    case .backupMade(let path):
      "backup made: \(path)"
    case .backupLacksFiles(let count):
      "photos or files that are missing from the diary, and from this backup: \(count). To see which: facediary verify. An earlier backup may have them"
    case .restoreAsks:
      "restore-backup asks for confirmation, but there is no terminal"
    case .giveYes:
      "to confirm, add --yes"
    case .restored:
      "the diary now has the content of the backup"
    case .notByPolicy(let rule):
      "\(rule) cannot be turned on with policy set"
    case .noBackupIn(let path):
      "there is no backup in \(path)"
    case .bringsBack(let made, let entries):
      "this diary syncs with other devices, so it is not replaced: the \(counted(entries, "entry", "entries")) of the backup made on \(made) will be restored as they were then, on all devices; what was written since stays"
    case .broughtBack(let count):
      "\(counted(count, "entry was", "entries were")) restored from the backup"
    case .moveAway(let vault):
      "move \(vault) to another folder, then run this again: the backup then becomes the diary"
    case .readOtherBackup(let backup):
      "read it with: facediary list --vault '\(backup)'; to restore it as a separate diary, give --vault a path that does not exist yet"
    case .moveDeviceStoreAway(let path):
      "if you put it back yourself, move \(path) to another folder and run this again: the device then starts with a new store"
    case .giveUpDeviceStore(let path):
      "if you cannot restore what was in \(path), move it to another folder and run this again: the device then starts with a new store, and the diary opens with the passphrase or recovery code of the backup"
    case .moveFileAway(let path):
      "move \(path) to another folder, then unlock with the passphrase or the recovery code"
    case .beginDeviceAnew(let path):
      "if the key is permanently lost, move \(path) to another folder and run this again: the device then starts with a new store"
    case .replaceKeyForDevices:
      "to forget devices that are no longer used, replace the key: facediary keys rotate"
    case .otherKey:
      "the backup was made with another key, and this passphrase or code does not open it"
    case .giveBackupPassphrase:
      "if the passphrase has been replaced since the backup was made, give the one that was valid then with --backup-passphrase-file, and the current one, too"
    case .replaces(let present, let entries, let made):
      "the diary now has \(counted(present, "entry", "entries")); it will be replaced by the backup made on \(made), with \(counted(entries, "entry", "entries"))"
    case .becomes(let made, let entries):
      "the backup made on \(made), with \(counted(entries, "entry", "entries")), will become the diary"
    case .backupLacks(let files):
      "\(counted(files, "photo or file is", "photos and files are")) missing from the backup"
    case .keyReplacedElsewhere:
      "the diary's key was replaced on another device"
    case .leftSpace(let device, let id):
      if id.isEmpty {
        "the diary no longer syncs with other devices. Copies made before can still sync as this device, whose old name cannot be read. To sync again, use facediary sync join or facediary sync recover; then find the old device with facediary sync devices and revoke it with facediary sync revoke"
      } else {
        "the diary no longer syncs with other devices. Copies made before can still sync as the device \"\(device)\". To sync again, use facediary sync join or facediary sync recover; then revoke the old device: facediary sync revoke \(id)"
      }
    case .willLeaveSpace:
      "this diary will stop syncing with its other devices, because copies made before contain its sync keys"
    case .goOn:
      "Continue?"
    case .lost(let what):
      "lost: \(what.text(in: .english))"
    case .othersLost(let count):
      "lost: \(count) more"
    case .otherProblems(let count):
      "\(counted(count, "more problem", "more problems")), not listed"
    case .onlyOlder(let count):
      "for \(counted(count, "entry", "entries")), only an older text could be opened"
    case .nameless(let count):
      "\(counted(count, "text lost its title, date and tags; it was saved", "texts lost their title, date and tags; they were saved")) with today's date"
    case .openRescued(let path): "open it with: facediary unlock --vault \(path)"
    case .rescued(let entries, let attachments, let path):
      "rescued: \(counted(entries, "entry", "entries")), \(counted(attachments, "attachment", "attachments")), into \(path)"
    case .deviceKeyInFile:
      "the device key was replaced; the new key is in a file, and the old key no longer works"
    case .deviceKeyByHelper:
      "the device key was replaced; the helper keeps the new key, and the old key no longer works"
    case .deviceKeyInChip:
      "the device key was replaced; the TPM seals the new key, without a PIN, and the old key no longer works"
    case .deviceKeyInChipWithPIN:
      "the device key was replaced; the TPM seals the new key, with a PIN, and the old key no longer works"
    case .deviceBegunAnew:
      "this device now has a new key, kept in a file. The way in by face that used the lost key is still in the vault: find it with facediary keys, and remove what you do not recognise with facediary keys remove ID"
    case .deviceStore(let path):
      "device store: \(path)"
    case .keptBy(let helper):
      "device key: kept by \(helper)"
    case .keptInChip:
      "device key: sealed by the TPM"
    case .keptInFile:
      "device key: in a file in the device store"
    case .deviceKeyMissing:
      "the device key cannot be read now; see: facediary device --help"
    case .askToRemoveLastCode:
      "This is the only recovery code. Without one, nobody can recover the diary if you forget the passphrase. Remove it?"
    case .slotRemoved:
      "removed; older copies of the vault still open with it"
    case .weakestFace:
      "the weakest way in is the face: anyone who has the vault and the file of the device key can open the diary without a face. A TPM, a helper, warm mode or face-passphrase mode prevents that"
    case .weakestHelper:
      "the weakest way in is the face, together with what the TPM or helper that keeps the device key asks for"
    case .weakestPassphrase:
      "the weakest way in is the passphrase; a longer passphrase is harder to guess"
    case .passphraseAdded:
      "added; the other passphrases stay valid"
    case .codeAdded:
      "added; the other recovery codes stay valid"
    case .facePassphraseAdded:
      "added; from now on this device's face opens the diary only together with that passphrase"
    case .noSuchKind(let name):
      "unknown kind of way in: \(name)"
    case .slotKinds:
      "use one of: passphrase, recovery, face-passphrase"
    case .rotateAsks:
      "keys rotate removes ways in and asks for confirmation, but there is no terminal"
    case .lookAtKeys:
      "check the ways in with facediary keys, then add --yes"
    case .willBeDropped(let id, let kind, let created):
      "will be removed: \(id) \(kind), created \(created)"
    case .rotated:
      "everything is now encrypted with a new key. Copies made before still open with the old key: delete those you do not need, and make a new backup"
    case .askToRotate:
      "The old recovery code stays valid until you answer yes. Have you written down the new code, and do you want to replace the key now?"
    case .oldCodeStays:
      "nothing was changed; the old recovery code is still valid"
    case .passphraseChanged(let replaced):
      (replaced > 1
        ? "the new passphrase replaces all \(replaced) that the diary had"
        : "the passphrase was changed")
        + "; older copies of the vault still open with a passphrase that was replaced (see: facediary keys rotate)"
    case .ruleChanged(let rule, let old, let new): "changed \(rule) from \(old) to \(new)"
    case .closedByRule:
      "the diary was closed so that the new setting takes effect; open it with: facediary unlock"
    case .ruleIs(let rule, let value): "\(rule) is already \(value)"
    case .ruleExpected(let rule, let value, let expected):
      "\(rule) must be \(expected.text(in: .english)), not \(value)"
    case .durationBetween(let least, let most):
      "a duration with a unit, from \(least) to \(most)"
    case .cameraOrWarm:
      "camera and warm cannot both be on: in warm mode, FaceDiary cannot tell which program a face came from"
    case .backupsAreWritable(let folder):
      "other users can write to \(folder) and could remove or replace the backups in it. To prevent that: chmod go-w \(folder)"
    case .cameraSeals(let files):
      "a change of these files is noticed when a face is asked for: \(files.joined(separator: ", "))"
    case .cameraReadsFolder(let folder):
      "the files in \(folder) are not checked: anyone who can change one of them can decide what the program prints"
    case .onOrOff:
      "on or off"
    case .turnOnFacePassphrase:
      "turn it on with: facediary keys add face-passphrase"
    case .mended(let count):
      "repaired: \(count)"
    case .problem(let severity, let what, let why, let next):
      "\(severity.rawValue): \(what): \(why); \(next)"
    case .whole(let entries, let revisions):
      "no problems found: checked \(counted(entries, "entry", "entries")) and \(counted(revisions, "revision", "revisions"))"
    case .notWhole(let problems, let entries):
      "found \(counted(problems, "problem", "problems")); \(counted(entries, "entry", "entries")) can be read"
    case .unfinished(let count):
      "\(counted(count, "incomplete attachment takes", "incomplete attachments take")) up space; to remove them, together with everything in the trash: facediary purge"
    case .keptFiles(let count):
      "\(counted(count, "attachment belongs", "attachments belong")) to a text that is not saved yet; save it where you write it, or with: facediary write --recover"
    case .fetchRestoreOrSalvage:
      "fetch it from where your devices meet (facediary sync repair); if it is not there, restore a backup (facediary restore-backup BACKUP), or copy what can still be read (facediary salvage OUT)"
    case .restoreOrSalvage:
      "restore a backup (facediary restore-backup BACKUP), or copy what can still be read (facediary salvage OUT)"
    case .repairForeign:
      "your entries are unchanged. facediary verify --repair removes the foreign data, or rewrites the file. Find out what else writes to this vault"
    case .repairSpare:
      "this is a redundant copy, and your entries are unchanged; facediary verify --repair writes it again"
    }
  }

  static func text(_ message: ExchangeMessage) -> String {
    switch message {
    case .markdownIsFolder:
      "markdown writes a folder: name a new one with -o"
    case .attachmentsAreForJSON:
      "--attachments is for json; markdown and html do not need it"
    case .exportedUnsealed:
      "the export is not encrypted"
    case .wroteEntries(let count, let path):
      "wrote \(counted(count, "entry", "entries")) to \(path)"
    case .filesNotTaken(let count):
      "\(counted(count, "photo or file is", "photos or files are")) not in this format; markdown, html and json can hold them"
    case .filesLeft(let count):
      "\(counted(count, "photo or file is named but not included; add it", "photos or files are named but not included; add them")) with --attachments DIR"
    case .nameNewFolder:
      "name a new folder"
    case .diary:
      "Diary"
    case .contents: "Contents"
    case .historyIsForJSON: "only the json format can contain the history"
    case .isFolder(let path, let format):
      "\(path) is a folder, but the format \(format) is a file"
    case .markdownWantsFolder(let path):
      "\(path) is a file, but this format is a folder"
    case .lost(.attachment, let name, let count):
      "not imported: \(name), which \(counted(count, "entry names", "entries name")), is missing"
    case .lost(.field, let name, let count):
      "not imported: the field \(name) of \(counted(count, "entry", "entries")), which is not supported"
    case .lost(.file, let path, _):
      "not imported: \(path), because it has no date"
    case .lost(.folder, let path, _):
      "not imported: everything in \(path), which cannot be opened or is more than 16 folders deep"
    case .lost(.entry, let place, _): "not imported: \(place)"
    case .lost(.trashed, let place, _):
      "not imported: \(place), which was in the trash"
    case .lost(.unread, let place, _): "not imported: \(place), which no entry refers to"
    case .lost(.empty, let place, _): "not imported: \(place), which is empty"
    case .moreLost(let count):
      "not imported: \(counted(count, "other item", "other items")); --json lists everything"
    case .encrypted(let name): "\(name) is encrypted"
    case .noTextOrEncrypted(let name): "\(name) is not text; it may be encrypted"
    case .emptyFile(let name): "\(name) is empty"
    case .utf16(let name): "\(name) is UTF-16 text; FaceDiary imports UTF-8"
    case .convertFrom(let name):
      "if it is text in another encoding, convert it first: iconv -f SHIFT_JIS -t UTF-8 '\(name)' > NEW-FILE"
    case .convertToUTF8(let name): "convert it first: iconv -f UTF-16 -t UTF-8 '\(name)' > NEW-FILE"
    case .noExport(let name, let type): "\(name) is a single file (\(type)), not an export"
    case .zipDamaged(let name): "\(name) is a damaged or incomplete zip file"
    case .zipLocked(let name): "\(name) is protected by a password"
    case .notRecognised(let name): "the format of \(name) is not recognised"
    case .severalForms(let name, let formats):
      "\(name) contains entries of several programs: \(formats.joined(separator: ", ")); choose one with --format"
    case .conflictChoices:
      "nothing was imported; to update such entries, add --on-conflict update; to skip them, add --on-conflict skip"
    case .attachIt(let name): "to keep it, attach it to an entry: facediary attach ID '\(name)'"
    case .exportDecrypted: "export it without encryption, import that, then delete the export"
    case .moreBad(let count, let places):
      "\(counted(count, "more cannot", "more cannot")) be imported either: \(places.joined(separator: ", ")); to skip and list them, add --skip-bad"
    case .jrnlEncrypted(let name): "\(name) is encrypted by jrnl"
    case .notUnpacked(let name, let says): "\(name) could not be unpacked into memory: \(says)"
    case .tooLargeUnpacked(let name, let limit):
      "\(name) is larger than \(limit >> 20) MiB when unpacked, which is too much to unpack into memory"
    case .zipped(let name): "\(name) is a zip archive"
    case .unzipFirst: "unpack it into a new folder, and import that: unzip FILE -d FOLDER"
    case .decryptJrnl: "decrypt it first: jrnl --decrypt"
    case .wouldBring(let date, let title, let files):
      "\(date)  \(title)" + (files > 0 ? " (\(counted(files, "file", "files")))" : "")
    case .wouldBringMore(let count): "… and \(count) more"
    case .entriesRead(let count): "\(counted(count, "entry", "entries")) read"
    case .wouldImport(let imported, let duplicates):
      "would import \(counted(imported, "entry", "entries")); already in the diary: \(duplicates)"
    case .isOwnFolder(let path):
      "\(path) is in the diary's own folder, where only the diary writes"
    case .nameOtherPlace:
      "name a file or folder outside of it"
    case .nothingImported:
      "nothing was imported"
    case .noEntries:
      "the input contains no entries"
    case .wordsStay(let count):
      "\(counted(count, "entry has", "entries have")) #words in the text, which stay text; to import them as tags, first run: facediary config set inlineTags on"
    case .wordsStayed(let count):
      "\(counted(count, "entry has", "entries have")) #words in the text, which were imported as text. In later imports, they become tags after: facediary config set inlineTags on"
    case .imported(let imported, let duplicates):
      "imported \(counted(imported, "entry", "entries")); already in the diary: \(duplicates)"
    case .updated(let count): "updated \(counted(count, "entry", "entries"))"
    case .leftAsItIs(let count):
      "\(counted(count, "entry exists with different content and was", "entries exist with different content and were")) not changed"
    case .skipBadOnes:
      "nothing was imported; to skip and list the entries that cannot be imported, add --skip-bad"
    case .skipped(let count): "skipped \(counted(count, "entry", "entries"))"
    case .otherFormats:
      "JSON of another program needs its own --format; for a list: facediary help import"
    case .onlyFiles(let name, let line):
      "\(name), line \(line): the entry contains only files, and they are missing"
    case .sayWhereFiles:
      "give their folder with --attachments DIR"
    case .zone(let name):
      "unknown time zone: \(name)"
    case .field(let name, let line, let field, let expected):
      "\(name), line \(line), field \"\(field)\": expected \(expected.text(in: .english))"
    case .jsonAt(let name, let line, let column, let expected):
      "\(name), line \(line), column \(column): expected \(expected.text(in: .english))"
    case .noJrnlEntry(let name):
      "\(name) contains no entry; an entry begins with a date such as [2026-03-01 09:30]"
    case .wantsJrnlHead(let name, let line):
      "\(name), line \(line): expected [2026-03-01 09:30] and a title"
    case .lineTooLong(let name, let line):
      "\(name), line \(line): the text is too long"
    case .calendarCut(let name, let component):
      "\(name) ends in the middle of a \(component): it is not complete"
    case .lineNotDate(let name, let line, let date):
      "\(name), line \(line): not a date: \(date)"
    case .lineNotText(let name, let line):
      "\(name), line \(line): not UTF-8 text"
    case .noDayOne(let folder): "\(folder) contains no Day One journal (no .json file)"
    case .noMarkdown(let folder):
      "\(folder) contains no .md file, and nothing that another diary program exports"
    case .notText(let file):
      "\(file): not UTF-8 text"
    case .wantsID(let file):
      "\(file), field \"id\": expected 26 base32 characters"
    case .fileField(let file, let field, let expected):
      "\(file), field \"\(field)\": expected \(expected.text(in: .english))"
    case .wantsDateField(let file, let field, let value):
      "\(file), field \"\(field)\": \"\(value)\" is not a date; expected one like 2026-03-01T09:30:00+09:00"
    case .wantsColon(let file, let line):
      "\(file), line \(line): expected a name, a colon and a value"
    case .frontMatterOpen(let file):
      "\(file): its front matter has no end; expected a line ---"
    case .wantsListEnd(let file, let line):
      "\(file), line \(line): expected a list that ends with ]"
    case .wantsTextEnd(let file, let line):
      "\(file), line \(line): expected a text that ends with \""
    }
  }
}
