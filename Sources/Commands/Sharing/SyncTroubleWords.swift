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

  var message: SyncMessage {
    switch self {
    case .lost(let count): .lost(count)
    case .goneHere(let count): .goneHere(count)
    case .damaged(let count): .damaged(count)
    case .refused(let device): .wasRefused(device: device)
    case .wroteAfterRevocation(let device): .wroteAfterRevocation(device: device)
    case .copied: .copied
    case .closed: .closed
    case .unreadable(let count): .unreadable(count)
    case .newer: .newer
    case .survived(let count, let entries): .survived(count, entries.map(\.short))
    case .cameBack(let count, let entries): .cameBack(count, entries.map(\.short))
    }
  }

  /// What to do.
  var next: SyncMessage? {
    switch self {
    case .lost: .repairPutsBack
    case .goneHere: .joinAnew
    case .damaged: .repairElsewhere
    case .refused: .lookAtDevice
    case .wroteAfterRevocation: nil
    case .copied: .oneCopy
    case .closed: .joinAgain
    case .unreadable: .syncOthersFirst
    case .newer: .update
    case .survived, .cameBack: .removeAgain
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
    for trouble in report.troubles {
      page.warn(trouble.message)
      if let next = trouble.next { page.warn(next) }
    }
  }
}
