internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import JSONText
internal import Words

extension SyncTrouble {
  var code: String {
    switch self {
    case .lost: "lost"
    case .goneHere: "gone-here"
    case .neverCame: "never-came"
    case .damaged: "damaged"
    case .refused: "refused"
    case .wroteAfterRevocation: "wrote-after-revocation"
    case .copied: "copied"
    case .closed: "closed"
    case .unreadable: "unreadable"
    case .newer: "newer-format"
    case .survived: "survived"
    case .cameBack: "came-back"
    }
  }
}

extension SyncReport {
  /// What a command ends with for which something at the place was not as it should be.
  var exitCode: Int32 { troubles.contains(where: \.isFailure) ? Failure.Code.damaged.exitCode : 0 }
}

extension JSONWriter {
  mutating func member(_ name: String, _ troubles: [SyncTrouble]) {
    member(name, array: troubles) { json, trouble in
      json.member("code", trouble.code)
      json.member("message", trouble.message.text(in: .english))
      json.member("hint", trouble.next?.text(in: .english))
    }
  }
}

extension Invocation {
  /// Says what was not as it should be while something else was done.
  func warn(of report: SyncReport) {
    if report.removals > 0 {
      page.warn(SyncMessage.wouldRemove(report.removals))
      page.warn(SyncMessage.removalsWait)
    }
    page.warn(report.troubles)
    if !report.namesakes.isEmpty {
      page.warn(SyncMessage.haveSameName(report.namesakes.map { String($0.prefix(8)) }))
    }
  }
}

extension Page {
  /// What is not as it should be, and what to do.
  func warn(_ troubles: [SyncTrouble]) {
    for trouble in troubles {
      warn(trouble.message)
      if let next = trouble.next { warn(next) }
    }
  }
}
