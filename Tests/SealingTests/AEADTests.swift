import Bytes
import Testing

@testable import Sealing

@Suite struct AEADTests {
  private func open(
    _ sealed: [UInt8], _ data: [UInt8], _ key: borrowing SecretBytes
  ) throws(SealingError) -> [UInt8] {
    try AEAD.open(sealed.span.bytes, associatedData: data.span.bytes, key: key)
  }

  @Test(arguments: [0, 1, 63, 64, 1000]) func `what is sealed opens, under its key and place only`(
    size: Int
  ) throws {
    let key = try SecretBytes.random()
    let other = try SecretBytes.random()
    let plain = Randomness.system.bytes(size)
    let data: [UInt8] = [1, 2]
    let sealed = AEAD.seal(plain.span.bytes, associatedData: data.span.bytes, key: key)
    #expect(sealed.count == size + 40)
    let opened = try open(sealed, [1, 2], key)
    #expect(opened == plain)
    #expect(throws: SealingError.notAuthentic) { try open(sealed, [1, 3], key) }
    #expect(throws: SealingError.notAuthentic) { try open(sealed, [1, 2], other) }
  }

  @Test func `every flipped bit and every cut is noticed`() throws {
    let key = try SecretBytes.random()
    let plain: [UInt8] = [9, 8, 7]
    let data: [UInt8] = []
    let sealed = AEAD.seal(plain.span.bytes, associatedData: data.span.bytes, key: key)
    for index in sealed.indices {
      for bit in 0..<8 {
        var changed = sealed
        changed[index] ^= 1 << bit
        let bytes = changed
        #expect(throws: SealingError.notAuthentic) { try open(bytes, [], key) }
      }
      #expect(throws: SealingError.notAuthentic) { try open(Array(sealed[..<index]), [], key) }
    }
  }
}
