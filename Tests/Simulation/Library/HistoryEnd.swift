import Bytes
import Replication

/// How a history ends, and what must be true then.
extension History {
  /// The store is whole again, everybody gives it what he has, and takes what is there.
  mutating func comeToRest() throws {
    store.isFaulty = false
    for index in devices.indices {
      try devices[index].seal(&judge)
      try devices[index].hear(revocations, judge)
    }
    var (before, now) = (0, -1)
    var hasPacked = false
    while before != now {
      (before, now) = (now, 0)
      for index in devices.indices {
        try devices[index].seal(&judge)
        for (hash, (bytes, _)) in devices[index].packs {
          _ = store.put(.pack(hash), bytes, &random)
        }
        for segment in devices[index].segments.values {
          _ = store.put(.log(segment.name), segment.bytes, &random)
          devices[index].stored.insert(segment.name.hash)
        }
      }
      store.isRepaired()
      for index in devices.indices {
        devices[index] = try takeAll(devices[index])
        now += devices[index].replica.segmentCount + devices[index].packs.count
      }
      // What the store lost and a device has only in parts goes into a pack of its own.
      if before == now, !hasPacked {
        hasPacked = true
        for index in devices.indices { try pack(index) }
        before = 0
      }
    }
  }

  mutating func takeAll(_ device: Device) throws -> Device {
    var device = device
    try device.seal(&judge)
    for name in store.names.shuffled(using: &random) {
      guard let bytes = store.objects[name] else { continue }
      switch name {
      case .log(let end):
        if device.segments[end.hash] == nil { try device.take(end, bytes, judge) }
      case .pack(let hash): try device.take(pack: hash, bytes, judge)
      default: break
      }
    }
    return device
  }

  /// After everything is in packs and what they replace is deleted, nothing purged is left in the store, and who comes in
  /// then shows what all show.
  mutating func compact() throws {
    try pack(0)
    try comeToRest()
    if random.chance(4) {
      // What a lost pack has is not deleted before somebody put it back.
      store.lose(onlyPacks: true, &random)
      for index in devices.indices { try clean(index) }
      try comeToRest()
    }
    for index in devices.indices { try clean(index) }
    let first = devices[0].replica
    let deeds = first.merged.flatMap { judge.deeds[$0.hash] ?? [] }
    let known = Set(deeds.map(\.number))
    let purged = judge.purged(known, void: judge.void(known, revocations))
    let void = judge.void(Set(store.objects.keys.map(\.hash)), revocations)
    let isWaiting = devices.contains { !$0.waiting.isEmpty }
    for (name, bytes) in store.objects {
      switch name {
      case .log(let end) where !isWaiting && !void.contains(end.hash):
        throw Violation("a segment is left that a pack replaces")
      // One that has a segment which waits for ever is nobody's to judge.
      case .pack(let hash) where devices[0].answers[hash] != nil:
        for item in try Pack(bytes, in: Device.space).items {
          for (operation, deed) in zip(item.copy.operations, judge.deeds[item.hash] ?? []) {
            guard !operation.isGone, case .revision(_, let revision) = deed,
              purged.contains(revision.number)
            else { continue }
            throw Violation("a text is left that was purged")
          }
        }
      default: break
      }
    }
    var new = Device(random.device())
    try new.hear(revocations, judge)
    new = try takeAll(takeAll(new))
    guard new.replica.digest(within: first.ends) == first.digest() else {
      throw Violation("who comes in after packing has another state")
    }
    for entry in entries where new.replica.shown(entry) != first.shown(entry) {
      throw Violation("who comes in after packing shows another entry")
    }
  }

