internal import Access
internal import Bytes
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
internal import Words

/// `sync setup`, `invite`, `join`, `recover` and `revoke`: who takes part.
@MainActor
enum SpaceMembership {
  static func setUp(_ invocation: Invocation) throws -> Outcome {
    try invocation.requireVault()
    let (text, place) = try invocation.place(invocation.operands[0])
    // Before the passphrase, and before anything is begun: report a place that cannot be written.
    try place.tryOut()
    let code = CodeAnnouncement(invocation, SyncMessage.spaceCodeIs)
    let space = try code.telling {
      try owner(invocation).run(
        BeginSpace(name: try invocation.deviceName()),
        answer: { question in
          try code.answer(question) { facts, json in
            json.member("space", facts.id)
            json.member("place", text)
          }
        })
    }
    try invocation.keep(place: text, space: space)
    let moved = try invocation.mover(to: place).exchangeAlone(space: space, join: nil)
    AutomaticSync.start(invocation)
    // Two devices that were both set up never meet.
    let others = try spaces(in: place).count { $0 != space }
    return .written { page in
      page.note(SyncMessage.begun(place: text))
      page.note(SyncMessage.moved(pushed: moved.pushed, pulled: moved.pulled))
      if others > 0 { page.warn(SyncMessage.placeHasOthers(others)) }
    }
  }

  /// The diaries that meet in a place.
  fileprivate static func spaces(in place: any Place) throws -> Set<String> {
    Set(
      try place.list(String(ObjectFolder.root.dropLast())).compactMap {
        $0.dropFirst(ObjectFolder.root.count).split(separator: "/").first.map(String.init)
      }.filter { Identity(text: $0) != nil })
  }

  /// Forgets the other devices; the diary stays as it is.
  static func leave(_ invocation: Invocation) async throws -> Outcome {
    try invocation.requireVault()
    try invocation.requireYes("sync leave")
    let connection = try await invocation.connection()
    let status = try connection.run(AskSyncStatus()).status
    // Only the other devices can still send them.
    if let missing = status?.missingFiles, missing > 0 {
      invocation.page.warn(SyncMessage.filesMissing(missing))
    }
    try invocation.confirm(SyncMessage.askToLeave)
    let lock = try invocation.syncLock()
    defer { withExtendedLifetime(lock) {} }
    let kept = try? invocation.keptPlace()
    // Only another device that takes part can revoke this one, where it is not revoked yet. Revoking a copy would revoke the other, too.
    let devices = status?.devices.filter { !$0.isRevoked } ?? []
    let isAlone = devices.count < 2 || status?.isCopied == true
    let known = isAlone ? nil : devices.first(where: \.isThis)
    do {
      try connection.run(LeaveSpace())
    } catch let error as VaultError where error.reason == .sharesNothing && kept != nil {
      // It left already, and was ended before the place was forgotten.
    }
    try invocation.forgetPlace()
    return .object { json in
      json.member("left", kept?.space)
    } text: { page in
      page.note(SyncMessage.doneLeaving)
      if let known { page.note(SyncMessage.revokeThere(String(known.id.prefix(8)))) }
    }
  }

  static func invite(_ invocation: Invocation) throws -> Outcome {
    let kept = try invocation.keptPlace()
    let (text, place) = try invocation.place(kept.place)
    // Before the passphrase, and before a code is shown that nobody can use.
    try place.tryOut()
    let mover = invocation.mover(to: place)
    let waiting = Waiting(inVain: Failure(.declined, SyncMessage.nobodyCame))
    let code = CodeAnnouncement(invocation, as: "code", SyncMessage.pairingCodeIs)
    let name = try owner(invocation).run(
      InviteDevice(),
      answer: { question in
        switch question {
        case .exchange(let space, let join):
          return try waiting.round {
            let moved = try mover.exchangeAlone(space: space, join: join)
            // Without them another device may wait in vain.
            let lost = moved.lost - moved.lostFiles
            guard lost == 0 else {
              throw Failure(.damaged, SyncMessage.lost(lost), hint: SyncMessage.repairAndInvite)
            }
          }
        case .letIn(let name, let check, let count):
          invocation.page.warn(SyncMessage.asks(name: name))
          if count > 1 { invocation.page.warn(SyncMessage.severalAsk(count)) }
          if invocation.arguments[Options.yes] {
            // Nobody compares the symbols of two.
            guard count == 1 else { throw VaultError(.ambiguous, .device, name) }
            return .yes
          }
          if invocation.arguments[Options.codeDialog] {
            let words: [SyncMessage] =
              [.asks(name: name)] + (count > 1 ? [.severalAsk(count)] : [])
              + [.sameSymbols(check: check)]
            return .dialog(words.map(invocation.text).joined(separator: "\n"))
          }
          let isSame = try Terminal.confirm(invocation.text(SyncMessage.sameSymbols(check: check)))
          if !isSame { invocation.page.warn(SyncMessage.refused(name)) }
          return isSame ? .yes : .no
        default:
          // Before a code is shown: the device that asks by it would wait in vain.
          if !invocation.arguments[Options.codeDialog] { try invocation.requireYes("sync invite") }
          return try code.answer(question) { _, _ in
            invocation.note(SyncMessage.typeItThere(place: ShellWords.quoted(text)))
          }
        }
      })
    return .written { $0.note(SyncMessage.letIn(name)) }
  }

