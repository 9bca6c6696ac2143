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
    "verify", summary: "open every record and look for anything missing, old or strange",
    options: [Options.repair]
  ) { invocation in
    let connection = try await invocation.connection()
    if invocation.arguments[Options.repair] {
      let mended = try connection.run(RepairVault())
      invocation.note("mended: \(mended)")
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
          ? "whole: \(report.entries) entries, \(report.revisions) revisions, all opened along their paths"
          : "not whole: \(report.problems.count) problems; \(report.entries) entries open")
      if report.unfinished > 0 {
        invocation.note(
          "\(report.unfinished) attachments were never finished and take room; facediary purge removes them"
        )
      }
    }
    return report.isWhole ? 0 : Failure.Code.damaged.exitCode
  }

  private static func next(_ problem: VerifyReport.Problem) -> Text {
    switch problem.severity {
    case .lost:
      "Restore a backup (facediary restore-backup), or rescue what still opens: facediary salvage OUT"
    case .suspicious:
      "What you see is still as it was written. facediary verify --repair takes it away; look for what else writes this file."
    case .minor: "A spare part; facediary verify --repair writes it anew."
    }
  }
}
