internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import JSONText
internal import Requests
internal import Words

/// A text from standard input: piped, or typed at the terminal.
@MainActor
package enum StandardInputText {
  /// Reads a text, without a byte order mark and with the line ends of this system.
  static func read(_ invocation: Invocation) throws -> String {
    if Terminal.isTerminal(0) { invocation.page.note(WritingMessage.typeThenEnd) }
    let bytes: [UInt8]
    do {
      bytes = try invocation.read("-", as: .entryText, limit: EntryDraft.bodyLimit + 1)
    } catch let error as InputTooLarge {
      throw Failure(
        .invalid, WritingMessage.textTooLong(error.limit - 1), hint: WritingMessage.attachAsFile)
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      guard Terminal.isTerminal(0) else { throw Failure(.invalid, WritingMessage.inputNotText) }
      // It is nowhere else.
      throw try MemoryDirectory.failure(
        .inputNotText, keeping: bytes, in: MemoryDirectory.bases(invocation.environment))
    }
    let unmarked =
      text.unicodeScalars.first == "\u{feff}"
      ? text.unicodeScalars.dropFirst() : text.unicodeScalars[...]
    return String(String.UnicodeScalarView(unmarked)).replacing("\r\n", with: "\n")
  }
}

extension Outcome {
  /// What was written: its id, or a remark.
  static func written(_ written: Written, _ said: WritingMessage? = nil) -> Outcome {
    .object { json in
      json.member("id", written.id.description)
      json.member("revision", written.revision)
    } text: { page in
      if let said {
        page.note(said)
      } else {
        try page.line(Terminal.isTerminal(1) ? written.id.short : written.id.description)
      }
    }
  }
}
