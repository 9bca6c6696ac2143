import Foundation
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
}
