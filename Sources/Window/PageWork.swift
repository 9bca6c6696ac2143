internal import Bytes
internal import Client
internal import CommandLine
internal import HTTP
internal import JSONText
internal import Platform
internal import Requests
internal import Words

/// What the page has the broker do, one thing at a time: how it goes on, and how the last one ended.
final class PageWork {
  /// The most bytes of a file to import: it lies in memory.
  private static let fileLimit = 512 << 20

  private let channel: WindowChannel
  private(set) var now: WindowWork?
  /// What the command said so far.
  private var said = ""
  /// What its dialogs show.
  private var dialog: String?
  private var ended: (work: WindowWork, exitCode: Int32, words: String, output: String)?
  /// Counts them.
  private var endings = 0
  /// What the passphrase is for that is typed next.
  private var awaited: WindowWork?
  /// The file that the page brings to be imported.
  private var file: (name: String, target: Descriptor, rest: Int)?
  /// Whether all of it is there.
  private var isWhole = false

  init(_ channel: WindowChannel) { self.channel = channel }

  private struct Call: Decodable {
    var kind: WindowWork.Kind
    var word: String?
    /// Whether the passphrase will be typed into the page.
    var isTyped: Bool?
  }

  /// What a page asks for; with a passphrase to be typed, only when that comes.
  func begin(_ body: CallBody) throws {
    let call = try body.decoded(Call.self)
    var work = WindowWork(call.kind, call.word)
    work.isTyped = call.isTyped ?? false
    if [.preview, .importing].contains(work.kind), !isWhole {
      throw Failure(.invalid, WindowMessage.uploadBroken)
    }
    guard work.isTyped else { return try begin(work) }
    guard now == nil else { throw Failure(.busy, WindowMessage.oneAtATime) }
    awaited = work
  }

  /// Has the broker do something.
  func begin(_ work: WindowWork) throws {
    guard now == nil else { throw Failure(.busy, WindowMessage.oneAtATime) }
    try channel.send(ServerMessage.run(work))
    (now, said, ended, awaited) = (work, "", nil, nil)
  }

  /// What was typed goes to the keeper through a pipe, by way of the broker, which does not read it.
  func take(typed bytes: [UInt8]) throws {
    guard (1...1024).contains(bytes.count) else {
      throw Failure(.invalid, bytes.isEmpty ? UsageMessage.secretEmpty : .secretTooLong)
    }
    var work = awaited ?? WindowWork(.openByPassphrase)
    work.isTyped = true
    let pipe = try Descriptor.pipe()
    try pipe.write.write(bytes)
    try begin(work)
    try channel.pass(pipe.read)
  }

  func heard(_ words: String) { said = words }

  func dialogShows(_ words: String) { if now != nil { dialog = words } }

  func end(_ work: WindowWork, _ exitCode: Int32, _ words: String, _ output: String = "") {
    endings += 1
    ended = (work, exitCode, words, output)
  }

  /// The broker has done what it was to do.
  ///
  /// - Parameter isOpen: whether the page shows the diary; else it is told of nothing but its door.
  func finish(
    _ work: WindowWork, _ exitCode: Int32, _ words: String, _ output: String, isOpen: Bool
  ) {
    (now, said, dialog) = (nil, "", nil)
    if work.kind == .importing || work.kind == .preview && exitCode != 0 { isWhole = false }
    guard isOpen || work.kind.isOfDoor else { return }
    end(work, exitCode, words, output)
  }

  // MARK: A file to import

  private struct FileCall: Decodable {
    var name: String
    var size: Int
  }

  /// Begins a file; answers its name for the pieces.
  func bring(_ body: CallBody) throws -> String {
    let call = try body.decoded(FileCall.self)
    guard call.size >= 0, call.size <= Self.fileLimit else {
      throw Failure(.invalid, WindowMessage.importTooLarge)
    }
    guard now == nil else { throw Failure(.busy, WindowMessage.oneAtATime) }
    (file, isWhole) = (nil, false)
    try channel.send(ServerMessage.file(call.name))
    let name = "import-" + Base32.encode(Randomness.system.bytes(10))
    file = (name, try channel.receiveDescriptor(named: "import"), call.size)
    if call.size == 0 { (file, isWhole) = (nil, true) }
    return name
  }

  /// Takes the next piece of it.
  func take(piece bytes: [UInt8], of name: String) throws {
    guard let (known, target, rest) = file, known == name, bytes.count <= rest else {
      throw Failure(.invalid, WindowMessage.uploadBroken)
    }
    do { try target.write(bytes) } catch {
      // It lies in memory, which others need, too.
      try forget()
      throw Failure(.diskFull, WindowMessage.noMemory)
    }
    if rest == bytes.count {
      (file, isWhole) = (nil, true)
    } else {
      file = (name, target, rest - bytes.count)
    }
  }

  func forget() throws {
    (file, isWhole) = (nil, false)
    try channel.send(ServerMessage.forgetFile)
  }

  /// A page begins that is to hear nothing of what was done before.
  func beginAnew() { (ended, said) = (nil, "") }

  /// What the page before was about to bring does not come.
  func forgetPage() throws {
    awaited = nil
    if file != nil || isWhole { try forget() }
  }

  // MARK: What the page is told

  func write(_ json: inout JSONWriter) {
    json.member("work", now?.kind.rawValue)
    if !said.isEmpty { json.member("said", said) }
    if let dialog { json.member("dialog", dialog) }
    json.member("ended", object: ended) { json, ended in
      json.member("number", endings)
      json.member("work", ended.work.kind.rawValue)
      json.member("exitCode", Int(ended.exitCode))
      json.member("words", ended.words)
      json.member("output", ended.output)
    }
  }
}
