internal import Bytes
internal import CommandLine
internal import Platform
internal import Sealing
internal import Words

/// Asks for a secret in a window, by a program that speaks the Assuan protocol as GnuPG's pinentry does.
///
/// What is typed comes into locked memory and nowhere else: the program is not told that it may keep it anywhere.
struct Pinentry {
  /// Seconds that a person has to type, and to write a code down.
  private static let (seconds, secondsToWrite) = (300, 3600)
  /// Bytes that it may print: a secret of 1,024 bytes, each of them escaped, and what it says around that.
  private static let limit = 6 << 10

  /// Its whole path.
  let program: String

  /// - Parameters:
  ///   - prompt: stands before the field.
  ///   - description: stands above it.
  /// - Throws: ``Failure``: `declined` when the person closes the window; `system` when the program fails.
  func ask(_ prompt: String, _ description: String) throws -> SecretBytes {
    let commands = [
      "SETTITLE FaceDiary", "SETDESC " + Self.escaped(Self.shortened(description)),
      "SETPROMPT " + Self.escaped(prompt), "GETPIN", "BYE",
    ]
    let (said, printed) = try answers(
      to: Array((commands.joined(separator: "\n") + "\n").utf8), seconds: Self.seconds)
    return try secret(in: said.secret, printed)
  }

  /// Shows a secret until the person says that it has been written down.
  ///
  /// - Parameters:
  ///   - description: stands above it.
  ///   - written: on the button that says so; `stop` on the other.
  /// - Throws: ``Failure`` `declined` when the person closes the window.
  func show(
    _ secret: borrowing SecretBytes, _ description: String, written: String, stop: String
  ) throws {
    let settings = Self.settings(description + "\n\n", yes: written, no: stop)
    let end = Array("\nCONFIRM\n".utf8)
    var commands = Array(settings.joined(separator: "\n").utf8)
    // No copy of the secret is left where there was too little room.
    commands.reserveCapacity(commands.count + secret.count + end.count)
    defer { commands.wipe() }
    unsafe secret.withUnsafeBytes { unsafe commands.append(contentsOf: $0) }
    commands += end
    try requireAgreement(to: commands, after: settings.count, seconds: Self.secondsToWrite)
  }

  /// Whether a person agrees.
  ///
  /// - Parameters:
  ///   - description: what to.
  ///   - yes: on the button that agrees; `no` on the other.
  func confirms(_ description: String, yes: String, no: String) throws -> Bool {
    let settings = Self.settings(description, yes: yes, no: no)
    let commands = Array((settings.joined(separator: "\n") + "\nCONFIRM\n").utf8)
    do {
      try requireAgreement(to: commands, after: settings.count, seconds: Self.seconds)
      return true
    } catch let failure as Failure where failure.code == .declined {
      return false
    }
  }

  /// What a dialog with two buttons is told; its description comes last.
  private static func settings(_ description: String, yes: String, no: String) -> [String] {
    [
      "SETTITLE FaceDiary", "SETOK " + escaped(yes), "SETCANCEL " + escaped(no),
      "SETDESC " + escaped(shortened(description)),
    ]
  }

  /// Waits for the button. The last answer is that of it: the program ends when there is nothing more to read.
  ///
  /// - Parameter count: the settings that come before the question.
  /// - Throws: ``Failure`` `declined` when the person says no or closes the window.
  private func requireAgreement(
    to commands: [UInt8], after count: Int, seconds: Int
  ) throws {
    let (said, printed) = try answers(to: commands, seconds: seconds)
    var agreements = 0
    var refusal: String?
    unsafe Self.forEachLine(of: said.secret, printed) { line in
      if unsafe line.starts(with: Array("OK".utf8)) { agreements += 1 }
      refusal = unsafe refusal ?? Self.refusal(line)
    }
    if let refusal { throw refused(refusal) }
    // It greets, and answers each command.
    guard agreements > count + 1 else { throw failed("") }
  }

