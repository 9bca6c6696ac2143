import Foundation
import Testing

@testable import DiaryVault
@testable import Entries

/// Journals, kinds and templates of a device that left its space, and comes in again after one side has changed them.
@Suite struct ReturningNamesTests {
  enum Deed: CaseIterable {
    case renamedJournal, renamedSecondJournal, datedJournal, removedJournal, movedJournal
    case renamedKind, removedKind, changedTemplate, removedTemplate, addedJournal

    func apply(_ vault: Vault) throws {
      switch self {
      case .renamedJournal: _ = try vault.change(names: .renameJournal("Kyoto", to: "Nara"))
      case .renamedSecondJournal: _ = try vault.change(names: .renameJournal("Trip 2", to: "Rome"))
      case .datedJournal:
        _ = try vault.change(
          names: .editJournal("Kyoto", from: .set(20_000), to: .keep, emoji: .set("⛩")))
      case .removedJournal:
        _ = try vault.change(names: .removeJournal("Kyoto", entriesTo: nil))
      case .movedJournal: _ = try vault.change(names: .moveJournal("Kyoto", before: nil))
      case .renamedKind: _ = try vault.change(names: .renameKind("walk", to: "stroll"))
      case .removedKind: _ = try vault.change(names: .removeKind("walk"))
      case .changedTemplate: try vault.setTemplate("day", body: "Dreamt:", isNew: false)
      case .removedTemplate: try vault.setTemplate("day", body: nil, isNew: false)
      case .addedJournal: _ = try vault.change(names: .addJournal(Journal(name: "Oslo")))
      }
    }
  }

  private func shown(_ device: SharingDevice) throws -> [String] {
    let snapshot = try Snapshot(device.vault)
    let names = try snapshot.catalogue.register()
    return names.journals.map { "\($0.name) \($0.from ?? 0) \($0.emoji ?? "")" }
      + names.ownKinds.map(\.name) + (try snapshot.templates().map { $0.name + " " + $0.body })
  }

  private func settle(_ devices: SharingDevice...) throws {
    for _ in 0..<3 { for device in devices { try device.sync() } }
    for device in devices {
      #expect(try device.sync().pushed == 0)
      #expect(try device.vault.verify().problems.isEmpty)
    }
  }

  /// Two devices with the same names, one of which has a number after its own.
  private func two() throws -> (stays: SharingDevice, leaves: SharingDevice) {
    let (one, other, _) = try pair()
    for (device, start) in [(one, 20_000), (other, 20_009)] {
      _ = try device.vault.change(names: .addJournal(Journal(name: "Trip", from: start)))
    }
    try settle(one, other)
    _ = try one.vault.change(names: .addJournal(Journal(name: "Kyoto")))
    _ = try one.vault.change(names: .moveJournal("Kyoto", before: "Trip"))
    _ = try one.vault.change(names: .addKind(Kind(name: "walk", emoji: "🚶")))
    try one.vault.setTemplate("day", body: "Slept:", isNew: true)
    try settle(one, other)
    #expect(try shown(one) == shown(other))
    return (one, other)
  }

  /// - Parameter isOfWhoLeaves: whether the device that is away does it, before it comes in again.
  @Test(arguments: Deed.allCases, [false, true])
  func `what one side did to a name stands`(deed: Deed, isOfWhoLeaves: Bool) throws {
    let (stays, leaves) = try two()
    for (round, leaving) in SharingDevice.Leaving.allCases.enumerated() {
      try leaves.leave(leaving)
      if round == 0 { try deed.apply(isOfWhoLeaves ? leaves.vault : stays.vault) }
      let expected = try shown(isOfWhoLeaves && round == 0 ? leaves : stays)
      try stays.sync()
      try join(leaves, by: stays, name: "again \(round)")
      try settle(stays, leaves)
      for device in [stays, leaves] { #expect(try shown(device) == expected) }
    }
  }

  @Test(arguments: [false, true])
  func `what one side did to one name, and the other to another, both stand`(
    isOfWhoLeaves: Bool
  ) throws {
    let (stays, leaves) = try two()
    try leaves.leave()
    let (one, other) = isOfWhoLeaves ? (leaves, stays) : (stays, leaves)
    for deed in [Deed.renamedJournal, .removedKind] { try deed.apply(one.vault) }
    for deed in [Deed.renamedSecondJournal, .changedTemplate] { try deed.apply(other.vault) }
    try stays.sync()
    try join(leaves, by: stays, name: "again")
    try settle(stays, leaves)
    for device in [stays, leaves] {
      #expect(
        try shown(device) == ["Nara 0 ", "Trip 20000 ", "Rome 20009 ", "day Dreamt:"])
    }
  }

  @Test(arguments: [false, true])
  func `a name that one side removed and the other changed is there`(removes: Bool) throws {
    let (stays, leaves) = try two()
    try leaves.leave(.forgets)
    let (one, other) = removes ? (leaves, stays) : (stays, leaves)
    for deed in [Deed.removedJournal, .removedKind, .removedTemplate] { try deed.apply(one.vault) }
    for deed in [Deed.datedJournal, .renamedKind, .changedTemplate] { try deed.apply(other.vault) }
    try stays.sync()
    try join(leaves, by: stays, name: "again")
    try settle(stays, leaves)
    for device in [stays, leaves] {
      let shown = try shown(device)
      #expect(shown.contains("Kyoto 20000 ⛩") && shown.contains("stroll"))
      #expect(shown.contains("day Dreamt:"))
    }
  }

  /// Of a third device that the one which came in again has not heard of yet.
  @Test func `a change that comes later than who comes in again stands`() throws {
    let (stays, leaves) = try two()
    let third = try SharingDevice(stays.shared)
    try join(third, by: stays, name: "third")
    try settle(stays, leaves, third)
    try leaves.leave()
    try Deed.renamedJournal.apply(third.vault)
    try Deed.removedTemplate.apply(third.vault)
    try join(leaves, by: stays, name: "again")
    try settle(stays, leaves)
    let expected = try shown(third)
    try settle(stays, leaves, third)
    for device in [stays, leaves, third] { #expect(try shown(device) == expected) }
  }
}
