internal import Authentication
internal import CommandLine
internal import DiaryVault
internal import FaceDiary
internal import JSONText
internal import Platform

/// `verify`.
@MainActor
enum VerifyCommand {
  static let declaration = Command<Invocation>(
    "verify", summary: CommandHelp.verify,
    options: [Options.repair]
  ) { invocation in
    let connection = try await invocation.connection()
    if invocation.arguments[Options.repair] {
      let mended = try connection.run(RepairVault())
      invocation.note(KeepingMessage.mended(mended))
    }
    let report = try connection.run(VerifyVault())
    if invocation.isJSON {
      try invocation.json { json in
        json.beginObject()
        json.member("ok", report.isWhole)
        json.member("entries", report.entries)
        json.member("revisions", report.revisions)
        json.member("attachments", report.attachments)
        json.key("problems")
        json.beginArray()
        for problem in report.problems {
          json.beginObject()
          json.member("severity", problem.severity.rawValue)
          json.member("what", "\(problem.what): \(problem.error.detail)")
          json.member("next", invocation.documentText(next(problem)))
          json.endObject()
        }
        json.endArray()
        json.endObject()
      }
    } else {
      for problem in report.problems {
        try invocation.output.line(
          "\(problem.severity.rawValue): \(visible(problem.what)): \(visible(problem.error.detail)). \(invocation.text(next(problem)))"
        )
      }
      invocation.note(
        report.isWhole
          ? KeepingMessage.whole(entries: report.entries, revisions: report.revisions)
          : KeepingMessage.notWhole(problems: report.problems.count, entries: report.entries))
      if report.unfinished > 0 {
        invocation.note(
          KeepingMessage.unfinished(report.unfinished)
        )
      }
    }
    return report.isWhole ? 0 : Failure.Code.damaged.exitCode
  }

  private static func next(_ problem: VerifyReport.Problem) -> any Message {
    switch problem.severity {
    case .lost:
      KeepingMessage.restoreOrSalvage
    case .suspicious:
      KeepingMessage.repairForeign
    case .minor: KeepingMessage.repairSpare
    }
  }
}
