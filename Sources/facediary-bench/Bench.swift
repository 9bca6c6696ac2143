internal import Bytes
internal import DiaryVault
internal import Entries
internal import Foundation
internal import Platform
internal import RowStore
internal import Sealing

/// One line of the table: what was measured, the limit it is compared with, and how often.
struct Row: Codable {
  let what: String
  /// Milliseconds, the median of the runs.
  let value: Double
  let fastest: Double
  let slowest: Double
  let limitName: String
  let limit: Double

  var ratio: Double { value / limit }
}

struct Bench {
  private let parts: Set<String>
  let entries: Int
  private let asJSON: Bool
  /// Rows of an earlier `--json`, by what they measured.
  private let before: [String: Row]
  let plot: String?
  /// Texts to search, JSON Lines with a `body` each.
  private let texts: String?
  /// Where two homes meet; nil for a folder of the bench's own.
  let place: String?
  let home = NSTemporaryDirectory() + "facediary-bench-" + UUID().uuidString

  init(_ words: [String]) throws {
    var parts: Set<String> = []
    var entries = 10_000
    var asJSON = false
    var before: [Row] = []
    var plot: String?
    var texts: String?
    var place: String?
    var rest = words[...]
    while let word = rest.popFirst() {
      switch word {
      case "--json": asJSON = true
      case "--entries":
        guard let text = rest.popFirst(), let number = Int(text), number > 0 else {
          throw Usage()
        }
        entries = number
      case "--compare":
        guard let path = rest.popFirst() else { throw Usage() }
        before = try JSONDecoder().decode(
          [Row].self, from: try Data(contentsOf: URL(fileURLWithPath: path)))
      case "--texts":
        guard let path = rest.popFirst() else { throw Usage() }
        texts = path
      case "--place":
        guard let name = rest.popFirst() else { throw Usage() }
        place = name
      case "--plot":
        guard let path = rest.popFirst() else { throw Usage() }
        plot = path
      case "startup", "commands", "vault", "sealing", "similarity", "growth", "search", "sync",
        "window":
        parts.insert(word)
      default: throw Usage()
      }
    }
    self.parts = parts
    self.plot = plot
    self.texts = texts
    self.place = place
    self.entries = entries
    self.asJSON = asJSON
    self.before = Dictionary(before.map { ($0.what, $0) }) { $1 }
  }

  struct Usage: Error, CustomStringConvertible {
    let description =
      "usage: facediary-bench [startup|commands|vault|sealing|similarity]… [--entries N] [--json] [--compare OLD.json], growth [--entries N] [--plot OUT.svg], sync [--entries N] [--place PLACE], window [--entries N], or search --texts FILE.jsonl [--entries N]"
  }

  func run() throws -> String {
    try FileManager.default.createDirectory(
      atPath: home, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(atPath: home) }
    for (name, value) in [("HOME", home), ("FACEDIARY_RUNTIME", home + "/run"), ("TZ", "UTC")] {
      unsafe setenv(name, value, 1)
    }
    if parts == ["growth"] { return try growth() }
    if parts == ["sync"] { return try sync() }
    if parts == ["window"] { return try window() }
    if parts == ["search"] {
      guard let texts else { throw Usage() }
      return try search(texts)
    }
    var rows: [Row] = []
    func wanted(_ part: String) -> Bool { parts.isEmpty || parts.contains(part) }
    if wanted("startup") { rows += try startup() }
    if wanted("similarity") { rows += try similarity() }
    if wanted("sealing") { rows += try sealing() }
    if wanted("vault") { rows += try vault() }
    if wanted("commands") { rows += try commands() }
    if asJSON {
      return String(decoding: try JSONEncoder().encode(rows), as: UTF8.self)
    }
    let compares = !before.isEmpty
    let head =
      "| what | ms | fastest–slowest | limit | ms | ratio |\(compares ? " before | change |" : "")\n"
      + "|---|---|---|---|---|---|\(compares ? "---|---|" : "")\n"
    func number(_ value: Double) -> String { String(format: value < 0.1 ? "%.5f" : "%.2f", value) }
    return "\(machine), \(entries) entries\n\n" + head
      + rows.map {
        let range = "\(number($0.fastest))–\(number($0.slowest))"
        let ratio = String(format: "%.2f", $0.ratio)
        return "| \($0.what) | \(number($0.value)) | \(range) | \($0.limitName) "
          + "| \(number($0.limit)) | \(ratio) |\(movement($0, number))"
      }.joined(separator: "\n")
  }

  /// How a row moved against the earlier run, with the machine's own drift, told by the limits, taken out.
  private func movement(_ row: Row, _ number: (Double) -> String) -> String {
    guard !before.isEmpty else { return "" }
    guard let old = before[row.what] else { return " – | new |" }
    let drift = old.limitName == row.limitName && old.limit > 0 ? row.limit / old.limit : 1
    let change = row.value / (old.value * drift) * 100 - 100
    return " \(number(old.value)) | \(String(format: "%+.0f %%", change)) |"
  }

