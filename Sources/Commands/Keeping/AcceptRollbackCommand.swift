internal import Access
internal import Client
internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import JSONText
internal import Requests
internal import Words

/// `accept-rollback`: an older copy that was put back on purpose becomes the diary.
@MainActor
enum AcceptRollbackCommand {
  static let declaration = Command<Invocation>(
    "accept-rollback", summary: CommandHelp.acceptRollback, options: [Options.yes],
    details: CommandHelp.acceptRollbackDetails
  ) { invocation in
    try invocation.requireVault()
    var copy: OlderCopy?
    _ = try invocation.custody().run(
      AcceptOlderCopy(),
      answer: { question in
        guard case .acceptOlderCopy(let facts) = question else { return .no }
        copy = facts
        return try confirm(facts, invocation) ? .yes : .no
      })
    invocation.endKeepers()
    return .object { [copy] json in
      json.member("state", invocation.state().rawValue)
      if let copy {
        json.member("entries", Int(clamping: copy.entries))
        json.member("lacks", Int(clamping: copy.added))
      }
    } text: { [copy] page in
      page.note(copy == nil ? KeepingMessage.nothingToAccept : KeepingMessage.acceptedRollback)
    }
  }

  /// Says what comes back and what does not, and asks for confirmation at a terminal.
  private static func confirm(_ copy: OlderCopy, _ invocation: Invocation) throws -> Bool {
    func note(_ message: KeepingMessage) { invocation.page.warn(message) }
    if let remembered = copy.entriesRemembered {
      note(
        .olderCopy(
          entries: Int(clamping: copy.entries), remembered: Int(clamping: remembered)))
    } else {
      note(.olderCopyUnknown(entries: Int(clamping: copy.entries)))
    }
    if copy.added > 0 { note(.olderCopyLacks(Int(clamping: copy.added))) }
    for slot in copy.removed {
      note(.olderCopySlot(kind: slot.kind, created: localDay(slot.created)))
    }
    if copy.isOfLaterKey { note(.copyOfLaterKey) }
    if copy.lost > 0 { note(.olderCopyLost(copy.lost)) }
    if copy.hasOtherPolicy { note(.olderCopyPolicy) }
    if copy.hasOtherFaces { note(.olderCopyFaces) }
    guard !invocation.arguments[Options.yes], Terminal.canAsk else { return true }
    return try Terminal.confirm(invocation.text(KeepingMessage.goOn))
  }
}
