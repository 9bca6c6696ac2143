internal import Client
internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import JSONText
internal import Requests
internal import Words

/// `verify`.
@MainActor
enum VerifyCommand {
  static let declaration = Command<Invocation>(
    "verify", summary: CommandHelp.verify,
    options: [Options.repair]
  ) { invocation in
    let connection = try await opened(invocation)
    if invocation.arguments[Options.repair] {
      let mended = try connection.run(RepairVault())
      invocation.note(KeepingMessage.mended(mended))
    }
    let report = try connection.verify(beside: try invocation.copier())
    // Another device may have sent what is lost here.
    let isShared = report.lostFiles > 0 && (try? invocation.keptPlace()) != nil
    @MainActor func next(_ problem: VerifyReport.Problem) -> KeepingMessage {
      problem.isOfFile && problem.severity == .lost && isShared
        ? .fetchRestoreOrSalvage : Self.next(problem)
    }
    return .object(exitCode: report.isWhole ? 0 : Failure.Code.damaged.exitCode) { json in
      json.member("ok", report.isWhole)
      json.member("entries", report.entries)
      json.member("revisions", report.revisions)
      json.member("attachments", report.attachments)
      json.member("problems", array: report.problems) { json, problem in
        json.member("severity", problem.severity.rawValue)
        json.member("what", "\(problem.what): \(problem.error.detail)")
        json.member("next", next(problem).text(in: .english))
      }
      if report.others > 0 { json.member("others", report.others) }
    } text: { page in
      for problem in report.problems {
        try page.line(
          KeepingMessage.problem(
            problem.severity, what: visible(page.text(problem.what)),
            why: visible(page.text(problem.error.reason)), next: page.text(next(problem))))
      }
      if report.others > 0 { page.note(KeepingMessage.otherProblems(report.others)) }
      page.note(
        report.isWhole
          ? KeepingMessage.whole(entries: report.entries, revisions: report.revisions)
          : .notWhole(problems: report.problems.count + report.others, entries: report.entries))
      if report.kept > 0 { page.note(KeepingMessage.keptFiles(report.kept)) }
      // Where entries are lost, it may be a file of theirs.
      if report.unfinished > 0, !report.hasLost {
        page.note(KeepingMessage.unfinished(report.unfinished))
      }
    }
  }

  /// For a vault that cannot even be opened, the hint must not be to run this command again.
  private static func opened(_ invocation: Invocation) async throws -> KeeperConnection {
    do { return try await invocation.connection() } catch {
      let failure = Failure(error)
      // What is wrong with this device's store says nothing of the diary.
      guard [.damaged, .tampered].contains(failure.code), !(error is KeeperLeft),
        (error as? VaultError)?.part != .anchor
      else { throw error }
      throw Failure(failure.code, failure.message, hint: KeepingMessage.restoreOrSalvage)
    }
  }

  private static func next(_ problem: VerifyReport.Problem) -> KeepingMessage {
    switch problem.severity {
    case .lost: .restoreOrSalvage
    case .suspicious: .repairForeign
    case .minor: .repairSpare
    }
  }
}
