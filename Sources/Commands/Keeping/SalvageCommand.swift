internal import Client
internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import JSONText
internal import Platform
internal import Requests
internal import Words

/// `salvage`: what still opens of a damaged vault, into a new one.
@MainActor
enum SalvageCommand {
  static let declaration = Command<Invocation>(
    "salvage", Form(Operand("OUT", completion: .file)), summary: CommandHelp.salvage,
    options: [Options.kdf], details: CommandHelp.salvageDetails
  ) { invocation in
    try invocation.requireVault()
    let target = Invocation.absolute(invocation.operands[0])
    try invocation.requireElsewhere(target)
    let progress = invocation.progress("salvage")
    let code = CodeAnnouncement(invocation)
    let report = try code.telling {
      try invocation.custody {
        $0.folders = [FileSystem.realParent(of: target)]
      }.run(
        SalvageVault(to: target, limits: invocation.passphraseLimits),
        progress: { progress.reach($0, of: $1) }
      ) { question in
        progress.end()
        return try code.answer(question) { facts, json in
          let report = facts.salvaged ?? Salvaged()
          json.member("vault", target)
          json.member("id", facts.id)
          json.member("entries", report.entries)
          json.member("older", report.older)
          json.member("nameless", report.nameless)
          json.member("attachments", report.attachments)
          json.member("lost", report.lost.map(\.description))
          if report.othersLost > 0 { json.member("othersLost", report.othersLost) }
        }
      }
    }
    // The document was printed with the recovery code in it.
    return .written { page in
      for line in report.lost { page.warn(KeepingMessage.lost(line)) }
      if report.othersLost > 0 { page.warn(KeepingMessage.othersLost(report.othersLost)) }
      if report.older > 0 { page.note(KeepingMessage.onlyOlder(report.older)) }
      if report.nameless > 0 { page.note(KeepingMessage.nameless(report.nameless)) }
      page.note(
        KeepingMessage.rescued(
          entries: report.entries, attachments: report.attachments, path: target))
      page.note(KeepingMessage.openRescued(ShellWords.quoted(target)))
    }
  }
}
