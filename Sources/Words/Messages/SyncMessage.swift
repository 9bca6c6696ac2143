/// Several devices, one diary.
package enum SyncMessage: Sendable {
  case sharesNothing
  case setUpFirst
  case comeBack(place: String)
  case recoverFrom(place: String)
  case checkPlaceAndCode
  case nameOfPlace(String)
  case placeForms
  case notAFolder(String)
  case folderMissing(String)
  case mountIt
  case installProgram(String)
  case programFailed(program: String, says: String)
  case tooLarge(String, limit: Int)
  case leaveOutOrMove
  case makeRoomAndMove(String)
  case whereSpaceCodeIs
  case placeFailed(place: String, says: String)
  case begun(place: String)
  case spaceCodeIs
  case pairingCodeIs
  case typeItThere(place: String)
  case nobodyCame
  case nobodyAnswered
  case runInvite
  case piecesLack
  case syncGoesOn
  case alreadyThere(place: String)
  case unlockNext
  case oneText(String)
  case leaveFirst
  case seeAllTexts(String)
  case inviteAgain
  case doneLeaving
  case revokeThere(String)
  case askToLeave
  case moved(pushed: Int, pulled: Int)
  case placeIsUnreliable(String, lists: Bool)
  case silent(program: String, seconds: Int)
  case otherSync
  case asks(name: String)
  case severalAsk(Int)
  case sameSymbols(check: String)
  case joinAgainThere
  case letIn(String)
  case refused(String)
  case compare(check: String)
  case waiting
  case badPairingCode
  case joined(entries: Int)
  case placeHasNone(String)
  case placeHasOthers(Int)
  case hadLetIn(String, [String])
  case filesNotExported(Int)
  case unreadable(Int)
  case syncOthersFirst
  case deleteThere([String])
  case recovered(entries: Int)
  case needsSpaceCode
  case giveSpaceCodeFile
  case notASpaceCode
  case revoked(String)
  case changeLocks
  case done(pushed: Int, pulled: Int, merged: Int)
  case nothingNew
  case onlyMoved(pushed: Int, pulled: Int)
  case haveConflicts(Int)
  case haveSameName([String])
  case waits(Int)
  case repairEverywhere
  case filesMissing(Int)
  case wouldRemove(Int)
  case askToRemove(Int)
  case yesToRemove
  case yesToRemoveAll
  case placeFull(String)
  case placeReadOnly(String)
  case placeNeeds(String)
  case makeRoom
  case removalsWait
  case decideOrLose
  case lost(Int)
  case repairPutsBack
  case repairAndInvite
  case goneHere(Int)
  case joinAnew
  case neverCame(Int)
  case repairWhereKept
  case damaged(Int)
  case repairElsewhere
  case wasRefused(device: String)
  case lookAtDevice
  case wroteAfterRevocation(device: String)
  case survived(Int, [String])
  case cameBack(Int, [String])
  case removeAgain
  case copied
  case oneCopy
  case closed
  case joinAgain
  case newer
  case update
  case repaired(Int)
  case asking
  case place(String)
  case lastSettled(String)
  case neverSettled
  case digest(String)
  case unpublished(Int)
  case thisDevice
  case heard(String)
  case neverHeard
  case isRevoked
  case placeWorks(String)
  case conflictHeading(id: String, count: Int)
  case version(revision: UInt64, device: String, when: String)
  case noConflicts
  case editEnds
  case alsoWritten(device: String, when: String)
  case someDevice
  case hasOthers(Int)
  case compacted(packs: Int, removed: Int)
  case packsDiffer
  case placeKeepsAll
  case isAutomatic
  case isNotAutomatic
  case onOrOff
  case noSession
  case movedTo(String, pushed: Int)
  case moveOthers(String)
  case placeReached(String)
}
