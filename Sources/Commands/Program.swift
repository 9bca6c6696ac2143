internal import Access
internal import Client
internal import CommandLine
internal import Dates
internal import Formats
internal import JSONText
internal import Platform
internal import Requests
internal import Window
internal import Words

/// The `facediary` program: parse → typed command → run → render.
@MainActor
public enum Program {
  private static var side: KeeperSide?

  static let list = CommandList([
    (
      CommandHelp.openingTitle,
      [
        .init("init", InitCommand.declaration), .init("unlock", UnlockCommand.declaration),
        .init("lock", LockCommand.declaration),
        .init("status", StatusCommand.declaration),
      ]
    ),
    (
      CommandHelp.facesTitle,
      [
        .init("enroll", EnrollCommand.declaration), .init("faces", FacesCommand.declaration),
        .init("match", MatchCommand.declaration),
        .init("models", ModelsCommand.declaration),
        .init("calibrate", CalibrateCommand.declaration),
        .init("camera", CameraCommand.declaration), .init("probe", ProbeCommand.declaration),
      ]
    ),
    (
      CommandHelp.writingTitle,
      [
        .init("write", WriteCommand.declaration), .init("edit", EditCommand.declaration),
        .init("revert", RevertCommand.declaration),
        .init("templates", TemplatesCommand.declaration),
        .init("attach", AttachCommand.declaration),
        .init("attachments", AttachmentsCommand.declaration),
        .init("open", OpenCommand.declaration),
        .init("extract", ExtractCommand.declaration),
        .init("detach", DetachCommand.declaration),
      ]
    ),
    (
      CommandHelp.readingTitle,
      [
        .init("browse", BrowseCommand.declaration), .init("list", ListCommand.declaration),
        .init("show", ShowCommand.declaration),
        .init("search", SearchCommand.declaration),
        .init("history", HistoryCommand.declaration),
        .init("on-this-day", OnThisDayCommand.declaration),
      ]
    ),
    (
      CommandHelp.sortingTitle,
      [
        .init("journals", JournalsCommand.declaration), .init("kinds", KindsCommand.declaration),
        .init("tags", TagsCommand.declaration),
        .init("stats", StatsCommand.declaration),
        .init("rank", RankCommand.declaration),
      ]
    ),
    (
      CommandHelp.trashTitle,
      [
        .init("delete", DeleteCommand.declaration), .init("restore", RestoreCommand.declaration),
        .init("trash", TrashCommand.declaration),
        .init("purge", PurgeCommand.declaration),
      ]
    ),
    (
      CommandHelp.keepingTitle,
      [
        .init("verify", VerifyCommand.declaration), .init("backup", BackupCommand.declaration),
        .init("restore-backup", RestoreBackupCommand.declaration),
        .init("import", ImportCommand.declaration), .init("export", ExportCommand.declaration),
        .init("salvage", SalvageCommand.declaration),
        .init("accept-rollback", AcceptRollbackCommand.declaration),
        .init("window", WindowCommand.declaration), .init("demo", DemoCommand.declaration),
      ]
    ),
    (
      CommandHelp.devicesTitle,
      [.init("sync", SyncCommand.declaration), .init("conflicts", ConflictsCommand.declaration)]
    ),
    (
      CommandHelp.locksTitle,
      [
        .init("passphrase", PassphraseCommand.declaration), .init("keys", KeysCommand.declaration),
        .init("policy", PolicyCommand.declaration),
        .init("device", DeviceCommand.declaration),
      ]
    ),
    (
      CommandHelp.shellTitle,
      [
        .init("config", ConfigCommand.declaration),
        .init("help", HelpCommand.declaration), .init("completion", CompletionCommand.declaration),
        .init("man", ManCommand.declaration),
      ]
    ),
  ])

