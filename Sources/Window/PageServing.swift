internal import Access
internal import Bytes
internal import Client
internal import CommandLine
internal import Dates
internal import Entries
internal import HTTP
internal import JSONText
internal import Platform
internal import Requests
internal import Words

/// What the page is served: the state of the diary, and answers to what it asks.
final class PageServing {
  /// Nanoseconds that a page may keep silent before its window counts as closed: a browser is busy for 30 s with a key in a megabyte.
  static let absence: Int64 = 90_000_000_000
  /// Nanoseconds after which a call that waits for news is answered without any.
  private static let waiting: Int64 = 25_000_000_000
  /// Nanoseconds for a page to keep what is half typed when the session has ended.
  private static let farewell: Int64 = 5_000_000_000

  let task: PageTask
  let language: Language
  private let channel: WindowChannel
  private var server: PageServer!
  private(set) var diary: OpenDiary?
  private var kept: KeptTexts?
  private(set) var standing: WindowStanding?
  let work: PageWork
  /// Counts what the page has to be told.
  private(set) var version = 1
  /// Counts changes of entries.
  private(set) var changes = 1
  private var waits: [(ticket: PageServer.Ticket, seen: Int, until: Int64)] = []
  /// When a page was last there; nil before the first.
  private var seen: Int64?
  /// Until when the page may keep what is typed, once the session has ended.
  private(set) var farewellEnds: Int64?
  private var isConfined = false
  private var isPartlyConfined = false
  private var isOver = false

  init(_ task: PageTask, _ channel: WindowChannel, _ listener: LoopbackListener) {
    self.task = task
    self.channel = channel
    work = PageWork(channel)
    language = Language(named: task.language) ?? .english
    let files = PageProcess.files(in: language.rawValue)
    let gate = PageGate(
      host: "\(task.label).localhost:\(listener.port)", files: Set(files.keys).subtracting(["/"]),
      token: task.token, reloads: task.reloads
    ) { Base32.encode(Randomness.system.bytes(32)) }
    server = PageServer(
      listener, gate, files: files, user: ThisProcess.user,
      answers: PageServer.Answers(
        call: { [unowned self] in call($0, $1, $2) },
        piece: { [unowned self] in take($1, of: $0) },
        picture: { [unowned self] in picture($0) }))
  }

  // MARK: The loop

  func run() throws {
    var pairings = 0
    while !isOver {
      var others = [channel.number]
      if let diary, farewellEnds == nil { others.append(diary.watch.number) }
      server.step(milliseconds: pause, also: others)
      var polls = [Poll.Entry(channel.number)]
      Poll.wait(&polls, milliseconds: 0)
      if polls[0].isReady {
        for message in try channel.receive(BrokerMessage.self) { try take(message) }
        if channel.isOver { return }
      }
      listenToSession()
      if server.pairings > pairings {
        pairings = server.pairings
        try pageBegins()
      }
      endWaits()
      endFarewell()
      if isAbandoned { return }
    }
  }

  /// Milliseconds until something is due.
  private var pause: Int {
    let now = SystemClock.awake
    var next = now + 60_000_000_000
    if let first = waits.map(\.until).min() { next = min(next, first) }
    if let farewellEnds { next = min(next, farewellEnds) }
    if let seen, waits.isEmpty { next = min(next, seen + Self.absence) }
    return max(1, Int((next - now) / 1_000_000) + 1)
  }

  /// Whether the page has gone: it always has a call that waits.
  private var isAbandoned: Bool {
    let now = SystemClock.awake
    if !waits.isEmpty { seen = now }
    return seen.map { now > $0 + Self.absence } ?? false
  }

  func take(_ message: BrokerMessage) throws {
    switch message {
    case .begin: throw SessionError.foreign
    case .standing(let standing):
      let keptTexts = standing.keptTexts
      if let keptTexts, kept == nil { kept = KeptTexts(keptTexts) }
      if !isConfined, keptTexts != nil || !isPartlyConfined {
        PageProcess.confine(task.location, keptTexts: keptTexts)
        isConfined = keptTexts != nil
        isPartlyConfined = true
      }
      guard standing != self.standing else { return }
      self.standing = standing
    case .farewell:
      if diary == nil || farewellEnds != nil { try channel.send(ServerMessage.closed) }
      closeDiary()
    case .session: try open()
    case .dialog(let words): work.dialogShows(words)
    case .said(let words): work.heard(words)
    case .finished(let work, let exitCode, let words, let output):
      self.work.finish(
        work, exitCode, words, output, isOpen: diary != nil && farewellEnds == nil)
    }
    version += 1
  }

