import Foundation
import Glibc
import Testing

/// What somebody who may write the diary's folder puts among its objects.
@Suite(.threads) struct ForeignObjectTests {
  /// Names as objects have, of which the diary has none.
  private static let names = ["q", "r", "s", "t"].map { $0 + String(repeating: "0", count: 51) }

  @Test func `what is no file keeps nobody from a backup, and repair removes it`() throws {
    let home = try Home()
    try home.ok(["write", "with a file", "--attach", home.put("a.txt", "words")])
    let objects = home.folder + "/objects"
    let (directory, link, pipe) = (Self.names[0], Self.names[1], Self.names[2])
    try FileManager.default.createDirectory(
      atPath: objects + "/" + directory + "/deep", withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: objects + "/" + link, withDestinationPath: home.passphrase)
    #expect(mkfifo(objects + "/" + pipe, 0o600) == 0)
    try home.ok(["backup", home.path + "/backups"])
    let found = try home.run(["verify", "--passphrase-file", home.passphrase])
    #expect(found.status == 5, "\(found)")
    try home.ok(["verify", "--repair"])
    #expect(try home.run(["verify", "--passphrase-file", home.passphrase]).status == 0)
    for name in [directory, link, pipe] {
      #expect(!FileManager.default.fileExists(atPath: objects + "/" + name))
    }
    // What the link named is nobody's but its owner's.
    #expect(FileManager.default.fileExists(atPath: home.passphrase))
    #expect(try home.ok(["extract", "@1", "a.txt", "-o", "-"]).out == "words")
  }

  @Test func `a file that is not what its name says is removed before a backup goes on`() throws {
    let home = try Home()
    _ = try home.write("a text")
    let objects = home.folder + "/objects"
    try FileManager.default.createDirectory(atPath: objects, withIntermediateDirectories: true)
    try Data("junk".utf8).write(to: URL(fileURLWithPath: objects + "/" + Self.names[3]))
    let refused = try home.run([
      "backup", home.path + "/backups", "--passphrase-file", home.passphrase,
    ])
    #expect(refused.status == 5 && refused.err.contains(Self.names[3]), "\(refused)")
    try home.ok(["verify", "--repair"])
    try home.ok(["backup", home.path + "/backups"])
  }

  @Test func `a query of very many words is refused at once, and the session goes on`() throws {
    let home = try Home()
    _ = try home.write("word")
    try home.ok(["unlock"])
    let words = Array(repeating: "word", count: 20_000)
    let refused = try home.run(["search"] + words)
    #expect(refused.status == 8 && refused.err.contains("1000"), "\(refused.err)")
    #expect(try home.run(["search", "word"]).status == 0)
  }
}
