import Foundation
import Scratch
import Testing

@testable import DiaryVault
@testable import Entries

/// A device that leaves its space and comes in again is as one that was only switched off meanwhile. So random histories are done twice:
/// once by devices that leave, also by replacing the key of the diary, and come in again as others; and once by devices that do nothing
/// else than not to sync meanwhile. At the end both must show the same. What concurrent changes make of a single value depends on the
/// names of segments, so only one device changes that of an entry.
@Suite struct RejoinHistoryTests {
  enum Deed: Hashable {
    case write
    case text(entry: Int, String)
    case title(entry: Int, String)
    case tag(entry: Int, String, isOn: Bool)
    case star(entry: Int, isOn: Bool)
    case place(entry: Int, isOn: Bool)
    case trash(entry: Int)
    case restore(entry: Int)
    case purge
    case sync
    /// Seals what it changed, and sends it or does not.
    case tell(sends: Bool)
    case leave(SharingDevice.Leaving)
    /// Let in by another, or by the recovery code; and one more sync of it or none.
    case join(by: Int?, syncs: Bool)
    case agree
  }

  struct Step: Hashable, CustomStringConvertible {
    let device: Int
    let deed: Deed
    var description: String {
      "\(device) \("\(deed)".replacing(/\w+Tests\.|\w+\.(?=\w+)/, with: ""))"
    }
  }

  /// What devices do that leave: no more than not to sync meanwhile, or really, or so that nothing is kept of it.
  enum Kind { case staysAway, leaves, forgets }

  /// What a device shows of an entry.
  enum Shown: Equatable {
    case gone
    /// Which of several texts is shown there depends on names.
    case trashed
    case listed(titles: Set<String>, texts: Set<String>, [String], place: String?, starred: Bool)

    /// Whether the title of a text that is shown beside another is also merged, depends on names.
    var withoutTitlesInConflict: Shown {
      guard case .listed(_, let texts, let tags, let place, let starred) = self, texts.count > 1
      else { return self }
      return .listed(titles: [], texts: texts, tags, place: place, starred: starred)
    }
  }

  /// Which texts of an entry, or which titles, must be shown at the end: each that somebody gave and that nobody replaced who had seen it.
  /// It is told what devices do, and asks none of them.
  struct Given {
    private var texts: [String] = []
    private var replaced: Set<Int> = []
    private var known: [Int: Set<Int>] = [:]
    private var place: Set<Int> = []

    mutating func give(_ text: String, by device: Int) {
      replaced.formUnion(known[device] ?? [])
      texts.append(text)
      known[device, default: []].insert(texts.count - 1)
    }

    mutating func tell(_ device: Int) { place.formUnion(known[device] ?? []) }

    mutating func sync(_ device: Int) {
      tell(device)
      known[device] = place
    }

    var left: Set<String> {
      Set(texts.indices.filter { !replaced.contains($0) }.map { texts[$0] })
    }
  }

  /// Some devices of one space, and what they did.
  final class World {
    let kind: Kind
    let devices: [SharingDevice]
    var ids: [EntryID] = []
    /// Of each entry.
    private(set) var titles: [Given] = []
    private(set) var texts: [Given] = []
    private var away: Set<Int> = []
    private var joins = 0

    init(_ count: Int, _ kind: Kind, ticking: Bool) throws {
      self.kind = kind
      let (one, other, shared) = try pair(ticking: ticking)
      var devices = [one, other]
      while devices.count < count {
        let next = try SharingDevice(shared)
        try DiaryVaultTests.join(next, by: one, name: "device \(devices.count)")
        devices.append(next)
      }
      self.devices = devices
    }

    var present: [Int] { devices.indices.filter { !away.contains($0) } }

    /// Everybody has everything, as far as a yes is needed for nothing.
    func agree() throws {
      var quiet = 0
      for _ in 0..<20 where quiet < 3 {
        var pushed = 0
        for device in present { pushed += try sync(device).pushed }
        quiet = pushed == 0 ? quiet + 1 : 0
      }
      #expect(quiet == 3)
    }

    private func note(_ body: (inout Given) -> Void) {
      for entry in ids.indices {
        body(&titles[entry])
        body(&texts[entry])
      }
    }

    @discardableResult
    private func sync(_ device: Int, allowing: Int = .max) throws -> SyncReport {
      let report = try devices[device].sync(allowing: allowing)
      note { $0.sync(device) }
      return report
    }

