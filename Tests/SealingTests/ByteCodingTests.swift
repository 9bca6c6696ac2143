import Bytes
import Testing

@Suite struct ByteCodingTests {
  @Test func `numbers come back, whatever their width`() throws {
    var writer = ByteWriter()
    writer.put(UInt8.max)
    writer.put(UInt16(0x1234))
    writer.put(UInt32.max)
    writer.put(Int64.min)
    writer.put(Int32(-5))
    for number in [0, 127, 128, UInt64.max] { writer.putVarint(number) }
    writer.putCounted("日記")
    var reader = ByteReader(writer.bytes)
    #expect(try reader.uint8() == 255)
    #expect(try reader.uint16() == 0x1234)
    #expect(try reader.uint32() == .max)
    #expect(try reader.int64() == .min)
    #expect(try reader.int32() == -5)
    #expect(try (0..<4).map { _ in try reader.varint() } == [0, 127, 128, .max])
    #expect(try reader.text() == "日記")
    #expect(reader.isAtEnd)
  }

  @Test(
    arguments: [
      [], [0x80], [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02],
      [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
    ] as [[UInt8]]) func `a varint that does not end or fit is malformed`(bytes: [UInt8])
  {
    var reader = ByteReader(bytes)
    #expect(throws: SealingError.malformed) { try reader.varint() }
  }

  @Test func `a length beyond the end is malformed`() {
    for bytes in [[5, 1, 2], [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]]
      as [[UInt8]]
    {
      var reader = ByteReader(bytes)
      #expect(throws: SealingError.malformed) { try reader.counted() }
      var text = ByteReader(bytes)
      #expect(throws: SealingError.malformed) { try text.text() }
    }
    var invalid = ByteReader([2, 0xc3, 0x28])
    #expect(throws: SealingError.malformed) { try invalid.text() }
  }

  @Test func `base32 keeps order and refuses what is none`() {
    #expect(Base32.encode([0xff]) == "zw")
    #expect(Base32.decode("zw") == [0xff])
    #expect(Base32.decode("zz") == nil)
    #expect(Base32.decode("u0") == nil)
    for _ in 0..<50 {
      let a = Randomness.system.bytes(16)
      let b = Randomness.system.bytes(16)
      #expect(Base32.decode(Base32.encode(a)) == a)
      #expect(a.lexicographicallyPrecedes(b) == (Base32.encode(a) < Base32.encode(b)))
    }
  }
}
