internal import Client
internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import JSONText
internal import Platform
internal import Requests
internal import Words

/// An entry in the editor: its fields as a front matter, then its text. What is changed there is changed; a line that was
/// taken out leaves its field as it was, one without a value clears it.
@MainActor
struct EntryInEditor {
  /// The entry's content as it is, or is to become.
  let content: EntryContent
  let hasFiles: Bool
  private let dates: DateParser

  /// In the order of the lines. The zone follows the date.
  private static let fields: [EntryField] =
    (["title", "date", "until", "journal", "kind", "tags"]
    + EntryField.lines.dropFirst().map(\.name) + ["starred"])
    .compactMap { EntryField.named($0) }

  /// Stands before a remark on a wrong line.
  private static let remarkMark = "# ! "

  init(_ content: EntryContent, hasFiles: Bool, dates: DateParser) {
    self.content = content
    self.hasFiles = hasFiles
    self.dates = dates
  }

  /// What came of it.
  enum Edited {
    case saved(EntryContent, typed: String)
    case interrupted(signal: Int32)
  }

  /// Opens the editor, and again while a line at its head cannot be understood.
  ///
  /// - Parameters:
  ///   - kept: has what was typed last, also when this throws.
  ///   - draft: how it is kept; nil for what needs no keeping.
  func edit(
    in editor: Editor, _ kept: KeptText, _ invocation: Invocation,
    _ connection: KeeperConnection, draft: (EntryContent, String) -> UnsavedText?
  ) throws -> Edited {
    var given = text
    /// What was typed and could not be understood.
    var before: String?
    /// How often in a row it came back sooner than anybody reads a remark: it is a program then, which goes on for ever.
    var hasty = 0
    while true {
      let began = SystemClock.awake
      let outcome = try editor.edit(
        given, line: Self.firstLine(of: given), orphan: kept.orphan, meanwhile: connection.stayAwake
      ) { typed in kept.keep(draft(understood(typed), typed), typed: typed) }
      switch outcome {
      case .interrupted(let signal): return .interrupted(signal: signal)
      case .saved(let typed):
        do {
          let read = try read(typed)
          try check(read, connection)
          return .saved(read, typed: typed)
        } catch  where Self.isOwners(error) && typed != given && typed != before && hasty < 3 {
          hasty = SystemClock.awake - began < 1_000_000_000 ? hasty + 1 : 0
          // Text that was left as it was means that the owner has given up.
          before = typed
          given = Self.remarked(typed, SeveralMistakes.all(in: error).map { invocation.text($0) })
        }
      }
    }
  }

  /// Whether the person who typed the text can correct the error.
  private static func isOwners(_ error: any Error) -> Bool {
    [.invalid, .notFound, .ambiguous, .usage].contains(Failure(error).code)
  }

  /// Checks for unknown names and for what no entry may have. Saving notices a session that is gone.
  private func check(_ read: EntryContent, _ connection: KeeperConnection) throws {
    let isBlank = read.title == nil && !hasFiles && read.body.allSatisfy(\.isWhitespace)
    if !isBlank { try EntryDraft(read).validate(hasAttachments: hasFiles) }
    guard read.journal != content.journal || read.kind != content.kind else { return }
    do {
      _ = try connection.run(ListNames(requiring: read.journal, kind: read.kind))
    } catch is SessionError {}
  }

  private func with(body: String) -> EntryContent {
    var content = content
    content.body = body
    return content
  }

  // MARK: Writing

  /// The file the editor gets.
  var text: String { content.body.isEmpty ? head : head + content.body + "\n" }

  private var head: String {
    let lines = Self.fields.map { field in
      let value = value(of: field)
      return value.isEmpty ? field.name + ":" : field.name + ": " + value
    }
    return (["---"] + lines + ["---", "", ""]).joined(separator: "\n")
  }

  /// The line where the text begins, from 1.
  private static func firstLine(of text: String) -> Int {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard let end = lines.dropFirst().firstIndex(of: "---") else { return 1 }
    // A remark at the head is read first.
    return lines[..<end].firstIndex { $0.hasPrefix(remarkMark) }.map { $0 + 1 } ?? end + 3
  }

