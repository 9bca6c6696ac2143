internal import CommandLine
internal import FaceMatching
internal import Foundation
internal import Platform

/// What a person may set once: how the face is shown, which language is spoken. Nothing here can make
/// the diary easier to open.
struct Configuration: Sendable {
  /// A program that prints the vector of whoever is in front of it.
  private(set) var probe: String?
  private(set) var language: String?
  /// Names of variables that programs we start get besides the usual ones.
  private(set) var environment: [String] = []
  /// Calibrations saved, by the model's canonical name.
  private(set) var models: [String: SavedCalibration] = [:]
  let path: String?

  /// What `calibrate --save` leaves for `match` and `enroll`. Enrolled templates keep their own.
  struct SavedCalibration: Codable, Sendable {
    var threshold: Double?
    var calibrated: CalibratedScoring?
  }

  private struct File: Decodable {
    var models: [String: SavedCalibration]?
    var probe: String?
    var language: String?
    var environment: [String]?
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
      for saved in models.values {
        for number in [saved.threshold, saved.calibrated?.threshold] {
          if let number, !(-1...1).contains(number) { throw BadThreshold() }
        }
      }
    } catch {
      throw Failure(
        .invalid, WritingMessage.notConfiguration(path),
        hint: WritingMessage.configurationForm)
    }
  }
}

/// A saved threshold that is no cosine similarity.
private struct BadThreshold: Error {}

extension Configuration {
  /// Keeps a calibration, leaving everything else in the file as it is.
  func save(_ model: String, _ change: (inout SavedCalibration) -> Void) throws {
    guard let path else {
      throw Failure(.usage, WritingMessage.noPlaceForConfiguration)
    }
    var whole: [String: Any] = [:]
    if let data = FileManager.default.contents(atPath: path) {
      whole = (try? JSONSerialization.jsonObject(with: data)) as? [String: Any] ?? [:]
    }
    var saved = models[model] ?? SavedCalibration()
    change(&saved)
    var all = whole["models"] as? [String: Any] ?? [:]
    all[model] = try JSONSerialization.jsonObject(with: try JSONEncoder().encode(saved))
    whole["models"] = all
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
