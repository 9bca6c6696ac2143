internal import CPlatform
internal import Foundation
internal import Sealing

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The terminal a person sits at.
struct Terminal: Sendable {
  static func isTerminal(_ file: Int32) -> Bool { isatty(file) == 1 }

  /// Whether anybody can be asked.
  static var canAsk: Bool { isTerminal(2) }

  /// Columns of standard output's window, 80 when it has none.
  static var width: Int {
    var rows: UInt16 = 0
    var columns: UInt16 = 0
    guard unsafe cplatform_window(1, &rows, &columns) == 1, columns > 0 else { return 80 }
    return Int(columns)
  }

  /// Rows of standard output's window, 24 when it has none.
  static var height: Int {
    var rows: UInt16 = 0
    var columns: UInt16 = 0
    guard unsafe cplatform_window(1, &rows, &columns) == 1, rows > 0 else { return 24 }
    return Int(rows)
  }

  /// Colour and cursor control, on standard output.
  static func allowsColor(_ environment: [String: String]) -> Bool {
    isTerminal(1) && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
  }

  private static func open() throws -> Int32 {
    let file = unsafe cplatform_open("/dev/tty", O_RDWR | O_CLOEXEC, 0)
    guard file >= 0 else { throw Failure(.locked, "there is no terminal to ask at") }
    return file
  }

  private static func say(_ text: String, to file: Int32) {
    var text = text
    text.withUTF8 { _ = unsafe write(file, $0.baseAddress, $0.count) }
  }

  /// Asks for a secret at `/dev/tty`, without echo, straight into secret memory.
  static func askSecret(_ prompt: String) throws -> SecretBytes {
    let file = try open()
    defer { close(file) }
    var before = termios()
    guard unsafe tcgetattr(file, &before) == 0 else {
      throw Failure(.locked, "there is no terminal to ask at")
    }
    Signals.guardTerminal(file, before)
    var silent = before
    silent.c_lflag &= ~tcflag_t(ECHO)
    silent.c_lflag |= tcflag_t(ICANON | ISIG | ECHONL)
    // Silence first: what is typed the moment the prompt appears must neither show nor be lost.
    unsafe tcsetattr(file, TCSAFLUSH, &silent)
    say(prompt, to: file)
    defer {
      unsafe tcsetattr(file, TCSAFLUSH, &before)
      Signals.releaseTerminal()
    }
    return try SecretInput.line(from: file)
  }

  /// Asks a question that is answered with yes or no; anything but yes is no.
  static func confirm(_ question: String) throws -> Bool {
    let file = try open()
    defer { close(file) }
    say(question + " [y/N] ", to: file)
    let answer = try line(from: file)
    return ["y", "yes", "はい"].contains(answer.trimmingCharacters(in: .whitespaces).lowercased())
  }

  /// Asks for a line of text.
  static func ask(_ question: String) throws -> String {
    let file = try open()
    defer { close(file) }
    say(question, to: file)
    return try line(from: file)
  }

  private static func line(from file: Int32) throws -> String {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while bytes.count < 4096 {
      let count = unsafe read(file, &byte, 1)
      if count < 0, errno == EINTR { continue }
      if count <= 0 || byte == 0x0a { break }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Secrets from outside, straight into secret memory.
enum SecretInput {
  /// Longest secret, and one byte to notice a longer one.
  private static let room = 1025

  /// Everything up to the end or, at a terminal, the newline.
  static func line(from file: Int32) throws -> SecretBytes {
    try read(file, stopAtNewline: true)
  }

  /// The first line of a file.
  static func contents(of file: Int32) throws -> SecretBytes {
    try read(file, stopAtNewline: false)
  }

  private static func read(_ file: Int32, stopAtNewline: Bool) throws -> SecretBytes {
    var count = 0
    var failed = false
    let whole = unsafe try SecretBytes(count: room + 1) { region throws(SealingError) in
      while count < region.count {
        let got = unsafe Glibc.read(
          file, region.baseAddress! + count, stopAtNewline ? 1 : region.count - count)
        if got < 0, errno == EINTR { continue }
        if got < 0 { failed = true }
        if got <= 0 { break }
        count += got
        if stopAtNewline, unsafe region[count - 1] == 0x0a { break }
      }
      // One trailing newline is the file's, not the secret's; so is a carriage return before it.
      if count > 0, unsafe region[count - 1] == 0x0a {
        count -= 1
        if count > 0, unsafe region[count - 1] == 0x0d { count -= 1 }
      }
    }
    guard !failed else { throw Failure(.system, "the secret cannot be read") }
    guard (1..<room).contains(count) else {
      throw Failure(.invalid, "a secret has 1 to 1024 bytes, not \(count == 0 ? "none" : "more")")
    }
    return try whole.prefix(count)
  }

  /// The passphrase in NFC, so that it opens whichever keyboard typed its accents.
  ///
  /// ASCII is NFC already and never leaves secret memory. Other text passes through Foundation's
  /// strings once, which cannot be wiped: the process is not dumpable and ends soon.
  static func normalized(_ secret: consuming SecretBytes) throws -> SecretBytes {
    var isASCII = true
    var text: String?
    unsafe secret.withUnsafeBytes { bytes in
      isASCII = unsafe bytes.allSatisfy { $0 < 0x80 }
      if !isASCII { text = unsafe String(validating: bytes, as: UTF8.self) }
    }
    if isASCII { return secret }
    guard let text else { throw Failure(.invalid, "the passphrase is not UTF-8") }
    var bytes = Array(text.precomposedStringWithCanonicalMapping.utf8)
    guard bytes.count <= 1024 else { throw Failure(.invalid, "a passphrase has 1 to 1024 bytes") }
    return try SecretBytes(wiping: &bytes)
  }
}
