internal import Access
internal import Authentication
internal import Bytes
internal import CommandLine
internal import Commands
internal import Dates
internal import Entries
internal import FaceDiary
internal import FaceMatching
internal import JSONText
internal import Keeper
internal import Platform
internal import Sealing
internal import Words

/// The whole story of the library on sample vectors, as an app would tell it.
@MainActor
enum Demo {
  static func run(_ invocation: Invocation) async throws -> Outcome {
    let faces = try samples(invocation)
    let home = try FileSystem.makeTemporaryDirectory(
      FileSystem.temporaryFolder + "/facediary-demo-")
    defer { FileSystem.removeTree(home) }
    let isShown = invocation.arguments[Options.demoWindow]
    try await Story(invocation, faces: faces, home: home, isShown: isShown).tell()
    guard isShown else { return .written() }
    return .written(exitCode: try await show(invocation, faces: faces, home: home))
  }

  /// Shows the demo's diary as `facediary window` shows one: in a home of its own, where a program that shows a sample face is the camera.
  private static func show(
    _ invocation: Invocation, faces: String, home: String
  ) async throws -> Int32 {
    let configuration = home + "/config/facediary"
    try FileSystem.makeDirectories(configuration)
    let probe = "cat \(FileSystem.realPath(faces) ?? faces)/owner-4.npy"
    try Descriptor.open(configuration + "/config.json", [.write, .create, .exclusive])
      .write(JSONWriter.object { $0.member("probe", probe) })
    for (name, place) in [
      ("HOME", home), ("XDG_CONFIG_HOME", home + "/config"),
      ("FACEDIARY_VAULT", home + "/data/diary.facediary"), ("FACEDIARY_DEVICE", home + "/state"),
      ("FACEDIARY_RUNTIME", home + "/run"),
    ] {
      ThisProcess.setVariable(name, place)
    }
    let words = ["--language", invocation.language.rawValue]
    let code = await Program.run(["window"] + words)
    _ = await Program.run(["lock", "--quiet"] + words)
    return code
  }

  /// Where the sample vectors are: named, in this directory, or beside the sources we were built from.
  private static func samples(_ invocation: Invocation) throws -> String {
    if let named = invocation.arguments[Options.faces] { return named }
    var places = ["Keys/faces"]
    var directory = try ThisProcess.executable()
    for _ in 0..<5 {
      directory = FileSystem.parent(of: directory)
      places.append(directory + "/Keys/faces")
    }
    for place in places where FileSystem.exists(place + "/owner-1.npy", following: true) {
      return place
    }
    throw Failure(
      .notFound, DemoMessage.noSamples,
      hint: DemoMessage.nameSamples)
  }
}

/// What the demo does, step by step.
@MainActor
private struct Story {
  private let invocation: Invocation
  private let faces: String
  private let home: String
  private let secretWord = "kingfisher"
  /// Whether the diary is to be looked at afterwards.
  private let isShown: Bool

  init(_ invocation: Invocation, faces: String, home: String, isShown: Bool) {
    self.isShown = isShown
    self.invocation = invocation
    self.faces = faces
    self.home = home
  }

  private func say(_ text: any Message) throws {
    try invocation.output.line(invocation.text(text))
    try invocation.output.flush()
  }

  private func check(_ holds: Bool, _ what: any Message) throws {
    guard holds else { throw Failure(.system, DemoMessage.wrong(what)) }
  }

  private func vectors(_ name: String) throws -> [Embedding] {
    try invocation.vectors(faces + "/" + name).embeddings()
  }

