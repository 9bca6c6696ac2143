import FaceMatching
import Foundation
import Sealing
import Testing

@testable import Authentication

@Suite struct DeviceStoreTests {
  private let base: String
  private let store: DeviceStore

  init() {
    base = NSTemporaryDirectory() + "ds-" + UUID().uuidString
    store = DeviceStore(base: base, vaultID: [UInt8](repeating: 3, count: 16))
  }

  private func chmod(_ name: String, _ mode: Int) throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: mode], ofItemAtPath: store.directory.path + name)
  }

  @Test func `device keys are made once, 0600 in a 0700 directory, and read back`() throws {
    #expect(try store.keys() == nil)
    let made = try store.makeKeys()
    #expect(try store.makeKeys().id == made.id)
    #expect(
      try FileManager.default.attributesOfItem(atPath: store.directory.path)[.posixPermissions]
        as? Int == 0o700)
    #expect(
      try FileManager.default.attributesOfItem(atPath: store.directory.path + "/device.key")[
        .posixPermissions] as? Int == 0o600)
  }

  @Test(arguments: ["/device.key", ""]) func `what others could read is refused`(name: String)
    throws
  {
    _ = try store.makeKeys()
    try chmod(name, name.isEmpty ? 0o750 : 0o640)
    #expect(throws: AuthenticationError(.loose, "")) { try store.keys() }
  }

  @Test func `a link or a second name in place of the key is refused`() throws {
    _ = try store.makeKeys()
    let path = store.directory.path + "/device.key"
    try FileManager.default.linkItem(atPath: path, toPath: base + "/other")
    #expect(throws: AuthenticationError(.loose, "")) { try store.keys() }
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: base + "/other")
    #expect(throws: AuthenticationError(.loose, "")) { try store.keys() }
  }

  @Test func `every damaged byte of the key is noticed`() throws {
    _ = try store.makeKeys()
    let url = URL(fileURLWithPath: store.directory.path + "/device.key")
    let good = try Data(contentsOf: url)
    for index in good.indices {
      var bad = good
      bad[index] ^= 1
      try bad.write(to: url)
      try chmod("/device.key", 0o600)
      #expect(throws: AuthenticationError(.storeDamaged, "")) { try store.keys() }
    }
  }

  private func templates() -> TemplateSet {
    TemplateSet(
      model: "m", dimension: 32, threshold: 0.5,
      templates: [FaceTemplate(id: "id", label: "私", embedding: embedding(), created: 5)])
  }

  @Test func `templates come back sealed to this device and vault, and count only when committed`()
    throws
  {
    let keys = try store.makeKeys()
    let digest = try store.stageTemplates(templates(), keys)
    #expect(try store.loadTemplates(keys) == nil)
    try store.commitTemplates()
    let loaded = try #require(try store.loadTemplates(keys))
    #expect(loaded.digest == digest)
    #expect(loaded.set.templates[0].label == "私")
    #expect(loaded.set.threshold == 0.5)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: store.directory.path + "/templates"))
    #expect(bytes.range(of: Data("私".utf8)) == nil)
    for index in stride(from: 0, to: bytes.count, by: 7) {
      var bad = bytes
      bad[index] ^= 0x10
      try store.directory.write("templates", Array(bad))
      #expect(throws: AuthenticationError(.storeDamaged, "")) { try store.loadTemplates(keys) }
    }
  }

  @Test func `staged templates are taken when the vault knows them, else dropped`() throws {
    let keys = try store.makeKeys()
    let digest = try store.stageTemplates(templates(), keys)
    try store.recoverTemplates(knownDigest: digest)
    #expect(try store.loadTemplates(keys)?.digest == digest)
    _ = try store.stageTemplates(templates(), keys)
    try store.recoverTemplates(knownDigest: digest)
    #expect(throws: AuthenticationError(.system, "")) { try store.commitTemplates() }
    #expect(try store.loadTemplates(keys)?.digest == digest)
  }

  @Test func `a torn write of a slot file leaves the record before`() throws {
    let keys = try store.makeKeys()
    let file = AlternatingFile(store.directory, "record", context: [1])
    #expect(try file.read(key: keys.anchor) == nil)
    for number in 1...5 { try file.write([UInt8(number)], key: keys.anchor) }
    #expect(try file.read(key: keys.anchor) == [5])
    let url = URL(fileURLWithPath: store.directory.path + "/record")
    var bytes = Array(try Data(contentsOf: url))
    // Sequence 5 is in the second slot.
    bytes.replaceSubrange(4096 + 20..<4096 + 30, with: [UInt8](repeating: 0, count: 10))
    try store.directory.write("record", bytes)
    #expect(try file.read(key: keys.anchor) == [4])
    try file.write([6], key: keys.anchor)
    #expect(try file.read(key: keys.anchor) == [6])
    #expect(throws: AuthenticationError(.storeDamaged, "")) {
      try AlternatingFile(store.directory, "record", context: [2]).read(key: keys.anchor)
    }
  }
}

@Suite struct AttemptTests {
  private final class Row { var bytes: [UInt8]? }
  private let store: DeviceStore
  private let keys: DeviceKeys
  private let row = Row()

  init() throws {
    store = DeviceStore(
      base: NSTemporaryDirectory() + "at-" + UUID().uuidString,
      vaultID: [UInt8](repeating: 4, count: 16))
    keys = try store.makeKeys()
  }

  private var ledger: AttemptLedger {
    AttemptLedger(
      store, keys, row: .init(read: { [row] in row.bytes }, write: { [row] in row.bytes = $0 }))
  }

  private var file: [UInt8] { get throws { try store.directory.read("attempts")! } }