  var machine: String {
    let info = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    let model = info.split(separator: "\n").first { $0.hasPrefix("model name") }?
      .split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
    return "\(model ?? "unknown processor"), \(ProcessInfo.processInfo.processorCount) cores"
  }

  /// Runs two bodies in turn, so that a machine that drifts drifts for both.
  func row(
    _ what: String, runs: Int, limit limitName: String, scale: Double = 1,
    _ body: () throws -> Void,
    _ limit: () throws -> Void
  ) rethrows -> Row {
    var own: [Double] = []
    var limits: [Double] = []
    for run in 0...runs {
      let a = try milliseconds(body)
      let b = try milliseconds(limit)
      // The first of each warms up.
      if run > 0 {
        own.append(a / scale)
        limits.append(b / scale)
      }
    }
    own.sort()
    limits.sort()
    return Row(
      what: what, value: own[own.count / 2], fastest: own[0], slowest: own[own.count - 1],
      limitName: limitName, limit: limits[limits.count / 2])
  }

  func milliseconds(_ body: () throws -> Void) rethrows -> Double {
    let time = try ContinuousClock().measure(body)
    return Double(time.components.seconds) * 1e3 + Double(time.components.attoseconds) / 1e15
  }

  // MARK: Processes

  var program: String {
    URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
      .deletingLastPathComponent().appendingPathComponent("facediary").path
  }

  /// Starts a program the way a shell does and waits for it; Foundation's `Process` looks only every
  /// 50 ms whether one has ended.
  @discardableResult
  func launch(_ path: String, _ words: [String]) throws -> Int32 {
    let null = try Descriptor.open("/dev/null", [.readWrite])
    return ChildProcess.wait(
      for: try ChildProcess.spawn(
        [path] + words, files: [null.number, null.number, null.number], ownGroup: false,
        keepingEnvironment: true))
  }

  struct Failed: Error { let words: [String] }

  private func facediary(_ words: String...) throws {
    guard try launch(program, words) == 0 else { throw Failed(words: words) }
  }

  private func startup() throws -> [Row] {
    [
      try row("facediary --version, whole process", runs: 30, limit: "/bin/true") {
        try facediary("--version")
      } _: {
        try launch("/bin/true", [])
      }
    ]
  }

  // MARK: In this process

  private func sealing() throws -> [Row] {
    let key = try SecretBytes.random()
    let data: [UInt8] = Array("associated".utf8)
    return [256, 1024, 16 << 10, 64 << 10].map { size in
      let plain = [UInt8](repeating: 7, count: size)
      let times = max(20, (8 << 20) / size)
      let sealed = unsafe AEAD.seal(plain.span.bytes, associatedData: data.span.bytes, key: key)
      return row(
        "seal \(size) bytes", runs: 5, limit: "open them", scale: Double(times)
      ) {
        for _ in 0..<times {
          _ = unsafe AEAD.seal(plain.span.bytes, associatedData: data.span.bytes, key: key)
        }
      } _: {
        for _ in 0..<times {
          _ = unsafe try? AEAD.open(sealed.span.bytes, associatedData: data.span.bytes, key: key)
        }
      }
    }
  }

