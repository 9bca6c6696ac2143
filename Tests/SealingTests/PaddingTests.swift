import Bytes
import Testing

@Suite struct PaddingTests {
  @Test func `Padmé lengths are as published and cost at most an eighth`() {
    #expect(
      [0, 1, 128, 129, 200, 1000, 1025, 65537].map { Padding.padme($0) } == [
        128, 128, 128, 144, 208, 1024, 1088, 67584,
      ])
    for count in stride(from: 129, to: 100_000, by: 37) {
      let padded = Padding.padme(count)
      #expect(padded >= count && Double(padded) <= Double(count) * 1.125)
      #expect(Padding.padme(padded) == padded)
    }
  }

  @Test(arguments: [0, 1, 123, 124, 125, 5000]) func `padding comes off again`(size: Int) throws {
    let content = Randomness.system.bytes(size)
    let padded = Padding.pad(content)
    #expect(padded.count == Padding.padme(size + 4))
    #expect(try Padding.unpad(padded) == content)
  }

  @Test func `a length that lies and padding that is not zero are refused`() {
    var padded = Padding.pad([1, 2, 3])
    padded[100] = 1
    #expect(throws: SealingError.malformed) { try Padding.unpad(padded) }
    #expect(throws: SealingError.malformed) { try Padding.unpad([255, 255, 255, 255, 1]) }
    #expect(throws: SealingError.malformed) { try Padding.unpad([1]) }
  }

  @Test(arguments: [(0, 128), (124, 128), (125, 128), (5000, 128), (3, 1024)])
  func `a content has one padded form`(size: Int, least: Int) throws {
    let padded = Padding.pad(Randomness.system.bytes(size), least: least)
    #expect(throws: SealingError.malformed) { try Padding.unpad(padded + [0], least: least) }
    let next = Array(repeating: UInt8(0), count: Padding.padme(padded.count + 1) - padded.count)
    #expect(throws: SealingError.malformed) { try Padding.unpad(padded + next, least: least) }
    let content = try Padding.unpad(padded, least: least)
    let other = Padding.pad(content, least: least == 128 ? 1024 : 128)
    guard other != padded else { return }
    #expect(throws: SealingError.malformed) { try Padding.unpad(other, least: least) }
  }
}
