/// Padding that makes a length reveal little about the content.
package enum Padding {
  /// The padded length of `count` bytes: at least `least`, then Padmé.
  ///
  /// Padmé (Nikitin et al., *Reducing Metadata Leakage from Encrypted Files and Communication
  /// with PURBs*, 2019) keeps O(log log L) bits of the length and adds at most 12 %.
  package static func padme(_ count: Int, least: Int = 128) -> Int {
    guard count > least else { return least }
    let exponent = Int.bitWidth - 1 - count.leadingZeroBitCount
    let significant = Int.bitWidth - exponent.leadingZeroBitCount
    let zeroed = exponent - significant
    guard zeroed > 0 else { return count }
    let mask = (1 << zeroed) - 1
    return (count + mask) & ~mask
  }

  /// `length u32 ‖ content ‖ zeros`, to a Padmé length of at least `least`.
  package static func pad(_ content: [UInt8], least: Int = 128) -> [UInt8] {
    let count = padme(content.count + 4, least: least)
    var writer = ByteWriter(reserving: count)
    writer.put(UInt32(content.count))
    writer.put(content)
    writer.pad(to: count)
    return writer.bytes
  }

  /// What ``pad(_:least:)`` was given.
  ///
  /// - Throws: ``SealingError/malformed`` when the rest is not zero, or the padded length is not that of the content.
  package static func unpad(
    _ padded: [UInt8], least: Int = 128
  ) throws(SealingError) -> [UInt8] {
    var reader = ByteReader(padded)
    let content = try reader.bytes(Int(try reader.uint32()))
    try reader.expectZeros()
    guard padded.count == padme(content.count + 4, least: least) else { throw .malformed }
    return content
  }
}
