import Entries
import Testing

@testable import DiaryVault

/// A device leaves and comes in again: what one side did alone meanwhile stays, whatever had been there before.
@Suite struct RejoinTests {
  enum What: String, CaseIterable {
    case star, tag, place, title, text, date
  }

  struct Case: CustomTestStringConvertible {
    let leaving: SharingDevice.Leaving
    let flag: Bool
    var testDescription: String { "\(leaving) \(flag)" }

    static let all = SharingDevice.Leaving.allCases.flatMap { leaving in
      [false, true].map { Case(leaving: leaving, flag: $0) }
    }
  }

  /// Of each, one of two values.
  private static func change(_ what: What, _ second: Bool) throws -> EntryChange {
    var change = EntryChange()
    switch what {
    case .star: change.starred = second
    case .tag: if second { change.addTags = ["tag"] } else { change.removeTags = ["tag"] }
    case .place: change.location = second ? .set("Kyoto") : .clear
    case .title: change.title = .set(second ? "second" : "first")
    case .text: change.body = second ? "the second text" : "the first text"
    case .date:
      change.date = try ZonedTime(seconds: second ? 1_700_000_000 : 1_600_000_000, offset: 0)
    }
    return change
  }

  private static func value(_ what: What, of entry: Entry) -> Bool {
    switch what {
    case .star: entry.content.starred
    case .tag: entry.content.tags.contains("tag")
    case .place: entry.content.location != nil
    case .title: entry.content.title == "second"
    case .text: entry.body == "the second text"
    case .date: entry.content.date.seconds == 1_700_000_000
    }
  }

  /// What every device shows alike.
  private static func contents(_ device: SharingDevice) throws -> [String] {
    try device.vault.all().map { "\($0.id) \($0.content) \($0.body ?? "")" }.sorted()
  }

  private func settle(_ devices: [SharingDevice]) throws {
    for _ in 0..<3 { for device in devices { try device.sync(allowing: .max) } }
    for device in devices { #expect(try device.sync(allowing: .max).pushed == 0) }
  }

  /// - Parameters:
  ///   - turns: how often the value went to and fro before one of the two left.
  ///   - byBoth: whether the two devices took turns at that.
  @Test(arguments: 0..<5, Case.all)
  func `what one side changed alone stays, however often it went to and fro`(
    turns: Int, example: Case
  ) throws {
    let byBoth = example.flag
    let (one, other, _) = try pair(ticking: byBoth)
    var ids: [String: EntryID] = [:]
    for what in What.allCases {
      for side in ["stays", "joins", "neither"] {
        let id = try one.vault.add(try EntryDraft("\(side) \(what)")).id
        ids["\(side) \(what)"] = id
        _ = try one.vault.edit(.id(id), Self.change(what, false))
      }
    }
    try settle([one, other])
    for turn in 0..<turns {
      let device = byBoth && !turn.isMultiple(of: 2) ? other : one
      for what in What.allCases {
        for side in ["stays", "joins", "neither"] {
          let id = try #require(ids["\(side) \(what)"])
          _ = try device.vault.edit(.id(id), Self.change(what, turn.isMultiple(of: 2)))
        }
      }
      try settle([one, other])
    }
    let last = !turns.isMultiple(of: 2)
    try other.leave(example.leaving)
    for (side, device) in [("stays", one), ("joins", other)] {
      for what in What.allCases {
        let id = try #require(ids["\(side) \(what)"])
        _ = try device.vault.edit(.id(id), Self.change(what, !last))
      }
    }
    try join(other, by: one, name: "again")
    try settle([one, other])
    for device in [one, other] {
      let all = try device.vault.all()
      for what in What.allCases {
        for side in ["stays", "joins", "neither"] {
          let entry = try #require(all.first { $0.id == ids["\(side) \(what)"] })
          #expect(
            Self.value(what, of: entry) == (side == "neither" ? last : !last), "\(side) \(what)")
        }
      }
      #expect(try device.vault.conflicts(nil).isEmpty)
      #expect(try device.vault.verify().problems.isEmpty)
    }
  }