  /// Runs this process's command line and ends with its exit code.
  ///
  /// The main thread stays what the main actor works on, so that it can be stopped. An `await` at the top level would
  /// give it up (`dispatch_main` ends it), and unwinding it takes 20 ms in a static program.
  package static func main(_ side: KeeperSide) -> Never {
    self.side = side
    Task { @MainActor in ThisProcess.end(await run(ThisProcess.arguments)) }
    ThisProcess.runMainThread()
  }

  /// Runs one command line (without the program's name) and returns its exit code.
  public static func run(_ words: [String]) async -> Int32 {
    Signals.install()
    ThisProcess.occupyStandardStreams()
    guard ThisProcess.argumentsAreText else {
      Output.say("an argument is not UTF-8 text")
      return Failure.Code.invalid.exitCode
    }
    if words == ["--version"] {
      Output.sayVersion()
      return 0
    }
    if words.first == CompletionCommand.word {
      // It handles titles and tags of an open diary.
      guard (try? ThisProcess.forbidDumps()) != nil else { return 0 }
      let answer = CompletionCommand.complete(
        Array(words.dropFirst()), of: list, ThisProcess.variables)
      try? Output.write(Array(answer.utf8), to: .standardOutput)
      return 0
    }
    var invocation: Invocation?
    do {
      // Before the first secret: no core dump, no tracing.
      try ThisProcess.forbidDumps()
      if let code = try await runPart(words) { return code }
      let (name, rest) = try command(of: words)
      guard let name else { return try await bare(rest) }
      guard let declaration = list[name] else {
        let near = Arguments.nearest(name, list.names)
        throw Failure(
          .usage, UsageMessage.unknownCommand(name),
          hint: near.map { UsageMessage.didYouMean($0) } ?? UsageMessage.helpListsCommands)
      }
      let arguments = try Arguments.parse(
        rest, options: declaration.options + Options.global,
        dashedWords: declaration.takesDashedWords)
      let wantsHelp = arguments[Options.help]
      let (form, operands) =
        wantsHelp ? (Form(), []) : try declaration.form(of: arguments.operands)
      let made = try Invocation(
        command: name, verb: form.verb, operands: operands, arguments: arguments, words: rest,
        environment: ThisProcess.variables, list: list, keeperSide: side)
      invocation = made
      if arguments[Options.help] {
        try HelpCommand.show(list.help.command(declaration, made.language), made)
        try made.output.finish()
        return 0
      }
      let outcome = try await declaration.run(made)
      let code = try await outcome.render(asJSON: made.isJSON, to: made.page)
      try made.output.finish()
      made.endKeepers()
      return code
    } catch {
      return report(error, invocation, words: words)
    }
  }

  /// Runs a part that another process of ours has started: a keeper, or the server of the window's page.
  ///
  /// - Returns: its exit code; nil for the command line of a person.
  private static func runPart(_ words: [String]) async throws -> Int32? {
    guard words.count == 2, let socket = Int32(words[1]) else { return nil }
    switch words[0] {
    case StartedKeeper.word:
      guard let side else { throw SessionError.foreign }
      return await side.serve(socket)
    case PageProcess.word:
      try PageProcess.run(socket)
      return 0
    default: return nil
    }
  }

  /// The command's name and all other words; options may stand before it.
  private static func command(of words: [String]) throws -> (String?, [String]) {
    var rest = words
    var index = 0
    while index < rest.count {
      let word = rest[index]
      if word == "--" { break }
      guard word.hasPrefix("-"), word != "-" else {
        rest.remove(at: index)
        return (word, rest)
      }
      let option = Options.global.map(\.spec).first { $0.name == word || $0.short == word }
      index += option?.value == nil ? 1 : 2
    }
    return (nil, rest)
  }

