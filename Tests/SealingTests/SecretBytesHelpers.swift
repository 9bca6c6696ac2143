import Testing

@testable import Sealing

func bytes(of secret: borrowing SecretBytes) -> [UInt8] {
  unsafe secret.withUnsafeBytes { unsafe [UInt8]($0) }
}

func secret(_ bytes: [UInt8]) throws -> SecretBytes {
  var bytes = bytes
  return try SecretBytes(wiping: &bytes)
}
