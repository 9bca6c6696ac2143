extension English {
  static func text(_ message: SyncMessage) -> String {
    switch message {
    case .sharesNothing:
      "sync is not set up for this diary"
    case .setUpFirst:
      "set up sync with: facediary sync setup PLACE, or join the diary of another device with: facediary sync join PLACE CODE"
    case .comeBack(let place):
      "this diary used to sync through \(place). To sync with the same devices again, run facediary sync invite on one of them, then facediary sync join \(place) CODE here"
    case .recoverFrom(let place):
      "a diary of this device synced through \(place); to get it back: facediary sync recover \(place). To make a new one: facediary init"
    case .checkPlaceAndCode:
      "check that this is the place the other devices use, and that the code is the sync recovery code of this diary"
    case .nameOfPlace(let place):
      "not a place: \(place)"
    case .placeForms:
      "use one of: folder:/PATH, rclone:REMOTE:PATH, postgres:SERVICE, cmd:PROGRAM"
    case .notAFolder(let place):
      "\(place): there is a file there, not a folder"
    case .folderMissing(let place):
      "\(place) does not exist"
    case .mountIt:
      "connect the disk or network drive, or create the folder"
    case .installProgram(let program):
      "this place needs \(program), which is not installed"
    case .programFailed(let program, let says):
      "\(program) failed: \(says)"
    case .tooLarge(let place, let limit):
      "\(place) takes photos and files of at most \(limit) bytes, and one is larger; everything else was sent"
    case .leaveOutOrMove:
      "use another place for this diary (facediary sync move PLACE), or delete the entry with the large file permanently (facediary delete, facediary purge)"
    case .makeRoomAndMove(let place):
      "nothing was changed: your devices still meet at the old place. Make room, then run: facediary sync move \(place)"
    case .whereSpaceCodeIs:
      "the recovery code for sync is the one that facediary sync setup printed; it is not the recovery code of the diary"
    case .placeFull(let place):
      "there is no room left in \(place)"
    case .makeRoom:
      "make room, then run facediary sync again; facediary sync compact makes the place smaller"
    case .placeReadOnly(let place):
      "\(place) is read-only: nothing can be sent"
    case .placeNeeds(let place):
      "\(place) is not ready yet. Do the following, then run facediary sync doctor again:"
    case .placeFailed(let place, let says):
      "\(place): \(says)"
    case .begun(let place):
      "this diary now syncs through \(place)"
    case .spaceCodeIs:
      "this is the sync recovery code. It restores the diary from the place if you lose all your devices. It is shown only once: write it down. It is not the diary's own recovery code"
    case .pairingCodeIs:
      "this is the pairing code for the other device. It works once; keep this command running"
    case .typeItThere(let place):
      "on the other device, run: facediary sync join \(place) CODE"
    case .nobodyCame:
      "no device joined; the code is no longer valid"
    case .nobodyAnswered:
      "no device answered this code"
    case .runInvite:
      "run facediary sync invite on the other device, and join with the code that it shows now while it is running"
    case .piecesLack:
      "the other device has let this one in, but the place lacks pieces that it needs. If they do not arrive, run facediary sync repair on the other device"
    case .syncGoesOn:
      "to go on with joining: facediary sync"
    case .alreadyThere(let place):
      "this diary already syncs through \(place)"
    case .unlockNext:
      "open the diary with: facediary unlock. While it is open, it syncs automatically"
    case .oneText(let id):
      "entry \(id) has only one text"
    case .seeAllTexts(let id):
      "facediary edit \(id) shows all of them in the editor; to replace them with a given text, add --ends-conflict"
    case .leaveFirst:
      "to exchange entries with its other devices, run facediary sync; to use another place, run facediary sync move PLACE. If sync is not set up on this machine, or to join other devices instead, run facediary sync leave, which keeps the diary, then this again"
    case .inviteAgain:
      "run facediary sync invite on the other device again, and facediary sync join here with the new code"
    case .doneLeaving:
      "this diary no longer syncs with other devices; all its entries are here"
    case .revokeThere(let id):
      "to revoke this device, run this on one of the others: facediary sync revoke \(id)"
    case .askToLeave:
      "Stop syncing this diary with its other devices? The entries stay."
    case .moved(let pushed, let pulled):
      "sent \(counted(pushed, "piece", "pieces")), fetched \(pulled)"
    case .placeIsUnreliable(let place, let lists):
      lists
        ? "\(place) does not give back what was put there"
        : "\(place) does not list what was put there"
    case .silent(let program, let seconds):
      "\(program) sent and received nothing for \(seconds) seconds and was stopped"
    case .otherSync:
      "another sync of this diary is running"
    case .asks(let name):
      "\(name) wants to join"
    case .severalAsk(let count):
      "\(count) devices want to join with this code, but only one of them can be yours: compare the symbols"
    case .joinAgainThere:
      "while sync invite still runs on the other device, you can use the same code again"
    case .sameSymbols(let check):
      "Does the other device show \(check)?"
    case .letIn(let name):
      "\(name) has joined; to bring both devices up to date, run facediary sync on each"
    case .refused(let name):
      "\(name) was refused. You can try again with the same code. If that was not your device, press Ctrl-C and invite again"
    case .compare(let check):
      "check that the other device shows the same symbols: \(check)"
    case .waiting:
      "waiting up to 15 minutes for the other device, where facediary sync invite must still be running; press Ctrl-C to stop waiting"
    case .badPairingCode:
      "this is not a pairing code, or it is mistyped; compare it with the one that sync invite shows: 40 letters and digits"
    case .joined(let entries):
      "this device now has the diary, with \(counted(entries, "entry", "entries"))"
    case .recovered(let entries):
      "the diary was recovered, with \(counted(entries, "entry", "entries"))"
    case .needsSpaceCode:
      "this needs the sync recovery code, which sync setup showed"
    case .giveSpaceCodeFile:
      "give it with --space-code-file FILE"
    case .notASpaceCode:
      "this is not a sync recovery code, or it is mistyped; compare it with the one that sync setup showed: 28 letters and digits"
    case .revoked(let name):
      "\(name) was revoked: your other devices ignore what it writes from now on, and it cannot read what they write from now on"
    case .changeLocks:
      "the device keeps what it already downloaded; if it was stolen while the diary was open, also change your other passwords that were stored on it"
    case .done(let pushed, let pulled, let merged):
      "sent \(counted(pushed, "piece", "pieces")), fetched \(pulled), changed \(counted(merged, "entry", "entries"))"
    case .nothingNew:
      "already up to date"
    case .onlyMoved(let pushed, let pulled):
      "sent \(counted(pushed, "piece", "pieces")), fetched \(pulled). The diary is closed; to merge what was fetched, open it and run facediary sync again"
    case .haveConflicts(let count):
      "\(counted(count, "entry has", "entries have")) more than one text; see: facediary conflicts"
    case .waits(let count):
      "\(counted(count, "piece waits", "pieces wait")) for other pieces that have not arrived yet"
    case .haveSameName(let ids):
      "\(ids.count == 1 ? "another device has" : "other devices have") the same name (\(ids.joined(separator: ", "))). If it is this device from before, or no longer in use, revoke it: facediary sync revoke \(ids.count == 1 ? ids[0] : "ID")"
    case .repairEverywhere:
      "if they still wait after every device has synced, run facediary sync repair on each of them"
    case .filesMissing(let count):
      "\(counted(count, "photo or file has", "photos or files have")) not arrived yet"
    case .filesNotExported(let count):
      "\(counted(count, "photo or file", "photos or files")) could not be included: not here yet from the other devices"
    case .wouldRemove(let count):
      count == 1
        ? "another device deleted 1 entry or moved it to the trash"
        : "another device deleted \(count) entries or moved them to the trash"
    case .askToRemove(let count):
      "Remove \(counted(count, "entry", "entries")) on this device, too?"
    case .yesToRemove:
      "nothing was removed on this device yet; to agree: facediary sync --yes"
    case .yesToRemoveAll:
      "nothing was removed on this device yet, and more changes wait behind this one. To be asked about each: facediary sync in a terminal; to agree to all: facediary sync --yes"
    case .removalsWait:
      "nothing was removed on this device yet; to decide, run facediary sync. To keep an entry, change it before you agree (facediary edit ID); what goes to the trash can be restored afterwards (facediary restore ID)"
    case .decideOrLose:
      "to decide, run facediary sync in a terminal; to revoke it all the same, add --yes"
    case .lost(let count):
      "\(counted(count, "piece is", "pieces are")) missing from the place: it was emptied, an older copy of it was put back, or it is a different place"
    case .repairPutsBack:
      "nothing on this device was deleted; to put the pieces back: facediary sync repair"
    case .repairAndInvite:
      "put the pieces back with facediary sync repair, then run facediary sync invite again"
    case .goneHere(let count):
      "\(counted(count, "piece that this device wrote is", "pieces that this device wrote are")) neither here nor at the place: the diary's sync folder was emptied"
    case .joinAnew:
      "no entries are lost; run facediary sync leave, then join again with a code from facediary sync invite on another device"
    case .neverCame(let count):
      "\(counted(count, "piece", "pieces")) that the device which invited this one had never came to the place; this device no longer waits for \(count == 1 ? "it" : "them")"
    case .repairWhereKept:
      "if another device may still have what is missing, run facediary sync repair there"
    case .damaged(let count):
      "\(counted(count, "piece at the place is", "pieces at the place are")) damaged or incomplete; the next sync fetches them again"
    case .repairElsewhere:
      "if they stay damaged, run facediary sync repair on the device that wrote them, or on any device that has them"
    case .wasRefused(let device):
      "a piece that claims to be from \(device.isEmpty ? "one of this diary's devices" : device) is forged or damaged, and was ignored"
    case .lookAtDevice:
      "anybody who can write to the place can cause this; if it happens again, check that device"
    case .survived(let count, let entries):
      count == 1
        ? "another device permanently deleted entry \(list(entries, of: count)); what this device had changed in it, or brought along when it joined, stays"
        : "other devices permanently deleted \(count) entries; what this device had changed in them, or brought along when it joined, stays (\(list(entries, of: count)))"
    case .cameBack(let count, let entries):
      count == 1
        ? "entry \(list(entries, of: count)), permanently deleted on this device, is back with what another device had changed in it, or brought along when it joined"
        : "\(count) entries that were permanently deleted on this device are back with what other devices had changed in them, or brought along when they joined (\(list(entries, of: count)))"
    case .removeAgain:
      "to delete an entry again: facediary delete, then facediary purge"
    case .wroteAfterRevocation(let device):
      "\(device) wrote after it was revoked, or what it wrote had not been merged here by then; this was ignored, and whatever of it was here is in the trash"
    case .copied:
      "something else wrote as this device: a copy of this diary, or this diary before a backup was restored. Its entries were merged"
    case .oneCopy:
      "if there is a copy of this diary, run facediary sync leave in one of the two, then let it join again with facediary sync invite on another device"
    case .closed:
      "this device was revoked: it cannot read what the others write now"
    case .placeHasNone(let place):
      "\(place) holds no diary yet: check that it is the place that the other device uses, or wait until it has been synchronized"
    case .placeHasOthers(let count):
      "the place already held \(counted(count, "other diary", "other diaries")); if one of them is this diary on another device, run facediary sync leave here, then facediary sync join"
    case .hadLetIn(let name, let devices):
      "\(name) had invited \(devices.joined(separator: ", ")), which can still read and write; if you do not recognise one of them, run facediary sync revoke for it, too"
    case .unreadable(let count):
      "this device cannot read \(counted(count, "piece", "pieces")) at the place: they are not from this diary, or their keys have not arrived yet"
    case .syncOthersFirst:
      "run facediary sync on the other devices, then here again"
    case .deleteThere(let names):
      "if they are still there after every other device has synced (with facediary sync repair, where pieces are damaged), delete them from the place: \(names.joined(separator: ", "))"
    case .joinAgain:
      "run facediary sync leave here. Then run facediary sync invite on another device and facediary sync join here; if facediary sync status there lists this device as a member, run facediary sync recover here instead, with the sync recovery code"
    case .newer:
      "some pieces at the place were written by a newer version of facediary"
    case .update:
      "update facediary"
    case .repaired(let count):
      "sent all pieces that this device has again: \(count)"
    case .asking:
      "waiting to join"
    case .place(let place):
      "place: \(place)"
    case .lastSettled(let when):
      "last brought up to date: \(when)"
    case .neverSettled:
      "never brought up to date"
    case .digest(let digest):
      "state: \(digest) (devices that have merged the same pieces show the same state)"
    case .unpublished(let count):
      "\(counted(count, "piece of this device has", "pieces of this device have")) not been seen at the place yet"
    case .thisDevice:
      "this device"
    case .heard(let when):
      "last heard from \(when)"
    case .neverHeard:
      "nothing written yet"
    case .isRevoked:
      "revoked"
    case .isAutomatic:
      "while the diary is open, it syncs automatically"
    case .isNotAutomatic:
      "the diary syncs only when you run: facediary sync"
    case .onOrOff:
      "use on or off"
    case .noSession:
      "the diary is not open; open it with: facediary unlock"
    case .movedTo(let place, let count):
      "this diary now syncs through \(place); \(counted(count, "piece was", "pieces were")) sent there"
    case .moveOthers(let place):
      "the other devices still use the old place; on each of them, run: facediary sync move \(place)"
    case .placeReached(let when):
      "the place was last reached: \(when)"
    case .placeWorks(let place):
      "\(place) works: a test piece was written, listed and read back"
    case .conflictHeading(let id, let count):
      "\(id): \(counted(count, "text", "texts"))"
    case .version(let revision, let device, let when):
      "— \(device), \(when), revision \(revision)"
    case .noConflicts:
      "no entry has more than one text"
    case .editEnds:
      "facediary edit ID shows all texts of an entry; what you save replaces them"
    case .alsoWritten(let device, let when):
      "also written on \(device), \(when):"
    case .someDevice:
      "another device"
    case .hasOthers(let count):
      "this entry has \(counted(count, "other text", "other texts")) from other devices; see: facediary conflicts"
    case .compacted(let packs, let removed):
      packs == 0 && removed == 0
        ? "there is nothing to compact"
        : "wrote \(counted(packs, "pack", "packs")), removed \(counted(removed, "replaced piece", "replaced pieces")) from the place"
    case .packsDiffer:
      "the place did not return the packs as they were written, so nothing was removed from it"
    case .placeKeepsAll:
      "this place keeps everything; only its owner can remove the replaced pieces"
    }
  }

  /// Some of so many things.
  private static func list(_ first: [String], of count: Int) -> String {
    first.joined(separator: ", ") + (first.count < count ? ", …" : "")
  }
}
