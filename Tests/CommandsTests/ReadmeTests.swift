import Foundation
import Testing

/// What the README shows runs as it stands there, in one home and one after another.
@Suite(.threads) struct ReadmeTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  /// The blocks for a shell after those that install and build.
  private static func blocks() throws -> [String] {
    let text = try String(contentsOfFile: root + "/README.md", encoding: .utf8)
    return text.matches(of: /(?s)```sh\n(.*?)```/).map { String($0.1) }.filter {
      !$0.contains("command -v sudo")
    }
  }

  @Test func `every block runs as written`() throws {
    let home = try Home(made: false)
    let editor = try home.put(
      "editor", "#!/bin/sh\necho 'from the editor' >> \"$1\"\n", mode: 0o700)
    let blocks = try Self.blocks()
    #expect(blocks.count == 6)
    // The order a reader may choose: the face before the diary is closed.
    let script =
      """
      shopt -s expand_aliases
      cd '\(Self.root)'
      trap 'echo "FAILED $?: $BASH_COMMAND"' ERR
      PATH=$HOME/.local/bin:$PATH

      """ + blocks.joined(separator: "\n") + "\necho ALL DONE\n"
    let file = try home.put(
      "readme.sh",
      script.replacing("$PWD/.build/release/facediary", with: Home.shipped)
        .replacing(".build/release/facediary", with: Home.shipped))
    let session = try TerminalSession(
      home, [file], extra: ["EDITOR": editor, "PAGER": "cat"], program: "bash")
    let status = session.end(answering: "a passphrase to remember", within: 90)
    #expect(status == 0 && session.screen.contains("ALL DONE"), "\(session.screen)")
    let failures = session.screen.matches(of: /FAILED ([^\r\n]*)/).map { String($0.1) }
    #expect(failures.count == 1 && failures[0].contains("stranger-1"), "\(session.screen)")
    // The tour leaves nothing in anybody's own diary, and no sample face where one could open it.
    #expect(!FileManager.default.fileExists(atPath: home.folder))
    #expect(!FileManager.default.fileExists(atPath: home.path + "/.local/state/facediary"))
    #expect(try home.run(["status", "--json"]).object["state"] as? String == "onboarding")
  }
}