  mutating func check() throws {
    func counting(_ device: Device) -> Set<Hash> {
      let merged = Set(device.replica.merged.map(\.hash))
      return merged.subtracting(judge.void(merged, revocations))
    }
    let merged = Set(devices[0].replica.merged.map(\.hash))
    let lost = try lost()
    let expected = Dictionary(
      uniqueKeysWithValues: entries.map {
        ($0, judge.expected($0, from: merged, without: lost, revocations))
      })
    let first = devices[0].replica
    for device in devices {
      guard counting(device) == counting(devices[0]) else {
        throw Violation("devices merged different segments")
      }
      guard device.replica.digest() == first.digest() else {
        throw Violation("the same segments have different digests")
      }
      for entry in entries {
        let shown = device.replica.shown(entry)
        guard shown == first.shown(entry) else {
          throw Violation("the same segments show different entries")
        }
        let kept = device.replica.revisions(of: entry).reduce(into: Set<Int>()) {
          $0.formUnion(($1[Device.text] ?? []).map(Self.number))
        }
        let wanted = expected[entry] ?? Judge.Expected()
        guard kept == wanted.kept else {
          throw Violation("of the texts \(wanted.kept.sorted()) there are \(kept.sorted())")
        }
        guard (shown == nil) == (wanted.shown.isEmpty && wanted.files.isEmpty) else {
          throw Violation(
            "of the files \(wanted.files) an entry is \(shown == nil ? "gone" : "there")")
        }
        let texts = Set(
          (shown?.values[Device.text] ?? []).filter { !$0.isEmpty }.map(Self.number))
        guard texts == wanted.shown else {
          throw Violation(
            "of the texts \(wanted.shown.sorted()) there are shown \(texts.sorted())")
        }
        if let shown { try check(shown, wanted) }
        if shown?.conflicts.isEmpty == false, device.replica.device == first.device {
          counts[.conflicts] += 1
        }
      }
      for register in registers {
        let value = device.replica.values(of: register).first
        guard value == first.values(of: register).first else {
          throw Violation("the same segments set different registers")
        }
        let wanted = judge.values(of: register, from: merged, revocations)
        guard first.lacking(register: register).isEmpty else { continue }
        guard value?.first.map(wanted.contains) ?? wanted.isEmpty else {
          throw Violation("a register has \(value ?? []), not one of \(wanted.sorted())")
        }
      }
    }
    // Everything that anybody holds was merged, unless what it stands on is gone.
    let held = devices.reduce(into: Set<Hash>()) { $0.formUnion($1.segments.keys) }
    let waiting = devices.reduce(into: Set<Hash>()) { $0.formUnion($1.waiting.keys) }
    let void = judge.void(held, revocations)
    guard held.subtracting(void).isSubset(of: merged.union(waiting)) else {
      throw Violation("a segment that is held was not merged")
    }
    // An earlier state has the digest it had: recomputed from what is here now.
    for device in devices.dropFirst() {
      let ends = device.replica.ends
      guard first.digest(within: ends) == device.replica.digest(within: ends) else {
        throw Violation("a state has two digests")
      }
    }
  }

  /// The revisions of which a device knows only that they were, since the store lost what it had.
  private func lost() throws -> Set<Int> {
    var lost: Set<Int> = []
    for end in devices[0].replica.merged {
      for (index, deed) in (judge.deeds[end.hash] ?? []).enumerated() {
        guard case .revision(let entry, let revision) = deed,
          devices[0].replica.isLacking(end.hash, index, of: entry)
        else { continue }
        guard !devices.contains(where: { $0.hasBody(end.hash, index) }) else {
          throw Violation("a revision is lacking that a device has")
        }
        lost.insert(revision.number)
      }
    }
    return lost
  }

  private func check(_ shown: ShownEntry, _ wanted: Judge.Expected) throws {
    func numbers(_ field: Field) -> Set<Int> {
      Set((shown.values[field] ?? []).compactMap(\.first).map(Int.init))
    }
    guard numbers(Device.tags) == wanted.tags else {
      throw Violation("of the tags \(wanted.tags) there are \(numbers(Device.tags))")
    }
    guard numbers(Device.files) == wanted.files else {
      throw Violation("of the files \(wanted.files) there are \(numbers(Device.files))")
    }
    guard numbers(Device.star).isSubset(of: wanted.stars) else {
      throw Violation("none of the stars \(wanted.stars) is shown: \(numbers(Device.star))")
    }
    let isTrashed = shown.values[Device.trash]?.first?.isEmpty == false
    guard wanted.mayBeTrashed.contains(isTrashed) else {
      throw Violation(isTrashed ? "a text is in the trash unseen" : "an entry is not in the trash")
    }
  }
}
