import JSONText
import Testing

@testable import CommandLine

@MainActor @Suite struct OutcomeTests {
  private struct Trouble: Error {}

  private var page: Page {
    Page(Output(), program: "books", language: .english, usesColor: false, isQuiet: true)
  }

  @Test func `machines get the document and people the text, never both`() async throws {
    var text = 0
    var documents = 0
    let outcome = Outcome.object(exitCode: 5) { json in
      documents += 1
      json.member("title", "Emma")
    } text: { _ in
      text += 1
    }
    // Nothing is written out: the page's output is not flushed.
    #expect(try await outcome.render(asJSON: true, to: page) == 5)
    #expect(documents == 1 && text == 0)
    #expect(try await outcome.render(asJSON: false, to: page) == 5)
    #expect(documents == 1 && text == 1)
  }

  @Test(arguments: [true, false])
  func `a failure is thrown after the answer`(asJSON: Bool) async {
    var answered = false
    let outcome = Outcome.array([1], failure: Trouble()) { json, number in
      answered = true
      json.member("number", number)
    } text: { _ in
      answered = true
    }
    await #expect(throws: Trouble.self) {
      try await outcome.render(asJSON: asJSON, to: page)
    }
    #expect(answered)
  }
}
