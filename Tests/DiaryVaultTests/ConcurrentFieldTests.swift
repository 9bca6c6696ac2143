import Bytes
import Foundation
import Testing

@testable import DiaryVault
@testable import Entries

/// What several devices do at the same time, and whether the diary goes on after it: every field of an entry, through real vaults, whose
/// segments are read by the rules for a reader before they count.
@Suite struct ConcurrentFieldTests {
  /// A change of each field, two that differ.
  private static let changes: [(String, @Sendable (Int, inout EntryChange) -> Void)] = [
    ("title", { $1.title = .set("title \($0)") }),
    ("no title", { $1.title = .clear }),
    ("body", { $1.body = "text \($0)" }),
    ("location", { $1.location = .set("place \($0)") }),
    ("no location", { $1.location = .clear }),
    ("weather", { $1.weather = .set("weather \($0)") }),
    ("tags", { $1.addTags = ["tag\($0)"] }),
    ("fewer tags", { $1.removeTags = ["first"] }),
    ("star", { $1.starred = $0 % 2 == 0 }),
    (
      "date",
      { $1.date = try! ZonedTime(seconds: 1_700_000_000 + Int64($0 % 1000) * 3600, offset: 0) }
    ),
    (
      "until",
      {
        $1.until = .set(try! ZonedTime(seconds: 1_800_000_000 + Int64($0 % 1000) * 3600, offset: 0))
      }
    ),
    ("no until", { $1.until = .clear }),
    ("kind", { $1.kind = .set($0 % 2 == 0 ? "meal" : "sight") }),
  ]

  private static func change(_ place: Int, _ number: Int) -> EntryChange {
    var change = EntryChange()
    changes[place].1(number, &change)
    return change
  }

  /// What a person sees of a diary.
  private func look(_ device: SharingDevice) throws -> [String] {
    let snapshot = try Snapshot(device.vault)
    return try device.vault.all().map { entry in
      let others = try device.vault.conflicts(.id(entry.id)).flatMap { entry in
        try entry.versions.map {
          let version = try snapshot.entry(.id(entry.id), revision: $0.revision)
          return "\(version.title ?? "-"): \(version.body ?? "-")"
        }
      }
      var content = entry.content
      if !others.isEmpty { (content.title, content.body) = (nil, "") }
      content.tags.sort()
      return "\(entry.id) \(content) \(entry.attachments.map(\.name)) \(others.sorted())"
    }.sorted()
  }

  /// Until nothing is left to tell or to take.
  private func settle(_ devices: [SharingDevice]) throws {
    for _ in 0..<2 { for device in devices { try device.sync(allowing: .max) } }
    let first = try look(devices[0])
    for device in devices {
      let report = try device.sync(allowing: .max)
      #expect(report.pushed == 0 && report.troubles.isEmpty, "\(report)")
      #expect(try look(device) == first)
      #expect(try device.vault.syncStatus()?.unpublished == 0)
    }
  }

  @Test(arguments: changes.indices) func `a field that both change is changed again`(
    _ place: Int
  ) throws {
    let (one, other, _) = try pair()
    let id = try one.write("first", title: "Title", tags: ["first", "second"])
    try settle([one, other])
    _ = try one.vault.edit(.id(id), Self.change(place, 1))
    _ = try other.vault.edit(.id(id), Self.change(place, 2))
    try settle([one, other])
    // Another field, which keeps both values; then the field itself, with what was shown.
    for (device, tag) in [(one, "by one"), (other, "by other")] {
      var tagged = EntryChange()
      tagged.addTags = [tag]
      tagged.endsConflict = true
      _ = try device.vault.edit(.id(id), tagged)
      try settle([one, other])
    }
    _ = try one.vault.edit(.id(id), Self.change(place, 3))
    try settle([one, other])
    #expect(try one.vault.verify().problems.isEmpty && other.vault.verify().problems.isEmpty)
  }