  func tell() async throws {
    let location = DiaryLocation(
      vault: home + "/data/diary.facediary", devices: home + "/state", runtime: home + "/run")
    let diary = Diary(at: location)
    let model = AuthenticationModel(service: diary)
    try say(DemoMessage.looking(model.state.rawValue))
    await model.checkInitialState()
    try check(model.state == .onboarding, DemoMessage.notOnboarding)
    try say(DemoMessage.none(model.state.rawValue))

    let shots = try ["owner-1.npy", "owner-2.json", "owner-3.csv"].flatMap(vectors)
    var passphrase = Array("a passphrase for the demo".utf8)
    let created = try await diary.create(
      passphrase: try SecretBytes(wiping: &passphrase), limits: .interactive,
      faces: FaceRegistration(embeddings: shots, label: "sample", model: "sface"))
    await model.onFaceRegistrationCompleted(try await diary.loadFaceData()!)
    try check(model.state == .authentication, DemoMessage.notAsked)
    try say(
      DemoMessage.made(shots: shots.count, state: model.state.rawValue)
    )
    try check(created.recoveryCode.count == 34, DemoMessage.noRecoveryCode)

    try await authenticate(model)
    try await write(diary)

    if isShown {
      for draft in try DemoEntries.drafts(invocation.language, now: LocalZone().now()) {
        _ = try await diary.write(draft)
      }
    }
    await model.logout()
    let isOpen = await diary.isOpen
    try check(model.state == .authentication && !isOpen, DemoMessage.stillOpen)
    try say(DemoMessage.closed(model.state.rawValue))

    let (files, leaks) = try plaintext()
    try check(leaks.isEmpty, DemoMessage.plaintext(leaks.joined(separator: ", ")))
    try say(DemoMessage.scanned(word: secretWord, files: files))
    if !isShown { try say(DemoMessage.yourOwn) }
  }

  private func authenticate(_ model: AuthenticationModel) async throws {
    let stranger = try Probe(try vectors("stranger-1.npy"))
    guard case .refused(let left) = try await model.authenticate(stranger) else {
      throw Failure(.system, DemoMessage.strangerLetIn)
    }
    try say(DemoMessage.strangerRefused(left: left, state: model.state.rawValue))

    let owner = try Probe(try vectors("owner-4.npy"))
    guard case .accepted(let similarity, let threshold) = try await model.authenticate(owner) else {
      throw Failure(.system, DemoMessage.ownerRefused)
    }
    try say(
      DemoMessage.ownerShown(
        similarity: rounded(similarity), threshold: rounded(threshold), state: model.state.rawValue)
    )
  }

  private func write(_ diary: Diary) async throws {
    let now = LocalZone().now()
    var draft = EntryDraft(date: now, body: "Saw a \(secretWord) by the river. 川でカワセミを見た。")
    draft.title = "Morning walk"
    draft.tags = ["birds"]
    let id = try await diary.write(draft)
    _ = try await diary.write(EntryDraft(date: now, body: "Rain all day; tea and a book."))
    try say(DemoMessage.written(id.short))

    let found = try await diary.entries(matching: SearchQuery(["かわせみ"]))
    try check(found.map(\.id) == [id], DemoMessage.searchFailed)
    try say(DemoMessage.found(found[0].excerpt ?? ""))

    let report = try await diary.verify()
    try check(report.isWhole && report.entries == 2, DemoMessage.notWhole)
    try say(DemoMessage.verified(report.entries))
  }

  /// Looks into every file the demo made.
  private func plaintext() throws -> (files: Int, leaks: [String]) {
    var count = 0
    var leaks: [String] = []
    let words = [secretWord, "カワセミ", "Morning walk", "birds"].map { Array($0.utf8) }
    var folders = [home]
    while let folder = folders.popLast() {
      for name in try FileSystem.names(in: folder) {
        let path = folder + "/" + name
        if FileSystem.isDirectory(path) {
          folders.append(path)
          continue
        }
        guard try FileStatus(path).kind == .regular else { continue }
        let bytes = try Descriptor.open(path).readAll(limit: 1 << 30)
        count += 1
        if words.contains(where: { bytes.contains($0) }) { leaks.append(name) }
      }
    }
    return (count, leaks)
  }
}
