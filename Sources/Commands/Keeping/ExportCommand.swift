internal import DiaryVault
internal import FaceDiary
internal import JSONText

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// `export`: plain text leaves the vault.
@MainActor
enum ExportCommand {
  static let declaration = Declaration(
    "export", "", "write entries out as plain text",
    options: Option.filters + [
      Option("--format", value: "F", "json"),
      Option("--output", short: "-o", value: "FILE", "a file, made readable for you alone"),
    ]
  ) { invocation in
    try invocation.require(0...0, "export [filters] [-o FILE]")
    let format = invocation.arguments.value("--format") ?? "json"
    guard format == "json" else {
      throw Failure(.usage, "no such format: \(format)", hint: "there is json")
    }
    let filter = try ReadCommands.filter(invocation)
    let connection = try await invocation.connection()
    guard case .names(let journals, let kinds) = try connection.run(.names) else {
      throw Failure(.system, "unexpected answer")
    }
    if Terminal.isTerminal(2) {
      invocation.note("what is exported is no longer sealed")
    }
    let file = try invocation.arguments.value("--output").flatMap {
      $0 == "-" ? nil : try ReplacedFile($0)
    }
    @MainActor func put(_ bytes: [UInt8]) throws {
      if let file { try file.write(bytes) } else { try invocation.output.write(bytes) }
    }
    var json = JSONWriter()
    json.beginObject()
    json.member("format", 1)
    json.key("journals")
    json.beginArray()
    for journal in journals {
      json.beginObject()
      json.member("name", journal.name)
      json.member("from", journal.from.map { CivilDate(number: $0).text })
      json.member("to", journal.to.map { CivilDate(number: $0).text })
      json.member("emoji", journal.emoji)
      json.endObject()
    }
    json.endArray()
    json.key("kinds")
    json.beginArray()
    for kind in kinds where !Kind.builtIn.contains(kind) {
      json.beginObject()
      json.member("name", kind.name)
      json.member("emoji", kind.emoji)
      json.endObject()
    }
    json.endArray()
    json.key("entries")
    json.beginArray()
    try put(json.bytes)
    var isFirst = true
    _ = try connection.run(
      .list(filter, order: .oldestFirst, limit: nil, bodies: true, query: nil)
    ) { entry in
      var json = JSONWriter()
      json.entry(entry, body: true)
      try put((isFirst ? [0x0a] : [0x2c, 0x0a]) + json.bytes)
      isFirst = false
    }
    try put(Array("]}\n".utf8))
    try file?.commit()
    return 0
  }
}

/// A file that takes a regular file's place at once when it is whole: 0600, never through a link.
final class ReplacedFile {
  private let path: String
  private let temporary: String
  private let file: Int32
  private var buffer: [UInt8] = []
  private var isDone = false

  init(_ path: String) throws {
    self.path = path
    var facts = stat()
    if unsafe lstat(path, &facts) == 0, facts.st_mode & S_IFMT != S_IFREG {
      throw Failure(.conflict, "\(path) is not a regular file; it was not touched")
    }
    temporary = path + ".\(getpid()).new"
    file = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw Self.failure(path) }
    fchmod(file, 0o600)
  }

  deinit {
    if !isDone {
      close(file)
      unsafe unlink(temporary)
    }
  }

  func write(_ bytes: [UInt8]) throws {
    buffer += bytes
    if buffer.count >= 256 << 10 { try flush() }
  }

  private func flush() throws {
    defer { buffer = [] }
    try Output.write(buffer, to: file)
  }

  func commit() throws {
    try flush()
    guard fsync(file) == 0, unsafe rename(temporary, path) == 0 else { throw Self.failure(path) }
    isDone = true
    close(file)
  }

  private static func failure(_ path: String) -> Failure {
    let number = errno
    return Failure(
      number == ENOSPC ? .diskFull : number == ENOENT ? .notFound : .system,
      unsafe "\(path): \(String(cString: strerror(number)))")
  }
}
