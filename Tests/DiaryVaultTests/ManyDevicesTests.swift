import Bytes
import Foundation
import Sealing
import Testing

@testable import DiaryVault
@testable import Entries

/// Every device that ever wrote counts, until the key is replaced.
@Suite struct ManyDevicesTests {
  /// One computer, by the passphrase, with what it remembers.
  private final class Computer {
    let bench: Workbench
    let name: [UInt8]
    let anchors = MemoryAnchors()

    init(_ bench: Workbench, _ number: Int) {
      self.bench = bench
      name = [UInt8](repeating: 0, count: 14) + [UInt8(number >> 8), UInt8(number & 0xff)]
    }

    func open(for purpose: Vault.Purpose = .everyday) throws -> Vault {
      try Vault.open(
        try LockedVault(bench.path, settings: bench.settings), kind: .passphrase,
        secret: try Workbench.secret("open sesame"), device: name, anchors: anchors,
        settings: bench.settings, for: purpose)
    }

    func write(_ text: String) throws { _ = try open().add(try EntryDraft(text)) }

    func rotate() throws {
      try open().rotate(
        recovery: try Workbench.secret(Workbench.recovery),
        passphrase: SecretBytesBox(try Workbench.secret("open sesame")), limits: Workbench.limits,
        deviceKey: try SecretBytes.random())
    }
  }

  private func full(_ count: Int = PastIncarnation.deviceLimit) throws -> (Workbench, [Computer]) {
    let bench = try Workbench()
    _ = try bench.create()
    let computers = (1..<count).map { Computer(bench, $0) }
    for computer in computers { try computer.write("one") }
    return (bench, computers)
  }

  @Test func `a device too many writes after the key was replaced, and the others go on`() throws {
    let (bench, computers) = try full()
    let newcomer = Computer(bench, 999)
    let failure = #expect(throws: VaultError.self) { try newcomer.write("refused") }
    #expect(failure?.reason == .atMost(PastIncarnation.deviceLimit) && failure?.thing == .device)
    // By any of them; the newcomer is as good as another.
    try newcomer.rotate()
    try newcomer.write("mine")
    try computers[3].write("theirs")
    #expect(try computers[200].open().all().count == PastIncarnation.deviceLimit + 1)
    #expect(try newcomer.open().latestState?.devices.count == 2)
    #expect(try computers[3].open().verify().isWhole)
  }

  @Test func `so it does when most of them were given another key since`() throws {
    let bench = try Workbench()
    let vault = try bench.create()
    try vault.change { edit throws(VaultError) in
      edit.update { state in
        for number in 0..<(PastIncarnation.deviceLimit - 1) {
          let id = [UInt8](repeating: 9, count: 14) + [UInt8(number & 0xff), UInt8(number >> 8)]
          state.devices[id] = .retired(counter: 1)
        }
      }
    }
    let newcomer = Computer(bench, 999)
    #expect(throws: VaultError.self) { try newcomer.write("refused") }
    try newcomer.rotate()
    try newcomer.write("mine")
    #expect(try newcomer.open().verify().isWhole)
  }

  @Test func `an older copy is noticed before and after by each that saw a newer one`() throws {
    let (bench, computers) = try full()
    let before = try bench.copy(to: "before")
    try computers[0].write("later")
    let forked = try bench.copy(to: "later")
    // What was written last is unknown to the copy whose key is replaced.
    try bench.putBack(before)
    try computers[1].rotate()
    #expect(throws: VaultError.self) { try computers[0].open() }
    try computers[2].write("after")
    let after = try bench.copy(to: "after")
    try computers[2].write("last")
    try bench.putBack(after)
    #expect(throws: VaultError.self) { try computers[2].open() }
    try bench.putBack(forked)
    #expect(throws: VaultError.self) { try computers[1].open() }
  }

  @Test func `whose last write was lost with the rotation can accept it, however many there were`()
    throws
  {
    let (bench, computers) = try full()
    let before = try bench.copy(to: "before")
    try computers[0].write("lost")
    try bench.putBack(before)
    let newcomer = Computer(bench, 999)
    try newcomer.rotate()
    #expect(throws: VaultError.self) { try computers[0].open() }
    _ = try computers[0].open(for: .accepting(Vault.Acceptance(policy: { old, _ in old })))
    try computers[0].write("again")
    #expect(try newcomer.open().all().count == PastIncarnation.deviceLimit)
  }

  @Test func `who writes as a device after the rotation is noticed by it`() throws {
    let (_, computers) = try full(200)
    let own = computers[0].anchors.anchor
    try computers[1].rotate()
    for _ in 0..<3 { try computers[0].write("by a clone") }
    computers[0].anchors.anchor = own
    #expect(throws: VaultError.self) { try computers[0].open() }
  }

  @Test func `an old store of a device that was given another key stays without worth`() throws {
    let (_, computers) = try full(200)
    let old = MemoryAnchors()
    old.anchor = computers[0].anchors.anchor
    let anchors = computers[0].anchors
    try computers[0].open().rebind(
      to: [UInt8](repeating: 5, count: 16), key: try SecretBytes.random(), face: .none,
      templates: nil, over: nil
    ) { anchor throws(VaultError) in try anchors.save(anchor) }
    try computers[1].rotate()
    computers[0].anchors.anchor = old.anchor
    let failure = #expect(throws: VaultError.self) { try computers[0].open() }
    #expect(failure?.reason == .deviceWasReplaced)
  }
}
