import Bytes
import Foundation
import Sealing
import Testing

@testable import DiaryVault
@testable import Entries
@testable import Replication
@testable import SealedFiles

/// A member that writes without end keeps nobody from writing, reading, or taking it out.
@Suite struct HostileFloodTests {
  /// Everybody goes on, and is of one mind.
  private func expectGoingOn(
    _ one: SharingDevice, _ other: SharingDevice, _ text: String
  ) throws {
    _ = try one.write(text)
    for _ in 0..<2 { for device in [one, other] { try device.sync() } }
    #expect(try one.texts == other.texts && one.texts.contains(text))
    #expect(try one.sync().troubles.isEmpty && other.sync().troubles.isEmpty)
  }

  private func segments(of device: DeviceID, at one: SharingDevice) throws -> Int {
    let store = try #require(try ReplicaStore(try Snapshot(one.vault).catalogue))
    return store.replica.merged.count { $0.device == device }
  }

  /// Branches of the liar's log, each of two segments.
  private func branches(_ count: Int, of liar: Liar) throws -> [SignedSegment] {
    try (0..<count).flatMap { number in
      let id = Identity(high: 1 << 40 + UInt64(number), low: 0)
      let first = try liar.segment([.purge(id, unseen: [])])
      let next = Segment(
        device: liar.id, sequence: 2, previous: first.header.hash(in: liar.space), ends: [],
        operations: [.purge(id, unseen: [])])
      return [first, SignedSegment(next, in: liar.space, by: try liar.signing())]
    }
  }

  /// How many ends the last segment of a device names.
  private func lastEnds(_ device: SharingDevice) throws -> Int {
    let own = device.shared.logs.filter { $0.device == device.id }
    let last = try #require(own.max { $0.sequence < $1.sequence })
    let store = try #require(try ReplicaStore(try Snapshot(device.vault).catalogue))
    let mirror = SpaceMirror(VaultFolder(device.vault.path))
    return try #require(try Compaction(store, mirror)?.header(last)).ends.count
  }

  @Test(arguments: [false, true])
  func `all branches of a log are merged, and each is named once`(isPacked: Bool) throws {
    let (one, other, liar) = try Liar.beside()
    let copies = try branches(150, of: liar)
    if isPacked {
      try liar.pack(copies)
    } else {
      for copy in copies { try liar.put(copy) }
    }
    for device in [one, other] {
      #expect(try device.sync().troubles == [])
      #expect(try segments(of: liar.id, at: device) == 300)
    }
    try expectGoingOn(one, other, "after it")
    #expect(try lastEnds(one) == 150)
    try expectGoingOn(one, other, "and again")
    #expect(try lastEnds(one) < 3)
    _ = try one.vault.revoke("liar", recovery: try spaceCode())
    try one.sync()
    try other.sync()
    _ = try other.write("without it")
    for _ in 0..<2 { for device in [other, one] { try device.sync() } }
    #expect(try one.texts == other.texts && one.texts.contains("without it"))
  }

  /// Each device is shown other branches first, and the second member names what the first made.
  @Test func `whoever comes in later gets everything, whatever branches members made`() throws {
    let (one, other, liar) = try Liar.beside()
    let copies = try branches(150, of: liar)
    let friend = try SharingDevice(one.shared)
    try join(friend, by: one, name: "friend")
    for device in [other, one] { try device.sync() }
    let helper = try Liar(friend)
    func name(_ some: ArraySlice<SignedSegment>) throws -> SignedSegment {
      let ends = some.filter { $0.header.sequence == 2 }.map {
        LogEnd(device: liar.id, sequence: 2, hash: $0.header.hash(in: liar.space))
      }
      let segment = Segment(
        device: helper.id, sequence: 1, previous: nil, ends: ends.sorted(),
        operations: [try helper.entry("\(some.startIndex)")])
      return SignedSegment(segment, in: liar.space, by: try helper.signing())
    }
    let halves = [copies[..<150], copies[150...]]
    for (device, half) in zip([one, other], halves) {
      let known = Set(one.shared.logs)
      for copy in half { try liar.put(copy) }
      try helper.put(try name(half))
      try device.sync()
      _ = try device.write("honest \(half.startIndex)")
      try device.sync()
      one.shared.lose { name in
        guard case .log(let end) = name, !known.contains(end) else { return false }
        return end.device == liar.id || end.device == helper.id
      }
    }
    let new = try SharingDevice(one.shared)
    try join(new, by: one, name: "new")
    for _ in 0..<3 {
      for device in [one, other, new] {
        try device.shared.exchange(device.vault, repairing: true)
        #expect(try device.sync().troubles == [])
      }
    }
    #expect(try new.texts == one.texts && one.texts == other.texts)
    #expect(try new.texts.count(where: { $0.hasPrefix("honest") }) == 2)
  }