  /// `facediary` without a command: on a terminal, follows the state machine; else prints the overview.
  private static func bare(_ words: [String]) async throws -> Int32 {
    let arguments = try Arguments.parse(
      words, options: Options.global + [Options.version])
    let invocation = try Invocation(
      command: "", arguments: arguments, words: words,
      environment: ThisProcess.variables, list: list, keeperSide: side)
    if arguments[Options.version] {
      Output.sayVersion()
      return 0
    }
    let overview = list.help.overview(invocation.language)
    if arguments[Options.help] {
      try HelpCommand.show(overview, invocation)
      try invocation.output.finish()
      return 0
    }
    guard Terminal.isTerminal(0), Terminal.isTerminal(1), Terminal.canAsk, !invocation.isJSON else {
      Output.sayRaw(overview)
      return Failure.Code.usage.exitCode
    }
    return try await follow(invocation)
  }

  private static func follow(_ invocation: Invocation) async throws -> Int32 {
    let status = Status(invocation)
    invocation.endKeepers()
    switch (status.state, status.id) {
    case (.onboarding, nil):
      guard
        try Terminal.confirm(invocation.text(OpeningMessage.askToMakeDiary))
      else { throw Failure(.declined, OpeningMessage.nothingMade) }
      let outcome = try await InitCommand.run(invocation)
      let code = try await outcome.render(asJSON: false, to: invocation.page)
      try invocation.output.flush()
      return code
    case (.onboarding, _):
      try status.show(invocation)
      try invocation.output.flush()
      return 0
    case (.authenticated, _): return await read(invocation.words, invocation)
    case (.authentication, nil), (.loading, _):
      try status.show(invocation)
      try invocation.output.flush()
      return Failure.Code.damaged.exitCode
    case (.authentication, _):
      let code = await run(["unlock"] + invocation.words)
      return code == 0 ? await read(withoutFactors(invocation), invocation) : code
    }
  }

  /// The timeline; where a terminal cannot draw one, the list.
  private static func read(_ words: [String], _ invocation: Invocation) async -> Int32 {
    let canDraw = invocation.environment["TERM", default: "dumb"] != "dumb"
    return await run((canDraw ? ["browse"] : ["list", "--limit", "20"]) + words)
  }

  /// The words without the factors that have just unlocked the diary, which would be asked for again.
  private static func withoutFactors(_ invocation: Invocation) -> [String] {
    var words: [String] = []
    var skip = false
    for word in invocation.words {
      if skip {
        skip = false
        continue
      }
      let name = word.prefix { $0 != "=" }
      if ["--face", "--passphrase-file", "--recovery-file"].contains(name) {
        skip = !word.contains("=")
      } else {
        words.append(word)
      }
    }
    return words
  }

  /// Turns any error into words and an exit code. Nothing else does.
  static func report(_ error: any Error, _ invocation: Invocation?, words: [String] = []) -> Int32 {
    // Write the answer so far before the error.
    try? invocation?.output.finish()
    invocation?.endKeepers()
    if let left = error as? KeeperLeft { return left.code }
    if let end = error as? StandardInputText.Interrupted { return 128 + end.signal }
    if error is PagerLeft { return 0 }
    if error is BrokenPipe { return 141 }
    let failure = Failure(error)
    let hint = failure.hint.map { invocation?.naming(in: $0) ?? $0 }
    let language = invocation?.language ?? Invocation.language(of: words)
    // A command line that could not be taken apart still says whether it wanted JSON.
    if invocation?.isJSON ?? words.contains("--json") {
      var json = JSONWriter()
      json.beginObject()
      json.key("error")
      json.beginObject()
      json.member("code", failure.code.rawValue)
      json.member("message", failure.message.text(in: .english))
      json.member("hint", hint?.text(in: .english))
      if let seconds = failure.retryAfter { json.member("retryAfter", Int(seconds)) }
      json.endObject()
      json.endObject()
      Output.sayRaw(String(decoding: json.bytes, as: UTF8.self) + "\n")
    } else {
      Output.say(visible(failure.message.text(in: language)).oneLine)
      if let hint {
        Output.say(
          language.phrasebook.hint + visible(hint.text(in: language)).oneLine, by: "facediary")
      }
    }
    return failure.code.exitCode
  }
}

extension Output {
  static func sayVersion() {
    try? write(Array("facediary \(CommandList.version)\n".utf8), to: .standardOutput)
  }
}
