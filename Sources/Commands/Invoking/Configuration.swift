internal import CommandLine
internal import Dates
internal import FaceMatching
internal import Formats
internal import Platform
internal import Requests
internal import Words

/// What a person may set once: how the face is shown, which language is spoken. Nothing here can make
/// the diary easier to open.
package struct Configuration: Sendable {
  /// A program that prints the vector of the person in front of it.
  package private(set) var probe: String?
  private(set) var language: String?
  /// Names of variables that programs we start get besides the usual ones.
  private(set) var environment: [String] = []
  /// The device or socket of the TPM that keeps device keys; nil for the system's own.
  private(set) var chip: String?
  /// A program that asks for secrets in a window, by its whole path; nil for the system's own where there is no terminal.
  private(set) var pinentry: String?
  /// Where backups go when no folder is named.
  private(set) var backupFolder: String?
  /// Calibrations saved, by the model's canonical name.
  private(set) var models: [String: SavedCalibration] = [:]
  let path: String?
  /// Words in the file that mean nothing: typing mistakes.
  private(set) var unknownKeys: [String] = []

  /// What `calibrate --save` leaves for `match` and `enroll`. Enrolled templates keep their own.
  struct SavedCalibration: Codable, Sendable {
    var threshold: Double?
    var rates: MeasuredRates?
    var calibrated: CalibratedScoring?
    var calibratedRates: MeasuredRates?
    var `guard`: FaceGuard?
    var calibratedGuard: FaceGuard?

    /// The first key whose value no calibration can come to; nil when there is none.
    fileprivate var badKey: String? {
      if let threshold, !(-1...1).contains(threshold) { return "threshold" }
      if rates?.isValid == false { return "rates" }
      if calibrated?.isValid == false { return "calibrated" }
      if calibratedRates?.isValid == false { return "calibratedRates" }
      return nil
    }
  }

  /// Whether `#word` in a text is a tag of the entry, when it is written and when it is imported.
  private(set) var inlineTags = false

  static let keys = ["models"] + settableKeys
  /// Those that `config` sets; calibrations are measured.
  static let settableKeys = [
    "language", "inlineTags", "backup", "probe", "environment", "pinentry", "tpm",
  ]
  private static let sizeLimit = 1 << 20

  /// Reads `config.json`; none is no error.
  ///
  /// - Throws: ``Failure`` when it cannot be read, is not JSON, or could be written by others: what
  ///   names a program to run must be the owner's own.
  init(_ environment: [String: String]) throws {
    if let named = environment["FACEDIARY_CONFIG"], !named.isEmpty {
      path = named
    } else if let set = environment["XDG_CONFIG_HOME"], set.hasPrefix("/") {
      path = set + "/facediary/config.json"
    } else {
      path = environment["HOME"].map { $0 + "/.config/facediary/config.json" }
    }
    guard let path else { return }
    guard let document = try Self.document(path) else { return }
    func member<Value: Decodable>(_ key: String) throws -> Value? {
      try Self.decoded(document[key], as: key, in: path)
    }
    probe = try member("probe")
    language = try member("language")
    chip = try member("tpm")
    pinentry = try member("pinentry")
    backupFolder = try member("backup")
    inlineTags = try member("inlineTags") ?? false
    self.environment = try member("environment") ?? []
    for model in document["models"]?.names ?? [] {
      models[model] = try Self.calibration(document["models"]?[model], "models.\(model)", path)
    }
    if document["models"] != nil, document["models"]?.names == nil {
      throw Failure(.invalid, WritingMessage.badConfigurationKey(path: path, key: "models"))
    }
    unknownKeys = (document.names ?? []).filter { !Self.keys.contains($0) }.sorted()
    for (model, saved) in models.sorted(by: { $0.key < $1.key }) {
      guard let key = saved.badKey else { continue }
      throw Failure(
        .invalid, WritingMessage.badConfigurationKey(path: path, key: "models.\(model).\(key)"))
    }
  }
}

extension Configuration {
  /// nil where there is none.
  private static func document(_ path: String) throws -> JSONDocument? {
    let (status, bytes): (FileStatus, [UInt8])
    do throws(PlatformError) {
      // What is looked at is what is read: another file may get the name in between.
      let file = try Descriptor.open(path, [.nonBlocking])
      (status, bytes) = (try file.status(), try file.readAll(limit: sizeLimit))
    } catch {
      if error.isMissing { return nil }
      throw Failure(.system, WritingMessage.unreadable(path))
    }
    guard status.owner == ThisProcess.user, status.permissions & 0o022 == 0 else {
      throw Failure(
        .system, WritingMessage.couldBeChanged(path), hint: WritingMessage.chmodOthers(path))
    }
    guard let document = try? JSONDocument(bytes), document.names != nil else {
      throw Failure(
        .invalid, WritingMessage.notConfiguration(path), hint: WritingMessage.configurationForm)
    }
    return document
  }

