import Testing

@testable import CommandLine
@testable import Commands

@Suite struct CommandListTests {
  @Test @MainActor func `each command is listed once, by its own name`() {
    let list = Program.list
    for listed in list.listed.flatMap(\.commands) {
      #expect(listed.declaration().name == listed.name)
      #expect(list[listed.name]?.name == listed.name)
    }
    #expect(Set(list.names).count == list.names.count)
    #expect(list["no-such-command"] == nil)
  }
}
