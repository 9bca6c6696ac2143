import Bytes
import Foundation
import RowStore

@testable import DiaryVault

/// A vault's file in the hands of somebody who may write it.
struct VaultBytes {
  let path: String

  init(_ path: String) { self.path = path }

  func run(_ sql: String, _ values: [Statement.Value] = []) throws {
    let store = try RowStore(path, .readWrite, schema: .vault)
    try store.transaction { () throws(StoreError) in try store.run(sql, values) }
  }

  func integers(_ sql: String) throws -> [Int64] {
    var found: [Int64] = []
    try RowStore(path, .readOnly, schema: .vault).run(sql) { row throws(StoreError) in
      found.append(try row.integer(0))
      return true
    }
    return found
  }

  func blob(_ sql: String) throws -> [UInt8] {
    var found: [UInt8] = []
    try RowStore(path, .readOnly, schema: .vault).run(sql) { row throws(StoreError) in
      found = try row.blob(0, limit: 8 << 20)
      return false
    }
    return found
  }

  func blobs(_ sql: String) throws -> [[UInt8]] {
    var found: [[UInt8]] = []
    try RowStore(path, .readOnly, schema: .vault).run(sql) { row throws(StoreError) in
      found.append(try row.blob(0, limit: 8 << 20))
      return true
    }
    return found
  }

  /// The keyring as it stands in the file.
  func keyring() throws -> [UInt8] { try blob("SELECT data FROM keyring WHERE copy=1") }

  /// Puts these bytes in the place of both copies.
  func put(keyring: [UInt8]) throws {
    for table in ["keyring", "keyring_copy"] {
      try run("UPDATE \(table) SET data=? WHERE copy=1", [.blob(keyring)])
    }
  }

  /// With the checksums mended, which need no key.
  static func mended(_ keyring: [UInt8]) -> [UInt8] {
    var bytes = keyring
    let head = 4 + 2 + 8 + 16 + 16 + 2
    var start = head
    while start + KeySlot.byteCount + 16 <= bytes.count {
      let content = Array(bytes[start..<(start + KeySlot.byteCount - 16)])
      bytes.replaceSubrange(
        (start + KeySlot.byteCount - 16)..<(start + KeySlot.byteCount),
        with: Digest.blake2b(content, count: 16, domain: "FDv1 slot checksum"))
      start += KeySlot.byteCount
    }
    let content = Array(bytes.dropLast(16))
    return content + Digest.blake2b(content, count: 16, domain: "FDv1 keyring checksum")
  }
}
