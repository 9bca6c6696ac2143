internal import Access
internal import Client
internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import JSONText
internal import Meeting
internal import Places
internal import Platform
internal import Requests
internal import SealedFiles
internal import Words

/// `sync`: several devices, one diary.
@MainActor
enum SyncCommand {
  static let declaration = Command<Invocation>(
    "sync", Form("now", isDefault: true), Form("setup", Operand("PLACE")), Form("invite"),
    Form("join", Operand("PLACE"), Operand("CODE")), Form("leave"), Form("status"), Form("devices"),
    Form("doctor", Operand("PLACE", optional: true)), Form("revoke", Operand("DEVICE")),
    Form("repair"), Form("compact"),
    Form("move", Operand("PLACE")), Form("auto", Operand("on|off", optional: true)),
    Form("recover", Operand("PLACE")),
    summary: CommandHelp.sync,
    options: [
      Options.deviceName, Options.spaceCodeFile, Options.newPassphraseFile, Options.kdf,
      Options.yes, Options.maxDelete, Options.codeDialog,
    ],
    details: CommandHelp.syncDetails
  ) { invocation in
    switch invocation.verb {
    case "setup": return try SpaceMembership.setUp(invocation)
    case "invite": return try SpaceMembership.invite(invocation)
    case "join": return try SpaceMembership.join(invocation)
    case "leave": return try await SpaceMembership.leave(invocation)
    case "recover": return try SpaceMembership.recover(invocation)
    case "revoke": return try SpaceMembership.revoke(invocation)
    case "status", "devices": return try await status(invocation)
    case "doctor": return try doctor(invocation)
    case "move": return try await move(invocation)
    case "auto": return try await AutomaticSync.set(invocation)
    case "repair": return try await now(invocation, repairing: true)
    case "compact": return try await now(invocation, compacting: true)
    default: return try await now(invocation)
    }
  }

  // MARK: Going there and back

  private static func now(
    _ invocation: Invocation, repairing: Bool = false, compacting: Bool = false
  ) async throws -> Outcome {
    try invocation.requireVault()
    _ = try invocation.keptPlace()
    // Before the lock, so that no other sync waits while a person is asked for a passphrase.
    let connection: KeeperConnection? =
      if invocation.hasFactor || compacting { try await invocation.connection() } else {
        try KeeperConnection(session: invocation.location)
      }
    var lock: SpaceMirror.Lock? = try invocation.syncLock()
    defer { withExtendedLifetime(lock) {} }
    // The command that had the lock before may have left the place.
    let kept = try invocation.keptPlace()
    let mover = invocation.mover(to: try invocation.place(kept.place).place)
    var meeting = Meeting(
      mover, space: kept.space, diary: connection, repairing: repairing,
      compacting: compacting, isTold: isRead(invocation))
    var isDeclined = false
    while meeting.next != .done {
      if meeting.next == .settle {
        isDeclined = try settle(&meeting, invocation, kept, &lock)
      } else {
        try meeting.step()
      }
    }
    if let connection { invocation.keepIndex(through: connection) }
    return outcome(
      meeting, repairing: repairing, compacting: compacting, isDeclined: isDeclined,
      space: kept.space)
  }

  /// Whether somebody reads what is said: a timer's journal is no person.
  private static func isRead(_ invocation: Invocation) -> Bool {
    invocation.isJSON || !invocation.isQuiet || Terminal.isTerminal(2)
  }

  /// - Returns: whether the owner was asked about removals and said no.
  private static func settle(
    _ meeting: inout Meeting, _ invocation: Invocation, _ kept: KeptPlaces.Place,
    _ lock: inout SpaceMirror.Lock?
  ) throws -> Bool {
    func settle(_ removals: Int) throws {
      try meeting.settle(allowing: removals)
      guard meeting.report.sharesNothing else { return }
      // The diary left, and whoever had it do so was ended before the place was forgotten.
      try invocation.forgetPlace()
      throw invocation.sharesNothing
    }
    // In all rounds together.
    let most = (invocation.arguments[Options.maxDelete] ?? 0) - meeting.report.agreed
    try settle(invocation.arguments[Options.yes] ? .max : max(0, most))
    // A yes is to as many as were named. More that come with what waited for it are asked about, too.
    while meeting.report.removals > 0, Terminal.canAsk, !invocation.isJSON {
      let removals = meeting.report.removals
      invocation.page.warn(SyncMessage.wouldRemove(removals))
      // Others need not wait for the answer.
      lock = nil
      let isYes = try Terminal.confirm(invocation.text(SyncMessage.askToRemove(removals)))
      lock = try invocation.syncLock()
      // Another command may have gone on in another place meanwhile.
      guard try invocation.keptPlace() == kept else {
        throw VaultError(.busy, invocation.location.vault, .otherSync)
      }
      guard isYes else { return true }
      try settle(removals)
    }
    return false
  }