  private func value(of field: EntryField) -> String {
    switch field.place {
    case .time(let lens): time(content[lens])
    case .optionalTime(let lens): content[lens].map(time) ?? ""
    case .text(let lens): content[lens].map { Self.quoted($0, if: Self.isSpecial($0)) } ?? ""
    case .texts(let lens):
      // One that YAML would read as something else makes all of them a list.
      content[lens].contains { Self.isSpecial($0) || $0.contains(",") || $0.hasPrefix("#") }
        ? "[" + content[lens].map { Self.quoted($0, if: true) }.joined(separator: ", ") + "]"
        : content[lens].joined(separator: ", ")
    case .flag(let lens): content[lens] ? "yes" : "no"
    case .body: ""
    }
  }

  /// As short as the clock here allows.
  private func time(_ time: ZonedTime) -> String {
    guard dates.zone.offset(at: time.seconds) == time.offset else { return time.iso }
    return time.dayAndClock
  }

  /// Whether YAML would read it as something else.
  private static func isSpecial(_ text: String) -> Bool {
    text != text.trimmed || ["null", "~", ""].contains(text)
      || "\"'[-#{&*!|>%@`".contains(text.first ?? " ")
  }

  private static func quoted(_ text: String, if isNeeded: Bool) -> String {
    guard isNeeded else { return text }
    var json = JSONWriter()
    json.value(text)
    return String(decoding: json.bytes, as: UTF8.self)
  }

  private static func remarked(_ text: String, _ remarks: [String]) -> String {
    let remarks = remarks.map { remarkMark + visible($0) }
    guard text.prefix(while: { !$0.isNewline }).trimmed == "---" else {
      return (["---"] + remarks + ["---", "", text]).joined(separator: "\n")
    }
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    // Remove the previous remarks, which are in the same place.
    while lines.count > 1, lines[1].hasPrefix(remarkMark) { lines.remove(at: 1) }
    lines.insert(contentsOf: remarks, at: 1)
    return lines.joined(separator: "\n")
  }

  // MARK: Reading

  /// What the file says. Without a head it is the text alone.
  ///
  /// - Throws: ``Failure`` `invalid` naming each line that is wrong.
  private func read(_ typed: String) throws -> EntryContent {
    let text = Self.withOwnNames(typed)
    guard text.prefix(while: { !$0.isNewline }).trimmed == "---" else {
      guard !Self.isHeadBroken(text) else {
        throw Failure(.invalid, WritingMessage.headBroken)
      }
      return with(body: StoredText.of(text))
    }
    let (matter, body) = try FrontMatter.split(text, "entry.md")
    var read = with(body: body)
    let unknown = matter.allKeys.filter { key in !Self.fields.contains { $0.name == key } }
    var mistakes: [any Error] =
      unknown.map { key in
        Failure(.invalid, WritingMessage.noSuchField(key, known: Self.fields.map(\.name)))
      } + matter.repeated.sorted().map { Failure(.invalid, WritingMessage.fieldTwice($0)) }
    let given = try? FrontMatter.split(head, "entry.md").0
    for field in Self.fields {
      guard let values = matter[field.name] else { continue }
      // As it stood there: seconds, too, stay.
      guard values != given?[field.name] else { continue }
      do { try set(field, values, isList: matter.isList(field.name), in: &read) } catch {
        mistakes.append(error)
      }
    }
    if mistakes.count == 1 { throw mistakes[0] }
    guard mistakes.isEmpty else {
      throw Failure(.invalid, SeveralMistakes(mistakes.flatMap(SeveralMistakes.all)))
    }
    if read.date != content.date { read.zone = dates.zone.name(for: read.date) }
    return read
  }

  /// What somebody who writes Japanese may call the fields.
  private static let japanese = [
    "題名": "title", "タイトル": "title", "日時": "date", "日付": "date", "終わり": "until", "日記帳": "journal",
    "種類": "kind", "タグ": "tags", "場所": "location", "天気": "weather", "星": "starred", "スター": "starred",
  ]

