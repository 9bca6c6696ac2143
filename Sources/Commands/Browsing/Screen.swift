internal import CommandLine
internal import Dates
internal import Formats
internal import Platform
internal import Words

/// The whole terminal: raw keys in, whole pictures out. However it ends, the terminal is as it was.
final class Screen {
  /// Turns mouse reports off, shows the cursor and leaves the alternate screen.
  static let leave =
    "\u{1b}[?7h\u{1b}[?2004l\u{1b}[?1006l\u{1b}[?1000l\u{1b}[?25h\u{1b}[0m\u{1b}[2J\u{1b}[?1049l"
  private static let enter =
    "\u{1b}[?1049h\u{1b}[2J\u{1b}[?1000h\u{1b}[?1006h\u{1b}[?2004h\u{1b}[?7l"

  private let terminal: TerminalDevice
  private var isEntered = false
  private var keys = KeyDecoder()

  init() throws {
    do throws(PlatformError) { terminal = try TerminalDevice(.standardInput) } catch {
      throw Failure(.usage, ReadingMessage.browseNeedsTerminal, hint: Verbatim("facediary list"))
    }
    try resume()
  }

  deinit { suspend() }

  var size: (columns: Int, rows: Int) { (Terminal.width, Terminal.height) }

  /// Takes the terminal.
  func resume() throws {
    guard !isEntered else { return }
    terminal.takeScreen(leave: Array(Self.leave.utf8))
    isEntered = true
    try Output.write(Array(Self.enter.utf8), to: .standardOutput)
  }

  /// Gives the terminal back: to an editor, or for good. Nothing of the diary stays on it.
  func suspend() {
    guard isEntered else { return }
    isEntered = false
    try? Output.write(Array(Self.leave.utf8), to: .standardOutput)
    terminal.restore()
  }

  /// Draws lines from the top, each within the width.
  ///
  /// - Parameter chosen: the line where the cursor stands, from 0: screen readers and Braille displays follow it.
  func draw(_ lines: [String], chosen: Int = 0) throws {
    var text = "\u{1b}[?2026h\u{1b}[?25l"
    // Position each line, because one that the terminal draws wider than we expect must not move the others.
    for (index, line) in lines.enumerated() {
      text += "\u{1b}[\(index + 1);1H" + line + "\u{1b}[0m\u{1b}[K"
    }
    text += "\u{1b}[J\u{1b}[\(chosen + 1);1H\u{1b}[?25h\u{1b}[?2026l"
    try Output.write(Array(text.utf8), to: .standardOutput)
  }

  /// The next key, nil when none came within `milliseconds`.
  ///
  /// - Throws: ``Failure`` when the terminal went away.
  func key(within milliseconds: Int) throws -> Key? {
    if let key = keys.next(isComplete: false) { return key }
    guard try wait(milliseconds) else { return nil }
    while true {
      if let key = keys.next(isComplete: false) { return key }
      // The rest of a sequence follows at once; a lone Escape has none.
      guard try wait(30) else { return keys.next(isComplete: true) }
    }
  }

  private func wait(_ milliseconds: Int) throws -> Bool {
    var entries = [Poll.Entry(0)]
    Poll.wait(&entries, milliseconds: milliseconds)
    guard entries[0].isReady else { return false }
    let bytes = try Descriptor.standardInput.read(1024)
    guard !bytes.isEmpty else { throw Failure(.system, ReadingMessage.terminalGone) }
    keys.take(bytes[...])
    return true
  }
}

/// What a person pressed.
enum Key: Equatable, Sendable {
  case text(Character)
  case enter, escape, backspace, tab, backTab
  case up, down, left, right, pageUp, pageDown, home, end, delete
  case control(Character)
  case wheelUp, wheelDown
  /// What was pasted: text, never commands.
  case paste(String)
  /// From 0.
  case click(column: Int, row: Int)
  case unknown
}

