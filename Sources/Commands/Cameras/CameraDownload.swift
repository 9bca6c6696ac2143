internal import Bytes
internal import CommandLine
internal import Dates
internal import Platform
internal import Words

/// Fetches files of weights with curl, after somebody agreed to it.
///
/// What is fetched has another name until its digest is right. A download that was interrupted goes on where it stopped.
@MainActor
struct CameraDownload {
  private static let seconds = 3600
  let folder: CameraFolder
  /// The protocols that curl may use, also where it is sent elsewhere.
  var protocols = "=https"
  /// Whether curl shows its progress on the terminal.
  let shows: Bool

  /// - Throws: ``Failure`` `invalid` when what came is another file; ``ChildProcessError`` without curl; `system` when it fails.
  func fetch(_ files: [ReadyCamera.ModelFile]) throws {
    // One archive may hold several.
    for (source, files) in Dictionary(grouping: files, by: \.source).sorted(by: { $0.key < $1.key })
    {
      let part = folder.path + "/" + files[0].name + ".part"
      try fetch(source, to: part)
      for file in files {
        let place = folder.place(of: file)
        do {
          try unpack(file, from: part, to: place + ".new")
          if case .other(let found) = try CameraFolder.state(of: file, at: place + ".new") {
            throw Failure(
              .invalid, FaceMessage.weightsOther(source, found: found, expected: file.sha256))
          }
        } catch {
          for path in [part, place + ".new"] { try? FileSystem.remove(path) }
          throw error
        }
        try FileSystem.rename(place + ".new", to: place)
      }
      try? FileSystem.remove(part)
    }
  }

  private func fetch(_ source: String, to part: String) throws {
    let words =
      [
        "curl", "--fail", "--location", "--proto", protocols, "--proto-redir", protocols,
        "--continue-at", "-", "--output", part,
      ] + (shows ? ["--progress-bar"] : ["--silent", "--show-error"]) + [source]
    guard shows else {
      _ = try ChildProcess.output(of: words, seconds: Self.seconds, limit: 1 << 16)
      return
    }
    switch try ChildProcess.runInForeground(words) {
    case .ended(0): return
    case .ended(let code):
      throw Failure(
        .system, FaceMessage.downloadFailed(source, Int(code)), hint: FaceMessage.downloadGoesOn)
    case .interrupted(let signal):
      throw Failure(
        .system, FaceMessage.downloadFailed(source, 128 + Int(signal)),
        hint: FaceMessage.downloadGoesOn)
    }
  }

  private func unpack(
    _ file: ReadyCamera.ModelFile, from part: String, to place: String
  ) throws {
    let words: [String]
    switch file.packing {
    case .plain: return try FileSystem.rename(part, to: place)
    case .bzip2: words = ["bzip2", "--decompress", "--stdout", part]
    case .zip: words = ["unzip", "-p", part, "*" + file.name]
    }
    let bytes = try ChildProcess.output(of: words, seconds: Self.seconds, limit: file.size)
    let made = try AtomicFile(place)
    try made.write(bytes)
    try made.commit()
  }
}