  /// The text, with the fields of its head by their own names and the colon of a Japanese keyboard as the usual one.
  private static func withOwnNames(_ text: String) -> String {
    guard text.hasPrefix("---") else { return text }
    var (lines, rest) = ([String](), text[...])
    // A head has a line for each field, and remarks.
    while lines.count < 100, let end = rest.firstIndex(of: "\n") {
      var line = String(rest[..<end])
      rest = rest[rest.index(after: end)...]
      if !lines.isEmpty, line.trimmed == "---" {
        return (lines + [line, ""]).joined(separator: "\n") + rest
      }
      if let colon = line.firstIndex(where: { ":：".contains($0) }) {
        let name = line[..<colon].trimmed
        if let own = japanese[name] ?? fields.first(where: { $0.name == name })?.name {
          line = own + ":" + line[line.index(after: colon)...]
        }
      }
      lines.append(line)
    }
    return text
  }

  /// Whether a text begins with the lines of a head whose first line is gone.
  private static func isHeadBroken(_ text: String) -> Bool {
    let lines = text.split(separator: "\n", maxSplits: 20, omittingEmptySubsequences: false)
    guard let end = lines.firstIndex(where: { $0.trimmed == "---" }), end >= 3 else { return false }
    return lines[..<end].allSatisfy { isOfHead(String($0)) }
  }

  private static func isOfHead(_ line: String) -> Bool {
    fields.contains { line.hasPrefix($0.name + ":") } || line.hasPrefix(remarkMark)
  }

  private func set(
    _ field: EntryField, _ values: [String], isList: Bool, in read: inout EntryContent
  ) throws {
    let text = values.joined(separator: ", ").trimmed
    switch field.place {
    case .time(let lens): read[lens] = try dates.instant(text)
    case .optionalTime(let lens):
      read[lens] = text.isEmpty ? nil : try dates.end(text, from: read.date)
    case .text(let lens): read[lens] = text.isEmpty ? nil : text
    case .texts(let lens):
      // `a, b` as people write it; in a list a comma is part of its tag.
      read[lens] = isList ? TagWords.tags(in: values) : TagWords.split(values)
    case .flag(let lens):
      switch text.lowercased() {
      case "true", "on", "★": read[lens] = true
      case "false", "off", "": read[lens] = false
      default:
        guard let isSet = Language.agreement(text) else {
          throw Failure(.invalid, WritingMessage.yesOrNo(field: field.name, text))
        }
        read[lens] = isSet
      }
    case .body: break
    }
  }

  // MARK: Giving up

  /// As much of a file as can be understood; what cannot stands above the text, so that nothing typed is lost.
  func understood(_ text: String) -> EntryContent {
    if let whole = try? read(text) { return whole }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    // The line that opens the head may be gone.
    let start = lines[0].trimmed == "---" ? 1 : 0
    guard let end = lines[start...].firstIndex(where: { $0.trimmed == "---" }),
      start == 1 || lines[..<end].contains(where: Self.isOfHead)
    else { return with(body: StoredText.of(text)) }
    var result = content
    var rest: [String] = []
    for line in lines[start..<end] where !line.hasPrefix(Self.remarkMark) {
      do {
        var one = try read("---\n\(line)\n---\n")
        one.body = content.body
        result = result.changed(by: EntryChange(from: content, to: one))
      } catch {
        rest.append(line)
      }
    }
    let body = lines[(end + 1)...].drop { $0.isEmpty }
    let above = rest.isEmpty ? [] : rest + [""]
    result.body = StoredText.of((above + body).joined(separator: "\n"))
    return result
  }
}

/// What is wrong with several lines of a head.
private struct SeveralMistakes: Message {
  let messages: [any Message]

  init(_ messages: [any Message]) { self.messages = messages }

  /// Each mistake that an error tells of, with what helps.
  static func all(in error: any Error) -> [any Message] {
    let failure = Failure(error)
    if let several = failure.message as? SeveralMistakes { return several.messages }
    return [WithHint(message: failure.message, hint: failure.hint)]
  }

  func text(in language: Language) -> String {
    messages.map { $0.text(in: language) }.joined(separator: "; ")
  }

  private struct WithHint: Message {
    let message: any Message
    let hint: (any Message)?

    func text(in language: Language) -> String {
      message.text(in: language) + (hint.map { " (" + $0.text(in: language) + ")" } ?? "")
    }
  }
}
