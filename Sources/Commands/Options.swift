internal import CommandLine
internal import DiaryVault
internal import Sealing

extension Completion {
  static let journal = Completion.named("journal")
  static let tag = Completion.named("tag")
  static let kind = Completion.named("kind")
  static let template = Completion.named("template")
  static let entry = Completion.named("entry")
  static let trashed = Completion.named("trashed")
  /// A file of the entry named before.
  static let attachment = Completion.named("attachment")
}

extension Operand {
  static let id = Operand("ID", completion: .entry)
  static let ids = Operand("ID", repeats: true, completion: .entry)
}

/// Every option there is, declared once: its name, help, reading and completion.
enum Options {
  // MARK: Of every command

  static let vault = Option("--vault", "FILE", "the vault file", completion: .file, reading: named)
  static let device = Option(
    "--device", "DIR", "the directory of this device's stores", completion: .file, reading: named)
  static let json = Flag("--json", "answer in JSON")
  static let quiet = Flag("--quiet", "say nothing but results and errors")
  static let language = Option.choice(
    "--language", Language.all.map(\.code), "the language of texts for people"
  ) { Language.named($0) }
  static let face = RepeatedOption(
    "--face", "FILE",
    "show this face vector: a file, - or cmd:PROGRAM; several are frames of one moment",
    completion: .file)
  static let passphraseFile = Option(
    "--passphrase-file", "FILE", "read the passphrase from a file (- is standard input)",
    completion: .file)
  static let recoveryFile = Option(
    "--recovery-file", "FILE", "read the recovery code from a file", completion: .file)
  static let help = Flag("--help", short: "-h", "show this help")
  static let version = Flag("--version", "show the version")

  static let global: [any OptionKey] = [
    vault, device, json, quiet, language, face, passphraseFile, recoveryFile, help,
  ]

  // MARK: Opening

  static let life = Option("--for", "12h", "how long at most (12h)", reading: span("--for"))
  static let idle = Option(
    "--idle", "5m", "how long without anything being done (5m)", reading: span("--idle"))
  static let allSessions = Flag("--all", "every open diary of yours")
  static let newPassphraseFile = Option(
    "--new-passphrase-file", "FILE", "read the new passphrase from a file", completion: .file)
  static let newPassphraseFileAtInit = Option(
    "--new-passphrase-file", "FILE", "the same as --passphrase-file here", completion: .file)
  static let noPassphraseAtInit = Flag(
    "--no-passphrase", "no passphrase: only the recovery code and the face open it")
  static let noPassphraseKept = Flag(
    "--no-passphrase", "rotate: keep no passphrase, only the new recovery code")
  static let kdf = Option(
    "--kdf", "LEVEL",
    "work for one guess of the passphrase: interactive (64 MiB), moderate (256 MiB), sensitive (1 GiB)",
    completion: .words(["interactive", "moderate", "sensitive"])
  ) { text throws -> PassphraseLimits in
    switch text {
    case "interactive": return .interactive
    case "moderate": return .moderate
    case "sensitive": return .sensitive
    default:
      throw Failure(
        .usage, "no such level: --kdf \(text)", hint: "interactive, moderate or sensitive")
    }
  }

  // MARK: Faces

  static let model = Option("--model", "M", "the face model that made the vectors")
  static let threshold = Option(
    "--threshold", "X",
    "the cosine similarity at or above which a face is accepted, in [-1, 1]; higher is closer"
  ) { text in
    guard text.allSatisfy({ $0.isASCII && ($0.isNumber || ".-+eE".contains($0)) }),
      let number = Double(text), (-1...1).contains(number)
    else {
      throw Failure(
        .invalid, "threshold \(text) is outside [-1, 1]",
        hint: "a threshold is a cosine similarity; higher is closer")
    }
    return number
  }
  static let label = Option("--label", "L", "what to call these shots")
  static let force = Flag("--force", "register shots that do not resemble those enrolled, too")
  static let command = Option("--command", "CMD", "the program, instead of the configured one")
  static let calibratedModel = Option(
    "--model", "M", "the face model that made them; needed for --save")
  static let enroll = Option.number(
    "--enroll", "K", in: 1...64, "score as with K shots enrolled")
  static let frames = Option.number("--frames", "P", in: 1...64, "score as with P frames shown")
  static let plot = Option(
    "--plot", "FILE.svg", "draw score histograms and the DET curve", completion: .file)
  static let targetFMR = Option(
    "--target-fmr", "RATE", "the false match rate to suggest a threshold for (1e-3)"
  ) { text in
    guard let rate = Double(text), rate > 0, rate < 1 else {
      throw Failure(.usage, "--target-fmr wants a rate between 0 and 1, not \(text)")
    }
    return rate
  }
  static let save = Flag("--save", "make it the default of match and enroll for this model")

