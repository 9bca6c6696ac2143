internal import Bytes
internal import CommandLine
internal import Dates
internal import Foundation
package import Platform
package import Sealing
internal import Words

extension Terminal {
  /// Asks for a secret at `/dev/tty`, without echo, straight into secret memory.
  package static func askSecret(_ prompt: String) throws -> SecretBytes {
    let file = try open()
    let device: TerminalDevice
    do throws(PlatformError) { device = try TerminalDevice(file) } catch {
      throw UsageError.noTerminal
    }
    // Silence first: what is typed the moment the prompt appears must neither show nor be lost.
    device.silence()
    defer { device.restore() }
    say(prompt, to: file)
    return try SecretInput.line(from: file)
  }
}

/// Secrets from outside, straight into secret memory.
package enum SecretInput {
  /// Longest secret, and one byte to notice a longer one.
  private static let room = 1025

  /// Everything up to the end or, at a terminal, the newline.
  package static func line(from file: Descriptor) throws -> SecretBytes {
    try read(file, stopAtNewline: true)
  }

  /// The first line of a file.
  package static func contents(of file: Descriptor) throws -> SecretBytes {
    try read(file, stopAtNewline: false)
  }

  private static func read(_ file: Descriptor, stopAtNewline: Bool) throws -> SecretBytes {
    var count = 0
    var failure: PlatformError?
    let whole = unsafe try SecretBytes(count: room + 1) { region throws(SealingError) in
      while count < region.count {
        let rest = unsafe UnsafeMutableRawBufferPointer(
          rebasing: region[count..<(stopAtNewline ? count + 1 : region.count)])
        let got: Int
        do throws(PlatformError) { got = unsafe try file.read(into: rest) } catch {
          failure = error
          return
        }
        if got == 0 { break }
        count += got
        if stopAtNewline, unsafe region[count - 1] == 0x0a { break }
      }
      // One trailing newline is the file's, not the secret's; so is a carriage return before it.
      if count > 0, unsafe region[count - 1] == 0x0a {
        count -= 1
        if count > 0, unsafe region[count - 1] == 0x0d { count -= 1 }
      }
    }
    if let failure { throw failure }
    guard (1..<room).contains(count) else {
      throw count == 0 ? UsageError.secretEmpty : UsageError.secretTooLong
    }
    return try whole.prefix(count)
  }

  /// The passphrase in NFC, so that it opens whichever keyboard typed its accents.
  ///
  /// ASCII is NFC already and never leaves secret memory. Other text passes through Foundation's
  /// strings once, which cannot be wiped: the process is not dumpable and ends soon.
  package static func normalized(_ secret: consuming SecretBytes) throws -> SecretBytes {
    var isASCII = true
    var text: String?
    unsafe secret.withUnsafeBytes { bytes in
      isASCII = unsafe bytes.allSatisfy { $0 < 0x80 }
      if !isASCII { text = unsafe String(validating: bytes, as: UTF8.self) }
    }
    if isASCII { return secret }
    guard let text else { throw UsageError.passphraseNotText }
    var bytes = Array(text.precomposedStringWithCanonicalMapping.utf8)
    guard bytes.count <= 1024 else { throw UsageError.passphraseTooLong }
    return try SecretBytes(wiping: &bytes)
  }
}