  static func join(_ invocation: Invocation) throws -> Outcome {
    _ = try invocation.place(invocation.operands[0])
    guard invocation.operands[1] == "-" || SyncMessage.isCode(invocation.operands[1]) else {
      throw Failure(.invalid, SyncMessage.badPairingCode)
    }
    let (text, place) = try invocation.reachablePlace()
    let device = try invocation.deviceName()
    return try takePart(invocation) { connection in
      let mover = invocation.mover(to: place)
      let waiting = Waiting(
        inVain: Failure(.declined, SyncMessage.nobodyAnswered, hint: SyncMessage.runInvite))
      var (symbols, space): (String, String?) = ("", nil)
      var quietSince: ContinuousClock.Instant?
      let empty = EmptyPlace(place, named: text)
      let report = try connection.run(
        JoinSpace(name: device),
        answer: { question in
          switch question {
          case .exchange(let known, let join):
            // From now on sync goes on from here, whatever becomes of this process.
            if let known, space == nil {
              try invocation.keep(place: text, space: known)
              quietSince = .now
            }
            if known == nil { try empty.tell(invocation) }
            // Once it takes part, the last exchange asks for no pairing.
            if join != nil, let quiet = quietSince, .now - quiet > .seconds(10) {
              invocation.page.warn(SyncMessage.piecesLack)
              waiting.inVain = Failure(
                .damaged, SyncMessage.piecesLack, hint: SyncMessage.syncGoesOn)
              quietSince = nil
            }
            return try waiting.round {
              space = known
              let moved = try mover.exchangeAlone(space: known, join: join)
              // A place that is slow lacks nothing.
              if quietSince != nil, moved.pulled > 0 { quietSince = .now }
            }
          case .asked(let check):
            symbols = check
            invocation.note(SyncMessage.waiting)
            // Comes last: a window shows what was said last.
            invocation.page.warn(SyncMessage.compare(check: check))
            return .yes
          default: return .no
          }
        })
      try invocation.keep(place: text, space: space ?? "")
      invocation.warn(of: report)
      return (
        report.exitCode,
        { [symbols] json in
          json.member("device", device)
          json.member("check", symbols)
          json.member("merged", report.merged)
          json.member("removals", report.removals)
        }, { $0.note(SyncMessage.joined(entries: report.entries ?? 0)) }
      )
    }
  }

  static func recover(_ invocation: Invocation) throws -> Outcome {
    let (text, place) = try invocation.reachablePlace()
    let device = try invocation.deviceName()
    return try takePart(invocation) { connection in
      let mover = invocation.mover(to: place)
      var space: String?
      let report = try connection.run(
        RecoverSpace(name: device),
        answer: { question in
          guard case .exchange(let known, _) = question else { return .no }
          // The second time it takes part.
          if let known, space == known { try invocation.keep(place: text, space: known) }
          space = known
          _ = try mover.exchangeAlone(space: known, join: nil)
          return .yes
        })
      try invocation.keep(place: text, space: space ?? "")
      invocation.warn(of: report)
      return (
        report.exitCode,
        { json in
          json.member("device", device)
          json.member("merged", report.merged)
          json.member("removals", report.removals)
        }, { $0.note(SyncMessage.recovered(entries: report.entries ?? 0)) }
      )
    }
  }

