internal import Client
internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import Platform
internal import Requests
internal import Words

/// What an export writes, and where.
@MainActor
struct Exporter {
  let filter: EntryFilter
  let connection: KeeperConnection
  let invocation: Invocation
  /// The new folder, for a format that writes one.
  let folder: NewFolder?
  /// Where `--attachments` wants photos and files.
  let attachments: NewFolder?
  /// Whether photos keep what the camera wrote beside the picture.
  let keepsMetadata: Bool
  /// Whether what entries were before is written, too.
  let withHistory: Bool
  /// For each entry with more than one text, all of its texts as one.
  let conflicts: [EntryID: String]
  /// Writes the next bytes of a stream.
  let put: @MainActor ([UInt8]) throws -> Void

  /// All entries with their texts, oldest first.
  func each(_ body: (Entry) throws -> Void) throws -> Int {
    var count = 0
    _ = try connection.run(ListEntries(filter, order: .oldestFirst, bodies: true)) { entry in
      count += 1
      try body(whole(entry))
    }
    return count
  }

  /// Returns an entry with all of its conflicting texts, not only the first.
  func whole(_ entry: Entry) -> Entry {
    guard let text = conflicts[entry.id] else { return entry }
    var whole = entry
    whole.content.body = text
    whole.others = []
    return whole
  }

  func put(_ text: String) throws { try put(Array(text.utf8)) }
}

/// A new folder that only its owner can read. Nothing is written into it through a link, and nothing of it stays unless it is finished.
@MainActor
final class NewFolder {
  private let path: String
  /// What it is called in messages.
  private let shown: String
  private let opened: OpenDirectory
  private let place: ExitCleanup.Place
  private var isFinished = false

  /// - Throws: ``Failure`` `conflict` when there is anything by that name.
  init(_ path: String, shown: String? = nil) throws {
    self.path = path
    self.shown = shown ?? path
    guard let made = try ExitCleanup.make(directory: path) else {
      throw Failure(
        .conflict, FailureMessage.thereAlready(self.shown), hint: ExchangeMessage.nameNewFolder)
    }
    (opened, place) = made
  }

  deinit {
    if !isFinished { opened.remove(path) }
    ExitCleanup.remove(place)
  }

  /// It stays.
  func finish() { isFinished = true }

  /// The same, also after a power failure.
  ///
  /// - Throws: ``VaultError`` `conflict` where another folder got the name: somebody moves folders here.
  func finishOnDisk() throws {
    guard opened.isNamed(path) else { throw VaultError(.conflict, shown, .wasMoved) }
    finish()
    do throws(PlatformError) { try opened.synchronizeAll() } catch {
      throw PlatformError(error.reason, shown)
    }
  }

  /// A new folder in it.
  func folder(_ name: String) throws -> NewFolder {
    try NewFolder(path(of: name), shown: shown + "/" + name)
  }

  /// Where something of that name stands in it, whatever is done with its own name meanwhile.
  func path(of name: String) -> String { opened.path + "/" + name }

  /// Writes a new file. It is on the disk when the folder is finished.
  func write(_ name: String, _ bytes: [UInt8]) throws(PlatformError) {
    do throws(PlatformError) {
      let file = try Descriptor.open(path(of: name), [.write, .create, .exclusive, .noFollow])
      try file.write(bytes)
    } catch {
      throw PlatformError(error.reason, shown + "/" + name)
    }
  }

  /// The attachments of some entries, each in a folder with the entry's id. What has not come from another device is left out, and said.
  func save(
    _ entries: [Entry], _ connection: KeeperConnection, _ invocation: Invocation
  ) throws {
    var missing = 0
    for entry in entries {
      let folder = path(of: entry.id.description)
      try FileSystem.makeDirectory(folder)
      for attachment in entry.attachments {
        do {
          try ExtractCommand.save(
            attachment, of: .id(entry.id),
            to: folder + "/" + AttachmentName.inFolder(attachment.name), replacing: false,
            connection, invocation)
        } catch let error as VaultError where error.reason == .hasNotArrived {
          missing += 1
        } catch let error as PlatformError where OpenDirectory.leads(error.path) {
          throw PlatformError(
            error.reason, shown + "/" + entry.id.description + "/" + attachment.name)
        }
      }
    }
    if missing > 0 { invocation.page.warn(SyncMessage.filesNotExported(missing)) }
  }
}