  // MARK: Writing

  static let title = Option("--title", "T", "a title")
  static let date = Option(
    "--date", "DATE", "when it was: 2026-03-01, 2026-03-01T09:30, yesterday, …",
    reading: { try DateParser().instant($0) })
  /// Read when the beginning is known.
  static let until = Option("--until", "D", "when it ended: +90m, 18:30 or a date")
  static let journal = Option(
    "--journal", "J", "the journal it belongs to", completion: .journal)
  static let kind = Option(
    "--kind", "K", "what kind it is, by name or emoji", completion: .kind)
  static let tag = RepeatedOption("--tag", "T", "add a tag (repeatable)", completion: .tag)
  static let star = Flag("--star", "star it")
  static let editorOnDisk = Flag(
    "--editor-on-disk", "allow the editor's temporary file to be written to disk")
  static let attach = RepeatedOption(
    "--attach", "FILE", "keep a photo or file with it", completion: .file)
  static let template = Option(
    "--template", "NAME", "start the editor with this template", completion: .template)
  static let recover = Flag("--recover", "save what you wrote when the session had ended")
  static let untag = RepeatedOption("--untag", "T", "remove a tag", completion: .tag)
  static let noStar = Flag("--no-star", "unstar it")
  static let noTitle = Flag("--no-title", "remove the title")
  static let noJournal = Flag("--no-journal", "take it out of its journal")
  static let noKind = Flag("--no-kind", "remove its kind")
  static let noUntil = Flag("--no-until", "remove its end")
  static let expectedRevision = Option(
    "--revision", "N", "refuse when N is not the newest revision", reading: revisionNumber)

  // MARK: Reading

  static let from = Option("--from", "DATE", "entries from this day on", reading: when)
  static let to = Option("--to", "DATE", "entries up to this day, included", reading: when)
  static let on = Option("--on", "DATE", "entries of this day", reading: when)
  static let filterTag = RepeatedOption(
    "--tag", "T", "entries with this tag; several: with all of them", completion: .tag)
  static let filterJournal = Option(
    "--journal", "J", "entries of this journal", completion: .journal)
  static let filterKind = Option(
    "--kind", "K", "entries of this kind, by name or emoji", completion: .kind)
  static let starred = Flag("--starred", "starred entries")
  static let hasAttachment = Flag("--has-attachment", "entries with photos or files")

  static let filters: [any OptionKey] = [
    from, to, on, filterTag, filterJournal, filterKind, starred, hasAttachment,
  ]

  static let limit = Option.number("--limit", "N", in: 0...Int.max, "show at most N entries")
  static let reverse = Flag("--reverse", "oldest first")
  static let bodies = Flag("--bodies", "with their texts")
  static let emptyDays = Flag("--empty-days", "show days without entries, too")
  static let shownRevision = Option(
    "--revision", "N", "an older revision", reading: revisionNumber)
  static let inTrash = Flag("--trash", "an entry in the trash")
  static let raw = Flag("--raw", "the bytes of one entry's text, nothing else")
  static let onDate = Option(
    "--date", "DATE", "another day than today", reading: { try DateParser().instant($0) })
  static let year = Option("--year", "Y", "this year alone; else all, and the calendar of today's")
  {
    text in
    guard let number = Int(text), CivilDate(year: number, month: 1, day: 1) != nil else {
      throw Failure(.usage, "--year wants a year like 2026, not \(text)")
    }
    return number
  }
  static let period = Option(
    "--period", "P", "2026, 2026-03, 2026-03-01..2026-03-14 or all; without it, this year")
  static let versus = Option(
    "--versus", "P", "the period to compare with (the year or month before)")
  static let everyRank = Flag("--all", "every one, not only the first ten")