    func apply(_ step: Step) throws {
      let device = devices[step.device]
      func edit(_ entry: Int, _ body: (inout EntryChange) -> Void) throws {
        var change = EntryChange()
        body(&change)
        // It may be gone, or in the trash.
        guard try device.vault.all().contains(where: { $0.id == ids[entry] }) else { return }
        let id = ids[entry]
        // Who is shown several texts says what the entry is: which one is shown first depends on names, too.
        if change.body != nil || change.title != .keep,
          try device.vault.conflicts(nil).contains(where: { $0.id == id })
        {
          change.endsConflict = true
          if change.body == nil { change.body = "A" }
          if change.title == .keep { change.title = .set("S") }
        }
        let before = try shown(by: device)[entry]
        _ = try device.vault.edit(.id(id), change)
        // What it is said to be that it was already, is not given anew.
        guard case .listed(let titles, let texts, _, _, _) = before else { return }
        if case .set(let title) = change.title, titles != [title] {
          self.titles[entry].give(title, by: step.device)
        }
        if let body = change.body, texts != [body] {
          self.texts[entry].give(body, by: step.device)
        }
      }
      switch step.deed {
      case .write:
        ids.append(try device.write("A", title: "S"))
        titles.append(Given())
        texts.append(Given())
        titles[ids.count - 1].give("S", by: step.device)
        texts[ids.count - 1].give("A", by: step.device)
      case .text(let entry, let text): try edit(entry) { $0.body = text }
      case .title(let entry, let text): try edit(entry) { $0.title = .set(text) }
      case .tag(let entry, let tag, let isOn):
        try edit(entry) { if isOn { $0.addTags = [tag] } else { $0.removeTags = [tag] } }
      case .star(let entry, let isOn): try edit(entry) { $0.starred = isOn }
      case .place(let entry, let isOn):
        try edit(entry) { $0.location = isOn ? .set("Kyoto") : .clear }
      case .trash(let entry):
        if try device.vault.all().contains(where: { $0.id == ids[entry] }) {
          _ = try device.vault.delete([.id(ids[entry])])
        }
      case .restore(let entry):
        if try trashed(device).contains(where: { $0.id == ids[entry] }) {
          _ = try device.vault.restore([.id(ids[entry])])
        }
      case .purge: if try !trashed(device).isEmpty { _ = try device.vault.purge(nil) }
      case .sync: if !away.contains(step.device) { try sync(step.device) }
      case .tell(let sends):
        guard !away.contains(step.device) else { return }
        try Reconciliation(device.vault).tell(within: .unlimited)
        guard sends else { return }
        try device.shared.exchange(device.vault)
        note { $0.tell(step.device) }
      case .leave(let how):
        guard away.insert(step.device).inserted else { return }
        if kind != .staysAway { try device.leave(kind == .forgets ? .forgets : how) }
      case .join(let inviter, let syncs):
        away.remove(step.device)
        joins += 1
        if let inviter {
          if kind != .staysAway {
            try admit(device, by: devices[inviter], name: "again \(joins)")
          } else {
            for _ in 0..<2 { try devices[inviter].sync() }
          }
          note { $0.sync(inviter) }
        } else if kind != .staysAway {
          try device.vault.leaveUnfinishedSpace()
          try device.shared.exchange(device.vault)
          try device.vault.recoverSpace(recovery: try spaceCode(), name: "again \(joins)")
        }
        try sync(step.device, allowing: 0)
        if syncs { try sync(step.device) }
      case .agree: try agree()
      }
    }

    private func trashed(_ device: SharingDevice) throws -> [Entry] {
      var trash = EntryFilter()
      trash.trash = true
      return try device.vault.all(trash)
    }

    /// What a device shows of each entry.
    func shown(by device: SharingDevice) throws -> [Shown] {
      let (all, trashed) = (try device.vault.all(), try trashed(device))
      let snapshot = try Snapshot(device.vault)
      let conflicts = try device.vault.conflicts(nil)
      return try ids.map { id in
        guard let entry = all.first(where: { $0.id == id }) else {
          return trashed.contains { $0.id == id } ? .trashed : .gone
        }
        let others = try (conflicts.first { $0.id == id }?.versions ?? []).map {
          try snapshot.entry(.id(id), revision: $0.revision)
        }
        let content = entry.content
        return .listed(
          titles: Set(([entry] + others).map { $0.content.title ?? "" }),
          texts: Set(([entry] + others).map { $0.body ?? "" }), content.tags.sorted(),
          place: content.location, starred: content.starred)
      }
    }
  }

