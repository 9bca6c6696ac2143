internal import CommandLine
internal import Dates
internal import Formats
internal import Platform
internal import Words

/// A zip archive, unpacked by `unzip` into memory and gone when the import is over.
package final class UnpackedZip {
  private static let seconds = 600
  /// The most that one may become: this much, or so many times its size. Nothing that people keep shrinks more.
  private static let (least, factor) = (256 << 20, 32)
  private let directory: MemoryDirectory
  /// What is to be imported: the only file in it, or the folder that everything is in.
  let path: String
  private let archive: String
  /// Where it is unpacked.
  private let place: String

  /// - Throws: ``Failure`` when there is no `unzip`, no room in memory, or nothing in it that could be read.
  @MainActor
  init(_ archive: String, _ invocation: Invocation) throws {
    directory = try MemoryDirectory(in: MemoryDirectory.bases(invocation.environment))
    // By a name of ours: unzip takes brackets and stars in one for a pattern.
    let link = directory.path + "/.archive.zip"
    let place = directory.path + "/unpacked"
    self.place = place
    self.archive = archive
    try FileSystem.makeLink(link, to: Invocation.absolute(archive))
    _ = try FileSystem.makeDirectory(place)
    let room = FileSystem.room(at: place) ?? Int.max
    let size = try FileStatus(link, following: true).size
    let (times, isMore) = Int(clamping: size).multipliedReportingOverflow(by: Self.factor)
    let most = isMore ? Int.max : max(Self.least, times)
    do throws(ChildProcessError) {
      // With an empty password, unzip does not ask for one.
      _ = try ChildProcess.output(
        of: ["unzip", "-qq", "-o", "-P", "", link, "-d", place], seconds: Self.seconds,
        limit: 1 << 20, mayGoOn: { room - (FileSystem.room(at: place) ?? room) < most })
    } catch {
      switch error.problem {
      case .tooMuchOutput:
        throw Failure(
          .invalid, ExchangeMessage.tooLargeUnpacked(archive, most),
          hint: ExchangeMessage.unzipFirst)
      // unzip warned about something and unpacked the rest.
      case .failed(code: 1, _): break
      // One in 256 wrong passwords is noticed by the checksum alone.
      case .failed(let code, let says)
      where code == 5 || code == 82 || says.contains("incorrect password"):
        throw Failure(
          .invalid, ExchangeMessage.zipLocked(archive), hint: ExchangeMessage.unzipFirst)
      case .notFound:
        throw Failure(
          .invalid, ExchangeMessage.zipped(archive), hint: ExchangeMessage.unzipFirst)
      // An error in its format, a severe one, and none at all.
      case .failed(code: 2, _), .failed(code: 3, _), .failed(code: 9, _):
        throw Failure(.invalid, ExchangeMessage.zipDamaged(archive))
      case .failed(let code, let says):
        throw Failure(
          code == 50 ? .diskFull : .invalid,
          ExchangeMessage.notUnpacked(archive, says.replacing(place + "/", with: "").oneLine),
          hint: ExchangeMessage.unzipFirst)
      default: throw error
      }
    }
    var path = place
    // A folder in a folder, as many archives are.
    while let only = try Self.onlyName(in: path) {
      path += "/" + only
      guard FileSystem.isDirectory(path) else { break }
    }
    self.path = try Self.export(in: path) ?? path
  }

  /// An export beside the folder of its photos and files, when there is nothing else.
  private static func export(in folder: String) throws -> String? {
    guard FileSystem.isDirectory(folder) else { return nil }
    let names = try visibleNames(in: folder).sorted()
    guard names.count == 2, names[1] == names[0] + ImportInput.filesSuffix else { return nil }
    let path = folder + "/" + names[0]
    return try FileStatus(path).kind == .regular ? path : nil
  }

  private static func visibleNames(in folder: String) throws -> [String] {
    try FileSystem.names(in: folder).filter { !$0.hasPrefix(".") && $0 != "__MACOSX" }
  }

  /// The error with the archive's name in place of the unpacked path, which the user does not know.
  func naming(_ error: any Error) -> any Error {
    let failure = Failure(error)
    guard failure.message.text(in: .english).contains(place) else { return error }
    return Failure(
      failure.code, NamedAsArchive(message: failure.message, place: place, archive: archive),
      hint: failure.hint, retryAfter: failure.retryAfter)
  }

  private struct NamedAsArchive: Message {
    let message: any Message
    let place: String
    let archive: String

    func text(in language: Language) -> String {
      message.text(in: language).replacing(place, with: archive)
    }
  }

  private static func onlyName(in folder: String) throws -> String? {
    let names = try visibleNames(in: folder)
    guard names.count == 1 else { return nil }
    // Anything that is neither a file nor a folder ends it.
    let kind = try FileStatus(folder + "/" + names[0]).kind
    return kind == .regular || kind == .directory ? names[0] : nil
  }
}
