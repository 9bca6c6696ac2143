import Bytes
import Entries
import Foundation
import Scratch
import Synchronization
import Testing

@testable import Access
@testable import Authentication

/// A clock that stands until it is told to go on.
final class HandClock: AccessClock {
  private let now = Mutex(
    (boot: [UInt8](repeating: 1, count: 16), uptime: Int64(5000), wall: Int64(1_800_000_000)))
  var boot: [UInt8] { now.withLock { $0.boot } }
  var uptime: Int64 { now.withLock { $0.uptime } }
  var wall: Int64 { now.withLock { $0.wall } }

  func pass(_ seconds: Int64) {
    now.withLock {
      $0.uptime += seconds
      $0.wall += seconds
    }
  }
  func setUptime(_ change: Int64) { now.withLock { $0.uptime += change } }
  func setWall(_ change: Int64) { now.withLock { $0.wall += change } }
  func restart(after seconds: Int64 = 0) {
    now.withLock {
      $0.boot[0] &+= 1
      $0.uptime = 10
      $0.wall += seconds
    }
  }
  func forgetBoot() { now.withLock { $0.boot = [UInt8](repeating: 0, count: 16) } }
}

@Suite struct AccessTests {
  private let scratch = Scratch()
  private let clock = HandClock()
  private let store: DeviceStore
  private let keys: DeviceKeys
  private var record: AccessRecord { AccessRecord(store, keys, clock: clock) }

  init() throws {
    store = DeviceStore(
      base: scratch.path + "/devices",
      vaultID: [UInt8](repeating: 3, count: 16))
    keys = try store.makeKeys()
  }

  private func wrong(_ times: Int) throws {
    for _ in 0..<times {
      while case let left = try record.waiting(), left > 0 { clock.pass(left) }
      try record.beginPassphrase().end(.wrong)
    }
  }

