package import Access
internal import Client
package import CommandLine
internal import Dates
internal import Entries
internal import Formats
package import Inputs
internal import Platform
internal import Requests
internal import Words

/// One run of one command: its arguments, and the world as it is asked to see it.
@MainActor
package final class Invocation {
  package let command: String
  /// What is to be done, where a command has several forms: `add`, `list`; else empty.
  package let verb: String
  package let arguments: Arguments
  /// The words after command and verb.
  package let operands: [String]
  let environment: [String: String]
  package let language: Language
  package let location: DiaryLocation
  package let output = Output()
  lazy var dates = DateParser.typed
  /// The commands there are, for those that explain them.
  let list: CommandList
  /// What holds keys; nil where only a shell asks for completions.
  let keeperSide: KeeperSide?
  /// The words as they came, for a command that goes on as another.
  let words: [String]
  /// Keepers started by this command.
  var keepers: [StartedKeeper] = []
  /// One of them that opens nothing.
  var looking: KeeperConnection?
  /// What was named to be read.
  package lazy var inputs = Inputs(
    ask: { [unowned self] request in MainActor.assumeIsolated { page.warn(request) } },
    variables: { [unowned self] in try MainActor.assumeIsolated { try configuration().environment }
    })

  init(
    command: String, verb: String? = nil, operands: [String] = [], arguments: Arguments,
    words: [String], environment: [String: String], list: CommandList, keeperSide: KeeperSide? = nil
  ) throws {
    self.command = command
    self.verb = verb ?? ""
    self.operands = operands
    self.arguments = arguments
    self.words = words
    self.environment = environment
    self.list = list
    self.keeperSide = keeperSide
    language = try Self.language(arguments, environment)
    location = try Self.location(arguments, environment)
    try checkStandardInput()
  }

  /// Called before anything is read: if two options read standard input, the second gets nothing.
  private func checkStandardInput() throws {
    var uses =
      ([
        Options.face, Options.passphraseFile, Options.recoveryFile, Options.newPassphraseFile,
        Options.pinFile, Options.newPINFile,
      ] as [any OptionKey]).flatMap { option in
        arguments.texts(option).filter { $0 == "-" }.map { _ in option.spec.name }
      }
    uses += operands.filter { $0 == "-" }.map { _ in "\(command) -" }
    guard uses.count > 1 else { return }
    throw Failure(
      .usage,
      UsageMessage.twoReadStandardInput(
        one: Verbatim(uses[0]), other: Verbatim(uses[1])),
      hint: UsageMessage.nameFileForOne)
  }

  /// - Throws: ``Failure`` when there is one that cannot be read: what needs it says so, the rest works.
  package func configuration() throws -> Configuration {
    if let read = readConfiguration { return read }
    let configuration = try Configuration(environment)
    for key in configuration.unknownKeys {
      page.warn(
        WritingMessage.unknownConfigurationKey(
          path: configuration.path ?? "", key: key,
          nearest: Arguments.nearest(key, Configuration.keys)))
    }
    readConfiguration = configuration
    return configuration
  }

  /// The path of the chip. A configuration that cannot be read is reported where it is needed.
  package var chip: String { (try? configuration())?.chip ?? DiaryLocation.systemChip }

  private var readConfiguration: Configuration?

  var isJSON: Bool { arguments[Options.json] }
  var isQuiet: Bool { arguments[Options.quiet] }
  /// Where answers for people go.
  package lazy var page = Page(
    output, program: "facediary", language: language,
    usesColor: Terminal.allowsColor(environment), isQuiet: isQuiet)

  private static func language(
    _ arguments: Arguments, _ environment: [String: String]
  ) throws -> Language {
    if let asked = arguments[Options.language] { return asked }
    return language(of: environment)
  }

  /// Of a command line that could not be taken apart.
  static func language(of words: [String]) -> Language {
    for (index, word) in words.enumerated() {
      let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.first == "--language" else { continue }
      let value = parts.count == 2 ? parts[1] : index + 1 < words.count ? words[index + 1] : ""
      if let known = Language(named: value) { return known }
    }
    return language(of: ThisProcess.variables)
  }

  static func language(of environment: [String: String]) -> Language {
    if let set = (try? Configuration(environment))?.language, let known = Language(named: set) {
      return known
    }
    // Read as text: the system's locale of that name need not be installed.
    for name in ["LC_ALL", "LC_MESSAGES", "LANG"] {
      if let set = environment[name], !set.isEmpty { return Language(named: set) ?? .english }
    }
    return .english
  }

  /// One of the XDG base directories.
  nonisolated static func directory(
    _ variable: String, _ fallback: String, _ environment: [String: String]
  ) throws -> String {
    if let set = environment[variable], set.hasPrefix("/") { return set }
    guard let home = environment["HOME"], home.hasPrefix("/") else {
      throw Failure(.usage, UsageMessage.homeNotSet, hint: UsageMessage.nameVaultAndDevice)
    }
    return home + "/" + fallback
  }

  private static func location(
    _ arguments: Arguments, _ environment: [String: String]
  ) throws -> DiaryLocation {
    let vault: String
    if let named = arguments[Options.vault] ?? environment["FACEDIARY_VAULT"], !named.isEmpty {
      vault = absolute(named)
    } else {
      vault =
        try directory("XDG_DATA_HOME", ".local/share", environment) + "/facediary/diary.facediary"
    }
    let devices: String
    if let named = arguments[Options.device] ?? environment["FACEDIARY_DEVICE"], !named.isEmpty {
      devices = absolute(named)
    } else {
      devices = try directory("XDG_STATE_HOME", ".local/state", environment) + "/facediary"
    }
    let runtime: String
    if let named = environment["FACEDIARY_RUNTIME"], !named.isEmpty {
      runtime = absolute(named)
    } else if let set = environment["XDG_RUNTIME_DIR"], set.hasPrefix("/") {
      runtime = set + "/facediary"
    } else {
      let temporary = environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
      let shared = temporary + "/facediary-\(ThisProcess.user)"
      // If somebody else has taken that name, use a directory that only this user can write to.
      runtime = PrivateDirectory(shared).isTaken ? devices + "/run" : shared
    }
    return DiaryLocation(vault: vault, devices: devices, runtime: runtime)
  }

  package static func absolute(_ path: String) -> String {
    let absolute = FileSystem.path(path, in: FileSystem.currentDirectory)
    // A folder may be named with a slash at its end, as a shell completes it.
    let end = absolute.utf8.lastIndex { $0 != 0x2f } ?? absolute.startIndex
    return String(absolute[...end])
  }

  package func text(_ message: some Message) -> String { message.text(in: language) }

  /// A remark on standard error, before the answer.
  package func note(_ message: some Message) { page.note(message) }

  /// From now on what is longer than the screen goes through a pager.
  func startPaging() {
    if !isJSON { output.startPaging(environment) }
  }

  func progress(
    _ name: String, amount: @escaping (Int) -> String = { byteCount($0) }
  ) -> ProgressLine {
    ProgressLine(
      name, of: nil, shows: !isQuiet && !isJSON && Terminal.isTerminal(2), amount: amount)
  }

  /// Opens what a person named; `purpose` claims standard input when that is it.
  func input(_ path: String, as purpose: InputPurpose) throws -> InputFile {
    try inputs.open(path, as: purpose)
  }

  /// All bytes of it.
  func read(_ path: String, as purpose: InputPurpose, limit: Int) throws -> [UInt8] {
    try input(path, as: purpose).contents(limit: limit)
  }
}
