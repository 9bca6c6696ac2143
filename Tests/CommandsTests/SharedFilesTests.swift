import Foundation
import Synchronization
import Testing

/// Photos and files of entries that several devices have.
@Suite(.threads) struct SharedFilesTests {
  private func names(_ home: Home, _ id: String) throws -> [String] {
    try home.ok(["attachments", id, "--json"]).array.compactMap { $0["name"] as? String }
  }

  /// The same bytes under one name, twice: nobody else had another file of that name.
  @Test func `a file that is attached twice is there twice on every device`() throws {
    let shared = try SharedDiary()
    let photo = try shared.one.put("p1.jpg", "one picture")
    let before = try shared.one.write("see p1.jpg", ["--attach", photo])
    try shared.one.ok(["attach", before, photo])
    let phone = try shared.join()
    try shared.sync(shared.one, phone)
    let after = try shared.one.write("once more", ["--attach", photo])
    try shared.one.ok(["attach", after, photo])
    try shared.sync(shared.one, phone, shared.one)
    for id in [before, after] {
      #expect(try Set(names(shared.one, id)) == ["p1.jpg", "p1-2.jpg"])
      #expect(try names(phone, id) == names(shared.one, id))
    }
    // One that is taken away leaves the other.
    try phone.ok(["detach", before, "p1-2.jpg"])
    try shared.sync(phone, shared.one)
    #expect(try names(shared.one, before) == ["p1.jpg"] && names(phone, before) == ["p1.jpg"])
  }

  /// Two devices give two files one name; one of them comes in again and tells of its own under the name that it was shown with.
  @Test func `a file that got a number is there once, whoever tells of it again`() throws {
    let shared = try SharedDiary()
    let phone = try shared.join()
    let id = try shared.one.write("two pictures")
    try shared.sync(shared.one, phone)
    for (home, text) in [(shared.one, "one"), (phone, "another")] {
      try home.ok(["attach", id, try home.put("p1.jpg", text)])
    }
    try shared.sync(shared.one, phone, shared.one, phone)
    #expect(try names(phone, id) == names(shared.one, id) && names(phone, id).count == 2)
    try phone.ok(["sync", "leave", "--yes"])
    _ = try shared.join("again", phone)
    try shared.sync(shared.one, phone, shared.one)
    #expect(try Set(names(phone, id)) == ["p1.jpg", "p1-2.jpg"])
    #expect(try names(phone, id) == names(shared.one, id))
  }

  /// What is told in the last step of a sync has no name in the mirror yet.
  @Test func `a sync beside writers in another process calls nothing gone`() throws {
    let shared = try SharedDiary()
    let home = shared.one
    try home.ok(["unlock"])
    defer { _ = try? home.run(["lock"]) }
    let isOver = Mutex(false)
    let writers = (0..<4).map { writer in
      Thread {
        while !isOver.withLock({ $0 }) {
          _ = try? home.run(["write", "by writer \(writer)", "--quiet"])
        }
      }
    }
    for writer in writers { writer.start() }
    for _ in 0..<10 {
      let run = try home.run(["sync", "--passphrase-file", home.passphrase])
      #expect(run.status == 0, "\(run.err)")
      let backup = try home.run([
        "backup", home.path + "/copies-\(UUID().uuidString)", "--passphrase-file",
        home.passphrase,
      ])
      #expect(backup.status == 0, "\(backup.err)")
    }
    isOver.withLock { $0 = true }
    while writers.contains(where: { !$0.isFinished }) { usleep(10_000) }
  }
}
