/// One option, declared once: the parser, the help and the shell completions read this.
struct Option: Sendable {
  enum Completion: Sendable { case none, file, journal, tag, kind, entry }

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
