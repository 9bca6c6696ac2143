internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import JSONText
internal import Platform
internal import Requests
internal import Words

/// A text from standard input: piped, or typed at the terminal.
@MainActor
package enum StandardInputText {
  /// The terminal went away, or the machine shuts down, while somebody typed; they were told what became of the text.
  struct Interrupted: Error { let signal: Int32 }

  /// Reads a text, without a byte order mark and with the line ends of this system.
  ///
  /// - Parameters:
  ///   - kept: keeps what was typed at a terminal, before a signal can end this process.
  ///   - draft: what it becomes when it is recovered; nil when it need not be kept.
  /// - Throws: ``Interrupted`` when one came meanwhile.
  static func read(
    _ invocation: Invocation, keeping kept: KeptText? = nil,
    as draft: (_ body: String) -> UnsavedText? = { _ in nil }
  ) throws -> String {
    guard Terminal.isTerminal(0) else {
      return try text(
        of: try limited { try invocation.read("-", as: .entryText, limit: limit) }, invocation)
    }
    invocation.page.note(WritingMessage.typeThenEnd)
    let input = try invocation.input("-", as: .entryText)
    let signals = try Signals.redirectToPipe()
    defer { Signals.stopRedirecting() }
    func keep(_ bytes: [UInt8]) {
      let body = StoredText.of(plain(StoredText.decoding(bytes).text))
      if let kept, let draft = draft(body) { kept.keep(draft, typed: body) }
    }
    let (bytes, signal): ([UInt8], Int32?)
    do { (bytes, signal) = try limited { try typed(input, signals, meanwhile: keep) } } catch {
      kept?.tell()
      throw error
    }
    // Ctrl-C is the writer's own wish.
    guard signal != Signals.interrupt else {
      kept?.discard()
      throw Interrupted(signal: Signals.interrupt)
    }
    keep(bytes)
    let whole: String
    do { whole = try text(of: bytes, invocation, isKept: kept != nil) } catch {
      kept?.tell()
      throw error
    }
    if let signal = try signal ?? signals.readAvailable(1)?.first.map({ Int32($0) }) {
      kept?.tell()
      throw Interrupted(signal: signal)
    }
    return whole
  }

  private static let limit = EntryDraft.bodyLimit + 1

  private static func limited<Result>(_ read: () throws -> Result) throws -> Result {
    do { return try read() } catch let error as InputTooLarge {
      throw Failure(
        .invalid, WritingMessage.textTooLong(error.limit - 1), hint: WritingMessage.attachAsFile)
    }
  }

  /// Nanoseconds of typing that a kill may take along.
  private static let pause: Int64 = 5_000_000_000

  /// What is typed until its end, or until a signal comes.
  ///
  /// - Parameter keep: gets what was typed so far, every few seconds.
  private static func typed(
    _ input: InputFile, _ signals: Descriptor, meanwhile keep: ([UInt8]) -> Void
  ) throws -> (bytes: [UInt8], signal: Int32?) {
    let terminal = input.terminalWithoutWaiting()
    var bytes: [UInt8] = []
    var (kept, at) = (0, SystemClock.awake)
    while true {
      if bytes.count > kept, SystemClock.awake - at >= pause {
        keep(bytes)
        (kept, at) = (bytes.count, SystemClock.awake)
      }
      var polls = [Poll.Entry(terminal.number), Poll.Entry(signals.number)]
      Poll.wait(&polls, milliseconds: bytes.count > kept ? 1000 : -1)
      if polls[1].isReady, let signal = try signals.readAvailable(1)?.first {
        return (bytes, Int32(signal))
      }
      guard polls[0].isReady else { continue }
      // A terminal that went away is an error to read from, and the end of what was typed.
      let piece: [UInt8]
      do {
        guard let available = try terminal.readAvailable() else { continue }
        piece = available
      } catch { return (bytes, nil) }
      guard !piece.isEmpty else { return (bytes, nil) }
      bytes += piece
      guard bytes.count <= limit else {
        keep(bytes)
        throw InputTooLarge(path: "-", limit: limit)
      }
    }
  }

  /// What a terminal gives of one line at most, in bytes without its end; Linux drops the rest without a word.
  private static let lineLimit = 4095

  private static func isCut(_ bytes: [UInt8]) -> Bool {
    bytes.split(separator: 0x0a).contains { $0.count >= lineLimit }
  }

  /// - Parameter isKept: whether what cannot be read is kept already.
  private static func text(
    of bytes: [UInt8], _ invocation: Invocation, isKept: Bool = false
  ) throws -> String {
    let isTyped = Terminal.isTerminal(0)
    let isCut = isTyped && Self.isCut(bytes)
    if !isCut, let text = String(validating: bytes, as: UTF8.self) { return plain(text) }
    let why: WritingMessage = isCut ? .lineCut(lineLimit - 1) : .inputNotText
    // It is nowhere else.
    guard isKept || !isTyped else {
      throw try MemoryDirectory.failure(
        why, keeping: bytes, in: MemoryDirectory.bases(invocation.environment))
    }
    throw Failure(.invalid, why, hint: isCut ? WritingMessage.useEditorOrFile : nil)
  }

  /// Without a byte order mark, and with the line ends of this system.
  private static func plain(_ text: String) -> String {
    StoredText.unmarked(text).replacing("\r\n", with: "\n")
  }
}

extension Outcome {
  /// What was written: its id, or a remark.
  static func written(_ written: Written, _ said: WritingMessage? = nil) -> Outcome {
    .object { json in
      json.member("id", written.id.description)
      json.member("revision", written.revision)
    } text: { page in
      if let said {
        page.note(said)
      } else {
        do {
          try page.line(Terminal.isTerminal(1) ? written.id.short : written.id.description)
          try page.output.flush()
        } catch let error as PlatformError {
          // Who hears only that a disk is full writes it once more.
          page.warn(
            WritingMessage.recovered(
              entry: written.id.short, revision: written.revision, insteadOf: nil))
          throw error
        }
      }
    }
  }
}