  /// "-" comes before ".", so that by their bytes the second of two names stands first.
  @Test func `two photos of one name stand in one order everywhere, also in what is written later`()
    throws
  {
    let (one, other, _) = try pair()
    let id = try one.write("first")
    try settle([one, other])
    for (device, bytes) in [(one, 1), (other, 2)] {
      var change = EntryChange()
      change.attach = [
        try device.vault.stage(
          [UInt8](repeating: UInt8(bytes), count: 900), name: "red.png", type: "image/png")
      ]
      _ = try device.vault.edit(.id(id), change)
    }
    try settle([one, other])
    let names = try #require(try one.vault.all().first?.attachments.map(\.name))
    #expect(Set(names) == ["red.png", "red-2.png"])
    for (device, tag) in [(one, "a"), (other, "b")] {
      var change = EntryChange()
      change.addTags = [tag]
      _ = try device.vault.edit(.id(id), change)
      try settle([one, other])
      for device in [one, other] {
        let catalogue = try Snapshot(device.vault).catalogue
        let header = try #require(try catalogue.entry(id))
        let all = try catalogue.revisions(of: header).filter { $0.header.attachments.count == 2 }
        for revision in all {
          #expect(revision.header.attachments.map(\.attachment.name) == names)
        }
      }
    }
  }

  @Test func `what both put into the trash comes back and is changed again`() throws {
    let (one, other, _) = try pair()
    let id = try one.write("first")
    try settle([one, other])
    _ = try one.vault.delete([.id(id)])
    _ = try other.vault.delete([.id(id)])
    try settle([one, other])
    _ = try one.vault.restore([.id(id)])
    try settle([one, other])
    try other.edit(id, "second")
    try settle([one, other])
    #expect(try one.texts == ["second"])
  }

  @Test func `who leaves and comes in again goes on, and so do the others`() throws {
    let (one, other, _) = try pair()
    let (first, second) = (try one.write("first"), try other.write("second"))
    try settle([one, other])
    try one.vault.leaveSpace()
    try join(one, by: other, name: "again")
    try settle([one, other])
    for (device, id) in [(one, first), (other, first), (other, second), (one, second)] {
      try device.edit(id, "changed by \(device === one ? "one" : "the other")", endsConflict: true)
      try settle([one, other])
    }
    #expect(try one.vault.verify().problems.isEmpty && other.vault.verify().problems.isEmpty)
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `whatever three devices do to a few entries, they go on and see the same`(_ seed: UInt64)
    throws
  {
    var random = Seeded(state: seed)
    let (one, other, shared) = try pair()
    let third = try SharingDevice(shared)
    try join(third, by: one, name: "third")
    let devices = [one, other, third]
    var trash = EntryFilter()
    trash.trash = true
    for step in 0..<60 {
      let device = devices.randomElement(using: &random)!
      let all = try device.vault.all()
      switch Int.random(in: 0..<20, using: &random) {
      case 0: _ = try device.write("new \(step)", tags: ["first"])
      case 1:
        _ = try all.randomElement(using: &random).map { try device.vault.delete([.id($0.id)]) }
      case 2:
        let gone = try device.vault.all(trash)
        _ = try gone.randomElement(using: &random).map { try device.vault.restore([.id($0.id)]) }
      case 3: if Bool.random(using: &random) { _ = try device.vault.purge(nil) }
      case 4 where device !== one && step > 20:
        try device.vault.leaveSpace()
        try join(device, by: one, name: "again \(step)")
      case 5..<12:
        try device.sync(allowing: .max, compacting: Int.random(in: 0..<6, using: &random) == 0)
      default:
        if all.count < 4 { _ = try device.write("early \(step)") }
        guard let id = all.randomElement(using: &random)?.id else { continue }
        var change = EntryChange()
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          Self.changes.randomElement(using: &random)!.1(step, &change)
        }
        change.endsConflict = true
        _ = try device.vault.edit(.id(id), change)
      }
    }
    try settle(devices)
    for device in devices { #expect(try device.vault.verify().problems.isEmpty) }
  }
}
