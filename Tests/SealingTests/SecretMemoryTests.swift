import Bytes
import Testing

@testable import Sealing

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
