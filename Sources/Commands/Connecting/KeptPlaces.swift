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
  struct Place: Codable, Equatable {
    var place: String
    /// What is moved there: the space's name.
    var space: String?
    /// Whether a session moves and merges by itself; nil for what is usual.
    var auto: Bool?

    var isAutomatic: Bool { auto ?? true }
  }

  private static let file = "places.json"
  private let directory: DeviceDirectory

  /// - Parameter devices: the directory that holds the device stores.
  init(_ devices: String) { directory = DeviceDirectory(devices) }

  /// - Throws: ``AuthenticationError`` `storeDamaged` for a file that cannot be understood.
  private func all() throws -> [String: Place] {
    guard directory.exists, let bytes = try directory.read(Self.file) else { return [:] }
    do {
      return try JSONDocument(bytes).decoded([String: Place].self)
    } catch {
      throw AuthenticationError(.storeDamaged, directory.path + "/" + Self.file)
    }
  }

  func place(of vault: String) throws -> Place? { try all()[vault] }

  /// Changes what is kept of a vault.
  func change(_ vault: String, _ body: (inout Place?) -> Void) throws {
    try directory.make()
    try directory.locked(Self.file + ".lock") {
      var places = try all()
      body(&places[vault])
      try directory.write(Self.file, try JSONDocument(encoding: places).bytes)
    }
  }
}
