internal import CPlatform

/// Finding bytes in bytes.
package enum ByteSearch {
  /// Where `needle` stands in `bytes` at or after `start`, nil when it does not.
  ///
  /// - Parameter needle: not empty.
  package static func first(_ needle: [UInt8], in bytes: [UInt8], from start: Int = 0) -> Int? {
    guard start <= bytes.count - needle.count else { return nil }
    let found = unsafe bytes.withUnsafeBytes { bytes in
      unsafe needle.withUnsafeBytes { needle in
        unsafe cplatform_find(
          bytes.baseAddress! + start, bytes.count - start, needle.baseAddress!, needle.count)
      }
    }
    return found < 0 ? nil : start + found
  }
}
