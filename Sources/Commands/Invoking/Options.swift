internal import Bytes
package import CommandLine
internal import Dates
internal import Entries
internal import FaceMatching
internal import Formats
internal import Words

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

/// What gives an entry one of its ``EntryField/Line``s, and what takes it away.
struct LineOption: Sendable {
  let line: EntryField.Line
  let set: Option<String>
  let clear: Flag

  init?(_ name: String, _ value: String, _ help: OptionHelp, none: OptionHelp) {
    guard let line = EntryField.named(name)?.line else { return nil }
    self.line = line
    set = Option("--" + name, value, help)
    clear = Flag("--no-" + name, none)
  }
}

/// Every option there is, declared once: its name, help, reading and completion.
package enum Options {
  // MARK: Of every command

  static let vault = Option(
    "--vault", "FOLDER", OptionHelp.vault, completion: .file, reading: named)
  static let device = Option(
    "--device", "DIR", OptionHelp.device, completion: .file, reading: named)
  static let json = Flag("--json", OptionHelp.json)
  static let quiet = Flag("--quiet", OptionHelp.quiet)
  static let language = Option.choice(
    "--language", Language.allCases.map(\.rawValue), OptionHelp.language
  ) { Language(named: $0) }
  package static let face = RepeatedOption(
    "--face", "FILE",
    OptionHelp.face,
    completion: .file)
  package static let passphraseFile = Option(
    "--passphrase-file", "FILE", OptionHelp.passphraseFile,
    completion: .file)
  package static let recoveryFile = Option(
    "--recovery-file", "FILE", OptionHelp.recoveryFile, completion: .file)
  package static let pinFile = Option(
    "--pin-file", "FILE", OptionHelp.pinFile, completion: .file)
  static let help = Flag("--help", short: "-h", OptionHelp.help)
  static let version = Flag("--version", OptionHelp.version)

  static let faceModel: [any OptionKey] = [model, threshold]

  static let entryFields: [any OptionKey] =
    [
      lines[0].set, date, until, journal, kind, tag, star,
    ] + lines.dropFirst().map(\.set) + [editorOnDisk]

  static let global: [any OptionKey] = [
    vault, device, json, quiet, language, face, passphraseFile, recoveryFile, pinFile, help,
  ]

  // MARK: Opening

  static let life = Option("--for", "12h", OptionHelp.life, reading: span("--for"))
  static let idle = Option(
    "--idle", "5m", OptionHelp.idle, reading: span("--idle"))
  static let look = Flag("--look", OptionHelp.look)
  static let noFace = Flag("--no-face", OptionHelp.noFace)
  static let codeDialog = Flag("--code-dialog", OptionHelp.codeDialog)
  static let windowWrites = Flag("--write", OptionHelp.windowWrites)
  static let browser = Option("--browser", "PROGRAM", OptionHelp.browser)
  static let wholeTrash = Flag("--all", OptionHelp.wholeTrash)
  static let allSessions = Flag("--all", OptionHelp.lockAll)
  package static let newPassphraseFile = Option(
    "--new-passphrase-file", "FILE", OptionHelp.newPassphraseFile, completion: .file)
  static let newPassphraseFileAtInit = Option(
    "--new-passphrase-file", "FILE", OptionHelp.samePassphraseFile, completion: .file)
  static let noPassphraseAtInit = Flag(
    "--no-passphrase", OptionHelp.noPassphrase)
  static let noPassphraseKept = Flag(
    "--no-passphrase", OptionHelp.noPassphraseKept)
  static let kdf = Option(
    "--kdf", "LEVEL",
    OptionHelp.kdf,
    completion: .words(["interactive", "moderate", "sensitive"])
  ) { text throws -> Argon2Cost in
    switch text {
    case "interactive": return .interactive
    case "moderate": return .moderate
    case "sensitive": return .sensitive
    default:
      throw Failure(
        .usage, UsageMessage.noSuchWork(text), hint: UsageMessage.worksKnown)
    }
  }

  // MARK: Faces

  private static let models = Completion.words(FaceModel.all.map(\.name))
  static let model = Option("--model", "M", OptionHelp.model, completion: models)
  static let threshold = Option(
    "--threshold", "X",
    OptionHelp.threshold
  ) { text in
    guard text.allSatisfy({ $0.isASCII && ($0.isNumber || ".-+eE".contains($0)) }),
      let number = Double(text)
    else {
      throw Failure(
        .usage,
        UsageMessage.wantsNumberBetween(
          option: "--threshold", least: -1, most: 1, value: text),
        hint: FaceMessage.thresholdIsCosine)
    }
    guard (-1...1).contains(number) else {
      throw Failure(
        .invalid, FaceMessage.thresholdOutside(text),
        hint: FaceMessage.thresholdIsCosine)
    }
    return number
  }
  static let label = Option("--label", "L", OptionHelp.label)
  static let force = Flag("--force", OptionHelp.force)
  static let replaceSamples = Flag("--replace-samples", OptionHelp.replaceSamples)
  static let command = Option("--command", "CMD", OptionHelp.probeCommand)
  static let calibratedModel = Option(
    "--model", "M", OptionHelp.calibratedModel, completion: models)
  static let enroll = Option.number(
    "--enroll", "K", in: 1...64, OptionHelp.enrolledShots)
  static let frames = Option.number(
    "--frames", "P", in: CalibratedScoring.frameCounts, OptionHelp.shownFrames)
  static let plot = Option(
    "--plot", "FILE.svg", OptionHelp.plot, completion: .file)
  static let targetFMR = rate("--target-fmr", OptionHelp.targetFMR)
  static let targetChosen = rate("--target-chosen", OptionHelp.targetChosen)
  static let noAttack = Flag("--no-attack", OptionHelp.noAttack)
  static let save = Flag("--save", OptionHelp.save)

  // MARK: Writing

  /// For each ``EntryField/lines`` one, in their order.
  static let lines = [
    LineOption("title", "T", OptionHelp.title, none: OptionHelp.noTitle),
    LineOption("location", "L", OptionHelp.location, none: OptionHelp.noLocation),
    LineOption("weather", "W", OptionHelp.weather, none: OptionHelp.noWeather),
  ].compactMap(\.self)
  static let date = Option(
    "--date", "DATE", OptionHelp.date,
    reading: { try DateParser.typed.instant($0) })
  /// Read when the beginning is known.
  static let until = Option("--until", "D", OptionHelp.until)
  static let journal = Option(
    "--journal", "J", OptionHelp.journal, completion: .journal)
  static let kind = Option(
    "--kind", "K", OptionHelp.kind, completion: .kind)
  static let tag = RepeatedOption("--tag", "T", OptionHelp.tag, completion: .tag)
  static let star = Flag("--star", OptionHelp.star)
  static let fromPhoto = Flag("--from-photo", OptionHelp.fromPhoto)
  static let editorOnDisk = Flag(
    "--editor-on-disk", OptionHelp.editorOnDisk)
  static let attach = RepeatedOption(
    "--attach", "FILE", OptionHelp.attach, completion: .file)
  static let template = Option(
    "--template", "NAME", OptionHelp.template, completion: .template)
  static let recover = Flag("--recover", OptionHelp.recover)
  static let untag = RepeatedOption("--untag", "T", OptionHelp.untag, completion: .tag)
  static let noStar = Flag("--no-star", OptionHelp.noStar)
  static let noJournal = Flag("--no-journal", OptionHelp.noJournal)
  static let noKind = Flag("--no-kind", OptionHelp.noKind)
  static let noUntil = Flag("--no-until", OptionHelp.noUntil)
  static let endsConflict = Flag("--ends-conflict", OptionHelp.endsConflict)
  static let expectedRevision = Option(
    "--revision", "N", OptionHelp.expectedRevision, reading: revisionNumber)

  // MARK: Reading

  static let from = Option("--from", "DATE", OptionHelp.from, reading: when)
  static let to = Option("--to", "DATE", OptionHelp.to, reading: when)
  static let on = Option("--on", "DATE", OptionHelp.on, reading: when)
  static let filterTag = RepeatedOption(
    "--tag", "T", OptionHelp.filterTag, completion: .tag)
  static let filterJournal = Option(
    "--journal", "J", OptionHelp.filterJournal, completion: .journal)
  static let filterKind = Option(
    "--kind", "K", OptionHelp.filterKind, completion: .kind)
  static let starred = Flag("--starred", OptionHelp.starred)
  static let hasAttachment = Flag("--has-attachment", OptionHelp.hasAttachment)

  static let filters: [any OptionKey] = [
    from, to, on, filterTag, filterJournal, filterKind, starred, hasAttachment,
  ]

  static let maxDelete = Option.number(
    "--max-delete", "N", in: 0...Int.max, OptionHelp.maxDelete)
  static let limit = Option.number("--limit", "N", in: 0...Int.max, OptionHelp.limit)
  static let reverse = Flag("--reverse", OptionHelp.reverse)
  static let bodies = Flag("--bodies", OptionHelp.bodies)
  static let emptyDays = Flag("--empty-days", OptionHelp.emptyDays)
  static let shownRevision = Option(
    "--revision", "N", OptionHelp.revision, reading: revisionNumber)
  static let extractedRevision = Option(
    "--revision", "N", OptionHelp.extractedRevision, reading: revisionNumber)
  static let showsDifference = Flag("--diff", OptionHelp.showsDifference)
  static let inTrash = Flag("--trash", OptionHelp.inTrash)
  static let raw = Flag("--raw", OptionHelp.raw)
  static let onDate = Option(
    "--date", "DATE", OptionHelp.onDate, reading: { try DateParser.typed.instant($0) })
  static let year = Option("--year", "Y", OptionHelp.year) {
    text in
    guard let number = Int(text), CivilDate(year: number, month: 1, day: 1) != nil else {
      throw Failure(.usage, UsageMessage.wantsYear(text))
    }
    return number
  }
  static let period = Option(
    "--period", "P", OptionHelp.period)
  static let versus = Option(
    "--versus", "P", OptionHelp.versus)
  static let everyRank = Flag("--all", OptionHelp.everyRank)

  // MARK: Sorting

  static let tripFrom = Option("--from", "DATE", OptionHelp.tripFrom)
  /// A last day, or the journal that inherits.
  static let tripTo = Option(
    "--to", "DATE", OptionHelp.tripTo,
    completion: .journal)
  static let journalEmoji = Option("--emoji", "E", OptionHelp.journalEmoji)
  static let kindEmoji = Option("--emoji", "E", OptionHelp.kindEmoji)
  static let before = Option(
    "--before", "K", OptionHelp.before, completion: .journal)
  static let entriesToTrash = Flag("--trash", OptionHelp.entriesToTrash)
  static let yes = Flag("--yes", OptionHelp.yes)

  // MARK: Keeping

  static let importFormat = Option.choice(
    "--format", ImportFormat.all.map(\.name), OptionHelp.importFormat, ImportFormat.named)
  static let attachmentsFrom = Option(
    "--attachments", "DIR", OptionHelp.attachmentsFrom, completion: .file)
  static let onConflict = Option.choice(
    "--on-conflict", ImportConflict.allCases.map(\.rawValue), OptionHelp.onConflict
  ) { ImportConflict(rawValue: $0) }
  static let skipBad = Flag("--skip-bad", OptionHelp.skipBad)
  static let dryRun = Flag("--dry-run", OptionHelp.dryRun)
  static let exportFormat = Option.choice(
    "--format", ExportFormat.allCases.map(\.rawValue), OptionHelp.exportFormat,
    ExportFormat.init(rawValue:))
  static let exportOutput = Option(
    "--output", short: "-o", "FILE",
    OptionHelp.exportOutput, completion: .file)
  static let extractOutput = Option(
    "--output", short: "-o", "FILE", OptionHelp.extractOutput,
    completion: .file)
  static let attachmentsTo = Option(
    "--attachments", "DIR", OptionHelp.attachmentsTo, completion: .file)
  static let challenge = Flag("--challenge", OptionHelp.challenge)
  static let download = Flag("--download", OptionHelp.download)
  static let cameraSource = Option("--source", "CAMERA", OptionHelp.cameraSource, completion: .file)
  static let camera = Flag("--camera", OptionHelp.camera)
  static let viewer = Option("--with", "CMD", OptionHelp.viewer)
  static let withHistory = Flag("--history", OptionHelp.withHistory)
  static let photoMetadata = Flag("--photo-metadata", OptionHelp.photoMetadata)
  static let repair = Flag(
    "--repair", OptionHelp.repair)
  static let keep = Option.number(
    "--keep", "N", in: 1...100_000, OptionHelp.keep)
  package static let backupPassphraseFile = Option(
    "--backup-passphrase-file", "FILE", OptionHelp.backupPassphraseFile,
    completion: .file)
  static let deviceName = Option("--name", "NAME", OptionHelp.deviceName)
  package static let spaceCodeFile = Option(
    "--space-code-file", "FILE", OptionHelp.spaceCodeFile, completion: .file)
  static let helper = Option(
    "--helper", "CMD", OptionHelp.helper)
  static let chip = Flag("--tpm", OptionHelp.chip)
  static let pin = Flag("--pin", OptionHelp.pin)
  static let newPINFile = Option(
    "--new-pin-file", "FILE", OptionHelp.newPINFile, completion: .file)
  static let backToFile = Flag("--file", OptionHelp.backToFile)
  package static let demoWindow = Flag("--window", OptionHelp.demoWindow)
  package static let faces = Option("--faces", "DIR", OptionHelp.sampleFaces, completion: .file)

  // MARK: Readings

  /// A rate between 0 and 1.
  private static func rate(_ name: String, _ help: OptionHelp) -> Option<Double> {
    Option(name, "RATE", help) { text in
      guard let rate = Double(text), rate > 0, rate < 1 else {
        throw Failure(.usage, UsageMessage.wantsRate(option: name, value: text))
      }
      return rate
    }
  }

  /// A path, which an unset variable in a script must not make empty.
  @Sendable private static func named(_ text: String) throws -> String {
    guard !text.isEmpty else {
      throw Failure(
        .usage, UsageMessage.emptyPath, hint: UsageMessage.unsetVariable)
    }
    return text
  }

  @Sendable private static func when(_ text: String) throws -> DateParser.Span {
    try DateParser.typed.span(text)
  }

  @Sendable static func revisionNumber(_ text: String) throws -> UInt64 {
    guard let number = UInt64(text), number > 0 else {
      throw Failure(.usage, UsageMessage.wantsRevision(text))
    }
    return number
  }

  private static func span(_ name: String) -> @Sendable (String) throws -> Duration {
    { text in
      guard let seconds = DateParser.duration(text), seconds > 0 else {
        throw Failure(.usage, UsageMessage.wantsDuration(option: name, value: text))
      }
      guard seconds <= 12 * 3600 else {
        throw Failure(.usage, UsageMessage.atMostTwelveHours(name))
      }
      return .seconds(seconds)
    }
  }
}
