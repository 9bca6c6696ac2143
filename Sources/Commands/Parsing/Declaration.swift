/// One option, declared once: the parser, the help and the shell completions read this.
struct Option: Sendable {
  /// What a shell may offer for a value.
  enum Completion: Sendable, Equatable {
    case none, file, journal, tag, kind, template, entry, trashed
    case words([String])
  }

  let name: String
  let short: String?
  /// What its value is called; nil for a switch.
  let value: String?
  let repeats: Bool
  let help: Text

  init(
    _ name: String, short: String? = nil, value: String? = nil, repeats: Bool = false, _ help: Text
  ) {
    self.name = name
    self.short = short
    self.value = value
    self.repeats = repeats
    self.help = help
  }
}

extension Option {
  /// What its value can be, told from what it is called.
  var completion: Completion {
    switch (name, value) {
    case (_, nil): .none
    case ("--tag", _), ("--untag", _): .tag
    case ("--journal", _), ("--before", _): .journal
    case ("--kind", _): .kind
    case ("--template", _): .template
    case ("--language", _): .words(Language.all.map(\.code))
    case (_, "FILE"?), (_, "DIR"?): .file
    case (_, let value?) where value.contains("|"):
      .words(value.split(separator: "|").map(String.init))
    default: .none
    }
  }
}

/// A command, declared once.
struct Declaration: Sendable {
  let name: String
  /// What may follow: `ID…`, `[TEXT…]`.
  let operands: String
  let summary: Text
  let options: [Option]
  /// Shown by `--help` below the options.
  let details: Text?
  let run: @MainActor @Sendable (Invocation) async throws -> Int32

  init(
    _ name: String, _ operands: String = "", _ summary: Text, options: [Option] = [],
    details: Text? = nil, run: @escaping @MainActor @Sendable (Invocation) async throws -> Int32
  ) {
    self.name = name
    self.operands = operands
    self.summary = summary
    self.options = options
    self.details = details
    self.run = run
  }
}

extension Declaration {
  /// Its subcommands: the first words of `[list] | add NAME | …`.
  var subcommands: [String] {
    guard operands.contains("|") else { return [] }
    return operands.split(separator: "|").compactMap { part in
      part.split(whereSeparator: { " []".contains($0) }).first.map(String.init)
    }.filter { !$0.hasPrefix("-") && $0.first?.isLowercase == true }
  }

  /// What its operands can be.
  func completion(at place: Int) -> Option.Completion {
    if !subcommands.isEmpty, place == 0 { return .words(subcommands) }
    if name == "journals" { return place > 0 ? .journal : .none }
    if name == "kinds" { return .kind }
    if name == "templates" { return .template }
    if ["restore", "purge"].contains(name) { return .trashed }
    let words = operands.split(separator: " ").map(String.init)
    let word = place < words.count ? words[place] : words.last ?? ""
    if word.contains("ID") { return .entry }
    return word.contains("FILE") || word.contains(".csv") ? .file : .none
  }
}

extension Option {
  static let global: [Option] = [
    Option("--vault", value: "FILE", "the vault file"),
    Option("--device", value: "DIR", "the directory of this device's stores"),
    Option("--json", "answer in JSON"),
    Option("--quiet", "say nothing but results and errors"),
    Option("--language", value: "en|ja", "the language of texts for people"),
    Option(
      "--face", value: "FILE", repeats: true,
      "show this face vector: a file, - or cmd:PROGRAM; several are frames of one moment"),
    Option(
      "--passphrase-file", value: "FILE", "read the passphrase from a file (- is standard input)"),
    Option("--recovery-file", value: "FILE", "read the recovery code from a file"),
    Option("--help", short: "-h", "show this help"),
  ]

  static let filters: [Option] = [
    Option("--from", value: "DATE", "entries from this day on"),
    Option("--to", value: "DATE", "entries up to this day, included"),
    Option("--on", value: "DATE", "entries of this day"),
    Option("--tag", value: "T", repeats: true, "entries with this tag; several: with all of them"),
    Option("--journal", value: "J", "entries of this journal"),
    Option("--kind", value: "K", "entries of this kind, by name or emoji"),
    Option("--starred", "starred entries"),
    Option("--has-attachment", "entries with photos or files"),
  ]
}