  /// Entries of about 570 bytes with two tags each, over ten years.
  func drafts(_ count: Int) throws -> [EntryDraft] {
    var state: UInt64 = 5
    func random(_ bound: UInt64) -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) % bound
    }
    let words = (0..<5000).map { _ in
      String((0..<(2 + random(8))).map { _ in Character(Unicode.Scalar(UInt8(97 + random(26)))) })
    }
    return try (0..<count).map { number in
      var body = ""
      while body.utf8.count < 560 { body += words[Int(random(5000))] + " " }
      let date = try ZonedTime(
        seconds: 1_450_000_000 + Int64(number) * 315_000_000 / Int64(count), offset: 0)
      return EntryDraft(
        date: date, body: body, tags: ["tag\(random(40))", "tag\(random(40))"])
    }
  }

  /// The same, to import.
  func jsonLines(_ count: Int) throws -> String {
    try drafts(count).map { draft in
      let date = Date(timeIntervalSince1970: Double(draft.date.seconds)).formatted(.iso8601)
      return
        "{\"date\":\"\(date)\",\"body\":\"\(draft.body)\",\"tags\":[\"\(draft.tags[0])\"]}\n"
    }.joined()
  }

  final class Anchors: AnchorStore {
    var anchor: Anchor?
    func load() throws(VaultError) -> Anchor? { anchor }
    func save(_ anchor: Anchor) throws(VaultError) { self.anchor = anchor }
    func lock() throws(VaultError) -> AnyObject { self }
  }

  private static let schema = Schema(
    applicationID: 1, version: 1,
    statements: ["CREATE TABLE t(id INTEGER PRIMARY KEY, b BLOB NOT NULL)"])

  private func vault() throws -> [Row] {
    let vault = try Vault.create(
      at: home + "/bench.facediary", vaultID: Randomness.system.bytes(16),
      recovery: try SecretBytes.random(16), device: Randomness.system.bytes(16), anchors: Anchors(),
      settings: VaultSettings())
    let drafts = try drafts(entries)
    let plain = try RowStore(home + "/plain", .create, schema: Self.schema)
    let blob = [UInt8](repeating: 3, count: 700)
    var next: Int64 = 0
    var rows: [Row] = []
    let imported = try milliseconds {
      let taking = try VaultImport(vault)
      for draft in drafts { try taking.take(.entry(ImportedEntry(draft: draft))) }
      _ = try taking.finish()
    }
    let inserted = try milliseconds {
      try plain.transaction { () throws(StoreError) in
        for _ in 0..<entries {
          next += 1
          try plain.run("INSERT INTO t(id, b) VALUES(?, ?)", [.integer(next), .blob(blob)])
        }
      }
    }
    rows.append(
      Row(
        what: "import of all entries", value: imported, fastest: imported, slowest: imported,
        limitName: "700-byte rows into SQLite", limit: inserted))
    rows.append(
      try row("add one entry, durable", runs: 30, limit: "one durable SQLite insert") {
        _ = try vault.add(drafts[entries / 2])
      } _: {
        next += 1
        try plain.transaction { () throws(StoreError) in
          try plain.run("INSERT INTO t(id, b) VALUES(?, ?)", [.integer(next), .blob(blob)])
        }
      })
    func readAll() throws {
      try plain.run("SELECT b FROM t") { row throws(StoreError) in
        try row.withBlob(0, limit: 1 << 20) { $0.byteCount > 0 }
      }
    }
    func walk(bodies: Bool = false, query: String? = nil, limit: Int? = nil) throws {
      let cursor = try EntryCursor(
        try Snapshot(vault), limit: limit, bodies: bodies, query: query.map { SearchQuery([$0]) })
      while try cursor.next() != nil {}
    }
    let sqlite = "read every row of SQLite"
    rows.append(try row("list all headers", runs: 3, limit: sqlite, { try walk() }, readAll))
    rows.append(
      try row("list all with bodies", runs: 3, limit: sqlite, { try walk(bodies: true) }, readAll))
    rows.append(
      try row(
        "search a word that is not there", runs: 5, limit: sqlite, { try walk(query: "zqzqzq") },
        readAll))
    rows.append(
      try row("list the last ten", runs: 20, limit: sqlite, { try walk(limit: 10) }, readAll))
    return rows
  }

  /// A file in and out, through the session.
  private func attachments() throws -> [Row] {
    let size = max(1 << 20, min(entries, 10_000) * 25_600)
    let file = home + "/file.bin"
    var random = SystemRandomNumberGenerator()
    let block = (0..<(1 << 17)).flatMap { _ in
      unsafe withUnsafeBytes(of: random.next()) { unsafe [UInt8]($0) }
    }
    var data = Data()
    while data.count < size { data.append(contentsOf: block) }
    try data.write(to: URL(fileURLWithPath: file))
    let name = "\(data.count >> 20) MiB"
    let copy = { try data.write(to: URL(fileURLWithPath: self.home + "/copy.bin")) }
    return [
      try row("attach \(name)", runs: 3, limit: "write such a file") {
        try facediary("write", "with a file", "--attach", file)
      } _: {
        try copy()
      },
      try row("extract \(name)", runs: 3, limit: "write such a file") {
        try facediary("extract", "@last", "file.bin", "-o", home + "/out.bin")
      } _: {
        try copy()
      },
    ]
  }

  // MARK: Commands in a session

  private func commands() throws -> [Row] {
    let secret = home + "/passphrase"
    try Data("bench\n".utf8).write(to: URL(fileURLWithPath: secret))
    let file = home + "/entries.jsonl"
    try Data(try jsonLines(entries).utf8).write(to: URL(fileURLWithPath: file))
    try facediary("init", "--passphrase-file", secret, "--kdf", "interactive")
    try facediary("unlock", "--passphrase-file", secret)
    defer { try? facediary("lock") }
    try facediary("import", file)
    func timed(_ words: String...) throws -> Row {
      try row("facediary \(words.joined(separator: " "))", runs: 20, limit: "facediary --version") {
        guard try launch(program, words) == 0 else { throw Failed(words: words) }
      } _: {
        try facediary("--version")
      }
    }
    return [
      try timed("list", "--limit", "10"), try timed("show", "@5"), try timed("write", "hello"),
      try timed("status"), try timed("search", "zqzqzq"), try timed("list", "--json"),
      try timed("tags"), try timed("verify"), try timed("export"),
      try timed("unlock", "--passphrase-file", secret),
    ] + (try attachments())
  }
}
