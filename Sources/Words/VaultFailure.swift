internal import Access
internal import Bytes
internal import CommandLine
internal import Entries
internal import Platform
internal import Requests

/// What the vault, and this device's side of authentication, could not do, and what helps.
extension Failure {
  init(_ error: VaultError) {
    let subject = error.subject
    let thing = Self.whole(error)
    switch error.code {
    case .notFound where error.reason == .sharesNothing:
      self.init(.notFound, SyncMessage.sharesNothing, hint: SyncMessage.setUpFirst)
    case .noVault:
      self.init(.noVault, FailureMessage.noDiary(subject), hint: FailureMessage.makeOne)
    case .vaultExists:
      self.init(.vaultExists, FailureMessage.thereAlready(subject))
    case .notAVault:
      self.init(
        .invalid, FailureMessage.notAVault(path: subject, detail: error.reason),
        hint: FailureMessage.nameRightFile)
    case .olderFormat:
      self.init(
        .olderFormat, FailureMessage.olderFormat(subject), hint: FailureMessage.exportFirst)
    case .newerFormat:
      self.init(
        .newerFormat, FailureMessage.newerFormat(subject), hint: FailureMessage.update)
    case .damaged where error.reason == .nothingSaysWhatOpens:
      self.init(
        .damaged, FailureMessage.because(subject: thing, detail: error.reason),
        hint: KeepingMessage.giveUpDeviceStore(error.name))
    case .damaged:
      self.init(
        .damaged, FailureMessage.damaged(subject: thing, detail: error.reason),
        hint: Self.afterDamage(of: error))
    case .tampered:
      self.init(
        .tampered, FailureMessage.tampered(subject: thing, detail: error.reason),
        hint: error.thing == .enrolledFaces
          ? FailureMessage.unlockThenEnrollAgain : KeepingMessage.lookWithVerify)
    case .forked where error.reason == .keyIsForeign:
      self.init(
        .rolledBack, FailureMessage.forked(subject: thing, detail: error.reason),
        hint: FailureMessage.salvageForeignKey)
    case .rolledBack where error.reason == .deviceWasReplaced:
      self.init(
        .rolledBack, FailureMessage.deviceStoreIsOld(error.reason),
        hint: FailureMessage.resetOldDevice)
    case .rolledBack where error.reason == .keyWasRetired:
      self.init(
        .rolledBack, FailureMessage.rolledBack(subject: thing, detail: error.reason),
        hint: FailureMessage.salvageOtherKey)
    case .rolledBack:
      self.init(
        .rolledBack, FailureMessage.rolledBack(subject: thing, detail: error.reason),
        hint: FailureMessage.acceptIfYou)
    case .forked:
      self.init(
        .rolledBack,
        FailureMessage.forked(subject: thing, detail: error.reason),
        hint: FailureMessage.acceptToGoOn)
    default: self.init(asking: error)
    }
  }

  private static func afterDamage(of error: VaultError) -> FailureMessage {
    switch error.part {
    case .anchor: .acceptIfKnown
    case .keySlot: .tryAgainOrRecover
    case _ where error.reason == .isNotWhole: .copyObjectsToo(error.name)
    default: error.thing == .keySlots ? .replaceLostSlots : .passphraseNotCause
    }
  }

  /// What concerns a secret, a thing that was named, or the system, not the state of the diary.
  private init(asking error: VaultError) {
    let name = error.name
    let thing = Self.thing(error)
    let subject = error.subject
    switch error.code {
    case .wrongSecret: self = Self.wrongSecret(error)
    case .noSuchSlot:
      self.init(
        .needsPassphrase, error.slot.map { FailureMessage.noWayIn($0) } ?? OpeningMessage.locked)
    case .notFound where error.reason == .noSuchSpace:
      self.init(.notFound, error.reason, hint: SyncMessage.checkPlaceAndCode)
    case .notFound where Self.saysWhere(error.reason):
      self.init(.notFound, Self.because(error), hint: Self.wayOut(error))
    case .notFound:
      let near = error.candidates.prefix(3).joined(separator: ", ")
      self.init(
        .notFound, FailureMessage.notFound(thing: thing, name: name),
        hint: near.isEmpty ? Self.makeIt(error) : UsageMessage.didYouMean(near))
    case .ambiguous:
      self.init(
        .ambiguous, FailureMessage.ambiguous(name: name, thing: thing),
        hint: UsageMessage.oneOf(Self.candidates(error)))
    case .conflict: self.init(.conflict, Self.because(error), hint: Self.wayOut(error))
    case .invalid where error.reason == .codeOfAnotherSpace:
      self.init(.invalid, error.reason, hint: SyncMessage.inviteAgain)
    case .invalid:
      self.init(
        .invalid, FailureMessage.expected(subject: Self.whole(error), expected: error.reason))
    case .busy where error.reason == .otherSync:
      self.init(.busy, SyncMessage.otherSync, hint: FailureMessage.tryAgain)
    case .busy:
      self.init(.busy, FailureMessage.writerBusy, hint: FailureMessage.tryAgain)
    case .readOnly: self = Self.readOnly(error.reason, path: subject)
    case .diskFull: self = Self.diskFull(subject)
    case .declined where error.reason == .wasNotLetIn:
      self.init(.declined, error.reason, hint: SyncMessage.joinAgainThere)
    case .declined: self.init(.declined, FailureMessage.nothingChanged)
    case .permission: self = Self.denied(subject, error.reason)
    case .loose: self = Self.loose(subject, error.reason)
    case .memory: self = Self.memory(error.reason)
    case .system:
      if case .chip(let trouble) = error.reason {
        self.init(trouble, path: subject)
      } else {
        self.init(.system, Self.because(error))
      }
    case .noVault, .vaultExists, .notAVault, .olderFormat, .newerFormat, .damaged, .tampered,
      .rolledBack, .forked:
      self.init(error)
    }
  }