  /// Two connections, which the broker has made: this process can make none.
  private func open() throws {
    let requests = LocalSocket(try channel.receiveDescriptor(named: "session"))
    let news = LocalSocket(try channel.receiveDescriptor(named: "session"))
    guard diary == nil, farewellEnds == nil, let kept else {
      return try channel.send(ServerMessage.closed)
    }
    do {
      guard
        let connection = try KeeperConnection(
          connected: requests, to: task.location, as: .serving)
      else { return try channel.send(ServerMessage.closed) }
      diary = try OpenDiary(
        connection, try SessionWatch(connected: news), kept, inlineTags: task.means.inlineTags)
    } catch {
      // It ended while we connected, or is of another version.
      work.end(WindowWork(.unlock), 1, Failure(error).message.text(in: language))
      try channel.send(ServerMessage.closed)
    }
  }

  private func listenToSession() {
    guard let diary else { return }
    switch diary.watch.news() {
    case .nothing: return
    case .changed: changes += 1
    case .over: return closeDiary()
    }
    version += 1
  }

  /// The session has ended: the page keeps what is half typed, and then is another one.
  private func closeDiary() {
    guard diary != nil, farewellEnds == nil else { return }
    farewellEnds = SystemClock.awake + Self.farewell
    version += 1
  }

  private func endFarewell() {
    guard let farewellEnds, SystemClock.awake > farewellEnds else { return }
    _ = beginAnew()
  }

  /// Another page may pair, by this token; the one before gets no more answers.
  private func beginAnew() -> String {
    let token = Base32.encode(Randomness.system.bytes(32))
    server.renew(token: token)
    (diary, farewellEnds) = (nil, nil)
    work.beginAnew()
    forgetPage()
    try? channel.send(ServerMessage.closed)
    return token
  }

  /// A page has paired; where the diary is open, one that was loaded again.
  private func pageBegins() throws {
    diary?.beginAnew()
    forgetPage()
    try channel.send(ServerMessage.paired)
  }

  /// What the page before had begun is nobody's any more. It is told that it is over, and shows nothing then.
  private func forgetPage() {
    kept?.forget()
    try? work.forgetPage()
    for wait in waits { server.answer(wait.ticket, HTTPResponse(.forbidden)) }
    waits = []
    version += 1
  }

  // MARK: What the page waits for

  private func endWaits() {
    let now = SystemClock.awake
    waits.removeAll { wait in
      guard server.isWaiting(wait.ticket) else { return true }
      guard wait.seen < version || wait.until < now else { return false }
      seen = now
      server.answer(wait.ticket, HTTPResponse(.ok, .json, state))
      return true
    }
  }

  // MARK: Answers

  private func call(
    _ name: String, _ bytes: [UInt8], _ ticket: PageServer.Ticket
  ) -> HTTPResponse? {
    // Also of what took long: the page was there all the while.
    defer { seen = SystemClock.awake }
    do {
      guard let call = PageCall(rawValue: name) else { return HTTPResponse(.notFound) }
      let body = try CallBody(bytes)
      if call == .wait { return try wait(body, ticket) }
      let answer = try answer(call, body)
      tellNotices()
      return HTTPResponse(.ok, call == .file ? .file : .json, answer)
    } catch {
      return refusal(error)
    }
  }

  /// What the owner has to know, in words; it stays on the page until somebody has read it.
  private func tellNotices() {
    let notices = diary?.takeNotices() ?? []
    guard !notices.isEmpty else { return }
    let words = notices.map { $0.words.text(in: language) }.joined(separator: "\n")
    work.end(WindowWork(.unlock), 0, words)
    version += 1
  }

  /// An error as the page gets it: in the reader's words.
  private func refusal(_ error: any Error) -> HTTPResponse {
    if case SessionError.gone? = error as? SessionError { closeDiary() }
    let failure = Failure(error)
    return HTTPResponse(
      .failed, .json,
      JSONWriter.object { json in
        json.member("code", failure.code.rawValue)
        json.member("message", failure.message.text(in: language))
        json.member("hint", failure.hint?.text(in: language))
      })
  }

  private struct WaitCall: Decodable { var seen: Int }

  private func wait(_ body: CallBody, _ ticket: PageServer.Ticket) throws -> HTTPResponse? {
    let call = try body.decoded(WaitCall.self)
    guard call.seen >= version else { return HTTPResponse(.ok, .json, state) }
    waits.append((ticket, call.seen, SystemClock.awake + Self.waiting))
    return nil
  }

  private struct LinkCall: Decodable { var link: String }

  private func answer(_ call: PageCall, _ body: CallBody) throws -> [UInt8] {
    switch call {
    case .hello: return hello
    case .wait: throw SessionError.foreign
    case .leave:
      guard farewellEnds != nil else { throw SessionError.foreign }
      let token = beginAnew()
      return JSONWriter.object { $0.member("token", token) }
    case .work: try work.begin(body)
    case .lock:
      // At once, whatever else is being done: the command looks for every process besides.
      try diary?.connection.lock()
      if work.now == nil { try work.begin(WindowWork(.lock)) }
    case .link: try channel.send(ServerMessage.open(link: try body.decoded(LinkCall.self).link))
    case .bring:
      let name = try work.bring(body)
      return JSONWriter.object { $0.member("name", name) }
    case .forget: try work.forget()
    case .stop: try channel.send(ServerMessage.stop)
    case .keep:
      // Also when the session has just ended: sealing needs no key that is secret.
      guard let diary else { throw SessionError.gone }
      return try diary.keep(body)
    default:
      guard let diary, farewellEnds == nil else { throw SessionError.gone }
      return try answer(call, body, diary)
    }
    version += 1
    return JSONWriter.done
  }

