import Bytes
import Replication

/// How a history ends, and what must be true then.
extension History {
  /// The store is whole again, everybody gives it what he has, and takes what is there.
  mutating func comeToRest() throws {
    store.isFaulty = false
    var (before, now) = (0, -1)
    var hasPacked = false
    while before != now {
      (before, now) = (now, 0)
      for index in devices.indices {
        devices[index].seal(&judge)
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
        now += devices[index].replica.segmentCount + devices[index].held.count
      }
      guard before == now, let most = mostMerged else { continue }
      // What the store lost and only a device has that lacks the object itself goes into a pack of its own.
      if !hasPacked {
        hasPacked = true
        try pack(most)
        before = 0
      } else if joinAnew() {
        before = 0
      }
    }
  }

  /// A device that has merged more than another; nil when all have the same.
  private var mostMerged: Int? {
    let counts = devices.map(\.replica.segmentCount)
    guard let most = counts.max(), counts.contains(where: { $0 < most }) else { return nil }
    return counts.firstIndex(of: most)
  }

  /// One that went back in time, and whose own word for a pack is lost, believes nobody else's: it comes in as a new one.
  mutating func joinAnew() -> Bool {
    let packed = Set(devices.flatMap { $0.held.values.flatMap { $0.items.map(\.hash) } })
    for index in devices.indices
    where wentBack.contains(devices[index].replica.device)
      && !packed.isSubset(of: devices[index].replica.merged.map(\.hash))
    {
      devices[index] = Device(random.device())
      counts.joinedAnew += 1
      return true
    }
    return false
  }

  mutating func takeAll(_ device: Device) throws -> Device {
    var device = device
    device.seal(&judge)
    for name in store.names.shuffled(using: &random) {
      guard let bytes = store.objects[name] else { continue }
      switch name {
      case .log(let end):
        if device.segments[end.hash] == nil { try device.take(end, bytes, judge) }
      case .pack(let hash): device.take(pack: hash, bytes)
      default: break
      }
    }
    try device.absorb(active: active, judge)
    try device.hold()
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
    let purged = judge.purged(from: Set(first.merged.map(\.hash)))
    for (name, bytes) in store.objects {
      switch name {
      case .log:
        for case .revision in try Segment(bytes).operations {
          guard devices.contains(where: { !$0.waiting.isEmpty }) else {
            throw Violation("a segment is left that a pack replaces")
          }
        }
      // One that has a segment which waits for ever is held by nobody.
      case .pack(let hash) where devices[0].held[hash] != nil:
        for item in try Pack(bytes).items {
          for (operation, deed) in zip(item.segment.operations, judge.deeds[item.hash] ?? []) {
            guard case .revision = operation, case .revision(_, let revision) = deed,
              purged.contains(revision.number)
            else { continue }
            throw Violation("a text is left that was purged")
          }
        }
      default: break
      }
    }
    let new = try takeAll(takeAll(Device(random.device())))
    guard new.replica.digest(within: first.ends) == first.digest() else {
      throw Violation("who comes in after packing has another state")
    }
    for entry in entries where new.replica.shown(entry) != first.shown(entry) {
      throw Violation("who comes in after packing shows another entry")
    }
  }

  mutating func check() throws {
    // What waits for a segment that nobody holds any more waits for ever, and says so.
    let merged = Set(devices[0].replica.merged.map(\.hash))
    guard deleted.intersection(store.content).isSubset(of: merged) else {
      throw Violation("a segment was deleted that somebody lacks")
    }
    let expected = judge.expected(from: merged)
    let first = devices[0].replica
    for device in devices {
      guard Set(device.replica.merged.map(\.hash)) == merged else {
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
        let texts = Set((shown?.values[Device.text] ?? []).map(Self.number))
        guard texts == wanted.shown else {
          throw Violation(
            "of the texts \(wanted.shown.sorted()) there are shown \(texts.sorted())")
        }
        let isTrashed = shown?.values[Device.trash]?.first?.isEmpty == false
        guard !isTrashed || wanted.mayBeTrashed else {
          throw Violation("a text is in the trash that nobody knew who put it there")
        }
        if shown?.conflicts.isEmpty == false, device.replica.device == first.device {
          counts.conflicts += 1
        }
      }
      for register in registers
      where device.replica.value(of: register) != first.value(of: register) {
        throw Violation("the same segments set different registers")
      }
    }
    // Everything that anybody holds was merged, unless what it stands on is gone.
    let held = devices.reduce(into: Set<Hash>()) { $0.formUnion($1.segments.keys) }
    let waiting = devices.reduce(into: Set<Hash>()) { $0.formUnion($1.waiting.keys) }
    guard held.isSubset(of: merged.union(waiting)) else {
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
}