  /// What it prints when it is told some commands.
  private func answers(
    to commands: [UInt8], seconds: Int
  ) throws -> (said: SecretBytesBox, count: Int) {
    guard program.hasPrefix("/"), FileSystem.isExecutable(program) else {
      throw Failure(.notFound, OpeningMessage.noPinentry(program))
    }
    var printed = 0
    var failure: ChildProcessError?
    let said = unsafe try SecretBytes(count: Self.limit + 1) { region throws(SealingError) in
      do throws(ChildProcessError) {
        printed = unsafe try ChildProcess.output(
          of: [program], input: commands, seconds: seconds, into: region,
          extraEnvironment: ["DBUS_SESSION_BUS_ADDRESS", "XAUTHORITY"])
      } catch {
        failure = error
      }
    }
    if let failure { throw Failure(.system, Failure(failure).message) }
    return (SecretBytesBox(said), printed)
  }

  /// The data of the answers, of which there may be several lines: none may be longer than a thousand bytes.
  private func secret(in said: borrowing SecretBytes, _ printed: Int) throws -> SecretBytes {
    var count = 0
    var refusal: String?
    let whole = unsafe try SecretBytes(count: 2 * SecretReading.longest) {
      target throws(SealingError) in
      unsafe Self.forEachLine(of: said, printed) { line in
        if unsafe line.starts(with: Array("D ".utf8)) {
          unsafe Self.unescape(
            UnsafeRawBufferPointer(rebasing: line.dropFirst(2)), into: target, &count)
        }
        refusal = unsafe refusal ?? Self.refusal(line)
      }
    }
    if let refusal { throw refused(refusal) }
    guard count > 0 else { throw UsageError.secretEmpty }
    guard count <= SecretReading.longest else { throw UsageError.secretTooLong }
    return try whole.prefix(count)
  }

  private static func forEachLine(
    of said: borrowing SecretBytes, _ printed: Int, _ body: (UnsafeRawBufferPointer) -> Void
  ) {
    unsafe said.withUnsafeBytes { bytes in
      var start = 0
      while start < printed {
        let end = unsafe bytes[start..<printed].firstIndex(of: 0x0a) ?? printed
        unsafe body(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
        start = end + 1
      }
    }
  }

  /// What a line says that refuses something; nil for another line.
  private static func refusal(_ line: UnsafeRawBufferPointer) -> String? {
    guard unsafe line.starts(with: Array("ERR ".utf8)) else { return nil }
    return unsafe String(decoding: line.dropFirst(4).prefix(200), as: UTF8.self)
  }

  private func refused(_ refusal: String) -> Failure {
    // The lower half of the number is the error, of GnuPG's list: cancelled, also for good, or out of time.
    let code = refusal.prefix { $0.isNumber }
    let isCancelled = [99, 198, 62, 114].contains((Int(code) ?? 0) & 0xffff)
    return isCancelled ? Failure(.declined, FailureMessage.nothingChanged) : failed(refusal)
  }

  private func failed(_ why: String) -> Failure {
    Failure(.system, FailureMessage.pinentryFailed(program: program, why: why.oneLine))
  }

  /// Short enough that all commands fit a pipe, however many of its bytes are escaped.
  private static func shortened(_ text: String) -> String {
    text.utf8.count <= 800 ? text : String(decoding: text.utf8.suffix(800), as: UTF8.self)
  }

  /// Text as a parameter of a command. Scalar by scalar: "\r\n" is one `Character`, equal to neither "\r" nor "\n".
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      if scalar == "%" || scalar.value < 0x20 {
        escaped +=
          "%" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16, uppercase: true)
      } else {
        escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  private static func unescape(
    _ line: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer, _ count: inout Int
  ) {
    var index = 0
    while index < line.count, count < target.count {
      var byte = unsafe line[index]
      if byte == 0x25, index + 2 < line.count,
        let high = unsafe Character(Unicode.Scalar(line[index + 1])).hexDigitValue,
        let low = unsafe Character(Unicode.Scalar(line[index + 2])).hexDigitValue
      {
        byte = UInt8(high << 4 | low)
        index += 2
      }
      unsafe target[count] = byte
      count += 1
      index += 1
    }
  }
}
