import CommandLine
import Entries
import Foundation
import Testing

@testable import Dates
@testable import Formats
@testable import Words

@Suite(.threads) struct MessageTests {
  @Test func `a count of one takes the singular where a language has one`() {
    let one = ReadingMessage.figures(entries: 1, words: 1, days: 1)
    #expect(one.text(in: .english) == "1 entry, 1 word, on 1 day")
    #expect(
      ReadingMessage.figures(entries: 2, words: 0, days: 3).text(in: .english)
        == "2 entries, 0 words, on 3 days")
    #expect(one.text(in: .japanese) == "記録 1 件、1 語（和文は文字数）、1 日")
  }

  @Test func `what a name may mean is shown so that one can be chosen`() throws {
    let devices = Failure(
      VaultError(
        .ambiguous, .device, "desk", candidates: ["4ff2ea3j (desk)", "9xk20c1m (desk)"]))
    let hint = try #require(devices.hint).text(in: .english)
    #expect(hint.contains("4ff2ea3j (desk), 9xk20c1m (desk)"))
    let entries = Failure(
      VaultError(.ambiguous, .entry, "0a", candidates: [String(repeating: "a", count: 26)]))
    #expect(try #require(entries.hint).text(in: .english).contains(/\ba{12}\b/))
  }

  @Test func `a language orders the values as it does`() {
    let message = ExchangeMessage.wroteEntries(count: 3, path: "/a")
    #expect(message.text(in: .english) == "wrote 3 entries to /a")
    #expect(message.text(in: .japanese) == "/a に 3 件を書き出しました")
  }

  @Test func `a typed reason of a lower room is put into words, and a name stays`() {
    let failure = Failure(VaultError(.conflict, .journal, "Kyoto", .isThereAlready))
    #expect(failure.message.text(in: .english) == "journal Kyoto already exists")
    #expect(failure.message.text(in: .japanese).hasSuffix("すでにあります"))
    let missing = Failure(VaultError(.notFound, .template, "週報"))
    #expect(missing.message.text(in: .english) == "no template 週報")
    #expect(missing.message.text(in: .japanese) == "週報 というテンプレートはありません")
  }

  @Test func `what is damaged, and how, is said in every language`() {
    let failure = Failure(VaultError(.tampered, .headerPage, .countsDoNotFit))
    #expect(
      failure.message.text(in: .english)
        == "header page was altered (its counts do not match)")
    #expect(
      failure.message.text(in: .japanese) == "書いたときの状態と違います: 見出しのページ（数が合わない）")
    let entry = Failure(VaultError(.damaged, .entry, "0abc", .sealDoesNotFit))
    #expect(
      entry.message.text(in: .english) == "damaged: entry 0abc (it failed the integrity check)")
    #expect(entry.message.text(in: .japanese) == "壊れています: 記録 0abc（復号できない）")
  }

  @Test func `a failure crosses from a keeper in every language`() throws {
    let failure = Failure(
      .lockedOut, FailureMessage.waiting(7), hint: FailureMessage.recoveryWithoutWaiting,
      retryAfter: 7)
    let carried = try #require(Failure(decoding: failure.encoded))
    #expect(carried.code == .lockedOut && carried.retryAfter == 7)
    for language in Language.allCases {
      #expect(carried.message.text(in: language) == failure.message.text(in: language))
      #expect(carried.hint?.text(in: language) == failure.hint?.text(in: language))
    }
    #expect(Failure(decoding: Array("{}".utf8)) == nil)
  }

  @Test func `an entry that is in the trash, or is not, is said to be there, or not`() throws {
    let home = try Home()
    let id = try home.write("somewhere")
    let secret = ["--passphrase-file", home.passphrase]
    for words in [["restore", id], ["purge", id, "--yes"]] {
      let run = try home.run(words + secret)
      #expect(run.status == 6 && run.err.contains("is not in the trash"), "\(words): \(run.err)")
    }
    try home.ok(["delete", id, "--yes"])
    for words in [["show", id], ["edit", String(id.prefix(8)), "x"], ["delete", id, "--yes"]] {
      let run = try home.run(words + secret)
      #expect(run.status == 6 && run.err.contains("is in the trash"), "\(words): \(run.err)")
      // What it says to do brings it back.
      let advice = try #require(run.err.split(separator: "facediary restore ").last)
      #expect(id.hasPrefix(advice.trimmingCharacters(in: .whitespacesAndNewlines)), "\(run.err)")
    }
    try home.ok(["restore", String(id.prefix(8))])
    #expect(try home.run(["show", id] + secret).status == 0)
  }

  @Test func `a whole search in quotes that finds nothing is explained`() throws {
    let home = try Home()
    _ = try home.write("green tea")
    let secret = ["--passphrase-file", home.passphrase]
    let quoted = try home.run(["search", "tea OR coffee"] + secret)
    #expect(quoted.err.contains("one phrase"), "\(quoted.err)")
    #expect(try home.run(["search", "tea", "OR", "coffee"] + secret).out.contains("green tea"))
    #expect(try !home.run(["search", "black coffee"] + secret).err.contains("one phrase"))
  }

  @Test func `a question is asked only about what is there`() throws {
    let home = try Home()
    let secret = ["--yes", "--passphrase-file", home.passphrase]
    #expect(try home.run(["templates", "remove", "none"] + secret).status == 6)
    #expect(try home.run(["kinds", "remove", "none"] + secret).status == 6)
    let session = try TerminalSession(
      home, ["kinds", "remove", "none", "--passphrase-file", home.passphrase])
    #expect(session.end() == 6)
    #expect(!session.screen.contains("[y/N]"), "\(session.screen)")
  }
}
