internal import Platform

/// A place where a diary's devices meet: it lists, gives, takes and removes objects. Nothing else is relied on.
///
/// Names are relative paths of ASCII without spaces, whose folders come first: `SPACE/log/DEVICE/7-HASH`. What a place gives is
/// checked against the hash in its name by the device that asked. No place holds a key.
package protocol Place {
  /// As a person named it.
  var place: String { get }

  /// The folder of this machine that it is, which can be watched; nil for what has to be asked.
  var folder: String? { get }

  /// Every object in a folder and below it; none when there is no such folder.
  ///
  /// - Throws: ``PlaceError``. Half a list is an error.
  func objects(in folder: String) throws(PlaceError) -> [PlacedObject]

  /// Brings objects into a directory, under their names. One that is not there any more is left out.
  ///
  /// - Throws: ``PlaceError``. What could be brought is there nevertheless.
  func get(_ names: [String], into directory: String) throws(PlaceError)

  /// Takes objects from a directory, where they stand under their names without `prefix`.
  ///
  /// - Parameter replacing: whether what is there under a name gives way: it may be damaged. Else it may stay if it has the same size.
  func put(
    _ names: [String], from directory: String, under prefix: String, replacing: Bool
  ) throws(PlaceError)

  /// Removes objects that others replace. A missing one is not an error.
  ///
  /// - Returns: false where the place keeps everything: there only its owner can remove something.
  func remove(_ names: [String]) throws(PlaceError) -> Bool

  /// What a person should do before this place can be used, one line each; nothing when it can.
  ///
  /// - Throws: ``PlaceError`` when the place cannot be asked.
  func needs() throws(PlaceError) -> [String]

  /// Writes an object, lists it, reads it and removes it again.
  ///
  /// - Throws: ``PlaceError``, with reason `unreliable` for a place that does not give back what it took.
  func tryOut() throws(PlaceError)
}

/// An object as a place lists it.
package struct PlacedObject: Hashable, Sendable {
  package let name: String
  /// Bytes; nil where the place does not say. A program that was ended while it sent an object may leave a part of it under its name.
  package let size: Int?

  package init(_ name: String, size: Int? = nil) {
    self.name = name
    self.size = size
  }
}

extension Place {
  package var folder: String? { nil }

  /// The names of the objects in a folder and below it.
  package func list(_ folder: String) throws(PlaceError) -> [String] {
    try objects(in: folder).map(\.name)
  }

  package func tryOut() throws(PlaceError) {
    let name = "test-" + Probe.randomName()
    let probe = try Probe(name, place)
    defer { probe.remove() }
    try put([name], from: probe.directory, under: Probe.folder + "/", replacing: false)
    defer { _ = try? remove([Probe.folder + "/" + name]) }
    let listed = try objects(in: Probe.folder).first { $0.name == Probe.folder + "/" + name }
    guard let listed, listed.size ?? Probe.text.count == Probe.text.count else {
      throw PlaceError(.unreliable(.list), place)
    }
    let arrived = probe.directory + "/arrived"
    try get([Probe.folder + "/" + name], into: arrived)
    guard probe.isWhole(arrived + "/" + Probe.folder + "/" + name) else {
      throw PlaceError(.unreliable(.get), place)
    }
  }
}

/// The folder of a place that holds all objects of this format.
package enum ObjectFolder {
  package static let root = "fd1/"
}

/// A small object to try a place with.
struct Probe {
  static let folder = ObjectFolder.root + "test"
  static let text = Array("facediary\n".utf8)
  let directory: String

  init(_ name: String, _ place: String) throws(PlaceError) {
    directory = try reaching(place) { () throws(PlatformError) in
      let directory = try FileSystem.makeTemporaryDirectory(PlaceProgram.temporary)
      let file = try AtomicFile(directory + "/" + name)
      try file.write(Self.text)
      try file.commit()
      try FileSystem.makeDirectories(directory + "/arrived")
      return directory
    }
  }

  static func randomName() -> String {
    var random = SystemRandomNumberGenerator()
    return String(random.next() as UInt64, radix: 36)
  }

  func isWhole(_ path: String) -> Bool {
    (try? Descriptor.open(path, [.noFollow, .nonBlocking]).readAll(limit: 1024)) == Self.text
  }

  func remove() { FileSystem.removeTree(directory) }
}