/// Bytes of a terminal as keys: UTF-8, control characters, and the escape sequences of xterm and its kin.
struct KeyDecoder: Sendable {
  private var bytes: [UInt8] = []
  private var isPasting = false
  private var isPasteTooLong = false

  mutating func take(_ more: ArraySlice<UInt8>) { bytes += more }

  /// - Parameter isComplete: no more bytes follow soon: what looks like a beginning stands for itself.
  mutating func next(isComplete: Bool) -> Key? {
    // A paste is text to its end, however slowly it comes; too long, it is thrown away to its end.
    if isPasting { return paste() }
    guard let first = bytes.first else { return nil }
    switch first {
    case 0x1b: return escape(isComplete: isComplete)
    case 0x0d, 0x0a: return take(1, .enter)
    case 0x09: return take(1, .tab)
    case 0x7f, 0x08: return take(1, .backspace)
    case 0..<0x20: return take(1, .control(Character(Unicode.Scalar(first + 0x60))))
    case 0x20..<0x80: return take(1, .text(Character(Unicode.Scalar(first))))
    default:
      let length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2
      guard bytes.count >= length else { return isComplete ? take(bytes.count, .unknown) : nil }
      guard let text = String(validating: bytes[..<length], as: UTF8.self), let only = text.first
      else { return take(1, .unknown) }
      return take(length, .text(only))
    }
  }

  private mutating func take(_ count: Int, _ key: Key) -> Key {
    bytes.removeFirst(count)
    return key
  }

  private mutating func escape(isComplete: Bool) -> Key? {
    guard bytes.count > 1 else { return isComplete ? take(1, .escape) : nil }
    guard bytes[1] == 0x5b || bytes[1] == 0x4f else { return take(1, .escape) }
    guard let end = bytes.dropFirst(2).firstIndex(where: { (0x40...0x7e).contains($0) }) else {
      // No key sequence is that long.
      return isComplete || bytes.count > 64 ? take(bytes.count, .unknown) : nil
    }
    let parameters = String(decoding: bytes[2..<end], as: UTF8.self)
    let final = bytes[end]
    bytes.removeFirst(end + 1)
    switch (final, parameters) {
    case (0x7e, "200"):
      isPasting = true
      return paste()
    case (0x41, _): return .up
    case (0x42, _): return .down
    case (0x43, _): return .right
    case (0x44, _): return .left
    case (0x48, _), (0x7e, "1"), (0x7e, "7"): return .home
    case (0x46, _), (0x7e, "4"), (0x7e, "8"): return .end
    case (0x5a, _): return .backTab
    case (0x7e, "5"): return .pageUp
    case (0x7e, "6"): return .pageDown
    case (0x7e, "3"): return .delete
    case (0x4d, _) where parameters.hasPrefix("<"): return Self.mouse(parameters.dropFirst())
    default: return .unknown
    }
  }

  private static let longestPaste = 1 << 20

  private mutating func paste() -> Key? {
    let end = Array("\u{1b}[201~".utf8)
    if let place = bytes.firstRange(of: end) {
      let text = String(decoding: bytes[..<place.lowerBound], as: UTF8.self)
      bytes.removeFirst(place.upperBound)
      isPasting = false
      defer { isPasteTooLong = false }
      return isPasteTooLong ? .unknown : .paste(text)
    }
    if bytes.count > Self.longestPaste {
      isPasteTooLong = true
      // Keep what may be the beginning of the end mark.
      bytes.removeFirst(bytes.count - end.count)
    }
    return nil
  }

  /// `64;10;5`: a button, a column and a row from 1.
  private static func mouse(_ parameters: Substring) -> Key {
    let numbers = parameters.split(separator: ";").map { Int($0) ?? 0 }
    guard numbers.count == 3, numbers[1...].allSatisfy((1...65_535).contains) else {
      return .unknown
    }
    switch numbers[0] {
    case 64: return .wheelUp
    case 65: return .wheelDown
    case 0: return .click(column: numbers[1] - 1, row: numbers[2] - 1)
    default: return .unknown
    }
  }
}
