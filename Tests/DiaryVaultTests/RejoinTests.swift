import Entries
import Testing

@testable import DiaryVault

/// A device leaves and comes in again: what one side did alone meanwhile stays, whatever had been there before.
@Suite struct RejoinTests {
  enum What: String, CaseIterable {
    case star, tag, place, title, text, date
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

  private func settle(_ devices: [SharingDevice]) throws {
    for _ in 0..<3 { for device in devices { try device.sync(allowing: .max) } }
    for device in devices { #expect(try device.sync(allowing: .max).pushed == 0) }
  }

  /// - Parameters:
  ///   - turns: how often the value went to and fro before one of the two left.
  ///   - byBoth: whether the two devices took turns at that.
  @Test(arguments: 0..<5, [false, true])
  func `what one side changed alone stays, however often it went to and fro`(
    turns: Int, byBoth: Bool
  ) throws {
    let (one, other, _) = try pair()
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
    try other.vault.leaveSpace()
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
  @Test(arguments: [false, true], ["by one", "by other", "both of us"])
  func `a conflict that one side ended is not open again`(
    endedByStaying: Bool, text: String
  ) throws {
    let (one, other, _) = try pair()
    let ids = try ["ended", "open"].map { try one.write($0) }
    try settle([one, other])
    for id in ids {
      try one.edit(id, "by one")
      try other.edit(id, "by other")
    }
    try settle([one, other])
    #expect(try one.conflicting.count == 4)
    try other.vault.leaveSpace()
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
  @Test func `a conflict that both sides ended otherwise stays open`() throws {
    let (one, other, _) = try pair()
    let id = try one.write("first")
    try settle([one, other])
    try one.edit(id, "by one")
    try other.edit(id, "by other")
    try settle([one, other])
    try other.vault.leaveSpace()
    try one.edit(id, "by one", endsConflict: true)
    try other.edit(id, "by other", endsConflict: true)
    try join(other, by: one, name: "again")
    try settle([one, other])
    for device in [one, other] { #expect(try Set(device.conflicting) == ["by one", "by other"]) }
  }
}
