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

/// `sync auto`: a process beside an open session that moves objects and has the session merge, until the session ends. It holds no
/// key, and what it asks for is no use of the session: an idle one is closed as if it were not there.
@MainActor
enum AutomaticSync {
  /// Several changes go together.
  private static let pause: Int64 = 2_000
  /// How often a place is asked that cannot be watched, and one that failed.
  private static let period: Int64 = 300_000

  /// Starts it for the session that was opened, where the diary has a place. That it cannot be started closes no diary.
  static func start(_ invocation: Invocation) {
    // Which vault it is takes a process to find out.
    guard !KeptPlaces(invocation.location.devices).isEmpty else { return }
    // Without a session it would end at once, or meet the next one, for which another is started.
    guard let kept = try? invocation.keptPlace(), kept.isAutomatic,
      (try? SessionWatch(invocation.location)) != nil,
      let null = try? Descriptor.open("/dev/null", [.readWrite]),
      let program = try? ThisProcess.executable()
    else { return }
    let words = [
      program, "sync", "auto", "run", Options.vault.spec.name, invocation.location.vault,
      Options.device.spec.name, invocation.location.devices,
    ]
    do throws(ChildProcessError) {
      let files = [null.number, null.number, null.number]
      _ = try ChildProcess.spawn(
        words, files: files, ownGroup: true, keepingEnvironment: true)
    } catch {
      invocation.page.warn(Failure(error).message)
    }
  }

  static func set(_ invocation: Invocation) async throws -> Outcome {
    let kept = try invocation.keptPlace()
    let wish = invocation.operands.first
    switch wish {
    case "on", "off":
      try invocation.keep(automatic: wish == "on")
      // Also where it is on already: the process beside the session may have been killed. Of two, one ends at once.
      if wish == "on" { start(invocation) }
    case nil: break
    case "run": return try await run(invocation)
    default: throw Failure(.usage, SyncMessage.onOrOff)
    }
    let isAutomatic = wish.map { $0 == "on" } ?? kept.isAutomatic
    return .object { json in
      json.member("auto", isAutomatic)
    } text: { page in
      page.note(isAutomatic ? SyncMessage.isAutomatic : .isNotAutomatic)
    }
  }

  /// Moves until the session ends.
  private static func run(_ invocation: Invocation) async throws -> Outcome {
    guard let session = try SessionWatch(invocation.location) else {
      throw Failure(.notFound, SyncMessage.noSession)
    }
    ThisProcess.detach()
    let (folders, settings) = (FolderWatch(), FolderWatch())
    // Before the place is read: a change after that is seen.
    settings?.watch([invocation.location.devices])
    // One for each diary: one that was started before ends when it sees what was set since.
    guard let turn = try? invocation.automaticTurn() else { return .written { _ in } }
    defer { withExtendedLifetime(turn) {} }
    let begun = (try? invocation.keptPlace())?.place
    // At once: what came while the diary was closed.
    var due: Int64 = 0
    while true {
      var polls = [Poll.Entry(session.number)]
      for watch in [folders, settings].compactMap({ $0 }) { polls.append(Poll.Entry(watch.number)) }
      Poll.wait(&polls, milliseconds: Int(clamping: max(0, due - now)))
      switch session.news() {
      case .over: return .written { _ in }
      case .changed: due = min(due, now + pause)
      case .nothing: break
      }
      let ready = polls.filter(\.isReady).map(\.number)
      if let folders, ready.contains(folders.number) {
        folders.clear()
        due = min(due, now + pause)
      }
      if let settings, ready.contains(settings.number) {
        settings.clear()
        defer { invocation.endLooking() }
        guard let kept = try? invocation.keptPlace(), mayMove(invocation, to: kept, begun) else {
          return .written { _ in }
        }
      }
      guard now >= due else { continue }
      due = now + period
      do {
        // What looks at the closed diary may hold the only connection to a chip.
        defer { invocation.endLooking() }
        let kept = try move(invocation, begun, beside: session) { due = now + pause }
        if let folder = try invocation.place(kept.place).place.folder, let space = kept.space {
          folders?.watch(watched(folder, space))
        }
      } catch is SessionEnd {
        return .written { _ in }
      } catch {
        // The diary has no place any more. A place that fails, or another sync that takes long, is tried again; `sync` says
        // what is wrong.
        if Failure(error).code == .notFound { return .written { _ in } }
      }
    }
  }

  /// Whether it goes on by what is set now. The session itself can write what says where to move, and a program that it named, also in what
  /// rclone is told, would run without its bounds.
  ///
  /// - Parameter begun: the place when it was started.
  private static func mayMove(
    _ invocation: Invocation, to kept: KeptPlaces.Place, _ begun: String?
  ) -> Bool {
    guard kept.isAutomatic else { return false }
    return kept.place == begun || (try? invocation.place(kept.place))?.place.folder != nil
  }

  private static var now: Int64 { SystemClock.sinceBoot / 1_000_000 }

  /// The session ended while objects were moved, or it is not to move them any more.
  private struct SessionEnd: Error {}

  /// - Parameters:
  ///   - begun: the place when it was started.
  ///   - hasChanged: called when something was changed meanwhile.
  /// - Returns: the place, as it was kept then.
  private static func move(
    _ invocation: Invocation, _ begun: String?, beside session: SessionWatch,
    hasChanged: () -> Void
  ) throws -> KeptPlaces.Place {
    let lock = try invocation.syncLock()
    defer { withExtendedLifetime(lock) {} }
    // Another command may have left the place, or gone on in another one, before it gave the lock away.
    let kept = try invocation.keptPlace()
    guard mayMove(invocation, to: kept, begun) else { throw SessionEnd() }
    let place = try invocation.place(kept.place).place
    guard let diary = try KeeperConnection(session: invocation.location, as: .attending) else {
      throw SessionEnd()
    }
    let mover = ObjectMover(
      invocation.location.vault, place,
      progress: { _, _ in if session.isOver { throw SessionEnd() } })
    var meeting = Meeting(mover, space: kept.space, diary: diary, isTold: false)
    while meeting.next != .done {
      if session.isOver { throw SessionEnd() }
      try meeting.step()
    }
    if session.news() == .changed { hasChanged() }
    if meeting.report.sharesNothing {
      try invocation.forgetPlace()
      throw SessionEnd()
    }
    return kept
  }

  /// The folders into which other devices' objects come.
  private static func watched(_ folder: String, _ space: String) -> [String] {
    let root = folder + "/" + ObjectFolder.root + space
    let kinds = ((try? FileSystem.names(in: root)) ?? []).map { root + "/" + $0 }
      .filter { FileSystem.isDirectory($0) }
    let logs = ((try? FileSystem.names(in: root + "/log")) ?? []).map { root + "/log/" + $0 }
    return [root] + kinds + logs.filter { FileSystem.isDirectory($0) }
  }
}
