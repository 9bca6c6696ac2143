package import Platform

/// Standard output, in large pieces, through a pager when it is long; and standard error, in lines.
package final class Output {
  private var buffer: [UInt8] = []
  private var pager = Paging.none

  package init() {}

  private enum Paging {
    case none
    /// No pager yet: output that fits on the screen needs none.
    case waiting(command: [String], rows: Int)
    case running(child: Int32, pipe: Descriptor)
  }

  /// From now on what is longer than the screen goes through `$PAGER`, when there is a screen.
  package func startPaging(_ environment: [String: String]) {
    guard case .none = pager, Terminal.isTerminal(0), Terminal.isTerminal(1),
      environment["TERM", default: "dumb"] != "dumb"
    else { return }
    guard let words = try? ShellWords.split(environment["PAGER"] ?? "less"), words != ["cat"]
    else {
      return
    }
    pager = .waiting(command: words, rows: Terminal.height)
  }

  private func startPagerIfLong() {
    guard case .waiting(let command, let rows) = pager,
      buffer.lazy.filter({ $0 == 0x0a }).count >= rows
    else { return }
    pager = .none
    // F: leave what fits; R: colours; X: no other screen. Searches in a diary must not be kept in a
    // history file.
    ThisProcess.setVariable("LESS", "FRX", replacing: false)
    ThisProcess.setVariable("LESSHISTFILE", "-")
    ThisProcess.setVariable("LESSSECURE", "1")
    // The system's locale of our language need not exist, and without one less shows bytes.
    ThisProcess.setVariable("LESSCHARSET", "utf-8", replacing: false)
    guard let pipe = try? Descriptor.pipe(),
      let child = try? ChildProcess.spawn(
        command, files: [pipe.read.number, 1, 2], ownGroup: false,
        environment: ["LESS", "LESSHISTFILE", "LESSSECURE", "LESSCHARSET"])
    else { return }
    // Ctrl-C is the pager's while it is there.
    Signals.pauseInterrupts(true)
    pager = .running(child: child, pipe: pipe.write)
  }

  /// Why what was written did not get there. Who writes a remark in between ignores it, and the end must not.
  private var failure: (any Error)?

  package func write(_ text: String) throws { try write(Array(text.utf8)) }

  package func write(_ bytes: [UInt8]) throws {
    buffer += bytes
    startPagerIfLong()
    if buffer.count >= 64 << 10 { try flush() }
  }

  package func line(_ text: String) throws { try write(text + "\n") }

  /// - Throws: ``BrokenPipe``; ``PagerLeft``; ``PlatformError`` when the disk behind it is full.
  package func flush() throws {
    if let failure { throw failure }
    guard !buffer.isEmpty else { return }
    defer { buffer = [] }
    do { try writeBuffer() } catch {
      failure = error
      throw error
    }
  }

  private func writeBuffer() throws {
    switch pager {
    case .running(_, let pipe):
      do {
        try Self.write(buffer, to: pipe)
      } catch is BrokenPipe {
        throw PagerLeft()
      }
    case .waiting:
      // Something else is written in between, so this is a dialogue and not one text.
      pager = .none
      try Self.write(buffer, to: .standardOutput)
    case .none: try Self.write(buffer, to: .standardOutput)
    }
  }

  /// Writes the rest and waits for the pager.
  package func finish() throws {
    defer {
      if case .running(let child, _) = pager {
        // With its last owner the pipe is closed: the pager sees the end.
        pager = .none
        _ = ChildProcess.wait(for: child)
        Signals.pauseInterrupts(false)
      }
    }
    try flush()
  }

  package static func write(_ bytes: [UInt8], to file: Descriptor) throws {
    do throws(PlatformError) { try file.write(bytes) } catch {
      if error.errno == .brokenPipe { throw BrokenPipe() }
      throw error
    }
  }

  /// Writes to standard error, and ignores any failure to do so.
  package static func sayRaw(_ text: String) {
    ProgressLine.clear()
    draw(text)
  }

  /// Writes a message to standard error. At a terminal its lines end between words, but not in commands, which people copy.
  ///
  /// - Parameter program: the name of this one, which commands begin with and the first line, too, where it says who speaks.
  package static func say(_ text: String, by program: String) {
    let columns = TerminalDevice.size(of: 2)?.columns ?? Int.max
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      wrapped(String(line), to: columns, keeping: program)
    }
    sayRaw(lines.joined(separator: "\n") + "\n")
  }

  /// The same, over a progress line.
  static func draw(_ text: String) { try? write(Array(text.utf8), to: .standardError) }
}

/// Standard output's reader went away: nothing to say, exit 141.
package struct BrokenPipe: Error {}

/// The user left the pager before the end, which is not an error.
package struct PagerLeft: Error {}

/// Text from a diary for a terminal. Characters that could control the terminal are made visible.
package func visible(_ text: String) -> String {
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