  private static func exitCode(_ report: SyncReport, isDeclined: Bool) -> Int32 {
    guard report.exitCode == 0, report.removals > 0 else { return report.exitCode }
    return (isDeclined ? Failure.Code.declined : .usage).exitCode
  }

  /// The figures that every sync gives.
  private static func write(_ meeting: Meeting, to json: inout JSONWriter) {
    let (report, moved) = (meeting.report, meeting.moved)
    json.member("pushed", moved.pushed)
    json.member("pulled", moved.pulled)
    json.member("merged", report.merged)
    json.member("conflicts", report.conflicts)
    json.member("waiting", report.waiting)
    json.member("removals", report.removals)
    json.member("missingFiles", report.missingFiles)
    json.member("open", meeting.isOpen)
  }

  private static func outcome(
    _ meeting: Meeting, repairing: Bool, compacting: Bool, isDeclined: Bool, space: String?
  ) -> Outcome {
    let (report, moved, isOpen) = (meeting.report, meeting.moved, meeting.isOpen)
    let (keepsAll, packsDiffer) = (meeting.placeKeepsAll, meeting.packsDiffer)
    let removed = keepsAll ? 0 : report.replaced.count
    // As the files are called in the place.
    let folder = "\(ObjectFolder.root)\(space ?? "")/"
    let unusable = SyncReport.few(report.unusable + report.unreadable).map { folder + $0 }
    let exitCode = exitCode(report, isDeclined: isDeclined)
    return .object(exitCode: exitCode) { json in
      write(meeting, to: &json)
      if compacting {
        json.member("packed", report.packed)
        json.member("removed", removed)
        // For the owner of a place that keeps everything.
        json.member(
          "replaced",
          keepsAll ? report.replaced.map { folder + $0 } : [])
      }
      json.member("troubles", report.troubles)
      json.member("unusable", unusable)
    } text: { page in
      if repairing { page.note(SyncMessage.repaired(moved.pushed)) }
      if !isOpen {
        page.note(SyncMessage.onlyMoved(pushed: moved.pushed, pulled: moved.pulled))
      } else if moved.pushed == 0, moved.pulled == 0, report.merged == 0 {
        // What follows says what is wrong.
        if exitCode == 0 { page.note(SyncMessage.nothingNew) }
      } else {
        page.note(
          SyncMessage.done(pushed: moved.pushed, pulled: moved.pulled, merged: report.merged))
      }
      if compacting {
        page.note(SyncMessage.compacted(packs: report.packed, removed: removed))
        if packsDiffer { page.warn(SyncMessage.packsDiffer) }
        if keepsAll { page.note(SyncMessage.placeKeepsAll) }
      }
      if report.conflicts > 0 { page.note(SyncMessage.haveConflicts(report.conflicts)) }
      // A device that was revoked waits for nothing.
      if report.waiting > 0, report.removals == 0, !report.troubles.contains(.closed) {
        page.note(SyncMessage.waits(report.waiting))
        page.note(SyncMessage.repairEverywhere)
      }
      if report.missingFiles > 0 { page.note(SyncMessage.filesMissing(report.missingFiles)) }
      if isDeclined {
        page.warn(SyncMessage.removalsWait)
      } else if report.removals > 0 {
        page.warn(SyncMessage.wouldRemove(report.removals))
        page.warn(report.waiting > 1 ? SyncMessage.yesToRemoveAll : .yesToRemove)
      }
      page.warn(report.troubles)
      if !unusable.isEmpty { page.warn(SyncMessage.deleteThere(unusable)) }
    }
  }

  /// Goes on in another place, which gets all that is here.
  private static func move(_ invocation: Invocation) async throws -> Outcome {
    try invocation.requireVault()
    let (text, place) = try invocation.place(invocation.operands[0])
    guard text != (try invocation.keptPlace().place) else { return stays(text) }
    try place.tryOut()
    // Which photos and files are to come along, only the open diary knows.
    let connection = try await invocation.connection()
    let lock = try invocation.syncLock()
    defer { withExtendedLifetime(lock) {} }
    let kept = try invocation.keptPlace()
    // What others left in the old place comes along, where it can still be reached.
    do {
      let old = invocation.mover(to: try invocation.place(kept.place).place)
      var meeting = Meeting(old, space: kept.space, diary: connection, isTold: false)
      try meeting.finish()
      invocation.warn(of: meeting.report)
    } catch let error as PlaceError {
      invocation.page.warn(Failure(error).message)
    }
    var meeting = Meeting(
      invocation.mover(to: place), space: kept.space, diary: connection, repairing: true)
    do { try meeting.finish() } catch let error as PlaceError where error.reason == .full {
      throw Failure(
        .diskFull, SyncMessage.placeFull(text),
        hint: SyncMessage.makeRoomAndMove(ShellWords.quoted(text)))
    }
    let moved = meeting.moved
    try invocation.keep(place: text, space: kept.space ?? "")
    AutomaticSync.start(invocation)
    return .object(exitCode: meeting.report.exitCode) { json in
      json.member("place", text)
      json.member("pushed", moved.pushed)
      json.member("pulled", moved.pulled)
      json.member("removals", meeting.report.removals)
    } text: { page in
      page.note(SyncMessage.movedTo(text, pushed: moved.pushed))
      invocation.warn(of: meeting.report)
      page.note(SyncMessage.moveOthers(ShellWords.quoted(text)))
    }
  }

