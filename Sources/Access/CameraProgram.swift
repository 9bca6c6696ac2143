internal import Bytes
internal import Entries
internal import Platform

/// The program that faces come from, as it was when the owner sealed it in the policy.
///
/// Its files are the program itself and each file that a word of its command names, such as a script.
public struct CameraProgram: Sendable, Equatable, Codable {
  public struct File: Sendable, Equatable, Codable {
    public let path: String
    /// SHA-256.
    public let digest: [UInt8]
  }

  /// The most words, and the most files among them.
  static let wordLimit = 32
  /// The most bytes of its encoded form, out of the four thousand that a device's record holds.
  private static let sizeLimit = 2048

  /// The program's whole path, then its arguments.
  public let words: [String]
  public let files: [File]

  /// Takes a command as it is now.
  ///
  /// - Parameters:
  ///   - words: the program's whole path, then its arguments.
  ///   - directory: where relative words name files; they are sealed with their whole path.
  /// - Throws: ``AuthenticationError`` for a file that cannot be read, or too many words.
  public init(
    sealing words: [String], relativeTo directory: String
  ) throws(AuthenticationError) {
    guard (1...Self.wordLimit).contains(words.count) else {
      throw AuthenticationError(.system, "camera", .program(.wordsOf(1...Self.wordLimit)))
    }
    var whole: [String] = []
    var files: [File] = []
    for word in words {
      // `--script=FILE` names one, too.
      let name =
        word.hasPrefix("-") ? word.split(separator: "=", maxSplits: 1).dropFirst().first : nil
      let file = name.map(String.init) ?? word
      let path = FileSystem.path(file, in: directory)
      guard Self.isRegular(path) else {
        whole.append(word)
        continue
      }
      whole.append(name == nil ? path : word.prefix { $0 != "=" } + "=" + path)
      files.append(File(path: path, digest: try Self.digest(of: path)))
    }
    self.init(words: whole, files: files)
    try requireShort()
  }

  /// Whether what the device keeps of access has room for it.
  package var isShort: Bool {
    var writer = ByteWriter(reserving: Self.sizeLimit)
    encode(to: &writer)
    return writer.bytes.count <= Self.sizeLimit
  }

  private func requireShort() throws(AuthenticationError) {
    guard isShort else {
      throw AuthenticationError(.system, "camera", .program(.commandOfBytes(Self.sizeLimit)))
    }
  }

  private enum CodingKeys: CodingKey { case words, files }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let (words, files) = (
      try values.decode([String].self, forKey: .words),
      try values.decode([File].self, forKey: .files)
    )
    guard Self.isValid(words, files) else {
      throw AuthenticationError(.system, "camera", .program(.wordsOf(1...Self.wordLimit)))
    }
    self.init(words: words, files: files)
    try requireShort()
  }

  private static func isValid(_ words: [String], _ files: [File]) -> Bool {
    (1...wordLimit).contains(words.count) && files.count <= words.count
      && files.allSatisfy { $0.digest.count == 32 }
  }

  private init(words: [String], files: [File]) {
    self.words = words
    self.files = files
  }

  /// The first file that is not what it was when it was sealed; nil when all are.
  public var changedFile: String? {
    files.first { file in
      (try? Self.digest(of: file.path)).map { !Digest.areEqual($0, file.digest) } ?? true
    }?.path
  }

  /// Identifies the whole program, so that the process that ran it can say which one it was.
  public var identity: [UInt8] {
    var writer = ByteWriter(reserving: 256)
    encode(to: &writer)
    return Digest.blake2b(writer.bytes, count: 32, domain: "FDv1 camera")
  }

  private static func isRegular(_ path: String) -> Bool {
    (try? FileStatus(path, following: true))?.kind == .regular
  }

  private static func digest(of path: String) throws(AuthenticationError) -> [UInt8] {
    // A pipe that has replaced the file must not make the check wait.
    guard isRegular(path) else { throw AuthenticationError(.system, path, .notAFile) }
    do {
      let file = try Descriptor.open(path, [])
      return try SHA256.digest { () throws(PlatformError) in try file.read(1 << 20) }
    } catch {
      throw AuthenticationError(.system, path, .said("\(error)"))
    }
  }

  /// `count u8 ‖ words ‖ count u8 ‖ (path ‖ SHA-256)…`.
  func encode(to writer: inout ByteWriter) {
    writer.put(UInt8(words.count))
    for word in words { writer.putCounted(word) }
    writer.put(UInt8(files.count))
    for file in files {
      writer.putCounted(file.path)
      writer.putCounted(file.digest)
    }
  }

  init(from reader: inout ByteReader) throws(SealingError) {
    var words: [String] = []
    for _ in 0..<(try reader.uint8()) { words.append(try reader.text()) }
    var files: [File] = []
    for _ in 0..<(try reader.uint8()) {
      let path = try reader.text()
      files.append(File(path: path, digest: try reader.counted()))
    }
    guard Self.isValid(words, files) else { throw .malformed }
    self.init(words: words, files: files)
  }
}