/// Why a place did not do its part.
package struct PlaceError: Error, Sendable, Equatable {
  package enum Reason: Sendable, Equatable {
    /// It does not look like `folder:PATH`, `rclone:REMOTE:PATH`, `postgres:SERVICE` or `cmd:PROGRAM`.
    case unknown
    /// The folder is not there: a disk that is not mounted.
    case missing
    /// Something else than a folder is there.
    case notFolder
    case system(String)
    /// There is no room left.
    case full
    /// Nothing may be written there.
    case readOnly
    /// The program that reaches it is not installed.
    case noProgram(String)
    case program(String, says: String)
    /// The program neither sent nor received anything for this long, and was ended.
    case silent(String, seconds: Int)
    /// It does not list or give back what it took.
    case unreliable(Failing)
    /// An object is larger than this place takes, in bytes.
    case tooLarge(limit: Int)
  }

  package enum Failing: Sendable { case list, get }

  package let reason: Reason
  package let place: String

  package init(_ reason: Reason, _ place: String) {
    self.reason = reason
    self.place = place
  }
}

/// The places there are, by how a person names one.
package enum Places {
  /// - Throws: ``PlaceError`` `unknown`.
  package static func named(_ text: String) throws(PlaceError) -> any Place {
    guard let colon = text.firstIndex(of: ":"), text.index(after: colon) != text.endIndex else {
      throw PlaceError(.unknown, text)
    }
    let rest = String(text[text.index(after: colon)...])
    switch text[..<colon] {
    case "folder":
      guard rest.hasPrefix("/") else { throw PlaceError(.unknown, text) }
      return FolderPlace(rest, text)
    case "rclone":
      guard rest.contains(":"), !rest.hasPrefix("-") else { throw PlaceError(.unknown, text) }
      return RclonePlace(rest, text)
    case "postgres": return PostgresPlace(service: rest, text)
    case "cmd":
      do throws(ChildProcessError) {
        return ProgramPlace(try ShellWords.split(rest), text)
      } catch {
        throw PlaceError(.unknown, text)
      }
    default: throw PlaceError(.unknown, text)
    }
  }
}

/// Programs that reach places, run to their end.
struct PlaceProgram {
  let words: [String]
  let place: String
  /// Names of variables that they get besides the usual ones.
  var environment: [String] = []
  /// What shows that a program is not waiting for a silent server.
  var activity = ChildProcess.Activity.bytesAndWork

  /// Seconds without a byte after which a program is ended.
  static let silence = 30
  var silence = PlaceProgram.silence

  /// What it prints.
  ///
  /// - Parameter codes: exit codes that do not mean failure.
  func run(_ arguments: [String], limit: Int = 64 << 20) throws(PlaceError) -> [UInt8] {
    do throws(ChildProcessError) {
      return try ChildProcess.output(
        of: words + arguments, seconds: 3600, limit: limit,
        silence: ChildProcess.Silence(seconds: silence, activity),
        extraEnvironment: environment)
    } catch {
      switch error.problem {
      case .notFound: throw PlaceError(.noProgram(words[0]), place)
      case .silent(let seconds): throw PlaceError(.silent(words[0], seconds: seconds), place)
      case .failed(let code, let says):
        throw PlaceError(
          .program(words[0], says: says.isEmpty ? "exit \(code)" : says), place)
      default: throw PlaceError(.program(words[0], says: "\(error.problem)"), place)
      }
    }
  }

  /// The prefix of the paths of temporary files and directories.
  static var temporary: String { FileSystem.temporaryFolder + "/facediary-place-" }

  /// Runs `body` with a file of these lines, which is removed afterwards.
  func withFile<Result>(
    _ lines: [String], _ body: (String) throws(PlaceError) -> Result
  ) throws(PlaceError) -> Result {
    let path: String
    do throws(PlatformError) {
      let file = try FileSystem.makeTemporaryFile(Self.temporary)
      try file.write(Array((lines.joined(separator: "\n") + "\n").utf8))
      path = file.name
    } catch {
      throw PlaceError(.system(error.explanation), place)
    }
    defer { try? FileSystem.remove(path) }
    return try body(path)
  }
}

/// Runs `body`, naming the place in what the system says.
///
/// - Parameter object: one of the place, and the folder of the place that it is in.
func reaching<Result>(
  _ place: String, naming object: (name: String, folder: OpenDirectory)? = nil,
  _ body: () throws(PlatformError) -> Result
) throws(PlaceError) -> Result {
  do throws(PlatformError) { return try body() } catch {
    let name = object.flatMap { error.path.hasPrefix($0.folder.path) ? $0.name : nil }
    // Of the place, and not of the disk that the diary is on.
    switch name == nil ? nil : error.errno {
    case Errno.noSpace, Errno.overQuota: throw PlaceError(.full, place)
    case Errno.readOnly: throw PlaceError(.readOnly, place)
    default: break
    }
    throw PlaceError(.system((name.map { $0 + ": " } ?? "") + error.explanation), place)
  }
}