  /// Whether a reason says more of what was not found than that.
  private static func saysWhere(_ reason: VaultError.Reason) -> Bool {
    [.linkToNothing, .hasNotArrived, .isInTrash, .isNotInTrash].contains(reason)
  }

  /// How what was not found is made, or looked for.
  private static func makeIt(_ error: VaultError) -> (any Message)? {
    switch error.thing {
    case .journal: FailureMessage.makeNamed("journals", error.name)
    case .kind: FailureMessage.makeNamed("kinds", error.name)
    case .template: FailureMessage.makeNamed("templates", error.name)
    default: nil
    }
  }

  private static func afterWrongSecret(_ error: VaultError) -> (any Message)? {
    if error.reason == .wasNeverOpenedHere { return FailureMessage.perhapsExchanged(error.subject) }
    return error.slot == .recovery ? nil : FailureMessage.lostPassphrase
  }

  /// What ends such a state, where one thing does.
  private static func wayOut(_ error: VaultError) -> (any Message)? {
    switch error.reason {
    case .isOfEarlierKey: KeepingMessage.moveAway(error.name)
    case .atMost where error.thing == .device: KeepingMessage.replaceKeyForDevices
    case .deviceKeyIsOutOfReach: KeepingMessage.beginDeviceAnew(error.name)
    case .chipIsAhead: KeepingMessage.moveDeviceStoreAway(error.name)
    case .sharesAlready: SyncMessage.leaveFirst
    case .wasRevoked: SyncMessage.joinAgain
    case .changesWait: SyncMessage.decideOrLose
    case .hasNotArrived: SyncMessage.syncOthersFirst
    case .isInTrash: Verbatim("facediary restore \(error.name)")
    case .hasOtherTexts: SyncMessage.seeAllTexts(error.name)
    case .isBackupOfAnotherDiary: KeepingMessage.readOtherBackup(error.name)
    case .hasSecondName: FailureMessage.copyOfItsOwn(error.name)
    case .isNotOfTheDiary: FailureMessage.moveFileAway(error.name)
    default: nil
    }
  }

  private static func thing(_ error: VaultError) -> any Message {
    if let thing = error.thing { thing } else { Verbatim("") }
  }

  private static func diskFull(_ subject: String) -> Failure {
    Failure(
      .diskFull, subject.contains("/") ? .diskFullAt(subject) : FailureMessage.diskFull)
  }

  /// Access is given to a folder: the one that `path` is in, unless it is a folder itself.
  private static func denied(_ path: String, _ reason: VaultError.Reason) -> Failure {
    let isFolder = (try? FileStatus(path))?.kind == .directory
    return Failure(
      .system, FailureMessage.noAccess(path: path, detail: reason),
      hint: FailureMessage.allowPath(isFolder ? path : FileSystem.parent(of: path)))
  }

  private static func wrongSecret(_ error: VaultError) -> Failure {
    switch error.reason {
    case .isNoLongerValid:
      Failure(
        .wrongSecret, FailureMessage.replacedSince(error.slot ?? .passphrase),
        hint: FailureMessage.giveTodays)
    case .isNoSpaceCode:
      Failure(.wrongSecret, error.reason, hint: SyncMessage.whereSpaceCodeIs)
    default:
      Failure(
        .wrongSecret,
        error.slot == .recovery
          ? FailureMessage.notTheRecoveryCode : FailureMessage.notThePassphrase,
        hint: afterWrongSecret(error))
    }
  }

  /// Others could read or write it, or it is a link.
  private static func loose(_ path: String, _ reason: VaultError.Reason) -> Failure {
    let ofDirectory = PlatformError(.directoryNotPrivate, path).explanation
    return Failure(
      .system, FailureMessage.because(subject: Verbatim(path), detail: reason),
      hint: reason == .said(ofDirectory)
        ? FailureMessage.chmodDirectory(path) : FailureMessage.chmodPath(path))
  }