  private static func decoded<Value: Decodable>(
    _ value: JSONDocument?, as key: String, in path: String
  ) throws -> Value? {
    do {
      return try value?.decoded(Value.self)
    } catch {
      throw Failure(.invalid, WritingMessage.badConfigurationKey(path: path, key: key))
    }
  }

  /// Member by member, so that an error names the one that is wrong.
  private static func calibration(
    _ value: JSONDocument?, _ place: String, _ path: String
  ) throws -> SavedCalibration {
    guard let value, value.names != nil else {
      throw Failure(.invalid, WritingMessage.badConfigurationKey(path: path, key: place))
    }
    func member<Value: Decodable>(_ key: String) throws -> Value? {
      try decoded(value[key], as: place + "." + key, in: path)
    }
    return SavedCalibration(
      threshold: try member("threshold"), rates: try member("rates"),
      calibrated: try member("calibrated"), calibratedRates: try member("calibratedRates"),
      guard: try member("guard"), calibratedGuard: try member("calibratedGuard"))
  }

  /// What `config` shows: each setting, and its value where it has one.
  var settings: [(key: String, value: String?)] {
    let values: [String?] = [
      language, inlineTags ? "on" : "off", backupFolder, probe,
      environment.isEmpty ? nil : environment.joined(separator: " "), pinentry, chip,
    ]
    return Array(zip(Self.settableKeys, values))
  }

  /// Sets what ``settableKeys`` names, leaving everything else in the file as it is.
  ///
  /// - Throws: ``Failure`` `usage` for a value that the setting cannot have.
  @MainActor func set(_ key: String, to words: [String]) throws {
    let text = words.joined(separator: " ")
    func expect(_ isRight: Bool, _ form: String) throws {
      guard !isRight else { return }
      throw Failure(
        .usage, UsageMessage.cannotBe(option: key, value: text), hint: UsageMessage.oneOf(form))
    }
    let value: JSONDocument
    switch key {
    case "inlineTags":
      try expect(["on", "off"].contains(text), "on, off")
      value = try JSONDocument(encoding: text == "on")
    case "language":
      try expect(Language(named: text) != nil, "en, ja")
      value = try JSONDocument(encoding: text)
    case "environment": value = try JSONDocument(encoding: words)
    case "backup": value = try JSONDocument(encoding: Invocation.absolute(text))
    case "probe":
      _ = try ShellWords.split(text)
      value = try JSONDocument(encoding: text)
    default:
      try expect(text.hasPrefix("/"), "/…")
      value = try JSONDocument(encoding: text)
    }
    try save { $0[key] = value }
  }

  func unset(_ key: String) throws { try save { $0[key] = nil } }

  /// Makes a command the way faces are looked at, leaving everything else in the file as it is.
  func save(probe command: String) throws {
    try save { $0["probe"] = try JSONDocument(encoding: command) }
  }

  /// Keeps where backups go, leaving everything else in the file as it is.
  func save(backupFolder folder: String) throws {
    guard folder != backupFolder else { return }
    try save { $0["backup"] = try JSONDocument(encoding: folder) }
  }

  /// Keeps a calibration, leaving everything else in the file as it is.
  func save(_ model: String, _ change: (inout SavedCalibration) -> Void) throws {
    guard let path else { throw Failure(.usage, WritingMessage.noPlaceForConfiguration) }
    var saved = models[model] ?? SavedCalibration()
    change(&saved)
    if let key = saved.badKey {
      throw Failure(
        .invalid, WritingMessage.badConfigurationKey(path: path, key: "models.\(model).\(key)"))
    }
    try save { whole in
      var all = whole["models"] ?? JSONDocument()
      all[model] = try JSONDocument(encoding: saved)
      whole["models"] = all
    }
  }

  private func save(_ change: (inout JSONDocument) throws -> Void) throws {
    guard let path else {
      throw Failure(.usage, WritingMessage.noPlaceForConfiguration)
    }
    // What cannot be read is not written over.
    var whole = try Self.document(path) ?? JSONDocument()
    try change(&whole)
    try FileSystem.makeDirectories(FileSystem.parent(of: path))
    let file = try AtomicFile(path)
    try file.write(whole.bytes)
    try file.commit()
  }
}
