internal import JSONText

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Standard output, in large pieces; and standard error, in lines.
final class Output {
  private var buffer: [UInt8] = []

  func write(_ text: String) throws {
    buffer.append(contentsOf: text.utf8)
    if buffer.count >= 64 << 10 { try flush() }
  }

  func write(_ bytes: [UInt8]) throws {
    buffer += bytes
    if buffer.count >= 64 << 10 { try flush() }
  }

  func line(_ text: String) throws { try write(text + "\n") }

  /// - Throws: ``BrokenPipe``; ``Failure`` when the disk behind it is full.
  func flush() throws {
    defer { buffer = [] }
    try Self.write(buffer, to: 1)
  }

  static func write(_ bytes: [UInt8], to file: Int32) throws {
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { raw in
        unsafe Glibc.write(file, raw.baseAddress! + done, bytes.count - done)
      }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EPIPE { throw BrokenPipe() }
      guard count > 0 else {
        throw Failure(
          errno == ENOSPC ? .diskFull : .system,
          "standard output: \(unsafe String(cString: strerror(errno)))")
      }
      done += count
    }
  }

  /// One line on standard error; whether anybody reads it is no concern of ours.
  static func say(_ text: String) {
    try? write(Array(("facediary: " + text + "\n").utf8), to: 2)
  }

  static func sayRaw(_ text: String) { try? write(Array(text.utf8), to: 2) }
}

/// Text from a diary on its way to a terminal: what could command it is made visible instead.
func visible(_ text: String) -> String {
  guard text.unicodeScalars.contains(where: isCommand) else { return text }
  var result = String.UnicodeScalarView()
  for scalar in text.unicodeScalars {
    guard isCommand(scalar) else {
      result.append(scalar)
      continue
    }
    switch scalar.value {
    case 0..<0x20: result.append(Unicode.Scalar(0x2400 + scalar.value)!)
    case 0x7f: result.append("\u{2421}")
    default:
      let hex = String(scalar.value, radix: 16, uppercase: true)
      result.append(contentsOf: "<U+\(hex)>".unicodeScalars)
    }
  }
  return String(result)
}

/// C0 but tab and newline, DEL, C1, line and paragraph separators, and what turns the writing direction.
private func isCommand(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0x09, 0x0a: false
  case 0..<0x20, 0x7f...0x9f, 0x2028...0x202e, 0x2066...0x2069, 0x200e...0x200f, 0x61c: true
  default: false
  }
}
