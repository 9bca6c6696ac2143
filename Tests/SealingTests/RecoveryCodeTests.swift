import Bytes
import Testing

@testable import Sealing

@Suite struct RecoveryCodeTests {
  @Test func `a recovery code is read in any case, with spaces, hyphens and look-alike letters`()
    throws
  {
    for _ in 0..<20 {
      let code = try RecoveryCode.make()
      let text = String(decoding: bytes(of: try RecoveryCode.text(of: code)), as: UTF8.self)
      #expect(text.count == 34)
      for typed in [
        text, text.lowercased(), text.replacing("-", with: " "),
        text.replacing("-", with: "").replacing("1", with: "l").replacing("0", with: "O") + "\n",
      ] {
        #expect(try RecoveryCode.parse(try secret(Array(typed.utf8))).isEqual(to: code))
      }
    }
  }

  @Test
  func `one wrong symbol is nearly always a slip, and never another code unnoticed by length`()
    throws
  {
    let text = Array(bytes(of: try RecoveryCode.text(of: try RecoveryCode.make())))
    var accepted = 0
    for index in text.indices where text[index] != UInt8(ascii: "-") {
      var typed = text
      typed[index] = typed[index] == UInt8(ascii: "7") ? UInt8(ascii: "8") : UInt8(ascii: "7")
      if (try? RecoveryCode.parse(try secret(typed))) != nil { accepted += 1 }
    }
    // 28 slips at one chance in 4,096 each.
    #expect(accepted <= 2)
    for bad in ["", "ABC", String(repeating: "7", count: 29), String(repeating: "U", count: 28)] {
      #expect(throws: SealingError.malformed) {
        _ = try RecoveryCode.parse(try secret(Array((bad.isEmpty ? "-" : bad).utf8)))
      }
    }
  }
}
