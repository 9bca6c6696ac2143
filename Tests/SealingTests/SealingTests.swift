import Testing

@testable import Sealing

func bytes(of secret: borrowing SecretBytes) -> [UInt8] {
  unsafe secret.withUnsafeBytes { unsafe [UInt8]($0) }
}

func secret(_ bytes: [UInt8]) throws -> SecretBytes {
  var bytes = bytes
  return try SecretBytes(wiping: &bytes)
}

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

@Suite(.serialized) struct SecretMemoryTests {
  @Test func `moving bytes into a secret wipes the source`() throws {
    var source: [UInt8] = [1, 2, 3]
    let secret = try SecretBytes(wiping: &source)
    #expect(source.isEmpty)
    #expect(bytes(of: secret) == [1, 2, 3])
    #expect(secret.isEqual(to: try secret.copy()))
    #expect(!secret.isEqual(to: try secret.prefix(2)))
  }

  @Test func `the arena's limit is an error, and freed memory is used again`() throws {
    // One of its own: whatever else runs in this process needs the other.
    let arena = try #require(SecretArena(blocks: 16))
    for _ in 0..<3 {
      var kept: [UnsafeMutableRawBufferPointer] = []
      var refused = false
      for _ in 0...16 {
        do throws(SealingError) { kept.append(try arena.allocate(64)) } catch {
          #expect(error == .noLockedMemory)
          refused = true
          break
        }
      }
      #expect(refused)
      #expect(kept.count == 16)
      for region in kept { arena.release(region) }
    }
  }

  @Test func `reused secret memory is zero`() throws {
    for _ in 0..<50 {
      do { _ = try secret([UInt8](repeating: 0xaa, count: 256)) }
      let next = unsafe try SecretBytes(count: 256) { _ throws(SealingError) in }
      #expect(bytes(of: next).allSatisfy { $0 == 0 })
    }
  }
}

@Suite struct PassphraseHashTests {
  @Test(arguments: [
    PassphraseLimits(operations: 0, memory: 64 << 20),
    PassphraseLimits(operations: 11, memory: 64 << 20),
    PassphraseLimits(operations: 3, memory: (64 << 20) - 1),
    PassphraseLimits(operations: 3, memory: (1 << 30) + 1),
    PassphraseLimits(operations: .max, memory: .max),
  ]) func `limits outside the accepted ones are refused before any work`(limits: PassphraseLimits)
    throws
  {
    let salt = [UInt8](repeating: 0, count: 16)
    let clock = ContinuousClock()
    let time = clock.measure {
      #expect(throws: SealingError.limitsRefused) {
        _ = try PassphraseHash.key(from: try secret([1]), salt: salt, limits: limits)
      }
    }
    #expect(time < .seconds(5))
  }

  @Test func `the levels offered are accepted`() {
    for limits in [PassphraseLimits.interactive, .moderate, .sensitive] {
      #expect(limits.isAcceptable())
    }
  }

  @Test func `salt and passphrase both count`() throws {
    let limits = PassphraseLimits(operations: 1, memory: 8192)
    func key(_ text: String, _ salt: UInt8) throws -> [UInt8] {
      bytes(
        of: try PassphraseHash.key(
          from: try secret(Array(text.utf8)), salt: [UInt8](repeating: salt, count: 16),
          limits: limits, leastMemory: 8192))
    }
    #expect(try key("a", 1) == key("a", 1))
    #expect(try key("a", 1) != key("a", 2))
    #expect(try key("a", 1) != key("b", 1))
  }
}

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
}

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
