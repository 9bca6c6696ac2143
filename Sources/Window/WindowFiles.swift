internal import CommandLine
internal import Dates
internal import Formats
internal import Platform
internal import Words

/// The words of the commands that the broker runs, and the files that they read and write.
final class WindowFiles {
  /// Where a file lies that the page brings to be imported: in memory, as long as it is needed.
  private let folder: String
  private var brought: String?
  /// What the export under way writes.
  private var exported: String?

  /// The variables of the person's environment.
  private let environment: [String: String]

  init(_ folder: String, _ environment: [String: String]) {
    (self.folder, self.environment) = (folder, environment)
  }

  /// Somewhere to write a file to be imported.
  ///
  /// - Parameter name: its name at the page. Only what tells its format is taken of it.
  /// - Returns: what has no room, where it could not be made: who writes there is told so.
  func receive(_ name: String) throws -> Descriptor {
    forget()
    do {
      try FileSystem.makeDirectory(folder)
      let path = folder + "/" + Self.safe(name)
      let file = try Descriptor.open(path, [.write, .create, .exclusive, .noFollow])
      brought = path
      return file
    } catch {
      return try Descriptor.open("/dev/full", [.write])
    }
  }

  /// Words with the file's own name in the place of its path here.
  func named(_ words: String) -> String { words.replacing(folder + "/", with: "") }

  func forget() {
    brought = nil
    FileSystem.removeTree(folder)
  }

  private static func safe(_ name: String) -> String {
    let last = name.split(separator: "/").last.map(String.init) ?? ""
    let isPlain =
      !last.hasPrefix(".") && !last.hasPrefix("-") && last.utf8.count <= 200
      && last.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7f }
    return isPlain && !last.isEmpty ? last : "import"
  }

  /// The command and its own words.
  ///
  /// - Throws: ``Failure`` for a folder, a format or an id that is none.
  func words(of work: WindowWork, hasTerminal: Bool) throws -> [String] {
    let dialog = hasTerminal ? [] : ["--code-dialog"]
    switch work.kind {
    case .unlock: return ["unlock", "--quiet", "--look"]
    case .openByPassphrase: return ["unlock", "--quiet"] + (work.isTyped ? [] : ["--no-face"])
    case .openByCode: return ["unlock", "--quiet", "--no-face"]
    case .make: return ["init"] + (work.word == "face" ? ["--camera"] : []) + dialog
    case .join:
      return ["sync", "join", "--code-dialog", "folder:" + (try folder(work.word)), "-"]
    case .share: return ["sync", "setup"] + dialog + ["folder:" + (try folder(work.word))]
    case .invite: return ["sync", "invite"] + dialog
    // Of those that there are, the one that needs no more than a package of the system.
    case .setUpCamera: return ["camera", "setup", "--download", "opencv"]
    case .bringBack, .bringBackByCode:
      return ["restore-backup", "--yes", try folder(work.word)]
    case .lock: return ["lock", "--quiet"]
    case .sync: return ["sync", "--quiet"]
    case .syncRemoving: return ["sync", "--quiet", "--max-delete", try id(work)]
    case .backup:
      return ["backup", try folder(work.word)]
    case .export: return try exporting(work.word)
    case .extract: return try extracting(work.word)
    case .preview: return ["import", try source(), "--dry-run", "--skip-bad"]
    case .importing: return ["import", try source(), "--skip-bad", "--on-conflict", "skip"]
    case .enroll: return ["enroll", "--camera", "--replace-samples"]
    case .faces: return ["faces"]
    case .removeFace: return ["faces", "remove", try id(work)]
    case .removeSlot: return ["keys", "remove", try id(work)]
    case .addCode: return ["keys", "add", "recovery"] + dialog
    case .changePassphrase: return ["passphrase"]
    case .verify: return ["verify"]
    case .setIdle: return ["policy", "set", "idle", try id(work)]
    case .setLanguage: return ["config", "set", "language", try id(work)]
    case .setInlineTags: return ["config", "set", "inlineTags", try id(work)]
    // No command of this program.
    case .chooseFolder: throw Failure(.invalid, WindowMessage.failed)
    }
  }

  private func id(_ work: WindowWork) throws -> String {
    guard let id = work.word, id.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) else {
      throw Failure(.invalid, WindowMessage.failed)
    }
    return id
  }

  /// A folder as somebody types it: `~` is the home.
  func folder(_ typed: String?) throws -> String {
    var folder = typed ?? ""
    if folder == "~" || folder.hasPrefix("~/"), let home = environment["HOME"] {
      folder = home + folder.dropFirst()
    }
    guard folder.hasPrefix("/") else { throw Failure(.invalid, WindowMessage.folderWanted) }
    return folder
  }

  private func source() throws -> String {
    guard let brought else { throw Failure(.invalid, WindowMessage.uploadBroken) }
    return brought
  }

  private func exporting(_ format: String?) throws -> [String] {
    let endings = ["html": ".html", "markdown": "", "json": ".json"]
    guard let format, let ending = endings[format] else {
      throw Failure(.invalid, WindowMessage.failed)
    }
    let path = free("facediary-" + LocalZone().now().iso.prefix(10), ending)
    return ["export", "--format", format, "--output", path]
      + (format == "json" ? ["--attachments", path + ImportInput.filesSuffix] : [])
  }

  private func extracting(_ word: String?) throws -> [String] {
    guard let parts = word?.split(separator: "/", maxSplits: 1), parts.count == 2 else {
      throw Failure(.invalid, WindowMessage.failed)
    }
    let (entry, name) = (String(parts[0]), String(parts[1]))
    let safe = Self.safe(name)
    let dot = safe.lastIndex(of: ".") ?? safe.endIndex
    return [
      "extract", "--output", free(String(safe[..<dot]), String(safe[dot...])), "--",
      try id(WindowWork(.extract, entry)), name,
    ]
  }

  /// A path among the downloads that nothing has.
  private func free(_ stem: String, _ ending: String) -> String {
    let place = downloads() + "/" + stem
    var path = place + ending
    var number = 2
    while FileSystem.exists(path) || FileSystem.exists(path + ImportInput.filesSuffix) {
      path = "\(place)-\(number)\(ending)"
      number += 1
    }
    exported = path
    return path
  }

  /// The person's folder of downloads, as desktops name it; else the home.
  private func downloads() -> String {
    let home = environment["HOME"] ?? "/"
    let configuration = environment["XDG_CONFIG_HOME"] ?? home + "/.config"
    let folders = try? Descriptor.open(configuration + "/user-dirs.dirs", [.nonBlocking])
      .readAll(limit: 1 << 16)
    let named = String(decoding: folders ?? [], as: UTF8.self)
      .firstMatch(of: /(?m)^XDG_DOWNLOAD_DIR="(.*)"/)
      .map { String($0.1).replacing("$HOME", with: home) }
    return [named, home + "/Downloads"].compactMap(\.self).first {
      $0.hasPrefix("/") && FileSystem.isDirectory($0)
    } ?? home
  }

  /// A command has ended.
  ///
  /// - Returns: what it has written, for people; nil where that is what it printed.
  func done(_ work: WindowWork, _ code: Int32) -> String? {
    switch work.kind {
    case .importing: forget()
    case .preview where code != 0: forget()
    case .export where code == 0, .extract where code == 0: return exported
    default: break
    }
    return nil
  }
}
