import Foundation
import Testing

/// A diary whose file has lost its first page, which leads to all others.
@Suite(.threads) struct FirstPageTests {
  @Test(arguments: [
    (0, 16384, true), (0, 100, true), (16, 2, true), (18, 2, true), (20, 1, true),
    (60, 4, true), (68, 4, true), (100, 4000, true), (4096, 12288, true), (56, 4, false),
  ])
  func `a vault whose first page is damaged is salvaged as its hint says`(
    start: Int, count: Int, isLost: Bool
  ) throws {
    let home = try Home()
    for number in 0..<3 { _ = try home.write("text \(number)") }
    try home.ok(["journals", "add", "Kyoto"])
    _ = try home.write("in Kyoto", ["--journal", "Kyoto"])
    try home.ok(["lock"])
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: home.vault))
    try file.seek(toOffset: UInt64(start))
    try file.write(contentsOf: Data(repeating: 0xa5, count: count))
    try file.close()
    let secret = ["--passphrase-file", home.passphrase]
    let listed = try home.run(["list"] + secret)
    #expect((listed.status == 0) == !isLost)
    let checked = try home.run(["verify"] + secret)
    #expect(!isLost || checked.err.contains("facediary salvage OUT"))
    let out = home.path + "/out.facediary"
    let report = try home.ok(["salvage", out, "--json", "--kdf", "interactive"])
    #expect(report.object["entries"] as? Int == 4)
    let parts = ["page", "body"].map { "perhaps part of the table \($0)" }
    #expect(report.object["lost"] as? [String] == (isLost ? parts : []))
    let list = try home.ok(["list", "--bodies", "--json", "--vault", out]).out
    for number in 0..<3 { #expect(list.contains("text \(number)")) }
    #expect(list.contains("Kyoto"))
    try home.ok(["verify", "--vault", out])
  }

  @Test func `another program's database is no vault for salvage either`() throws {
    let home = try Home()
    try home.ok(["lock"])
    let other = home.path + "/other.facediary"
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
    for content in [Data("no database at all".utf8), Data(count: 40960)] {
      try content.write(to: URL(fileURLWithPath: other + "/vault"))
      let run = try home.run([
        "salvage", home.path + "/out", "--vault", other, "--passphrase-file", home.passphrase,
      ])
      #expect(run.status == 8)
      #expect(run.err.contains("is not a diary vault"))
    }
  }
}