  /// Who ends a conflict while another is away, or away oneself, has ended it.
  @Test(arguments: Case.all, ["by one", "by other", "both of us"])
  func `a conflict that one side ended is not open again`(
    example: Case, text: String
  ) throws {
    let endedByStaying = example.flag
    let (one, other, _) = try pair(ticking: endedByStaying)
    let ids = try ["ended", "open"].map { try one.write($0) }
    try settle([one, other])
    for id in ids {
      try one.edit(id, "by one")
      try other.edit(id, "by other")
    }
    try settle([one, other])
    #expect(try one.conflicting.count == 4)
    try other.leave(example.leaving)
    try (endedByStaying ? one : other).edit(ids[0], text, endsConflict: true)
    try join(other, by: one, name: "again")
    try settle([one, other])
    for device in [one, other] {
      #expect(try device.vault.conflicts(nil).map(\.id) == [ids[1]])
      #expect(try Snapshot(device.vault).entry(.id(ids[0])).body == text)
      #expect(try Set(device.conflicting) == ["by one", "by other"])
    }
  }

  /// Both ended it, each with another text: then both stay.
  @Test(arguments: Case.all, ["by other", "by none of them"])
  func `a conflict that both sides ended otherwise stays open`(
    example: Case, text: String
  ) throws {
    let (one, other, _) = try pair(ticking: example.flag)
    let id = try one.write("first")
    try settle([one, other])
    try one.edit(id, "by one")
    try other.edit(id, "by other")
    try settle([one, other])
    try other.leave(example.leaving)
    try one.edit(id, "by one", endsConflict: true)
    try other.edit(id, text, endsConflict: true)
    try join(other, by: one, name: "again")
    try settle([one, other])
    for device in [one, other] { #expect(try Set(device.conflicting) == ["by one", text]) }
  }

  /// Each text was given up for the other: none of them is what only stood there before. Nobody left for that: also who began the space
  /// had written before hearing of another.
  @Test(arguments: [nil] + SharingDevice.Leaving.allCases, [false, true])
  func `a text that went to and fro is not gone`(
    leaving: SharingDevice.Leaving?, ticking: Bool
  ) throws {
    let (one, other, _) = try pair(ticking: ticking)
    let id = try one.write("A", title: "T")
    try settle([one, other])
    if let leaving { try other.leave(leaving) }
    var none = EntryChange()
    none.title = .clear
    var title = EntryChange()
    title.title = .set("T")
    try one.edit(id, "B")
    try one.edit(id, "A")
    _ = try one.vault.edit(.id(id), none)
    _ = try one.vault.edit(.id(id), title)
    try other.edit(id, "B")
    _ = try other.vault.edit(.id(id), none)
    if leaving != nil { try join(other, by: one, name: "again") }
    try settle([one, other])
    for device in [one, other] {
      let entries = try device.vault.all()
      #expect(entries.map(\.id) == [id])
      #expect(try !device.texts.contains(""))
      // Without a revision that both tell of alike, both texts stay.
      #expect(try Set(device.conflicting).isSubset(of: ["A", "B"]))
      #expect(try Self.contents(device) == Self.contents(one))
    }
  }

  /// How far two devices come in at the same time before one hears of the other.
  enum Meanwhile: CaseIterable { case told, settled, twice }

  @Test(arguments: Meanwhile.allCases, Case.all)
  func `two devices that come in at once take no text from each other`(
    meanwhile: Meanwhile, example: Case
  ) throws {
    let (one, first, shared) = try pair(ticking: example.flag)
    let second = try SharingDevice(shared)
    try join(second, by: one, name: "second")
    let ids = try ["A", "A"].map { try one.write($0) }
    let all = [one, first, second]
    try settle(all)
    var place = EntryChange()
    place.location = .set("Kyoto")
    try first.leave(example.leaving)
    for id in ids { try one.edit(id, "B") }
    _ = try one.vault.edit(.id(ids[1]), place)
    try settle([one, second])
    try second.leave(example.leaving)
    for id in ids { try first.edit(id, "B") }
    _ = try first.vault.edit(.id(ids[1]), place)
    for id in ids { try second.edit(id, "A") }
    place.location = .clear
    _ = try second.vault.edit(.id(ids[1]), place)
    for (device, name) in [(first, "first"), (second, "second again")] {
      try admit(device, by: one, name: name)
    }
    let back = [first, second]
    for device in back { try shared.exchange(device.vault) }
    if meanwhile == .told {
      for device in back { try Reconciliation(device.vault).tell(within: .unlimited) }
      for device in back + [first] { try shared.exchange(device.vault) }
    }
    for _ in 0..<(meanwhile == .twice ? 2 : 1) {
      for device in back { _ = try Reconciliation(device.vault, allowing: .max).finish() }
      for device in back + [first] { try shared.exchange(device.vault) }
    }
    try settle(all)
    for device in all {
      #expect(try Self.contents(device) == Self.contents(one))
      #expect(try Set(device.texts).isSubset(of: ["A", "B"]) && device.texts.count == 2)
      #expect(try device.vault.verify().problems.isEmpty)
    }
  }
}
