internal import Dates
internal import FaceMatching
internal import Formats
internal import Foundation
internal import Platform
internal import Words

/// What a person may set once: how the face is shown, which language is spoken. Nothing here can make
/// the diary easier to open.
package struct Configuration: Sendable {
  /// A program that prints the vector of whoever is in front of it.
  package private(set) var probe: String?
  private(set) var language: String?
  /// Names of variables that programs we start get besides the usual ones.
  private(set) var environment: [String] = []
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

  static var keys: [String] { File.CodingKeys.allCases.map(\.rawValue) }

  private struct File: Decodable {
    var models: [String: SavedCalibration]?
    var probe: String?
    var language: String?
    var environment: [String]?

    enum CodingKeys: String, CodingKey, CaseIterable {
      case models, probe, language, environment
    }
  }

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
    guard let status = try? FileStatus(path, following: true) else { return }
    guard status.owner == ThisProcess.user, status.permissions & 0o022 == 0 else {
      throw Failure(
        .system, WritingMessage.couldBeChanged(path), hint: WritingMessage.chmodOthers(path))
    }
    guard let data = FileManager.default.contents(atPath: path), data.count <= 1 << 20 else {
      throw Failure(.system, WritingMessage.unreadable(path))
    }
    do {
      let file = try JSONDecoder().decode(File.self, from: data)
      probe = file.probe
      language = file.language
      self.environment = file.environment ?? []
      models = file.models ?? [:]
      let whole = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
      unknownKeys = whole.keys.filter { !Self.keys.contains($0) }.sorted()
    } catch let error as DecodingError where error.place != nil {
      throw Failure(
        .invalid, WritingMessage.badConfigurationKey(path: path, key: error.place ?? ""))
    } catch {
      throw Failure(
        .invalid, WritingMessage.notConfiguration(path),
        hint: WritingMessage.configurationForm)
    }
    for (model, saved) in models.sorted(by: { $0.key < $1.key }) {
      guard let key = saved.badKey else { continue }
      throw Failure(
        .invalid, WritingMessage.badConfigurationKey(path: path, key: "models.\(model).\(key)"))
    }
  }
}

extension Configuration {
  /// Makes a command the way faces are looked at, leaving everything else in the file as it is.
  func save(probe command: String) throws {
    try save { $0["probe"] = command }
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
    let encoded = try JSONSerialization.jsonObject(with: try JSONEncoder().encode(saved))
    try save { whole in
      var all = whole["models"] as? [String: Any] ?? [:]
      all[model] = encoded
      whole["models"] = all
    }
  }

  private func save(_ change: (inout [String: Any]) -> Void) throws {
    guard let path else {
      throw Failure(.usage, WritingMessage.noPlaceForConfiguration)
    }
    var whole: [String: Any] = [:]
    // What cannot be read is not written over.
    if FileSystem.exists(path) {
      guard let data = FileManager.default.contents(atPath: path) else {
        throw Failure(.system, WritingMessage.unreadable(path))
      }
      guard let object = (try? JSONSerialization.jsonObject(with: data)) as? [String: Any] else {
        throw Failure(
          .invalid, WritingMessage.notConfiguration(path), hint: WritingMessage.configurationForm)
      }
      whole = object
    }
    change(&whole)
    let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let file = try AtomicFile(path)
    try file.write(
      Array(
        try JSONSerialization.data(withJSONObject: whole, options: [.prettyPrinted, .sortedKeys])))
    try file.commit()
  }
}

extension DecodingError {
  /// The key whose value is wrong, from the top down; nil for the whole.
  fileprivate var place: String? {
    let path =
      switch self {
      case .typeMismatch(_, let place), .valueNotFound(_, let place): place.codingPath
      case .keyNotFound(let key, let place): place.codingPath + [key]
      case .dataCorrupted(let place): place.codingPath
      @unknown default: [any CodingKey]()
      }
    return path.isEmpty ? nil : path.map(\.stringValue).joined(separator: ".")
  }
}
