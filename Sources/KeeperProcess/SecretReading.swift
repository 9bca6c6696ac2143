internal import Bytes
internal import CommandLine
internal import Dates
package import Platform
package import Sealing
internal import Text
internal import Words

extension Terminal {
  /// Asks for a secret at `/dev/tty`, without echo, straight into secret memory.
  package static func askSecret(_ prompt: String) throws -> SecretBytes {
    // The echo is off first: what is typed as the prompt appears must neither show nor be lost.
    guard let (device, file) = silenced() else { throw UsageError.noTerminal }
    defer { device.restore() }
    say(prompt, to: file)
    return try SecretReading.line(from: file)
  }

  /// The terminal without echo until it is restored; nil where there is none, or another job has it.
  package static func silenced() -> (device: TerminalDevice, file: Descriptor)? {
    guard let file = try? open(), let device = try? TerminalDevice(file), device.silence() else {
      return nil
    }
    return (device, file)
  }
}

/// Secrets from outside, straight into secret memory.
package enum SecretReading {
  /// Longest secret, and one byte to notice a longer one.
  private static let room = longest + 1
  static let longest = 1024

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
        if stopAtNewline, unsafe region[count] == TerminalDevice.suspend { continue }
        count += got
        if stopAtNewline, unsafe region[count - 1] == 0x0a { break }
      }
      // A newline is the file's, not the secret's; so is a carriage return before it.
      if let end = unsafe region[..<count].firstIndex(of: 0x0a) {
        count = end
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
  /// It never leaves secret memory.
  package static func normalized(_ secret: consuming SecretBytes) throws -> SecretBytes {
    let isASCII = unsafe secret.withUnsafeBytes { unsafe $0.allSatisfy { $0 < 0x80 } }
    if isASCII { return secret }
    var (isText, isLong, length) = (false, false, 0)
    let room = Self.room * Normalization.longestCanonicalDecomposition
    let whole = unsafe try SecretBytes(count: room * MemoryLayout<UInt32>.size) {
      (region: UnsafeMutableRawBufferPointer) throws(SealingError) in
      let scalars = unsafe region.bindMemory(to: UInt32.self)
      guard let count = unsafe secret.withUnsafeBytes({ unsafe Self.scalars(of: $0, scalars) })
      else { return }
      isText = true
      let composed = unsafe Normalization.nfc(scalars, count: count)
      // In place: no scalar takes more bytes than its four here.
      for index in 0..<composed {
        guard let scalar = unsafe Unicode.Scalar(scalars[index]) else { continue }
        for byte in UTF8.encode(scalar)! {
          unsafe region[length] = byte
          length += 1
        }
      }
      isLong = length > 1024
    }
    guard isText else { throw UsageError.passphraseNotText }
    guard !isLong else { throw UsageError.passphraseTooLong }
    return try whole.prefix(length)
  }

  /// The scalars of some bytes; nil when they are not UTF-8.
  private static func scalars(
    of bytes: UnsafeRawBufferPointer, _ scalars: UnsafeMutableBufferPointer<UInt32>
  ) -> Int? {
    var decoder = UTF8()
    var rest = unsafe bytes.makeIterator()
    var count = 0
    while true {
      switch unsafe decoder.decode(&rest) {
      case .scalarValue(let scalar):
        unsafe scalars[count] = scalar.value
        count += 1
      case .emptyInput: return count
      case .error: return nil
      }
    }
  }
}