  private struct DraftCall: Decodable { var draft: String }

  /// A text that waits, by the name of its file.
  private struct KeptCall: Decodable { var name: String }

  private struct FileCall: Decodable {
    var id: EntryID
    var name: String
  }

  private struct UploadCall: Decodable {
    var name: String
    var size: Int
  }

  private struct RenderCall: Decodable { var text: String }

  private func answer(
    _ call: PageCall, _ body: CallBody, _ diary: OpenDiary
  ) throws -> [UInt8] {
    switch call {
    case .list: return try diary.list(body)
    case .entry: return try diary.show(body)
    case .render:
      let text = try body.decoded(RenderCall.self).text
      return JSONWriter.object { $0.member("html", PageText.html(text)) }
    case .save: return try diary.save(body)
    case .star: return try diary.star(body)
    case .trash: return try diary.moveToTrash(body)
    case .restore: return try diary.restore(body)
    case .purge: return try diary.purge(body)
    case .emptyTrash: return try diary.emptyTrash(body)
    case .history: return try diary.history(body)
    case .revert: return try diary.revert(body)
    case .conflict: return try diary.conflict(body)
    case .keepVersion: return try diary.keepVersion(body)
    case .names: return try diary.names(language)
    case .tallies: return try diary.tallies()
    case .statistics: return try diary.statistics()
    case .rank: return try diary.rank(body)
    case .onThisDay: return try diary.onThisDay(LocalZone().now())
    case .changeNames: return try diary.changeNames(body)
    case .renameTag: return try diary.renameTag(body)
    case .templates: return try diary.templates()
    case .setTemplate: return try diary.setTemplate(body)
    case .devices: return try diary.devices(body, language)
    case .slots: return try diary.slots()
    case .file:
      let file = try body.decoded(FileCall.self)
      return try diary.file(file.name, of: file.id)
    case .awake:
      _ = try diary.connection.run(KeepAwake())
      return JSONWriter.done
    case .upload, .drop, .discard, .kept, .recover, .discardKept:
      return try keeping(call, body, diary)
    case .hello, .wait, .leave, .lock, .work, .stop, .link, .bring, .forget, .keep:
      throw SessionError.foreign
    }
  }

  private func keeping(
    _ call: PageCall, _ body: CallBody, _ diary: OpenDiary
  ) throws -> [UInt8] {
    switch call {
    case .upload:
      let file = try body.decoded(UploadCall.self)
      let word = try diary.beginUpload(file.name, size: file.size)
      return JSONWriter.object { $0.member("upload", word) }
    case .discardKept: try diary.discardKept(try body.decoded(KeptCall.self).name)
    case .drop: diary.dropUpload(try body.decoded(DraftCall.self).draft)
    case .discard: diary.drop(try body.decoded(DraftCall.self).draft)
    case .recover:
      let (saved, isNew, trouble) = try diary.recover(try body.decoded(KeptCall.self).name)
      return JSONWriter.object { json in
        json.member("entry", saved?.description)
        json.member("isNew", isNew)
        json.member("trouble", trouble?.message.text(in: language))
      }
    case .kept:
      let drafts = try diary.drafts()
      return JSONWriter.object { json in
        json.member("drafts", array: drafts) { json, draft in
          json.member("name", draft.name)
          json.member("kept", utc(draft.kept))
          json.member("kind", draft.description?.kind.rawValue ?? "unreadable")
          json.member("title", draft.description?.title)
          json.member("text", draft.description.map { PageText.plain($0.text) })
        }
      }
    default: throw SessionError.foreign
    }
    return JSONWriter.done
  }

  /// A piece of a file; under names of their own, what was typed as a passphrase, and a file to import.
  private func take(_ bytes: [UInt8], of name: String) -> HTTPResponse {
    defer { seen = SystemClock.awake }
    do {
      switch name {
      case "passphrase":
        try work.take(typed: bytes)
        version += 1
      case let name where name.hasPrefix("import-"): try work.take(piece: bytes, of: name)
      default:
        guard let diary, farewellEnds == nil else { throw SessionError.gone }
        try diary.take(bytes, of: name)
      }
      return HTTPResponse(.ok, .json, JSONWriter.done)
    } catch {
      return refusal(error)
    }
  }

  private func picture(_ word: String) -> HTTPResponse {
    guard let diary, farewellEnds == nil,
      let found = try? diary.picture(word),
      let content = HTTPResponse.Content(rawValue: found.type)
    else { return HTTPResponse(.notFound) }
    return HTTPResponse(.ok, content, found.bytes)
  }
}