  @Test func `logs of any number of devices that a member brings keep nobody from going on`() throws
  {
    var (one, other, liar) = try Liar.beside()
    let under = try liar.key()
    var copies: [SignedSegment] = []
    for number in 0..<150 {
      let keys = try SpaceIdentity(seed: try SecretBytes.random())
      let made = Member(name: "made up", keys)
      try liar.tell(.add(made, budget: 0), under: under)
      let segment = Segment(
        device: made.id, sequence: 1, previous: nil, ends: [],
        operations: [try liar.entry("text \(number)")])
      copies.append(SignedSegment(segment, in: liar.space, by: keys.signing))
    }
    try liar.pack(copies, under: under)
    try one.sync()
    let store = try #require(try ReplicaStore(try Snapshot(one.vault).catalogue))
    #expect(store.replica.devices.count >= 150)
    for _ in 0..<2 { try other.sync() }
    try expectGoingOn(one, other, "after it")
  }

  @Test func `openings that nobody here can read take only so much room`() throws {
    var (one, other, liar) = try Liar.beside()
    let (box, under) = ([UInt8](repeating: 7, count: 80), try liar.key())
    for number in 0..<28 {
      let opening = EpochOpening(
        id: [UInt8](repeating: UInt8(number), count: 16),
        boxes: Array(repeating: box, count: 512), earlier: [UInt8](repeating: 9, count: 1 << 18))
      try liar.tell(.renew, beginning: opening, under: under)
    }
    for device in [one, other] { try device.sync() }
    let roster = try #require(try one.vault.spaceRecord()?.roster)
    #expect(roster.recordCount > 28 && roster.encoded().count < 5 << 20)
    try expectGoingOn(one, other, "after it")
    _ = try one.vault.revoke("liar", recovery: try spaceCode())
    try expectGoingOn(one, other, "without it")
  }

