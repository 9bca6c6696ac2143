import Foundation
import Scratch
import Testing

@testable import Access
@testable import Authentication

@Suite struct AttemptTests {
  private final class Row { var bytes: [UInt8]? }
  private let scratch = Scratch()
  private let store: DeviceStore
  private let keys: DeviceKeys
  private let row = Row()

  init() throws {
    store = DeviceStore(
      base: scratch.path + "/devices",
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

  /// A kill, or a row that another process keeps from being written: no face is compared then.
  @Test func `a second write that fails, however often, counts at most one try`() throws {
    struct Killed: Error {}
    try ledger.reset()
    let dying = AttemptLedger(
      store, keys, row: .init(read: { [row] in row.bytes }, write: { _ in throw Killed() }))
    for _ in 0..<7 {
      #expect(throws: Killed.self) { try dying.take() }
      #expect(try ledger.left() == 4)
    }
    #expect(try ledger.take() == 3)
    for _ in 0..<3 {
      #expect(throws: Killed.self) { try dying.reset() }
      #expect(try ledger.left() == 5, "a reset cut short had its vault open")
    }
    #expect(try ledger.take() == 4)
    #expect(try ledger.take() == 3)
  }

  @Test func `two records that no failed write explains lock the face out`() throws {
    try ledger.reset()
    let early = row.bytes
    for _ in 0..<2 { _ = try ledger.take() }
    row.bytes = early
    #expect(try ledger.left() == 0)
  }
}