  /// A place that is moved to where it is.
  private static func stays(_ place: String) -> Outcome {
    .object { json in
      json.member("place", place)
      json.member("pushed", 0)
      json.member("pulled", 0)
      json.member("removals", 0)
    } text: {
      $0.note(SyncMessage.alreadyThere(place: place))
    }
  }

  // MARK: Looking

  private static func status(_ invocation: Invocation) async throws -> Outcome {
    try invocation.requireVault()
    let kept = try? invocation.keptPlace()
    let connection = try await invocation.connection()
    guard let status = try connection.run(AskSyncStatus()).status else {
      throw invocation.sharesNothing
    }
    if invocation.verb == "devices" {
      return .array(status.devices) {
        write($1, to: &$0)
      } text: { page in
        for device in status.devices { try page.line(line(device, page)) }
      }
    }
    return .object { json in
      json.member("space", status.space)
      json.member("place", kept?.place)
      json.member("auto", kept?.isAutomatic ?? false)
      json.member("reached", invocation.placeReached.map(utc))
      json.member("asking", status.isAsking)
      json.member("digest", status.digest)
      json.member("unpublished", status.unpublished)
      json.member("conflicts", status.conflicts)
      json.member("missingFiles", status.missingFiles)
      json.member("removals", status.removals)
      json.member("settled", status.settled.map(utc))
      json.member("troubles", status.troubles)
      json.member("devices", array: status.devices) { write($1, to: &$0) }
    } text: { page in
      if status.isAsking { try page.line(SyncMessage.asking) }
      if let kept { try page.line(SyncMessage.place(kept.place)) }
      try page.line(status.settled.map { SyncMessage.lastSettled(localTime($0)) } ?? .neverSettled)
      if let reached = invocation.placeReached {
        try page.line(SyncMessage.placeReached(localTime(reached)))
      }
      try page.line(SyncMessage.digest(status.digest))
      if status.unpublished > 0 { try page.line(SyncMessage.unpublished(status.unpublished)) }
      if status.conflicts > 0 { try page.line(SyncMessage.haveConflicts(status.conflicts)) }
      if status.missingFiles > 0 { try page.line(SyncMessage.filesMissing(status.missingFiles)) }
      if status.removals > 0 {
        try page.line(SyncMessage.wouldRemove(status.removals))
        try page.line(SyncMessage.removalsWait)
      }
      for device in status.devices { try page.line(line(device, page)) }
      for trouble in status.troubles {
        try page.line(trouble.message)
        if let next = trouble.next { try page.line(next) }
      }
    }
  }

  private static func write(_ device: SyncDevice, to json: inout JSONWriter) {
    json.member("id", device.id)
    json.member("name", device.name)
    json.member("this", device.isThis)
    json.member("revoked", device.isRevoked)
    json.member("heard", device.heard.map(utc))
    json.member("segments", device.segments)
  }

  private static func line(_ device: SyncDevice, _ page: Page) -> String {
    let what: SyncMessage =
      device.isRevoked
      ? .isRevoked
      : device.isThis ? .thisDevice : device.heard.map { .heard(localTime($0)) } ?? .neverHeard
    return "\(device.id.prefix(8))  \(visible(device.name))  \(page.text(what))"
  }

  private static func doctor(_ invocation: Invocation) throws -> Outcome {
    let named = try invocation.operands.first ?? invocation.keptPlace().place
    let (text, place) = try invocation.place(named)
    let needs = try place.needs()
    if needs.isEmpty { try place.tryOut() }
    return .array(needs, exitCode: needs.isEmpty ? 0 : 1) { json, need in
      json.member("do", need)
    } text: { page in
      if !needs.isEmpty, place.folder != nil {
        page.warn(SyncMessage.folderMissing(text))
        page.warn(SyncMessage.mountIt)
      } else if !needs.isEmpty {
        page.warn(SyncMessage.placeNeeds(text))
      }
      for need in needs { try page.line(need) }
      if needs.isEmpty { page.note(SyncMessage.placeWorks(text)) }
    }
  }
}