  @Test func `nothing is written under the old key into a store that took this one's place`() throws
  {
    let stale = record
    let begun = try stale.beginPassphrase()
    let next = DeviceStore(base: scratch.path + "/devices", vaultID: store.vaultID, suffix: ".next")
    let nextKeys = try next.makeKeys()
    try AccessRecord(next, nextKeys, clock: clock).opened(bySecret: true, policy: [])
    try AccessRecord.locked(store.directory) {
      try store.directory.exchange(with: next.directory)
    }
    try begun.end(.right)
    try stale.opened(bySecret: true, policy: [7])
    #expect(throws: AuthenticationError(.busy, store.directory.path)) {
      try stale.beginPassphrase()
    }
    #expect(try AccessRecord(store, nextKeys, clock: clock).wasOpened() == true)
  }

  @Test func `three wrong passphrases cost no wait, then a second, and twice as long each time`()
    throws
  {
    let waits = (0...20).map { PassphraseWaits.seconds(after: $0) }
    #expect(waits.prefix(10) == [0, 0, 0, 0, 1, 2, 4, 8, 16, 32])
    #expect(
      waits.max() == 3600 && waits.last == 3600 && PassphraseWaits.seconds(after: .max) == 3600)
    try wrong(3)
    #expect(try record.waiting() == 0)
    try wrong(1)
    #expect(try record.waiting() == 1)
    #expect(throws: AuthenticationError(.waiting, "")) { try record.beginPassphrase() }
    clock.pass(1)
    try record.beginPassphrase().end(.right)
    try wrong(3)
    #expect(try record.waiting() == 0)
  }

  @Test func `another beginning of the machine's clock, or another boot id, shortens no wait`()
    throws
  {
    try wrong(10)
    // `unshare --boottime`: this process alone is told that a day has passed.
    clock.setUptime(86_400)
    #expect(try record.waiting() == 64)
    clock.setUptime(-86_400)
    // Another file over the boot id: what the machine's clock says is then no time since a restart.
    clock.restart()
    clock.setUptime(86_400)
    #expect(try record.waiting() == 64)
    clock.pass(64)
    #expect(try record.waiting() == 0)
  }

  /// Seen in a time namespace, the clock since boot has another beginning.
  @Test func `a clock since boot that went backwards leaves the time of day to tell`() throws {
    func time(_ uptime: Int64, _ wall: Int64) throws -> AccessTime {
      try #require(AccessTime(boot: [UInt8](repeating: 1, count: 16), uptime: uptime, wall: wall))
    }
    let inside = try time(100_005_000, 1_800_000_000)
    #expect(inside.certainlyPassed(try time(5040, 1_800_000_040)) == 40)
    #expect(inside.certainlyPassed(try time(5040, 1_799_999_000)) == 0)
    let outside = try time(5000, 1_800_000_000)
    #expect(outside.certainlyPassed(try time(100_005_000, 1_800_000_040)) == 40)
    #expect(outside.certainlyPassed(try time(5030, 1_800_000_900)) == 30)
  }

  @Test func `a moment no clock tells is none, and never traps`() throws {
    for number in [Int64.min, -1, 1 << 41, .max] {
      #expect(AccessTime(boot: clock.boot, uptime: number, wall: 0) == nil)
      #expect(AccessTime(boot: clock.boot, uptime: 0, wall: number) == nil)
      var row: [UInt8] = [9, 0, 0, 0] + clock.boot
      for _ in 0..<2 { row += withUnsafeBytes(of: number.littleEndian) { Array($0) } }
      let waits = VaultWaits(
        read: { row }, change: { _ = $0(row) }, vaultID: [1], clock: clock)
      #expect(throws: Never.self) { _ = try waits.begin() }
    }
    // One that is still to come by both clocks was not written by us.
    var row = row(uptime: 1 << 39, wall: clock.wall + 1)
    let waits = VaultWaits(
      read: { row }, change: { _ = $0(row) }, vaultID: [1], clock: clock)
    #expect(throws: Never.self) { _ = try waits.begin() }
    row = self.row(uptime: 1 << 39, wall: clock.wall)
    #expect(throws: AuthenticationError.self) { _ = try waits.begin() }
  }

  /// Nine wrong ones.
  private func row(uptime: Int64, wall: Int64) -> [UInt8] {
    var row: [UInt8] =
      [9, 0, 0, 0] + Digest.blake2b(clock.boot + [1], count: 16, domain: "FDv2 boot")
    for number in [uptime, wall] {
      row += withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
    return row
  }

  /// Each in a time namespace of its own, whose clock begins later than that of the one before.
  @Test func `a time namespace does not forget wrong tries`() throws {
    var row: [UInt8]? = row(uptime: clock.uptime + 200, wall: clock.wall)
    let waits = VaultWaits(
      read: { row }, change: { row = $0(row) ?? row }, vaultID: [1], clock: clock)
    let error = #expect(throws: AuthenticationError.self) { _ = try waits.begin() }
    #expect(error?.retryAfter == 32)
    clock.pass(32)
    waits.end(.wrong, try waits.begin())
    #expect(row?.first == 10)
  }

  @Test func `a restart or a clock set back does not shorten a wait`() throws {
    try wrong(10)
    #expect(try record.waiting() == 64)
    clock.setWall(-100_000)
    #expect(try record.waiting() == 64)
    clock.setWall(200_000)
    #expect(try record.waiting() == 64)
    // After a restart the time of day is all there is; set back, only what the machine runs counts.
    clock.setWall(-100_000)
    clock.restart(after: 10)
    #expect(try record.waiting() == 54)
    clock.setWall(-100_000)
    #expect(try record.waiting() == 54)
    clock.pass(54)
    #expect(try record.waiting() == 0)
  }

  @Test func `a try that was killed counts as wrong, one that could not be judged as none`() throws
  {
    try wrong(3)
    do { _ = try record.beginPassphrase() }
    // The next one finds it, and has to wait for it.
    #expect(throws: AuthenticationError(.waiting, "")) { try record.beginPassphrase() }
    clock.pass(1)
    let trial = try record.beginPassphrase()
    try trial.end(.unknown)
    try record.beginPassphrase().end(.right)
  }

  @Test func `concurrent right passphrases pass, concurrent guesses wait`() throws {
    let together = try (0..<20).map { _ in try record.beginPassphrase() }
    for trial in together { try trial.end(.right) }
    let many = try (0..<32).map { _ in try record.beginPassphrase() }
    #expect(throws: AuthenticationError(.waiting, "")) { try record.beginPassphrase() }
    for trial in many { try trial.end(.wrong) }
    #expect(try record.waiting() == 3600)
  }

  @Test func `a face is not enough after a restart, too long, or unused`() throws {
    #expect(try record.need() == .never)
    try record.opened(bySecret: false, policy: [])
    #expect(try record.need() == .never)
    try record.opened(bySecret: true, policy: [])
    #expect(try record.need() == nil)
    clock.pass(48 * 3600)
    #expect(try record.need() == .unused)
    try record.opened(bySecret: false, policy: [])
    for _ in 0..<3 {
      clock.pass(36 * 3600)
      if try record.need() == nil { try record.opened(bySecret: false, policy: []) }
    }
    #expect(try record.need() == .expired)
    try record.opened(bySecret: true, policy: [])
    clock.restart(after: 60)
    #expect(try record.need() == .restart)
    var policy = AccessPolicy()
    policy.afterRestart = false
    #expect(try record.need(under: policy.encoded()) == nil)
    // A clock set back says nothing of how long ago it was.
    clock.setWall(-3600)
    #expect(try record.need(under: policy.encoded()) == .expired)
    clock.setWall(3600)
    clock.pass(157 * 3600)
    clock.setWall(-157 * 3600)
    #expect(try record.need(under: policy.encoded()) == .expired)
  }

  @Test func `a system that tells no boot id is always restarted`() throws {
    clock.forgetBoot()
    try record.opened(bySecret: true, policy: [])
    #expect(try record.need() == .restart)
  }

  @Test func `a record that was damaged or put back asks for the passphrase`() throws {
    try record.opened(bySecret: true, policy: [])
    let path = store.directory.path + "/access"
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    for index in stride(from: 0, to: before.count, by: 61) {
      var bytes = before
      bytes[index] ^= 1
      try bytes.write(to: URL(fileURLWithPath: path))
      // Padding and the unused slot carry nothing; anything else is noticed.
      let need = try record.need()
      #expect(need == nil || need == .never)
    }
    try Data(count: before.count).write(to: URL(fileURLWithPath: path))
    #expect(try record.need() == .never)
    try before.write(to: URL(fileURLWithPath: path))
    try wrong(5)
    try FileManager.default.removeItem(atPath: path)
    #expect(try record.need() == .never)
  }

  @Test func `a policy keeps to its bounds, and of two the stricter counts`() throws {
    #expect(try AccessPolicy([]) == AccessPolicy())
    var policy = AccessPolicy()
    policy.isWarm = true
    policy.idle = 60
    #expect(try AccessPolicy(policy.encoded()) == policy)
    let both = policy.stricter(AccessPolicy())
    #expect(both == AccessPolicy().stricter(policy) && both.isWarm && both.idle == 60)
    // A program is neither stricter nor laxer: a copy's does not take the place of the owner's.
    var (copys, own) = (AccessPolicy(), AccessPolicy())
    copys.camera = try CameraProgram(sealing: ["/bin/cat"], relativeTo: "/")
    own.camera = try CameraProgram(sealing: ["/bin/ls"], relativeTo: "/")
    #expect(copys.stricter(own).camera == own.camera)
    #expect(copys.stricter(AccessPolicy()).camera == copys.camera)
    for broken in [[UInt8(2)] + policy.encoded().dropFirst(), Array(policy.encoded().dropLast())] {
      #expect(throws: SealingError.malformed) { try AccessPolicy(broken) }
    }
    policy.idle = 5
    #expect(throws: SealingError.malformed) { try AccessPolicy(policy.encoded()) }
    var later = AccessPolicy().encoded()
    later[17] |= 16
    let kept = try AccessPolicy(later)
    #expect(kept.encoded() == later && kept.stricter(AccessPolicy()).encoded() == later)
  }

  @Test func `waits in the vault hold for any device store`() throws {
    let row = Mutex<[UInt8]?>(nil)
    let waits = VaultWaits(
      read: { row.withLock { $0 } },
      change: { body in row.withLock { $0 = body($0) ?? $0 } },
      vaultID: [1], clock: clock)
    func waiting() -> Int64? {
      do {
        waits.end(.unknown, try waits.begin())
        return 0
      } catch { return (error as? AuthenticationError)?.retryAfter }
    }
    // Killed or wrong is the same; so is a try that the device's own record counted.
    _ = try waits.begin()
    waits.end(.wrong, try waits.begin())
    waits.end(.wrong, nil)
    // It names no machine.
    let bytes = row.withLock { $0 } ?? []
    #expect(bytes.count == 36 && Array(bytes[4..<20]) != clock.boot)
    #expect(waiting() == 0 && row.withLock { $0 } == bytes)
    // One that is under way counts for those beside it.
    let one = try waits.begin()
    #expect(waiting() == 1)
    waits.end(.unknown, one)
    #expect(waiting() == 0)
    waits.end(.wrong, try waits.begin())
    #expect(waiting() == 1)
    clock.setWall(-50)
    #expect(waiting() == 1)
    waits.end(.right, nil)
    #expect(waiting() == 0)
    row.withLock { $0 = [1, 2, 3] }
    #expect(waiting() == 0)
    // One that cannot be written still says how long to wait; one that is busy lets nobody try.
    waits.end(.right, nil)
    for _ in 0..<5 { waits.end(.wrong, nil) }
    let old = row.withLock { $0 }
    let cases: [(VaultError.Code, Int64?)] = [(.readOnly, 2), (.busy, nil)]
    for (code, expected) in cases {
      let closed = VaultWaits(
        read: { old }, change: { _ in throw VaultError(code, "") }, vaultID: [1], clock: clock)
      let error = #expect(throws: (any Error).self) { _ = try closed.begin() }
      #expect((error as? AuthenticationError)?.retryAfter == expected, "\(code)")
    }
  }

  @Test func `only what was told is told no more`() throws {
    try record.keep(untold: [.newDevice])
    let (read, _) = try record.untold()
    // Another process finds something while the first one is still telling.
    try record.keep(untold: [.keyReplaced])
    try record.told(read)
    #expect(try record.untold().signs == [.keyReplaced])
  }

  @Test func `a record that was removed during a try is not made anew`() throws {
    try record.opened(bySecret: true, policy: [])
    let begun = try record.beginPassphrase()
    for name in store.directory.names() where name.hasPrefix("access") {
      try store.directory.remove(name)
    }
    try begun.end(.wrong)
    try record.told([.newDevice])
    #expect(try record.wasOpened() == nil)
    // What is to be told makes one, of a device that is not new.
    try record.keep(untold: [.acceptedElsewhere])
    #expect(try record.wasOpened() == true)
  }
}