  // MARK: Sorting

  static let tripFrom = Option("--from", "DATE", "the first day of a trip")
  /// A last day, or the journal that inherits.
  static let tripTo = Option(
    "--to", "DATE", "its last day; remove: the journal that takes its entries",
    completion: .journal)
  static let journalEmoji = Option("--emoji", "E", "an emoji for it")
  static let kindEmoji = Option("--emoji", "E", "the emoji of a new kind")
  static let before = Option(
    "--before", "K", "move: put it before this journal; else last", completion: .journal)
  static let entriesToTrash = Flag("--trash", "remove: its entries go to the trash")
  static let yes = Flag("--yes", "skip confirmation")

  // MARK: Keeping

  static let importFormat = Option.choice(
    "--format", ["json", "jrnl", "dayone", "markdown"], "what it is (json; a folder is markdown)"
  ) { ["json", "jrnl", "dayone", "markdown"].contains($0) ? $0 : nil }
  static let attachmentsFrom = Option(
    "--attachments", "DIR", "json: where its photos and files are", completion: .file)
  static let dryRun = Flag("--dry-run", "only count")
  static let exportFormat = Option.choice(
    "--format", ["json", "markdown", "jrnl", "html"], "json"
  ) { ["json", "markdown", "jrnl", "html"].contains($0) ? $0 : nil }
  static let exportOutput = Option(
    "--output", short: "-o", "FILE",
    "a file, made readable for you alone; of markdown a new folder", completion: .file)
  static let extractOutput = Option(
    "--output", short: "-o", "FILE", "where to (its name, here); - is standard output",
    completion: .file)
  static let attachmentsTo = Option(
    "--attachments", "DIR", "json: write photos and files into this new folder", completion: .file)
  static let repair = Flag(
    "--repair", "rebuild what can be rebuilt from what verifies, then look again")
  static let keep = Option.number(
    "--keep", "N", in: 1...100_000, "make one in DIR, named by the time, and keep the newest N")
  static let backupPassphraseFile = Option(
    "--backup-passphrase-file", "FILE", "the passphrase of a backup made before keys rotate",
    completion: .file)
  static let helper = Option(
    "--helper", "CMD", "move: a program that keeps the key (get, store, erase)")
  static let backToFile = Flag("--file", "move: back into a file of yours")
  static let faces = Option("--faces", "DIR", "the sample vectors (Keys/faces)", completion: .file)

  // MARK: Readings

  /// A path, which an unset variable in a script must not make empty.
  @Sendable private static func named(_ text: String) throws -> String {
    guard !text.isEmpty else {
      throw Failure(
        .usage, "--vault or --device is empty", hint: "an unset variable in a script?")
    }
    return text
  }

  @Sendable private static func when(_ text: String) throws -> DateParser.Parsed {
    try DateParser().parse(text)
  }

  @Sendable private static func revisionNumber(_ text: String) throws -> UInt64 {
    guard let number = UInt64(text), number > 0 else {
      throw Failure(.usage, "--revision wants a number from 1, not \(text)")
    }
    return number
  }

  private static func span(_ name: String) -> @Sendable (String) throws -> Duration {
    { text in
      guard let seconds = DateParser.duration(text), seconds > 0 else {
        throw Failure(.usage, "\(name) wants a duration like 5m or 12h, not \(text)")
      }
      guard seconds <= 12 * 3600 else { throw Failure(.usage, "\(name) is at most 12h") }
      return .seconds(seconds)
    }
  }
}

extension Language {
  static let all = [english, japanese]

  static func named(_ code: String) -> Language? {
    let short = code.prefix { $0.isLetter }.lowercased()
    return all.first { $0.code == short }
  }
}