  /// The thing, and which one.
  private static func candidates(_ error: VaultError) -> String {
    // An entry's id is long, and its beginning is enough.
    error.candidates.prefix(4).map { error.thing == .entry ? String($0.prefix(12)) : $0 }
      .joined(separator: ", ")
  }

  private static func whole(_ error: VaultError) -> any Message {
    guard let thing = error.thing else { return Verbatim(error.name) }
    return error.name.isEmpty ? thing : FailureMessage.one(thing: thing, name: error.name)
  }

  private static func because(_ error: VaultError) -> any Message {
    FailureMessage.because(subject: whole(error), detail: error.reason)
  }

  private static func readOnly(_ reason: VaultError.Reason, path: String) -> Failure {
    guard reason == .logNeedsWriting else {
      return Failure(
        .readOnly, FailureMessage.cannotBeWritten(path: path, detail: reason),
        hint: reason == .backupIsOnlyRead ? FailureMessage.makeItTheDiary : nil)
    }
    return Failure(
      .readOnly, FailureMessage.cannotBeRead(path: path, detail: reason),
      hint: FailureMessage.copyToWritable)
  }

  static func memory(_ what: any Message) -> Failure {
    Failure(.system, FailureMessage.noMemory(what), hint: FailureMessage.raiseLimit)
  }

  init(_ error: AuthenticationError) {
    switch error.code {
    case .noFace:
      self.init(
        .needsPassphrase, FailureMessage.noFace,
        hint: FailureMessage.unlockThenEnroll)
    case .lockedOut:
      self.init(
        .lockedOut, FailureMessage.faceLockedOut,
        hint: FailureMessage.unlockOnce)
    case .storeDamaged:
      self.init(
        .damaged, FailureMessage.deviceStoreDamaged(path: error.subject, detail: error.reason),
        hint: error.isOfOneFile
          ? KeepingMessage.moveFileAway(error.subject) : FailureMessage.unlockThenEnrollAgain)
    case .storeGone:
      self.init(
        .needsPassphrase, FailureMessage.deviceStoreGone,
        hint: FailureMessage.unlockWithSecret)
    case .needsSecret:
      self.init(
        .needsPassphrase, FailureMessage.faceNotEnough(error.need ?? .never),
        hint: error.need == .facePassphrase
          ? OpeningMessage.givePassphraseBesideFace
          : FailureMessage.unlockOnceSeePolicy)
    case .waiting:
      let seconds = error.retryAfter ?? 1
      self.init(
        .lockedOut, FailureMessage.waiting(Int(seconds)),
        hint: FailureMessage.recoveryWithoutWaiting, retryAfter: seconds)
    case .helper where error.chipTrouble != nil:
      self.init(error.chipTrouble ?? .silent, path: error.subject)
    case .helper:
      self.init(
        .system, FailureMessage.helperFailed(program: error.subject, why: error.reason),
        hint: FailureMessage.resetIfGone)
    case .loose: self = Self.loose(error.subject, error.reason)
    case .permission: self = Self.denied(error.subject, error.reason)
    case .diskFull: self = Self.diskFull(error.subject)
    case .busy:
      self.init(.busy, FailureMessage.diaryBusy, hint: FailureMessage.tryAgain)
    case .memory: self = Self.memory(VaultError.Reason.lockedMemory)
    case .verifier: self.init(.system, FailureMessage.verifierFailed(error.reason))
    case .locked:
      self.init(.locked, OpeningMessage.locked, hint: OpeningMessage.openWithUnlock)
    case .notNow: self.init(.conflict, FailureMessage.openAlready)
    case .notOwner:
      self.init(
        .needsPassphrase, FailureMessage.needsSecretNow,
        hint: OpeningMessage.giveSecretFile)
    case .system:
      self.init(
        .system, FailureMessage.because(subject: Verbatim(error.subject), detail: error.reason))
    }
  }
}

extension AuthenticationError {
  fileprivate var chipTrouble: ChipError.Trouble? {
    if case .chip(let trouble) = reason { trouble } else { nil }
  }
}

extension Failure {
  /// What the chip that keeps the device key says.
  fileprivate init(_ trouble: ChipError.Trouble, path: String) {
    let (code, hint): (Code, any Message) =
      switch trouble {
      case .needsPIN: (.needsPassphrase, OpeningMessage.givePINFile)
      case .wrongPIN: (.wrongSecret, OpeningMessage.givePINFile)
      case .lockedOut: (.lockedOut, FailureMessage.waitOrReset)
      case .noRight: (.system, FailureMessage.joinChipGroup(path: path))
      case .ownerAuthorisation, .full, .isTaken: (.system, FailureMessage.keepKeyElsewhere)
      case .busy: (.system, FailureMessage.tryAgain)
      case .noChip, .unreachable, .silent, .nonsense, .otherChip, .noCounter, .noteDamaged,
        .refused, .noMemory:
        (.system, FailureMessage.resetIfGone)
      }
    let reason = VaultError.Reason.chip(trouble)
    self.init(code, FailureMessage.chipFailed(path: path, why: reason), hint: hint)
  }
}
