import Testing

@testable import DiaryVault
@testable import Entries

/// Entries to which devices gave several texts.
@Suite struct ConflictTests {
  @Test func `search finds every text of a conflict, until it ends`() throws {
    let (one, other, _) = try pair()
    let id = try one.write("tea with Ana")
    for device in [one, other] { try device.sync() }
    try one.edit(id, "tea with Berta")
    try other.edit(id, "tea with Clara")
    for device in [one, other, one] { try device.sync() }
    func found(_ word: String, _ device: SharingDevice) throws -> [String] {
      let cursor = try EntryCursor(
        try Snapshot(device.vault), query: SearchQuery(typed: word))
      return try cursor.next().map { [$0.excerpt ?? ""] } ?? []
    }
    for device in [one, other] {
      for word in ["Berta", "Clara"] {
        #expect(try found(word, device).first?.contains(word) == true)
        // Also when the index has it.
        if let update = try IndexUpdate(device.vault) {
          while try !update.step(.unlimited) {}
        }
        #expect(try found(word, device).first?.contains(word) == true)
      }
    }
    try one.edit(id, "tea with both", endsConflict: true)
    for device in [one, other] { try device.sync() }
    for device in [one, other] {
      #expect(try found("both", device).count == 1 && found("Clara", device).isEmpty)
    }
    _ = try one.vault.delete([.id(id)])
    #expect(try one.vault.conflicts(nil).isEmpty)
  }

  @Test func `a version that stands there for its title brings no text back that was replaced`()
    throws
  {
    let (one, other, _) = try pair()
    let id = try one.write("first")
    for device in [one, other] { try device.sync() }
    try one.edit(id, "by one")
    try other.edit(id, "by the other")
    for device in [one, other, one] { try device.sync() }
    func title(_ device: SharingDevice, _ title: String, _ body: String?) throws {
      var change = EntryChange()
      (change.title, change.body, change.endsConflict) = (.set(title), body, body != nil)
      _ = try device.vault.edit(.id(id), change)
    }
    try title(one, "T0", nil)
    try title(other, "T1", "the only text")
    for device in [one, other, one, other] { try device.sync() }
    for device in [one, other] {
      let found = try #require(try device.vault.conflicts(nil).first)
      #expect(Set(found.versions.map(\.title)) == ["T0", "T1"])
      for version in found.versions {
        let text = try Snapshot(device.vault)
          .entry(.id(id), revision: found.textRevision(of: version)).body
        #expect(text == "the only text")
      }
    }
  }

  @Test func `a purged entry that comes back because a device had another text of it is told of`()
    throws
  {
    let (one, other, shared) = try pair()
    let (kept, gone) = (try one.write("kept"), try one.write("gone"))
    for device in [one, other] { try device.sync() }
    for id in [kept, gone] {
      _ = try one.vault.delete([.id(id)])
      _ = try one.vault.purge([.id(id)])
    }
    try other.edit(kept, "kept, and more")
    try one.sync(allowing: 2)
    let report = try other.sync(allowing: 2)
    #expect(report.troubles == [.survived(1, [kept])])
    #expect(try other.sync().troubles.isEmpty)
    #expect(try one.sync().troubles == [.cameBack(1, [kept])])
    // A device that comes in later had nothing to do with it.
    let third = try SharingDevice(shared)
    var troubles = try join(third, by: one, name: "third").troubles
    for device in [one, other, third] { troubles += try device.sync().troubles }
    #expect(troubles.isEmpty)
    for device in [one, other] {
      #expect(try Snapshot(device.vault).entry(.id(kept)).body == "kept, and more")
      #expect(throws: VaultError.self) { try Snapshot(device.vault).entry(.id(gone)) }
    }
  }