  @Test func `five tries, then none, until an opened vault resets them`() throws {
    #expect(try ledger.left() == 0, "no records: locked")
    try ledger.reset()
    #expect(try ledger.left() == 5)
    for left in [4, 3, 2, 1, 0] { #expect(try ledger.take() == left) }
    #expect(throws: AuthenticationError(.lockedOut, "")) { try ledger.take() }
    try ledger.reset()
    #expect(try ledger.left() == 5)
  }

  @Test func `putting back the vault or the device store alone restores no removed access`() throws
  {
    try ledger.reset()
    let oldFile = try file
    let oldRow = row.bytes
    for _ in 0..<3 { _ = try ledger.take() }
    let newFile = try file
    try store.directory.write("attempts", oldFile)
    #expect(try ledger.left() == 0)
    try store.directory.write("attempts", newFile)
    #expect(try ledger.left() == 2)
    row.bytes = oldRow
    #expect(try ledger.left() == 0)
  }

  @Test func `a record from before a reset gives no tries back`() throws {
    try ledger.reset()
    let early = try file
    _ = try ledger.take()
    try ledger.reset()
    for _ in 0..<3 { _ = try ledger.take() }
    try store.directory.write("attempts", early)
    #expect(try ledger.left() == 0)
  }

  @Test func `probes at once are as many tries`() async throws {
    try ledger.reset()
    let path = store.directory.path + "/row"
    let row = AttemptLedger.Row(
      read: { FileManager.default.contents(atPath: path).map(Array.init) },
      write: { try Data($0).write(to: URL(fileURLWithPath: path), options: .atomic) })
    let (store, keys) = (store, keys)
    try AttemptLedger(store, keys, row: row).reset()
    let taken = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<20 {
        let mine = AttemptLedger.Row(
          read: { FileManager.default.contents(atPath: path).map(Array.init) },
          write: { try Data($0).write(to: URL(fileURLWithPath: path), options: .atomic) })
        group.addTask { (try? AttemptLedger(store, keys, row: mine).take()) != nil }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(taken == 5)
  }

  @Test func `a missing, forged or swapped record locks`() throws {
    try ledger.reset()
    let good = row.bytes
    row.bytes = nil
    #expect(try ledger.left() == 0)
    row.bytes = [1, 2, 3]
    #expect(try ledger.left() == 0)
    row.bytes = good
    #expect(try ledger.left() == 5)
    try store.directory.remove("attempts")
    #expect(try ledger.left() == 0)
  }

  @Test func `a kill between the two writes counts at most that try`() throws {
    struct Killed: Error {}
    try ledger.reset()
    for _ in 0..<2 {
      let dying = AttemptLedger(
        store, keys, row: .init(read: { [row] in row.bytes }, write: { _ in throw Killed() }))
      #expect(throws: Killed.self) { try dying.take() }
    }
    // Raised twice on one side only: apart by two, which no single kill explains.
    #expect(try ledger.left() == 0)
    try ledger.reset()
    let dying = AttemptLedger(
      store, keys, row: .init(read: { [row] in row.bytes }, write: { _ in throw Killed() }))
    #expect(throws: Killed.self) { try dying.take() }
    #expect(try ledger.left() == 4)
    #expect(throws: Killed.self) { try dying.reset() }
    #expect(try ledger.left() == 5, "a reset cut short had its vault open")
    #expect(try ledger.take() == 4)
  }
}

@Suite struct GateTests {
  private struct Failing: BiometricVerifier {
    struct Broken: Error {}
    func verify(_ probe: Probe, against templates: TemplateSet) async throws -> Verdict {
      throw Broken()
    }
  }

  private struct NaN: BiometricVerifier {
    func verify(_ probe: Probe, against templates: TemplateSet) async throws -> Verdict {
      var set = templates
      set.threshold = .nan
      return try await CosineVerifier().verify(probe, against: set)
    }
  }

  private final class Row { var bytes: [UInt8]? }

  private func gate(_ verifier: any BiometricVerifier, threshold: Double = 0.9) throws -> (
    FaceGate, AttemptLedger
  ) {
    let store = DeviceStore(
      base: NSTemporaryDirectory() + "ga-" + UUID().uuidString,
      vaultID: [UInt8](repeating: 4, count: 16))
    let keys = try store.makeKeys()
    let row = Row()
    let ledger = AttemptLedger(
      store, keys, row: .init(read: { row.bytes }, write: { row.bytes = $0 }))
    try ledger.reset()
    let set = TemplateSet(
      model: "m", dimension: 32, threshold: threshold,
      templates: [FaceTemplate(id: "a", label: "", embedding: embedding(), created: 0)])
    return (FaceGate(templates: set, ledger: ledger, verifier: verifier), ledger)
  }

  @Test func `a probe that cannot be compared costs no try, a verifier that fails does`()
    async throws
  {
    let (gate, ledger) = try gate(Failing())
    let wrong = try Probe([try Embedding((0..<33).map { Float($0 + 1) })])
    await #expect(throws: VectorError.self) { try await gate.judge(wrong) }
    #expect(try ledger.left() == 5)
    await #expect(throws: AuthenticationError(.verifier, "")) {
      try await gate.judge(try Probe([embedding()]))
    }
    #expect(try ledger.left() == 4)
  }

  @Test func `the cosine verifier accepts the owner, refuses others, and NaN refuses`() async throws
  {
    let (mine, _) = try gate(CosineVerifier())
    guard case .accepted(let similarity) = try await mine.judge(try Probe([embedding()])) else {
      Issue.record("refused")
      return
    }
    #expect(similarity > 0.999)
    #expect(try await mine.judge(try Probe([embedding(2.5)])) == .refused(attemptsLeft: 3))
    let (nan, _) = try gate(NaN())
    #expect(try await nan.judge(try Probe([embedding()])) == .refused(attemptsLeft: 4))
  }
}
