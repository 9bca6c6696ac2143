package import Access
internal import Bytes
internal import Client
internal import CommandLine
internal import Entries
internal import Markdown
internal import Platform
internal import Requests
internal import Words

/// Starts the page's server, the browser, and the commands that the page asks for; ends them all when one of them has gone.
///
/// It is the only part of a window that starts anything. What it starts are this program's own commands, with words that are written
/// here: the page's server can ask for one of a few by its name, and for nothing else.
package final class WindowBroker {
  package struct Settings {
    package let location: DiaryLocation
    /// The language's code.
    package let language: String
    package let means: PageTask.Means
    package let browser: WebBrowser
    /// A private directory in memory, and the lock on it.
    package let directory: String
    package let lock: Int32
    /// Whether there is a terminal just now, which asks and shows a code.
    package let hasTerminal: () -> Bool
    /// Whether the page begins with a new entry.
    package let writes: Bool
    /// The variables of the person's environment.
    package let environment: [String: String]
    package let standing: () throws -> WindowStanding
    /// Keeps the folder that backups go to from now on.
    package let keepBackupFolder: (String) throws -> Void
    /// Says that the window is there, and its address, which alone opens nothing.
    package let announce: (_ address: String) throws -> Void

    package init(
      location: DiaryLocation, language: String, means: PageTask.Means, browser: WebBrowser,
      directory: String, lock: Int32,
      hasTerminal: @escaping () -> Bool, writes: Bool, environment: [String: String],
      standing: @escaping () throws -> WindowStanding,
      keepBackupFolder: @escaping (String) throws -> Void,
      announce: @escaping (String) throws -> Void
    ) {
      (self.location, self.language, self.means) = (location, language, means)
      (self.browser, self.directory, self.lock) = (browser, directory, lock)
      (self.hasTerminal, self.writes, self.environment) = (hasTerminal, writes, environment)
      (self.standing, self.announce) = (standing, announce)
      self.keepBackupFolder = keepBackupFolder
    }
  }

  /// Milliseconds between two looks whether the diary was opened elsewhere.
  private static let look = 2000
  /// Nanoseconds for the browser to show the page.
  private static let patience: Int64 = 120_000_000_000

  private let settings: Settings
  private let channel: WindowChannel
  private let files: WindowFiles
  private var server: Child
  private var browser: Child?
  /// Keep the page's port, here and in the browser: nobody else answers there, also when the server was killed.
  private let heldPort: [Descriptor]
  private var running: Running?
  private var isPaired = false
  private var hasSession = false
  /// Whether the diary was opened by this window: then it is closed with it.
  private var hasOpened = false
  private let began = SystemClock.awake
  private var lookedAt: Int64 = 0

  /// A process of ours, and a descriptor that is readable when it has ended.
  private struct Child {
    let id: Int32
    let end: Descriptor?

    init(_ id: Int32) {
      self.id = id
      end = OtherProcess(id: id).ending
    }
  }

  /// A command that was started for the page, and what it said so far.
  private struct Running {
    let work: WindowWork
    let child: Child
    /// What it says to people, and what it prints; nil at the terminal.
    var said: Descriptor?
    var printed: Descriptor?
    var words: [UInt8] = []
    var output: [UInt8] = []
  }

  private var redirection: String { settings.directory + "/open.html" }

  /// Starts the server and the browser.
  package init(_ settings: Settings) throws {
    self.settings = settings
    files = WindowFiles(settings.directory + "/import", settings.environment)
    let (descriptors, theirs) = try LocalSocket.pair()
    let (messages, theirMessages) = try LocalSocket.pair()
    let null = try Descriptor.open("/dev/null", [.readWrite])
    let port = try LoopbackPort()
    heldPort = port.held
    let id = try ChildProcess.spawn(
      [try ThisProcess.executable(), PageProcess.word, String(theirs.number)],
      files: [null.number, null.number, 2], passing: theirs.number, ownGroup: true,
      keepingEnvironment: true)
    server = Child(id)
    channel = WindowChannel(messages, descriptors: descriptors)
    do {
      try channel.pass(theirMessages.number)
      try channel.pass(port.listener)
      try begin()
    } catch {
      end()
      throw error
    }
  }

  private func begin() throws {
    let random = Randomness.system
    let label = Base32.encode(random.bytes(10))
    let token = Base32.encode(random.bytes(32))
    var task = PageTask(
      location: settings.location, language: settings.language, label: label, token: token,
      means: settings.means)
    task.writes = settings.writes
    task.reloads = settings.browser.kind != .other
    try channel.send(BrokerMessage.begin(task))
    guard case .listening(let port)? = try channel.receive(ServerMessage.self).first else {
      throw Failure(.system, WindowMessage.serverEnded)
    }
    try tellStanding()
    let address = "http://\(label).localhost:\(port)/"
    // Leads the browser to the page with its token, which is good once; only this user can read it.
    let leading = """
      <!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer">
      <script>location.replace("\(address)#\(token)")</script>

      """
    try Descriptor.open(redirection, [.write, .create, .exclusive, .noFollow])
      .write(Array(leading.utf8))
    let profile = settings.directory + "/profile"
    try FileSystem.makeDirectory(profile)
    if settings.browser.kind == .firefox {
      try Descriptor.open(profile + "/user.js", [.write, .create, .exclusive, .noFollow])
        .write(Array(WebBrowser.firefoxSettings.utf8))
    }
    let null = try Descriptor.open("/dev/null", [.readWrite])
    let words =
      try settings.browser.variables(for: settings.directory)
      + settings.browser.command(
        opening: redirection, profile: profile, language: settings.language)
    // It has a part in the lock and in the port: they stay while it runs.
    let id = try ChildProcess.spawn(
      words,
      files: [null.number, null.number, null.number, settings.lock] + heldPort.map(\.number),
      ownGroup: true,
      environment: ["XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "XDG_", "GTK_", "QT_", "GDK_"])
    browser = Child(id)
    try settings.announce(address)
  }

  /// Runs until the page, the browser or the server has gone, or a signal comes.
  ///
  /// - Returns: the signal; nil for a window that was closed.
  package func run() throws -> Int32? {
    defer { end() }
    let signals = try Signals.redirectToPipe()
    defer { Signals.stopRedirecting() }
    while true {
      var entries = [Poll.Entry(signals.number), Poll.Entry(channel.number)]
      let ends = [browser?.end, running?.child.end, running?.said, running?.printed].map {
        $0?.number
      }
      entries += ends.compactMap { $0 }.map { Poll.Entry($0) }
      Poll.wait(&entries, milliseconds: Self.look)
      if entries[0].isReady, let signal = try signals.readAvailable(1)?.first.map({ Int32($0) }) {
        // Ctrl-C at a question in the terminal ends the command that asks.
        if signal == Signals.interrupt, let running, running.said == nil { continue }
        try takeLeave()
        return signal
      }
      if entries[1].isReady {
        for message in try channel.receive(ServerMessage.self) { try take(message) }
        if channel.isOver {
          guard isPaired else { throw Failure(.system, WindowMessage.serverEnded) }
          return nil
        }
      }
      try followWork()
      if try isBrowserGone() { return nil }
      try followDiary()
    }
  }

  /// Milliseconds for the page to keep what is half typed.
  private static let farewell = 1500

  private func takeLeave() throws {
    guard hasSession, browser != nil else { return }
    try channel.send(BrokerMessage.farewell)
    let end = SystemClock.awake + Int64(Self.farewell) * 1_000_000
    while hasSession, !channel.isOver, SystemClock.awake < end {
      var entries = [Poll.Entry(channel.number)]
      Poll.wait(&entries, milliseconds: 100)
      guard entries[0].isReady else { continue }
      for case .closed in try channel.receive(ServerMessage.self) { hasSession = false }
    }
  }

  private func isBrowserGone() throws -> Bool {
    if let one = browser, one.end?.isReadable ?? false {
      browser = nil
      let code = ChildProcess.wait(for: one.id)
      if isPaired { return true }
      // One that we do not know may have handed the page to another process.
      guard settings.browser.kind == .other, code == 0 else {
        throw Failure(.system, WindowMessage.browserEnded, hint: WindowMessage.nameBrowser)
      }
    }
    guard isPaired || SystemClock.awake - began < Self.patience else {
      throw Failure(.system, WindowMessage.browserSilent, hint: WindowMessage.nameBrowser)
    }
    return false
  }

  private func take(_ message: ServerMessage) throws {
    switch message {
    case .listening: throw SessionError.foreign
    case .paired:
      isPaired = true
      try? FileSystem.remove(redirection)
    case .run(let work): try start(work)
    case .open(let link): open(link)
    case .file(let name): try channel.pass(files.receive(name))
    case .forgetFile: files.forget()
    case .stop:
      // One that asks at the terminal is ended there.
      guard let running, running.said != nil, running.work.kind.mayBeStopped else { return }
      OtherProcess(id: running.child.id).terminateGroup()
    case .closed:
      hasSession = false
      lookedAt = 0
      // It has nothing to settle with any more, and a folder nobody to be chosen for.
      if let running, [.sync, .syncRemoving, .chooseFolder].contains(running.work.kind) {
        OtherProcess(id: running.child.id).terminateGroup()
      }
    }
  }

  // MARK: The diary

  /// Tells where the diary stands and, once it is open, gives the server its connections.
  private func followDiary() throws {
    guard !hasSession, SystemClock.awake - lookedAt > Int64(Self.look) * 900_000 else { return }
    lookedAt = SystemClock.awake
    if let running {
      // What outlives its session hides no door.
      if !running.work.kind.isOfDoor, !running.work.kind.makesDiary { try tellStanding() }
      return
    }
    // A session that is warm and closed has a socket, too.
    guard (try? KeeperConnection(session: settings.location, as: .attending)) != nil else {
      return try tellStanding()
    }
    try tellStanding()
    let socket = SessionSocket(settings.location)
    guard let requests = try? socket.connect(), let news = try? socket.connect() else { return }
    try channel.send(BrokerMessage.session)
    try channel.pass(requests.number)
    try channel.pass(news.number)
    hasSession = true
  }

  private func tellStanding() throws {
    // A disk that is full, or a configuration that is being written: the next look says more.
    guard let standing = try? settings.standing() else { return }
    try channel.send(BrokerMessage.standing(standing))
  }

  // MARK: Work

  private func words(of work: WindowWork) throws -> [String] {
    if work.kind == .chooseFolder {
      let title = WindowMessage.chooseFolder.text(in: language)
      guard let command = FolderDialog.command(title: title) else {
        throw Failure(.notFound, WindowMessage.failed)
      }
      return command
    }
    // Whatever the page asks for, nothing takes the place of a diary. One that joins brings it along.
    if work.kind.makesDiary, work.kind != .join, try settings.standing().door.id != nil {
      throw Failure(.conflict, WindowMessage.failed)
    }
    let command = try files.words(of: work, hasTerminal: settings.hasTerminal())
    // Before the command's own words, which may end the options.
    var words = [
      try ThisProcess.executable(), command[0], "--vault=" + settings.location.vault,
      "--device=" + settings.location.devices, "--language", settings.language,
    ]
    // A pairing code is read from there in any case.
    if work.isTyped, work.kind != .join {
      words += [work.kind.takesCode ? "--recovery-file" : "--passphrase-file", "-"]
    }
    return words + command.dropFirst()
  }

  private func start(_ work: WindowWork) throws {
    let input = work.isTyped ? try channel.receiveDescriptor(named: "passphrase") : nil
    guard running == nil else { return try finish(work, 1, "") }
    do {
      let words = try words(of: work)
      if work.kind.isPrivate, settings.hasTerminal() {
        // It asks, and shows a code, at our terminal and nowhere else.
        let id = try ChildProcess.spawn(
          words, files: [0, 1, 2], ownGroup: false, keepingEnvironment: true)
        running = Running(work: work, child: Child(id))
        return
      }
      let null = try Descriptor.open("/dev/null", [.readWrite])
      let (said, printed) = (try Descriptor.pipe(), try Descriptor.pipe())
      said.read.setNonBlocking()
      printed.read.setNonBlocking()
      // Without a terminal: where a program can ask in a window, it does.
      let id = try withDialogWords(for: work) {
        try ChildProcess.spawn(
          words,
          files: [input?.number ?? null.number, printed.write.number, said.write.number],
          ownGroup: true, ownSession: true, keepingEnvironment: true)
      }
      running = Running(work: work, child: Child(id), said: said.read, printed: printed.read)
    } catch {
      try finish(work, 1, Failure(error).message.text(in: language))
    }
  }

  /// Starts a command whose dialogs show two words that the page shows, too: nobody else knows them.
  private func withDialogWords<Result>(
    for work: WindowWork, _ start: () throws -> Result
  ) throws -> Result {
    guard settings.means.pinentry, work.kind.mayAsk, !work.isTyped || work.kind == .join else {
      return try start()
    }
    let words = DialogWords.pair(Randomness.system.bytes(2), in: language)
    ThisProcess.setVariable(DialogWords.variable, words)
    defer { ThisProcess.restoreVariable(DialogWords.variable, nil) }
    let result = try start()
    try channel.send(BrokerMessage.dialog(words))
    return result
  }

  private var language: Language { Language(named: settings.language) ?? .english }

  /// Bytes that are kept of what a command says and prints.
  private static let (wordLimit, outputLimit) = (64 << 10, 256 << 10)

  private func followWork() throws {
    guard var now = running else { return }
    let hasEnded = now.child.end?.isReadable ?? true
    let before = now.words.count
    if let more = try now.said?.readAvailable() { now.words += more }
    if let more = try now.printed?.readAvailable() { now.output += more }
    now.words.removeLast(max(0, now.words.count - Self.wordLimit))
    now.output.removeLast(max(0, now.output.count - Self.outputLimit))
    running = now
    let lines = sentences(String(decoding: now.words, as: UTF8.self))
    guard hasEnded else {
      if now.words.count > before {
        try channel.send(BrokerMessage.said(lines.last ?? ""))
      }
      return
    }
    running = nil
    let code = ChildProcess.wait(for: now.child.id)
    lookedAt = 0
    let output = files.done(now.work, code) ?? String(decoding: now.output, as: UTF8.self)
    var said = lines.joined(separator: "\n")
    if code == 0, now.work.kind.opens { hasOpened = true }
    if code == 0, now.work.kind == .backup {
      // What was done is not undone by that.
      do { try settings.keepBackupFolder(try files.folder(now.work.word)) } catch {
        said += "\n" + Failure(error).message.text(in: language)
      }
    }
    if hasSession { try tellStanding() }
    // Where a diary was made, that comes before the door to it: the page says so there.
    if now.work.kind.makesDiary { try finish(now.work, code, said, output) }
    try followDiary()
    if !now.work.kind.makesDiary { try finish(now.work, code, said, output) }
  }

  /// What a command says, as a page says it: without the command's name, and without what to type at a terminal.
  private func sentences(_ words: String) -> [String] {
    words.split(separator: "\n").enumerated().compactMap { place, line in
      let line = line.hasPrefix("facediary: ") ? line.dropFirst(11) : line
      if place > 0, line.contains("facediary ") || line.contains("--") { return nil }
      // A path that it begins with becomes the file's name, as it is.
      return files.named(line.prefix(1).uppercased() + line.dropFirst())
    }
  }

  private func finish(
    _ work: WindowWork, _ code: Int32, _ words: String, _ output: String = ""
  ) throws {
    try channel.send(
      BrokerMessage.finished(work, exitCode: code, words: words, output: output))
  }

  /// Hands a link to the person's own browser.
  private func open(_ link: String) {
    guard link.utf8.count <= 4096, HTMLText.isSafe(link),
      link.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7f }),
      let null = try? Descriptor.open("/dev/null", [.readWrite])
    else { return }
    _ = try? ChildProcess.spawn(
      ["xdg-open", link], files: [null.number, null.number, null.number], ownGroup: true,
      ownSession: true,
      environment: ["XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "XDG_", "DESKTOP_"])
  }

  private func end() {
    for child in [browser, running?.said == nil ? nil : running?.child, server].compactMap(\.self) {
      let process = OtherProcess(id: child.id)
      process.terminateGroup()
      if !process.isGone(within: 2000) { process.endGroup() }
      _ = ChildProcess.wait(for: child.id)
    }
    (browser, running) = (nil, nil)
    guard hasOpened else { return }
    hasOpened = false
    do { try Locking.lock(settings.location) } catch {
      Output.say(Failure(error).message.text(in: language))
    }
  }
}
