internal import Access
internal import Dates
internal import Formats
internal import Requests
internal import Words

/// Where a diary's devices meet, by the vault's id: what `sync setup`, `join` and `recover` were told.
///
/// It names a program to run and nobody writes it by hand, so it stands with what this device keeps, in a directory that only
/// the owner can write, and not in the configuration, which people replace.
struct KeptPlaces {
  struct Place: Equatable {
    let place: String
    /// What is moved there: the space's name.
    let space: String?
    /// Whether a session moves and merges by itself.
    let isAutomatic: Bool
  }

  /// What stands in the file of one diary.
  struct Record: Codable {
    /// Nil while the diary takes part in nothing.
    var place: String?
    var space: String?
    /// Nil for what is usual. It is the owner's wish, which outlives leaving.
    var auto: Bool?
    /// The place that the diary left last.
    var left: String?

    mutating func leave() { self = Record(auto: auto, left: place ?? left) }
  }

  private static let file = "places.json"
  private let directory: DeviceDirectory

  /// - Parameter devices: the directory that holds the device stores.
  init(_ devices: String) { directory = DeviceDirectory(devices) }

  /// - Throws: ``AuthenticationError`` `storeDamaged` for a file that cannot be understood.
  private func all() throws -> [String: Record] {
    guard directory.exists, let bytes = try directory.read(Self.file) else { return [:] }
    do {
      return try JSONDocument(bytes).decoded([String: Record].self)
    } catch {
      throw AuthenticationError(.storeDamaged, directory.path + "/" + Self.file)
    }
  }

  func place(of vault: String) throws -> Place? {
    guard let record = try all()[vault], let place = record.place else { return nil }
    return Place(place: place, space: record.space, isAutomatic: record.auto ?? true)
  }

  /// Those of all vaults.
  private var places: [String] { ((try? all()) ?? [:]).values.compactMap(\.place) }

  /// Whether no vault has one.
  var isEmpty: Bool { places.isEmpty }

  /// The place of the only vault that has one.
  var only: String? { places.count == 1 ? places[0] : nil }

  /// The place that a vault left last and has not come back to.
  func left(by vault: String) throws -> String? { try all()[vault]?.left }

  /// Changes what is kept of a vault.
  func change(_ vault: String, _ body: (inout Record) -> Void) throws {
    try directory.make()
    try directory.locked(Self.file + ".lock") {
      var places = try all()
      body(&places[vault, default: Record()])
      try directory.write(Self.file, try JSONDocument(encoding: places).bytes)
    }
  }
}