  @Test func `what a device keeps of the others may be longer than a row`() throws {
    let (one, other, _) = try pair(replicaPart: 256)
    for number in 0..<40 {
      _ = try one.write("text \(number)", tags: (0..<20).map { "tag \($0)" })
      try one.vault.setTemplate("t\(number)", body: "b \(number)", isNew: true)
    }
    for _ in 0..<2 { for device in [one, other] { try device.sync() } }
    #expect(try other.texts.count == 40)
    let rows = try Snapshot(one.vault).catalogue.store.rows(of: .replica).filter { $0 > 1 << 61 }
    #expect(rows.count > 40)
    for device in [one, other] { #expect(try device.vault.verify().isWhole) }
    // What gets shorter leaves nothing behind.
    for number in 0..<40 { try one.vault.setTemplate("t\(number)", body: nil, isNew: false) }
    for _ in 0..<2 { for device in [one, other] { try device.sync() } }
    for device in [one, other] {
      let report = try device.vault.verify()
      #expect(report.isWhole && report.problems.isEmpty, "\(report.problems)")
    }
    try expectGoingOn(one, other, "after it")
  }

  @Test func `however many ids are alike, no entry is hidden`() throws {
    let (one, other, liar) = try Liar.beside()
    let entry = try one.write("the owner's own")
    try one.sync()
    let high = try #require(Identity(bytes: entry.bytes)).high
    var operations: [Replication.Operation<OperationPlace>] = []
    for number in 0..<UInt64(4_200) {
      for low in 0..<UInt64(2) {
        let id = Identity(high: 1 << 50 + number, low: low)
        operations.append(try liar.entry("alike", id: id))
      }
    }
    operations.append(try liar.entry("in its place", id: Identity(high: high, low: 1)))
    try liar.put(operations)
    try other.sync()
    #expect(try other.texts.contains("the owner's own") && other.texts.contains("in its place"))
    let new = try SharingDevice(one.shared)
    try one.shared.exchange(new.vault)
    try new.vault.recoverSpace(recovery: try spaceCode(), name: "new")
    for _ in 0..<2 { try new.sync() }
    #expect(try new.texts == other.texts)
  }

  @Test(arguments: [false, true])
  func `of what waits for ever some is read again, and nobody else is delayed`(
    isPacked: Bool
  ) throws {
    let (one, other, liar) = try Liar.beside()
    let known = Set(one.shared.logs)
    _ = try other.write("first")
    try other.sync()
    let first = try #require(Set(one.shared.logs).subtracting(known).first)
    let object = try #require(one.shared.store[.log(first)])
    _ = try other.write("second")
    try other.sync()
    one.shared.lose { $0 == .log(first) }
    let size = 3 << 20
    for number in 0..<10 {
      // What it follows does not exist.
      let segment = Segment(
        device: liar.id, sequence: 2, previous: Hash([UInt8](repeating: UInt8(number), count: 32)),
        ends: [],
        operations: [try liar.entry(String(repeating: "\(number)", count: size))])
      let copy = SignedSegment(segment, in: liar.space, by: try liar.signing())
      if isPacked { try liar.pack([copy]) } else { try liar.put(copy) }
    }
    // They, and what they wait for.
    #expect(try one.sync().waiting == 22)
    let mirror = SpaceMirror(VaultFolder(one.vault.path))
    func leftOut() throws -> Set<ObjectPath> {
      let store = try #require(try ReplicaStore(try Snapshot(one.vault).catalogue))
      return Set(RereadLimit.leftOut(of: store, mirror).keys)
    }
    let flood = mirror.names().filter { (mirror.size($0) ?? 0) > size }
    #expect(flood.count == 10)
    let times = try (0..<20).map { _ in try leftOut() }
    if isPacked {
      // Some of them, by chance.
      #expect(times.allSatisfy { $0.intersection(flood).count == 7 } && Set(times).count > 1)
    } else {
      // What each waits for is known.
      #expect(times.allSatisfy { $0.isSuperset(of: flood) } && Set(times).count == 1)
      for name in flood { try Data(count: size).write(to: URL(fileURLWithPath: mirror.path(name))) }
      _ = try Reconciliation(one.vault).finish()
      // Damaged ones go when they are read.
      #expect(flood.allSatisfy { mirror.has($0) })
    }
    #expect(try one.sync().waiting >= 8)
    one.shared.put(.log(first), object)
    try one.sync()
    #expect(try one.texts == ["first", "second"])
  }

  /// Its revocation lists a segment that it took out of the place.
  @Test func `of what may count of a device that was taken out some is read again`() throws {
    let (one, other, liar) = try Liar.beside()
    let size = 3 << 20
    func put(_ text: String) throws {
      try liar.put([try liar.entry(text)])
    }
    try put("listed")
    try one.sync()
    _ = try one.vault.revoke("liar", recovery: try spaceCode())
    try one.sync()
    one.shared.lose { if case .log(let end) = $0 { end.device == liar.id } else { false } }
    for number in 0..<5 { try put(String(repeating: "\(number)", count: size)) }
    #expect(try other.sync().waiting == 5)
    let mirror = SpaceMirror(VaultFolder(other.vault.path))
    let store = try #require(try ReplicaStore(try Snapshot(other.vault).catalogue))
    let times = (0..<20).map { _ in Set(RereadLimit.leftOut(of: store, mirror).keys) }
    #expect(times.allSatisfy { $0.count == 2 } && Set(times).count > 1)
    // One device has it still.
    try one.shared.exchange(one.vault, repairing: true)
    try other.sync()
    #expect(try other.texts == ["listed"] && other.texts == one.texts)
    #expect(try other.sync().waiting == 0)
  }

  /// It came while the other was still sending.
  @Test func `a backlog that waits for its first piece is merged with it at once`() throws {
    let (one, other, shared) = try pair()
    let known = Set(shared.logs)
    for number in 0..<12 {
      _ = try other.write("\(number)" + String(repeating: "x", count: 1 << 20))
      try other.sync()
    }
    let first = try #require(
      Set(shared.logs).subtracting(known).min { $0.sequence < $1.sequence })
    let object = try #require(shared.store[.log(first)])
    shared.lose { $0 == .log(first) }
    for _ in 0..<3 { #expect(try one.sync().waiting >= 11) }
    #expect(try one.texts.isEmpty)
    shared.put(.log(first), object)
    #expect(try one.sync().waiting == 0)
    #expect(try one.texts.count == 12)
  }

  /// Its epoch stands in clear in every object, so that anybody can name it.
  @Test(arguments: [false, true], [false, true])
  func `junk that is taken out of the place is gone, and is not put back`(
    isPack: Bool, isOfKnownEpoch: Bool
  ) throws {
    let (one, other, shared) = try pair()
    let record = try #require(try one.vault.spaceRecord())
    let epoch =
      isOfKnownEpoch
      ? try #require(record.roster).epoch : [UInt8](repeating: 9, count: 16)
    let kind: SpaceObject.Kind = isPack ? .pack : .roster
    let object = SpaceObject.head(kind, epoch: epoch) + [0] + [UInt8](repeating: 3, count: 300)
    let hash = SpaceObject.hash(object)
    let name: ObjectPath = isPack ? .pack(hash) : .roster(2, hash)
    shared.put(name, object)
    for _ in 0..<2 { #expect(try !one.sync().troubles.isEmpty) }
    if !isPack { #expect(try one.vault.spaceRecord()?.useless == [hash]) }
    shared.lose { $0 == name }
    try one.sync()
    try shared.exchange(one.vault, repairing: true)
    #expect(shared.store[name] == nil)
    _ = try one.write("after it")
    for device in [one, other, one] { #expect(try device.sync().troubles == []) }
    #expect(try other.texts == ["after it"])
  }

  /// Records that wait for others are not read again until something of the roster came.
  @Test func `records of the roster that wait are tried once`() throws {
    let (one, other, liar) = try Liar.beside()
    let under = try liar.key()
    for number in 0..<5 {
      let record = RosterRecord(
        previous: [Hash([UInt8](repeating: UInt8(number), count: 32))], author: liar.id, .renew,
        epochDigest: EpochOpening.digest(nil))
      let object = try SpaceObject.seal(
        record.encoded(), .roster,
        head: SpaceObject.head(.roster, epoch: under.id) + EpochOpening.encoded(nil),
        in: liar.space, key: under, by: try liar.signing())
      one.shared.put(.roster(9, SpaceObject.hash(object)), object)
    }
    for _ in 0..<2 {
      #expect(try !one.sync().troubles.isEmpty)
      #expect(try one.vault.spaceRecord()?.useless.count == 5)
    }
    let third = try SharingDevice(one.shared)
    try join(third, by: other, name: "third")
    _ = try third.write("from the third")
    try third.sync()
    try one.sync()
    #expect(try one.texts == ["from the third"])
  }

  /// Whoever can write to the place needs no key for that.
  @Test func `roster records that nothing opens are tried once`() throws {
    let (one, other, shared) = try pair()
    for number in 0..<5 {
      let object =
        SpaceObject.head(.roster, epoch: [UInt8](repeating: UInt8(number), count: 16)) + [0]
        + [UInt8](repeating: 3, count: 200)
      shared.put(.roster(2, SpaceObject.hash(object)), object)
    }
    for _ in 0..<2 {
      let report = try one.sync()
      #expect(report.troubles == [.unreadable(5)])
      // What they are called, so that somebody can delete them.
      #expect(report.unreadable.compactMap { ObjectPath($0) }.count == 5)
      #expect(try one.vault.spaceRecord()?.unread.count == 5)
    }
    // Another device came in: its record is read, and those are tried under the new key.
    let third = try SharingDevice(shared)
    try join(third, by: other, name: "third")
    _ = try third.write("from the third")
    try third.sync()
    try one.sync()
    #expect(try one.texts == ["from the third"])
  }
}
