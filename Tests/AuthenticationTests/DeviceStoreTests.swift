import Bytes
import FaceMatching
import Foundation
import Scratch
import Sealing
import Testing

@testable import Access
@testable import Authentication

@Suite struct DeviceStoreTests {
  private let scratch = Scratch()
  private let base: String
  private let store: DeviceStore

  init() {
    base = scratch.path + "/devices"
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
    #expect(throws: AuthenticationError(.storeDamaged, "")) { try store.keys() }
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

  @Test func `a torn write of an alternating file leaves the record before`() throws {
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

  @Test func `no number in a record traps, whoever has the key`() throws {
    let keys = try store.makeKeys()
    let file = AlternatingFile(store.directory, "record", context: [1])
    for number in [UInt64(Int64.max), 1 << 63, .max] {
      var context = ByteWriter()
      context.put([UInt8]([1]))
      context.put(number)
      let sealed = unsafe AEAD.seal(
        [UInt8]([7]).span.bytes, associatedData: context.bytes.span.bytes, key: keys.anchor)
      var slot = ByteWriter()
      slot.put(number)
      slot.put(UInt32(sealed.count))
      slot.put(sealed)
      try store.directory.write("record", slot.bytes)
      #expect((try? file.read(key: keys.anchor)) == (number >> 63 == 0 ? [7] : nil))
      if number >> 63 == 0 {
        #expect(throws: AuthenticationError(.storeDamaged, "")) {
          try file.write([8], key: keys.anchor)
        }
      }
    }
  }
}
