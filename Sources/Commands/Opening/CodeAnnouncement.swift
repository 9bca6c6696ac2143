internal import CommandLine
internal import Dates
internal import JSONText
internal import Requests
internal import Words

/// What stands around a recovery code on standard output.
///
/// The keeper writes the code itself, into the place that is left for it, so that it crosses no socket. Everything else of the document
/// is written here.
@MainActor
final class CodeAnnouncement {
  private let invocation: Invocation
  /// What the code is called in JSON.
  private let member: String
  /// What people hear before it.
  private let words: any Message
  /// Whether more members follow when the command is done.
  private let goesOn: Bool
  private var json = JSONWriter()
  private var written = 0
  private var isOpen = false

  init(
    _ invocation: Invocation, as member: String = "recoveryCode",
    _ words: any Message = OpeningMessage.thisIsRecoveryCode, goesOn: Bool = false
  ) {
    self.invocation = invocation
    self.member = member
    self.words = words
    self.goesOn = goesOn
  }

  /// Answers a keeper that is about to write a code, or has written it.
  ///
  /// - Parameter more: says what belongs to the code, and adds members before it.
  func answer(
    _ question: OwnerQuestion, _ more: (CodeFacts, inout JSONWriter) throws -> Void = { _, _ in }
  ) throws -> OwnerReply {
    switch question {
    case .announce(let facts):
      json.beginObject()
      try more(facts, &json)
      json.key(member)
      json.value("")
      if invocation.isJSON { isOpen = true } else { invocation.page.warn(words) }
      // Up to the closing quotation mark.
      try write(json.bytes.count - 1)
    case .codeShown:
      if !invocation.isJSON { try invocation.output.write("\n") }
      if goesOn { try write(json.bytes.count) } else { try end() }
    default: return .no
    }
    return .yes
  }

  /// Adds what is known only at the end, and ends the document.
  func end(_ members: (inout JSONWriter) -> Void = { _ in }) throws {
    guard isOpen else { return }
    isOpen = false
    members(&json)
    json.endObject()
    try write(json.bytes.count)
    try invocation.output.write("\n")
    try invocation.output.flush()
  }

  private func write(_ count: Int) throws {
    if invocation.isJSON { try invocation.output.write(Array(json.bytes[written..<count])) }
    written = count
    try invocation.output.flush()
  }
}
