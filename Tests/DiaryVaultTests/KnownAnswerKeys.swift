import Bytes
import Foundation
import Sealing
import Testing

@testable import DiaryVault
@testable import Entries
@testable import SealedFiles
@testable import Text

/// What is made of keys, and a file sealed under one.
extension KnownAnswerTests {
  static func derivations() throws -> [String: String] {
    let device = try secret(count(0xa0, 32))
    var answer = [
      "deviceKey": hex(count(0xa0, 32)), "vaultKey": hex(count(0x80, 32)),
      "vaultID": hex(vaultID), "slotID": hex(count(0, 16)), "recoveryCode": hex(count(1, 16)),
      "passphrase": "correct horse", "salt": hex(count(0, 16)), "operations": "1",
      "memory": "8192",
    ]
    let contexts: [StaticString] = [
      "FDtemplt", "FDattmpt", "FDaccess", "FDanchor", "FDdevslt",
    ]
    for context in contexts {
      answer["\(context)"] = hex(
        bytes(try KeyDerivation.subkey(of: device, id: 1, context: context)))
    }
    answer["FDdevice"] = hex(
      bytes(try KeyDerivation.subkey(of: device, id: 1, context: "FDdevice", count: 16)))
    answer["FDdrafts"] = hex(
      bytes(
        try KeyDerivation.subkey(of: try secret(count(0x80, 32)), id: 1, context: "FDdrafts")))
    let key = try KeyDerivation.bind(
      try secret(count(1, 16)), to: Array("FDv1 recovery".utf8) + vaultID + count(0, 16))
    answer["recoveryKEK"] = hex(bytes(key))
    answer["wrapKey"] = hex(bytes(try KeyDerivation.subkey(of: key, id: 1, context: "FDslotKW")))
    answer["commitment"] = hex(bytes(try KeyDerivation.subkey(of: key, id: 2, context: "FDslotKW")))
    answer["argon2id"] = hex(
      bytes(
        try PassphraseHash.key(
          from: try secret(Array("correct horse".utf8)), salt: count(0, 16),
          limits: Argon2Cost(operations: 1, memory: 8192), leastMemory: 8192)))
    return answer
  }

  /// A file of two chunks, sealed as an object.
  static func sealedFile() throws -> [UInt8] {
    let plain = [UInt8](repeating: 0x7a, count: 70_000)
    let key = try secret(count(0xc0, 32))
    let padded = plain + [UInt8](repeating: 0, count: Attachment.padded(plain.count) - plain.count)
    let first = Array(padded[..<SealedFile.chunk])
    let second = Array(padded[SealedFile.chunk...])
    var sealed: [UInt8] = []
    SealedFile.seal(first.span.bytes, 0, isLast: false, key: key, onto: &sealed)
    SealedFile.seal(second.span.bytes, 1, isLast: true, key: key, onto: &sealed)
    return sealed
  }
}