  @Test func `what a device brings back that left and joined again is told of`() throws {
    let (one, other, _) = try pair()
    let id = try one.write("gone")
    for device in [one, other] { try device.sync() }
    _ = try one.vault.delete([.id(id)])
    _ = try one.vault.purge([.id(id)])
    try one.sync(compacting: true)
    try other.leave(.forgets)
    var troubles = try join(other, by: one, name: "again").troubles
    for device in [other, one, other] { troubles += try device.sync().troubles }
    #expect(troubles == [.survived(1, [id]), .cameBack(1, [id])])
    // It is there by now, whoever comes in.
    try other.vault.leaveSpace()
    troubles = try join(other, by: one, name: "a third time").troubles
    for device in [other, one, other] { troubles += try device.sync().troubles }
    #expect(troubles.isEmpty)
    #expect(try Snapshot(one.vault).entry(.id(id)).body == "gone")
  }

  @Test func `whose a text is, when it was written and in which order stands alike on all devices`()
    throws
  {
    let (one, other, shared) = try pair()
    let third = try SharingDevice(shared)
    try join(third, by: one, name: "third")
    let id = try one.write("tea", title: "one")
    for device in [one, other, third] { try device.sync() }
    for (device, text) in zip([one, other, third], ["a", "b", "a"]) { try device.edit(id, text) }
    for device in [third, other, one, third, other] { try device.sync() }
    func versions(_ device: SharingDevice) throws -> [[String]] {
      try device.vault.conflicts(nil).flatMap(\.versions).map { version in
        let text = try Snapshot(device.vault).entry(.id(id), revision: version.revision).body
        return [version.device ?? "", "\(version.modified)", version.title ?? "", text ?? ""]
      }
    }
    let all = try versions(one)
    #expect(all.count == 2 && Set(all.map(\.[3])) == ["a", "b"])
    for device in [other, third] { #expect(try versions(device) == all) }
  }

  @Test
  func `of titles that differ it is said who gave them, and a text that was purged stays away`()
    throws
  {
    let (one, other, _) = try pair()
    let id = try one.write("the only text", title: "one")
    for device in [one, other] { try device.sync() }
    func entitle(_ device: SharingDevice, _ title: String, ends: Bool = false) throws {
      var change = EntryChange()
      change.title = .set(title)
      change.endsConflict = ends
      _ = try device.vault.edit(.id(id), change)
    }
    try entitle(one, "by the laptop")
    try entitle(other, "by the phone")
    for device in [one, other, one] { try device.sync() }
    for device in [one, other] {
      let versions = try device.vault.conflicts(nil).flatMap(\.versions)
      #expect(versions.count == 2)
      for version in versions { #expect(version.title == "by the \(version.device ?? "")") }
    }
    // A title that ends it gives no text: the purge of another device, which does not know of the title, takes it.
    try entitle(other, "new", ends: true)
    _ = try one.vault.delete([.id(id)])
    _ = try one.vault.purge(nil)
    for device in [one, other, one, other] { try device.sync(allowing: .max) }
    for device in [one, other] {
      #expect(try device.vault.all().map(\.title) == ["new"])
      #expect(try device.texts.allSatisfy(\.isEmpty))
    }
  }

  @Test func `conflicts are listed so many at once as an answer holds`() throws {
    let (one, other, _) = try pair()
    let ids = try (0..<3).map { try one.write("entry \($0)") }
    for device in [one, other] { try device.sync() }
    for id in ids {
      try one.edit(id, "by one")
      try other.edit(id, "by the other")
    }
    for device in [one, other, one] { try device.sync() }
    let all = try one.vault.conflicts(nil).map(\.id)
    #expect(all == ids.sorted())
    #expect(try one.vault.conflicts(nil, after: all[0]).map(\.id) == Array(all.dropFirst()))
    #expect(try one.vault.conflicts(nil, after: all[2]).isEmpty)
    #expect(try one.vault.conflicts(.id(all[1]), after: all[1]).isEmpty)
  }

  /// A device that comes in again tells of all it has as if it were new. What it or the others only went on with is no conflict.
  @Test(arguments: [false, true])
  func `who comes in again has a conflict only where both sides wrote`(othersWriteOn: Bool) throws {
    let (one, other, shared) = try pair()
    let third = try SharingDevice(shared)
    try join(third, by: one, name: "third")
    let devices = [one, other, third]
    func settle() throws {
      for _ in 0..<3 { for device in devices { try device.sync() } }
      for device in devices { #expect(try device.sync().pushed == 0) }
    }
    var ids: [String: EntryID] = [:]
    for name in ["mine", "theirs", "both", "neither"] {
      ids[name] = try one.write("\(name) 0", title: "Title 0")
    }
    func edit(_ device: SharingDevice, _ name: String, _ number: Int) throws {
      var change = EntryChange()
      change.title = .set("Title \(number)")
      change.body = "\(name) \(number)"
      _ = try device.vault.edit(.id(try #require(ids[name])), change)
    }
    try settle()
    try other.vault.leaveSpace()
    for number in 1...2 {
      try edit(other, "mine", number)
      try edit(one, "theirs", number)
      try edit(one, "both", number)
      try edit(other, "both", number + 2)
      try one.sync()
    }
    try third.sync()
    try join(other, by: one, name: "again")
    if othersWriteOn {
      // Before it hears what the one that came in makes of it.
      try edit(third, "theirs", 3)
      try third.sync()
    }
    try settle()
    for device in devices {
      let texts = Set(try device.vault.all().map { "\($0.title ?? "") \($0.body ?? "")" })
      let theirs = othersWriteOn ? 3 : 2
      #expect(
        texts.isSuperset(of: [
          "Title 2 mine 2", "Title \(theirs) theirs \(theirs)", "Title 0 neither 0",
        ]))
      let open = try device.vault.conflicts(nil)
      #expect(open.map(\.id) == [ids["both"]] && open.first?.versions.count == 2)
      #expect(try device.vault.verify().problems.isEmpty)
      // Nothing that was told before is told as a new text.
      let snapshot = try Snapshot(device.vault)
      for (name, count) in [("neither", 1), ("mine", 3), ("theirs", theirs + 1)] {
        let id = try #require(ids[name])
        let history = try snapshot.history(.id(id))
        #expect(history.count == count, "\(name)")
      }
    }
    for (name, number) in [("mine", 7), ("theirs", 8)] {
      try edit(name == "mine" ? one : other, name, number)
      try settle()
    }
    #expect(try third.vault.conflicts(nil).count == 1)
  }

  /// A conflict is ended by nobody but a person who saw both texts.
  @Test(arguments: SharingDevice.Leaving.allCases)
  func `a conflict stays when a device that has it leaves and comes in again`(
    leaving: SharingDevice.Leaving
  ) throws {
    let (one, other, _) = try pair()
    func settle() throws {
      for _ in 0..<3 { for device in [one, other] { try device.sync() } }
      for device in [one, other] { #expect(try device.sync().pushed == 0) }
    }
    let id = try one.write("first")
    try settle()
    try one.edit(id, "by one")
    try other.edit(id, "by other")
    try settle()
    var length: [String: Int] = [:]
    for device in [one, other] {
      length[device.vault.path] = try Snapshot(device.vault).history(.id(id)).count
    }
    for device in [other, one, other] {
      try device.leave(leaving)
      try join(device, by: device === one ? other : one, name: "again")
      try settle()
      for device in [one, other] {
        #expect(try Set(device.conflicting) == ["by one", "by other"])
        // Nothing that was told before is told as a new text.
        #expect(try Snapshot(device.vault).history(.id(id)).count == length[device.vault.path])
      }
    }
    try one.edit(id, "both", endsConflict: true)
    try settle()
    for device in [one, other] { #expect(try device.conflicting.isEmpty) }
  }

  /// What all had in the trash when one left stays there, and nobody is asked whether it may go.
  @Test(arguments: SharingDevice.Leaving.allCases)
  func `who comes in again takes nothing out of the trash`(leaving: SharingDevice.Leaving) throws {
    let (one, other, _) = try pair()
    for number in 0..<30 { _ = try one.write("kept \(number)") }
    let ids = try (0..<25).map { try one.write("thrown away \($0)") }
    let edited = try one.write("given a new text while it was thrown away")
    for device in [one, other] { try device.sync() }
    _ = try one.vault.delete(ids.map { .id($0) } + [.id(edited)])
    try other.edit(edited, "the new text")
    for device in [one, other, one] { try device.sync(allowing: .max) }
    for (round, device) in [other, other, one, other].enumerated() {
      try device.leave(leaving)
      try join(device, by: device === one ? other : one, name: "again \(round)")
      for _ in 0..<3 {
        for device in [one, other] {
          let report = try device.sync()
          #expect(report.removals == 0 && report.merged == 0, "\(round)")
        }
      }
      for device in [one, other] {
        let all = try device.vault.all()
        #expect(all.count == 31 && all.contains { $0.body == "the new text" }, "\(round)")
      }
    }
  }

  /// Stars, dates, tags, photos and the trash, of which only one side changed anything, in both directions and every time.
  @Test func `who comes in again undoes nothing that one side did alone`() throws {
    let (one, other, _) = try pair()
    func settle() throws {
      for _ in 0..<3 { for device in [one, other] { try device.sync(allowing: .max) } }
      for device in [one, other] { #expect(try device.sync(allowing: .max).pushed == 0) }
    }
    var trash = EntryFilter()
    trash.trash = true
    for (round, leaving) in SharingDevice.Leaving.allCases.enumerated() {
      var ids: [String: EntryID] = [:]
      for side in ["stays", "joins"] {
        for what in ["star", "unstar", "untag", "date", "place", "photo", "trash", "restore"] {
          var draft = try EntryDraft("\(round) \(side) \(what)")
          draft.content.tags = ["kept", "old"]
          draft.content.starred = what == "unstar"
          if what == "photo" {
            draft.attachments = [
              try one.vault.stage(
                [UInt8](repeating: UInt8(round), count: 900), name: "a.png", type: "image/png"),
              try one.vault.stage(
                [UInt8](repeating: UInt8(round + 9), count: 900), name: "b.png", type: "image/png"),
            ]
          }
          let id = try one.vault.add(draft).id
          ids["\(side) \(what)"] = id
          if what == "restore" { _ = try one.vault.delete([.id(id)]) }
        }
      }
      try settle()
      try other.leave(leaving)
      for (side, device) in [("stays", one), ("joins", other)] {
        func edit(_ what: String, _ change: (inout EntryChange) throws -> Void) throws {
          var edited = EntryChange()
          try change(&edited)
          _ = try device.vault.edit(.id(try #require(ids["\(side) \(what)"])), edited)
        }
        try edit("star") { $0.starred = true }
        try edit("unstar") { $0.starred = false }
        try edit("untag") { $0.removeTags = ["old"] }
        try edit("date") { $0.date = try ZonedTime(seconds: 1_700_000_000, offset: 0) }
        try edit("place") { $0.location = .set("Kyoto") }
        try edit("photo") { $0.detach = ["b.png"] }
        _ = try device.vault.delete([.id(try #require(ids["\(side) trash"]))])
        if side == "stays" {
          _ = try device.vault.restore([.id(try #require(ids["\(side) restore"]))])
        }
      }
      try join(other, by: one, name: "again \(round)")
      try settle()
      for device in [one, other] {
        let all = try device.vault.all()
        for side in ["stays", "joins"] {
          func entry(_ what: String) throws -> Entry {
            try #require(all.first { $0.id == ids["\(side) \(what)"] }, "\(side) \(what)")
          }
          #expect(try entry("star").content.starred, "\(round) \(side)")
          #expect(try !entry("unstar").content.starred, "\(round) \(side)")
          #expect(try entry("untag").content.tags == ["kept"], "\(round) \(side)")
          #expect(try entry("date").content.date.seconds == 1_700_000_000, "\(round) \(side)")
          #expect(try entry("place").content.location == "Kyoto", "\(round) \(side)")
          #expect(try entry("photo").attachments.map(\.name) == ["a.png"], "\(round) \(side)")
          #expect(!all.contains { $0.id == ids["\(side) trash"] }, "\(round) \(side)")
        }
        #expect(all.contains { $0.id == ids["stays restore"] }, "\(round)")
        #expect(try device.vault.conflicts(nil).isEmpty)
        #expect(try device.vault.verify().problems.isEmpty)
      }
    }
  }
}
