import Testing

@testable import CommandLine

@Suite struct CommandTests {
  private let command = Command<Void>(
    "books", Form("list", isDefault: true), Form("add", Operand("NAME")),
    Form(
      "send", Operand("ID", completion: .named("id")),
      Operand("FILE", repeats: true, completion: .file)),
    summary: Verbatim("books")
  ) { _ in .written() }

  @Test func `forms give usage, verbs, counts and completion from one declaration`() throws {
    #expect(command.usage == "[list] | add NAME | send ID FILE…")
    #expect(try command.form(of: []).form.verb == "list")
    let (form, operands) = try command.form(of: ["send", "1", "a", "b"])
    #expect(form.verb == "send" && operands == ["1", "a", "b"])
    for words in [["add"], ["add", "a", "b"], ["send", "1"], ["list", "x"], ["sned", "1", "a"]] {
      #expect(throws: UsageError.self) { try command.form(of: words) }
    }
    #expect(command.completion(at: 0, after: []) == .words(["list", "add", "send"]))
    #expect(command.completion(at: 1, after: ["send"]) == .named("id"))
    #expect(command.completion(at: 5, after: ["send"]) == .file)
    #expect(command.completion(at: 2, after: ["add", "x"]) == .none)
  }

  @Test func `a usage error shows the form that was meant`() {
    #expect(throws: UsageError.misused(command: "books", usage: "books send ID FILE…")) {
      try command.form(of: ["send", "1"])
    }
  }
}
