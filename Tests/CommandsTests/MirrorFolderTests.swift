import Foundation
import Testing

/// The folder of a diary in which the objects of its devices wait, and what somebody may put there.
@Suite(.threads) struct MirrorFolderTests {
  @Test func `what a killed sync left is taken away by the next`() throws {
    let shared = try SharedDiary()
    let left = shared.one.folder + "/sync/.incoming-abc123/fd1"
    try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: true)
    try Data(count: 1_000_000).write(to: URL(fileURLWithPath: left + "/half"))
    // A link is taken away, and nothing of what it leads to.
    let elsewhere = shared.one.path + "/elsewhere"
    try FileManager.default.createDirectory(
      atPath: elsewhere + "/inside", withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: shared.one.folder + "/sync/.incoming-link", withDestinationPath: elsewhere)
    try shared.sync(shared.one)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: shared.one.folder + "/sync")
        .allSatisfy { !$0.hasPrefix(".incoming") })
    #expect(FileManager.default.fileExists(atPath: elsewhere + "/inside"))
  }

  @Test func `a pipe where a list of names lies holds no sync up`() throws {
    let shared = try SharedDiary()
    try shared.sync(shared.one)
    let list = shared.one.folder + "/sync/listing"
    try FileManager.default.removeItem(atPath: list)
    #expect(mkfifo(list, 0o600) == 0)
    let run = try shared.one.run(["sync"])
    #expect(run.status == 1 && run.err.contains("not a regular file"), "\(run.err)")
  }
}
