package import Platform

/// The terminal a person sits at.
package struct Terminal: Sendable {
  package static func isTerminal(_ file: Int32) -> Bool { TerminalDevice.isTerminal(file) }

  /// Whether anybody can be asked.
  package static var canAsk: Bool { isTerminal(2) }

  /// Whether all standard streams are a terminal that listens to this process: what is shown there is seen, and kept by no file.
  package static var isOurs: Bool {
    isTerminal(0) && isTerminal(1) && isTerminal(2) && TerminalDevice.isInForeground(2)
  }

  /// Columns of standard output's window, 80 when it has none.
  package static var width: Int { TerminalDevice.size(of: 1)?.columns ?? 80 }

  /// Rows of standard output's window, 24 when it has none.
  package static var height: Int { TerminalDevice.size(of: 1)?.rows ?? 24 }

  /// Colour and cursor control, on standard output.
  package static func allowsColor(_ environment: [String: String]) -> Bool {
    isTerminal(1) && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
  }

  package static func open() throws -> Descriptor {
    do throws(PlatformError) { return try Descriptor.open("/dev/tty", [.readWrite]) } catch {
      throw UsageError.noTerminal
    }
  }

  package static func say(_ text: String, to file: Descriptor) {
    try? file.write(Array(text.utf8))
  }

  /// Asks a question that is answered with yes or no; anything but yes is no.
  package static func confirm(_ question: String) throws -> Bool {
    let file = try open()
    say(question + " [y/N] ", to: file)
    return Language.agreement(try line(from: file).trimmed) ?? false
  }

  /// Asks for a line of text.
  package static func ask(_ question: String) throws -> String {
    let file = try open()
    say(question, to: file)
    return try line(from: file)
  }

  private static func line(from file: Descriptor) throws -> String {
    var bytes: [UInt8] = []
    while bytes.count < 4096, let byte = try file.read(1).first, byte != 0x0a {
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
