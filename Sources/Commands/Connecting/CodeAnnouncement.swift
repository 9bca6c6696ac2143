internal import CommandLine
internal import Dates
internal import JSONText
internal import Requests
internal import Words

/// The text around a recovery code on standard output.
///
/// All of the document is made here. The keeper only puts the code into it, so that the code crosses no socket, and writes both at
/// once: after a kill, either the code was shown with all that belongs to it, or nothing was.
@MainActor
final class CodeAnnouncement {
  private let invocation: Invocation
  /// What the code is called in JSON.
  private let member: String
  /// What people are told before it.
  private let words: any Message
  /// Whether more members follow when the command is done.
  private let goesOn: Bool
  private var json = JSONWriter()
  private var written = 0
  private var isOpen = false
  private var wasShown = false

  init(
    _ invocation: Invocation, as member: String = "recoveryCode",
    _ words: any Message = OpeningMessage.thisIsRecoveryCode, goesOn: Bool = false
  ) {
    self.invocation = invocation
    self.member = member
    self.words = words
    self.goesOn = goesOn
  }

  /// Answers a keeper that is about to write a code.
  ///
  /// - Parameter more: says what belongs to the code, and adds members before it.
  func answer(
    _ question: OwnerQuestion, _ more: (CodeFacts, inout JSONWriter) throws -> Void = { _, _ in }
  ) throws -> OwnerReply {
    guard case .announce(let facts) = question else { return .no }
    json.beginObject()
    try more(facts, &json)
    wasShown = true
    // The keeper shows it to a person, with these words above.
    if invocation.arguments[Options.codeDialog] {
      return .announcement(before: invocation.text(words), after: "")
    }
    json.key(member)
    json.value("")
    try invocation.output.flush()
    guard invocation.isJSON else {
      invocation.page.warn(words)
      return .announcement(before: "", after: "\n")
    }
    // The code stands before the closing quotation mark.
    let place = json.bytes.count - 1
    if goesOn { isOpen = true } else { json.endObject() }
    written = json.bytes.count
    return .announcement(
      before: String(decoding: json.bytes[..<place], as: UTF8.self),
      after: String(decoding: json.bytes[place...], as: UTF8.self) + (goesOn ? "" : "\n"))
  }

  /// Runs what shows a code, and says what the code is worth if it fails after that.
  func telling<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch {
      let isKnown = !(error is SessionError)
      if wasShown, Failure(error).code != .declined {
        invocation.page.warn(isKnown ? OpeningMessage.codeIsVoid : .codeMayCount)
      }
      throw error
    }
  }

  /// Adds what is known only at the end, and ends the document.
  func end(_ members: (inout JSONWriter) -> Void = { _ in }) throws {
    guard isOpen else { return }
    isOpen = false
    members(&json)
    json.endObject()
    try invocation.output.write(Array(json.bytes[written...]) + [0x0a])
    try invocation.output.flush()
  }
}