  static func revoke(_ invocation: Invocation) throws -> Outcome {
    let kept = try invocation.keptPlace()
    let mover = invocation.mover(to: try invocation.place(kept.place).place)
    let revoked = try owner(invocation).run(
      RevokeDevice(invocation.operands[0], losesWaiting: invocation.arguments[Options.yes]),
      answer: { question in
        guard case .exchange(let space, _) = question else { return .no }
        _ = try mover.exchangeAlone(space: space, join: nil)
        return .yes
      })
    return .object { json in
      json.member("revoked", revoked.name)
      json.member("letIn", revoked.letIn)
    } text: { page in
      page.note(SyncMessage.revoked(revoked.name))
      if !revoked.letIn.isEmpty { page.warn(SyncMessage.hadLetIn(revoked.name, revoked.letIn)) }
      page.note(SyncMessage.changeLocks)
    }
  }

  /// Takes part in a space. A device that comes in makes its own vault first, with its own ways in; one that has a diary brings it along.
  ///
  /// The recovery code of a new vault begins the answer in JSON, whatever becomes of the rest.
  private static func takePart(
    _ invocation: Invocation,
    _ body: (KeeperConnection) throws -> (Int32, JSONMembers, text: (Page) throws -> Void)
  ) throws -> Outcome {
    guard !FileSystem.exists(invocation.location.vault) else {
      let (exitCode, members, text) = try body(owner(invocation))
      AutomaticSync.start(invocation)
      return .object(exitCode: exitCode, members, text: text)
    }
    let code = CodeAnnouncement(invocation, goesOn: true)
    do {
      // The same process makes the diary and has it open: nobody is asked for the passphrase again.
      let connection = try invocation.newcomer {
        $0.secrets.makesPassphrase(isOptional: false)
        pairing(invocation, in: &$0)
      } make: { maker in
        _ = try code.telling {
          try maker.run(
            CreateVault(limits: invocation.passphraseLimits, hasPassphrase: true, faces: nil),
            answer: { try code.answer($0) })
        }
      }
      let (exitCode, members, text) = try body(connection)
      try code.end { members(&$0) }
      return .written(exitCode: exitCode) { page in
        try text(page)
        page.note(SyncMessage.unlockNext)
      }
    } catch {
      try? code.end()
      throw error
    }
  }

  /// A keeper for what needs the passphrase or the recovery code now.
  private static func owner(_ invocation: Invocation) throws -> KeeperConnection {
    try invocation.owner { pairing(invocation, in: &$0) }
  }

  /// The code by which this device asks to come in.
  private static func pairing(_ invocation: Invocation, in task: inout KeeperTask) {
    task.secrets.pairingCode = invocation.operands.dropFirst().first ?? ""
  }

  private typealias JSONMembers = @MainActor (inout JSONWriter) -> Void
}

/// Says once, after a while, that a place holds no diary: whoever named another place than was meant would wait for nobody.
@MainActor
private final class EmptyPlace {
  private let place: any Place
  private let name: String
  private var since: ContinuousClock.Instant? = .now

  init(_ place: any Place, named name: String) { (self.place, self.name) = (place, name) }

  func tell(_ invocation: Invocation) throws {
    guard let began = since, .now - began > .seconds(10) else { return }
    since = nil
    guard try SpaceMembership.spaces(in: place).isEmpty else { return }
    invocation.page.warn(SyncMessage.placeHasNone(name))
  }
}

/// Rounds of looking whether the other side answered: at once, a few soon, then every two seconds, a quarter of an hour long.
@MainActor
private final class Waiting {
  var inVain: Failure
  private var rounds = 0
  private var pause: Int {
    switch rounds {
    case ..<20: 30
    case ..<40: 100
    case ..<70: 300
    default: 2_000
    }
  }
  private static let most = 520

  /// - Parameter inVain: what is said when nobody answered.
  init(inVain: Failure) { self.inVain = inVain }

  func round(_ body: () throws -> Void) throws -> OwnerReply {
    guard rounds < Self.most else { throw inVain }
    if rounds > 1 { SystemClock.sleep(milliseconds: pause) }
    while true {
      rounds += 1
      do {
        try body()
        return .yes
      } catch let error as VaultError where error.reason == .otherSync && rounds < Self.most {
        // A long sync of this diary is under way: an answer must not be lost to it.
      }
    }
  }
}

extension SyncMessage {
  /// Whether a word can be a pairing code.
  fileprivate static func isCode(_ text: String) -> Bool {
    text.utf8.count { $0 != 0x2d && $0 != 0x20 } == 40
  }
}
