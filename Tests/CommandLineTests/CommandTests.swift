import Testing

@testable import CommandLine

@Suite struct CommandTests {
  private let command = Command<Void>(
    "books", Form("list", isDefault: true), Form("add", Operand("NAME")),
    Form(
      "send", Operand("ID", completion: .named("id")),
      Operand("FILE", repeats: true, completion: .file)),
    summary: "books"
  ) { _ in 0 }

  @Test func `forms give usage, verbs, counts and completion from one declaration`() throws {
    #expect(command.usage == "[list] | add NAME | send ID FILE…")
    #expect(try command.form(of: []).form.verb == "list")
    let (form, operands) = try command.form(of: ["send", "1", "a", "b"])
    #expect(form.verb == "send" && operands == ["1", "a", "b"])
    for words in [["add"], ["add", "a", "b"], ["send", "1"], ["list", "x"], ["sned", "1", "a"]] {
      let failure = try #require(throws: Failure.self) { try command.form(of: words) }
      #expect(failure.code == .usage)
    }
    #expect(command.completion(at: 0, after: []) == .words(["list", "add", "send"]))
    #expect(command.completion(at: 1, after: ["send"]) == .named("id"))
    #expect(command.completion(at: 5, after: ["send"]) == .file)
    #expect(command.completion(at: 2, after: ["add", "x"]) == .none)
  }

  @Test func `a usage error shows the form that was meant`() throws {
    let failure = try #require(throws: Failure.self) { try command.form(of: ["send", "1"]) }
    #expect(failure.message.string(in: .english) == "usage: facediary books send ID FILE…")
  }
}
