package import JSONText

/// What a command answers, once for machines and once for people.
///
/// A command gives both; the program writes the one that was asked for.
@MainActor
package struct Outcome {
  package let exitCode: Int32
  /// Reported after the answer, for a command that has an answer although it failed.
  package let failure: (any Error)?
  private let document: (@MainActor (inout JSONWriter) async -> Void)?
  private let text: (Page) throws -> Void

  /// - Parameters:
  ///   - json: writes one value, in no human language; work that only JSON needs is done in it.
  ///   - text: writes lines and remarks.
  package init(
    exitCode: Int32 = 0, failure: (any Error)? = nil,
    json: @escaping @MainActor (inout JSONWriter) async -> Void,
    text: @escaping (Page) throws -> Void
  ) {
    self.exitCode = exitCode
    self.failure = failure
    document = json
    self.text = text
  }

  /// One object, whose members `json` writes.
  package static func object(
    exitCode: Int32 = 0, failure: (any Error)? = nil,
    _ json: @escaping @MainActor (inout JSONWriter) async -> Void,
    text: @escaping (Page) throws -> Void
  ) -> Outcome {
    Outcome(
      exitCode: exitCode, failure: failure,
      json: { writer in
        writer.beginObject()
        await json(&writer)
        writer.endObject()
      }, text: text)
  }

  /// An array of objects, whose members `json` writes.
  package static func array<Element>(
    _ list: [Element], exitCode: Int32 = 0, failure: (any Error)? = nil,
    _ json: @escaping (inout JSONWriter, Element) -> Void,
    text: @escaping (Page) throws -> Void
  ) -> Outcome {
    Outcome(exitCode: exitCode, failure: failure, json: { $0.array(list, json) }, text: text)
  }

  /// The answer was written as it came, or there is none; people may get remarks.
  package static func written(
    exitCode: Int32 = 0, remarks: @escaping (Page) throws -> Void = { _ in }
  ) -> Outcome {
    Outcome(exitCode: exitCode, text: remarks)
  }

  private init(exitCode: Int32, text: @escaping (Page) throws -> Void) {
    self.exitCode = exitCode
    failure = nil
    document = nil
    self.text = text
  }

  /// Writes it, as JSON or for people, and returns the exit code.
  ///
  /// - Throws: its failure; what writing throws.
  package func render(asJSON: Bool, to page: Page) async throws -> Int32 {
    if !asJSON {
      try text(page)
    } else if let document {
      var writer = JSONWriter()
      await document(&writer)
      try page.output.write(writer.bytes + [0x0a])
    }
    if let failure { throw failure }
    return exitCode
  }
}

/// Where an answer for people goes: standard output, and remarks on standard error.
@MainActor
package struct Page {
  package let output: Output
  package let language: Language
  /// Whether colours are shown.
  package let usesColor: Bool
  /// The name before each remark.
  private let program: String
  private let isQuiet: Bool

  package init(
    _ output: Output, program: String, language: Language, usesColor: Bool, isQuiet: Bool
  ) {
    self.output = output
    self.program = program
    self.language = language
    self.usesColor = usesColor
    self.isQuiet = isQuiet
  }

  package func text(_ message: some Message) -> String { message.text(in: language) }

  package func line(_ text: String) throws { try output.line(text) }

  /// A terminal breaks no word of it.
  package func line(_ message: some Message) throws {
    let text = text(message)
    try output.line(
      Terminal.isTerminal(1) ? wrapped(text, to: Terminal.width, keeping: program) : text)
  }

  /// Writes a remark, unless `--quiet` was given.
  package func note(_ message: some Message) {
    guard !isQuiet else { return }
    warn(message)
  }

  /// Writes a remark that must be seen.
  package func warn(_ message: some Message) {
    // Write the answer so far before the remark.
    try? output.flush()
    // One line: what it quotes from outside must not begin one that looks like our own.
    Output.say(program + ": " + visible(text(message)).oneLine, by: program)
  }
}
