import Bytes
import Replication

/// A store as bad as stores are: it loses, forgets, shows a part, damages what it gives, fails, and fails after doing.
package struct FaultyStore {
  /// What became of a put.
  enum Put { case done, failed, failedAfterDoing }

  private(set) var objects: [ObjectPath: [UInt8]] = [:]
  /// The segments in packs that were ever in it.
  private var segments: [Hash: [Hash]] = [:]
  /// The segments in its packs.
  var packed: Set<Hash> {
    Set(
      objects.keys.flatMap { name -> [Hash] in
        if case .pack(let hash) = name { segments[hash] ?? [] } else { [] }
      })
  }
  /// Earlier states, to go back to.
  private var past: [[ObjectPath: [UInt8]]] = []
  /// Whether anything was lost since the last repair.
  private(set) var hasLost = false
  var isFaulty = true

  /// In an order that follows from the seed alone.
  var names: [ObjectPath] { objects.keys.sorted { $0.hash < $1.hash } }

  mutating func put(_ name: ObjectPath, _ bytes: [UInt8], _ random: inout Seeded) -> Put {
    let dice = isFaulty ? random.below(10) : 2
    if dice == 0 { return .failed }
    objects[name] = bytes
    if case .pack(let hash) = name, segments[hash] == nil {
      segments[hash] = (try? Pack(bytes, in: Device.space))?.items.map(\.hash) ?? []
    }
    return dice == 1 ? .failedAfterDoing : .done
  }

  /// The names, and whether they are all.
  func list(_ random: inout Seeded) -> (names: Set<ObjectPath>, isWhole: Bool) {
    guard isFaulty, random.chance(8) else { return (Set(objects.keys), true) }
    return (Set(names.filter { _ in random.chance(2) }), false)
  }

  /// The bytes of an object: now and then those of another, a part, or with a bit turned.
  func get(_ name: ObjectPath, _ random: inout Seeded) -> [UInt8]? {
    guard let bytes = objects[name] else { return nil }
    guard isFaulty, random.chance(12) else { return bytes }
    var damaged = bytes
    switch random.below(4) {
    case 0: return Array(damaged.dropLast(random.below(damaged.count)))
    case 1: damaged[random.below(damaged.count)] ^= 1 << UInt8(random.below(8))
    case 2: return names.first.flatMap { objects[$0] }
    default: return nil
    }
    return damaged
  }

  mutating func remember() {
    past.append(objects)
    if past.count > 4 { past.removeFirst() }
  }

  mutating func rollBack(_ random: inout Seeded) {
    guard let earlier = past.randomElement(using: &random) else { return }
    // What was deleted comes back, too.
    if !Set(objects.keys).isSubset(of: earlier.keys) { hasLost = true }
    objects = earlier
  }

  mutating func lose(onlyPacks: Bool = false, _ random: inout Seeded) {
    let names = names.filter { name in
      if case .pack = name { return true }
      return !onlyPacks
    }
    guard let name = names.randomElement(using: &random) else { return }
    objects[name] = nil
    hasLost = true
  }

  mutating func delete(_ name: ObjectPath) { objects[name] = nil }

  mutating func isRepaired() { hasLost = false }
}

/// SplitMix64: one seed is one history.
package struct Seeded: RandomNumberGenerator {
  private var state: UInt64

  package init(_ seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }

  mutating func below(_ count: Int) -> Int { Int(next() % UInt64(max(1, count))) }
  /// One time in so many.
  mutating func chance(_ count: Int) -> Bool { below(count) == 0 }
  /// Half of it random, which is enough to tell devices apart.
  mutating func device() -> DeviceID {
    let random = identity()
    return DeviceID(random.bytes + random.bytes)
  }

  mutating func identity() -> Identity { Identity(high: next(), low: next()) }
}
