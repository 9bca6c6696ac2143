internal import Platform

/// A cloud or server that the rclone program reaches: S3, WebDAV, SFTP and many others. It is handed lists and never single
/// objects, because each call takes time to start.
struct RclonePlace: Place {
  private let remote: String
  let place: String
  private let program: PlaceProgram

  /// - Parameter silence: seconds without a byte after which rclone is ended.
  init(_ remote: String, _ place: String, silence: Int = PlaceProgram.silence) {
    self.place = place
    self.remote = remote.hasSuffix("/") ? String(remote.dropLast()) : remote
    program = PlaceProgram(
      words: [
        // A person who waits for a server that does not answer is told soon; the next run tries again.
        "rclone", "--retries", "2", "--low-level-retries", "2", "--contimeout", "15s", "--timeout",
        "\(silence)s",
      ], place: place,
      // A remote may be configured by them alone, and take its credentials from its cloud's own.
      environment: [
        "RCLONE_", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE",
        "AWS_REGION", "AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE", "AZURE_",
        "GOOGLE_APPLICATION_CREDENTIALS", "SSH_AUTH_SOCK",
        "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "https_proxy", "http_proxy", "no_proxy",
      ], activity: .bytes, silence: silence)
  }

  private func path(_ folder: String) -> String {
    remote.hasSuffix(":") ? remote + folder : remote + "/" + folder
  }

  func needs() -> [String] {
    do throws(PlaceError) {
      _ = try program.run(["version"])
      return []
    } catch {
      return ["install rclone"]
    }
  }

  func objects(in folder: String) throws(PlaceError) -> [PlacedObject] {
    let printed: [UInt8]
    do throws(PlaceError) {
      printed = try program.run(
        [
          "lsf", "--recursive", "--files-only", "--format", "sp", "--separator", " ", "--",
          path(folder),
        ])
    } catch {
      // A folder that nobody has put anything into is no error; rclone says so in these words.
      if case .program(_, let says) = error.reason, says.contains("directory not found") {
        return []
      }
      throw error
    }
    return printed.split(separator: 0x0a).compactMap { line in
      let parts = line.split(separator: 0x20, maxSplits: 1)
      guard parts.count == 2 else { return nil }
      // Where the remote does not know a size, rclone prints -1.
      let size = Int(String(decoding: parts[0], as: UTF8.self)).flatMap { $0 < 0 ? nil : $0 }
      return PlacedObject(folder + "/" + String(decoding: parts[1], as: UTF8.self), size: size)
    }
  }

  func get(_ names: [String], into directory: String) throws(PlaceError) {
    try program.withFile(names) { list throws(PlaceError) in
      _ = try program.run([
        "copy", "--files-from-raw", list, "--no-traverse", "--transfers", "8", "--",
        remote.hasSuffix(":") ? remote : remote + "/", directory,
      ])
    }
  }

  func put(
    _ names: [String], from directory: String, under prefix: String, replacing: Bool
  ) throws(PlaceError) {
    try program.withFile(names) { list throws(PlaceError) in
      _ = try program.run([
        "copy", "--files-from-raw", list, "--no-traverse", "--transfers", "8",
        // The bytes under a name never change, so that one of the same size is not sent again, unless it is to be repaired. What was
        // cut short is, also when rclone itself tries once more.
        replacing ? "--checksum" : "--size-only", "--", directory,
        path(prefix.hasSuffix("/") ? String(prefix.dropLast()) : prefix),
      ])
    }
  }

  func remove(_ names: [String]) throws(PlaceError) -> Bool {
    try program.withFile(names) { list throws(PlaceError) in
      _ = try program.run([
        "delete", "--files-from-raw", list, "--",
        remote.hasSuffix(":") ? remote : remote + "/",
      ])
    }
    return true
  }
}