  /// One history: which devices do what, and that everybody is there at the end.
  private func history(_ devices: Int, _ random: inout Seeded) -> [Step] {
    var steps: [Step] = []
    let entries = Int.random(in: 1...3, using: &random)
    for entry in 0..<entries { steps.append(Step(device: entry % devices, deed: .write)) }
    steps.append(Step(device: 0, deed: .agree))
    func flip() -> Bool { Bool.random(using: &random) }
    var away: Set<Int> = []
    // Who let in whom: few of those that were let in by one that was let in may let in anybody.
    var depth = [0] + Array(repeating: 1, count: devices - 1)
    func join(_ device: Int, syncs: Bool) {
      let inviters = (0..<devices).filter { !away.contains($0) && depth[$0] < 2 }
      let inviter = flip() ? inviters.randomElement(using: &random) : nil
      steps.append(Step(device: device, deed: .join(by: inviter, syncs: syncs)))
      depth[device] = inviter.map { depth[$0] + 1 } ?? 2
      away.remove(device)
    }
    for _ in 0..<Int.random(in: 6...24, using: &random) {
      let device = Int.random(in: 0..<devices, using: &random)
      let entry = Int.random(in: 0..<entries, using: &random)
      // Single values are changed by one device alone.
      let own = entry % devices
      let text = ["A", "B", "C"].randomElement(using: &random)!
      let (isOn, ends) = (flip(), flip())
      switch Int.random(in: 0..<24, using: &random) {
      case 0..<5:
        steps.append(Step(device: device, deed: .text(entry: entry, text)))
      case 5..<7:
        steps.append(Step(device: device, deed: .title(entry: entry, isOn ? "S" : "T")))
      case 7..<9:
        steps.append(
          Step(device: device, deed: .tag(entry: entry, ends ? "x" : "y", isOn: isOn)))
      case 9: steps.append(Step(device: own, deed: .star(entry: entry, isOn: isOn)))
      case 10: steps.append(Step(device: own, deed: .place(entry: entry, isOn: isOn)))
      case 11:
        steps.append(Step(device: own, deed: isOn ? .trash(entry: entry) : .restore(entry: entry)))
      case 12: steps.append(Step(device: device, deed: .purge))
      case 13..<16: steps.append(Step(device: device, deed: .sync))
      case 16: steps.append(Step(device: device, deed: .tell(sends: isOn)))
      case 17: steps.append(Step(device: 0, deed: .agree))
      default:
        if away.contains(device) {
          join(device, syncs: isOn)
        } else if away.count < devices - 1 {
          if ends { steps.append(Step(device: device, deed: .tell(sends: flip()))) }
          steps.append(Step(device: device, deed: .leave(isOn ? .leaves : .rotates)))
          away.insert(device)
        }
      }
    }
    for device in away.sorted() { join(device, syncs: true) }
    return steps
  }

  /// The same history in two kinds of worlds.
  private func worlds(
    _ seed: UInt64, _ kinds: [Kind], ticking: Bool? = nil,
    where isDone: (Step) -> Bool = { _ in true }
  ) throws -> (worlds: [World], steps: [Step]) {
    var random = Seeded(state: seed)
    let count = Int.random(in: 2...4, using: &random)
    let ticking = ticking ?? Bool.random(using: &random)
    let steps = history(count, &random).filter(isDone)
    let worlds = try kinds.map { try World(count, $0, ticking: ticking) }
    for world in worlds {
      for step in steps { try world.apply(step) }
      try world.agree()
    }
    return (worlds, steps)
  }

  @Test(arguments: Array(Thoroughness.places(160, few: 40)))
  func `who leaves and comes in again is as one that was away`(_ seed: Int) throws {
    let (worlds, steps) = try worlds(UInt64(seed), [.staysAway, .leaves])
    let expected = try worlds[0].shown(by: worlds[0].devices[0]).map(\.withoutTitlesInConflict)
    for world in worlds {
      let first = try world.shown(by: world.devices[0])
      #expect(first.map(\.withoutTitlesInConflict) == expected, "\(world.kind) \(steps)")
      for device in world.devices {
        #expect(try world.shown(by: device) == first, "\(world.kind) \(steps)")
        #expect(try device.vault.verify().problems.isEmpty)
      }
    }
  }

  /// Who joins with a diary of its own may find a conflict where there need be none, but no text that nobody replaced goes from what is
  /// shown. What was written in one second cannot be told apart there.
  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `who comes in with a diary of its own loses no text`(_ seed: UInt64) throws {
    let (worlds, steps) = try worlds(seed, [.leaves, .forgets], ticking: true) { step in
      switch step.deed {
      case .trash, .purge: false
      default: true
      }
    }
    for world in worlds {
      let shown = try world.shown(by: world.devices[0])
      for entry in world.ids.indices {
        guard case .listed(let titles, let texts, _, _, _) = shown[entry] else {
          Issue.record("\(world.kind) \(steps)")
          continue
        }
        #expect(titles.isSuperset(of: world.titles[entry].left), "\(world.kind) \(steps)")
        #expect(texts.isSuperset(of: world.texts[entry].left), "\(world.kind) \(steps)")
      }
      for device in world.devices {
        #expect(try world.shown(by: device) == shown, "\(world.kind) \(steps)")
        #expect(try device.vault.verify().problems.isEmpty)
      }
    }
  }
}
