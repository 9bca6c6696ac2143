internal import Foundation

/// What several devices cost: two homes and a folder between them, whole commands in open sessions, and other programs that
/// keep copies of the same things.
extension Bench {
  /// - Returns: a table, with how many objects and bytes lie in the place.
  func sync() throws -> String {
    let folder = home + "/place"
    let place = self.place ?? "folder:" + folder
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let one = SyncHome(self, home + "/one")
    let two = SyncHome(self, home + "/two")
    var lines = [
      "\(machine), \(entries) entries\n", "| what | ms | beside | ms |", "|---|---|---|---|",
    ]
    func note(_ what: String, _ value: Double, _ beside: String = "", _ other: Double? = nil) {
      lines.append(
        "| \(what) | \(Self.number(value)) | \(beside) | \(other.map(Self.number) ?? "") |")
    }
    func median(_ runs: Int, _ body: (Int) throws -> Double) rethrows -> Double {
      try (0..<runs).map(body).sorted()[runs / 2]
    }
    try one.run("init --passphrase-file $P --kdf interactive && $F unlock --passphrase-file $P")
    let file = home + "/sync.jsonl"
    try Data(try jsonLines(entries).utf8).write(to: URL(fileURLWithPath: file))
    try one.run("import '\(file)'")
    note(
      "setup, everything told",
      try milliseconds {
        try one.run(
          "sync setup '\(place)' --name one --json --passphrase-file $P > '\(home)/space'")
      })
    // What a session sends and merges by itself is not to be waited for.
    try one.run("sync auto off")
    let told = try Self.weigh(folder)
    let copied = self.place == nil ? try beside("rclone copy '\(folder)' '\(home)/copy'") : nil
    func join(_ name: String) throws -> String {
      try? FileManager.default.removeItem(atPath: home + "/code")
      try one.start("sync invite --yes --passphrase-file $P > '\(home)/code'")
      return "sync join '\(place)' \(try waitForCode()) --name \(name) --passphrase-file $P "
        + "--kdf interactive"
    }
    let joining = try join("two")
    let joined = try milliseconds { try two.run(joining) }
    let memory = Self.mostMemory
    note("join, all of it there", joined, "rclone copy of the place", copied)
    let third = SyncHome(self, home + "/three")
    note("join, until the newest can be read", try readEarly(third, try join("three")))
    try revokeThird(one)
    try two.run("unlock --passphrase-file $P && $F sync auto off")
    for home in [one, two, one] { try home.run("sync") }
    let restic = "restic -q -r '\(home)/restic' --password-command 'echo x'"
    let hasRestic = try beside("\(restic) init && \(restic) backup '\(file)'") != nil
    note(
      "sync, nothing new", try median(15) { _ in try milliseconds { try one.run("sync") } },
      "restic snapshots",
      hasRestic ? try median(3) { _ in try beside("\(restic) snapshots") ?? 0 } : nil)
    let before = try Self.weigh(folder)
    try oneByOne(one, two, note)
    let after = try Self.weigh(folder)
    try conflicts(one, two, note)
    try largeFile(one, two, place, note)
    note("compact", try milliseconds { try one.run("sync compact") })
    note("the other, after compact", try milliseconds { try two.run("sync") })
    for home in [one, two] { try home.run("sync") }
    let packed = try Self.weigh(folder)
    for home in [one, two] { try? home.run("lock") }
    return lines.joined(separator: "\n")
      + "\n\nafter setup \(told.objects) objects, \(told.bytes) bytes; 11 entries sent: "
      + "\(after.objects - before.objects) objects, \((after.bytes - before.bytes) / 11) bytes each; "
      + "after compact \(packed.objects) objects; "
      + "\(memory >> 20) MiB at most in any process until the first had joined"
  }

  private func revokeThird(_ one: SyncHome) throws {
    try one.shell(
      """
      python3 -c "import json,sys; print(json.load(open(sys.argv[1]))['recoveryCode'])" \
        '\(home)/space' > '\(home)/spacecode'
      $F sync revoke three --space-code-file '\(home)/spacecode' --passphrase-file $P
      """)
  }

  private typealias Note = (_ what: String, _ value: Double, _ beside: String, _ other: Double?)
    -> Void

  /// Eleven entries, each sent by one and merged by the other.
  private func oneByOne(_ one: SyncHome, _ two: SyncHome, _ note: Note) throws {
    var pushes: [Double] = []
    var pulls: [Double] = []
    for number in 0..<11 {
      try one.run("write 'entry \(number) \(String(repeating: "some prose ", count: 50))'")
      pushes.append(try milliseconds { try one.run("sync") })
      pulls.append(try milliseconds { try two.run("sync") })
    }
    note("sync that sends one entry", pushes.sorted()[5], "", nil)
    note("sync that merges one entry", pulls.sorted()[5], "", nil)
  }

  private func largeFile(
    _ one: SyncHome, _ two: SyncHome, _ place: String, _ note: Note
  ) throws {
    let file = home + "/photo"
    // Larger ones do not go into a database.
    let size = min(
      place.hasPrefix("postgres:") ? 200 << 20 : 1 << 30, max(8 << 20, entries * 10_000))
    try one.shell("head -c \(size) /dev/urandom > '\(file)' && $F write photo --attach '\(file)'")
    note(
      "send a file of \(size >> 20) MiB", try milliseconds { try one.run("sync") },
      "rclone copy of it", try beside("rclone copy '\(file)' '\(home)/copied'"))
    note("fetch it", try milliseconds { try two.run("sync") }, "", nil)
  }

  /// The largest peak memory of the processes waited for.
  private static var mostMemory: Int {
    var usage = rusage()
    _ = unsafe getrusage(RUSAGE_CHILDREN.rawValue, &usage)
    return usage.ru_maxrss << 10
  }

  /// Joins, and how long it takes until an entry is listed while more come in.
  private func readEarly(_ third: SyncHome, _ join: String) throws -> Double {
    let isDone = home + "/joined"
    try third.shell("{ $F \(join); : > '\(isDone)'; } &")
    let time = try milliseconds {
      while (try? third.run("unlock --passphrase-file $P && $F list --limit 1 | grep -q .")) == nil
      {
        if FileManager.default.fileExists(atPath: isDone) { throw Failed(words: ["join"]) }
        usleep(20_000)
      }
    }
    while !FileManager.default.fileExists(atPath: isDone) { usleep(50_000) }
    try third.run("lock")
    return time
  }

  /// 1,000 entries that both write, beside KeePassXC's merge of as many.
  private func conflicts(
    _ one: SyncHome, _ two: SyncHome, _ note: (String, Double, String, Double?) -> Void
  ) throws {
    let count = min(1000, entries)
    for (name, home) in [("one", one), ("two", two)] {
      try home.shell(
        "$F export --format json -o '\(self.home)/\(name).json' >/dev/null 2>&1 && "
          + "/usr/bin/python3 -c \"import json,sys; a=json.load(open(sys.argv[1])); a=a if isinstance(a,list) else a['entries']; "
          + "[e.update(body='\(name) '+e['body']) for e in sorted(a,key=lambda e:e['id'])[:\(count)]]; "
          + "json.dump(a,open(sys.argv[1],'w'))\" '\(self.home)/\(name).json' && "
          + "$F import --on-conflict update '\(self.home)/\(name).json'")
    }
    try one.run("sync")
    let merged = try milliseconds { try two.run("sync") }
    var rival: Double?
    for name in ["one", "two"] {
      try Data(Self.keePass(count, by: name).utf8).write(
        to: URL(fileURLWithPath: home + "/\(name).xml"))
      _ = try? one.shell(
        "printf 'x\\nx\\n' | keepassxc-cli import -p '\(home)/\(name).xml' '\(home)/\(name).kdbx'")
    }
    rival = try beside(
      "printf 'x\\n' | keepassxc-cli merge -s '\(home)/one.kdbx' '\(home)/two.kdbx'")
    note("merge \(count) entries with two texts", merged, "keepassxc-cli merge", rival)
  }

  /// Entries of a password safe, with the same ids in both homes.
  private static func keePass(_ count: Int, by name: String) -> String {
    func id(_ number: Int) -> String {
      Data((0..<16).map { UInt8(truncatingIfNeeded: $0 < 8 ? 0 : number >> (8 * (15 - $0))) })
        .base64EncodedString()
    }
    let time = name == "one" ? "2026-01-02T00:00:00Z" : "2026-01-03T00:00:00Z"
    return "<KeePassFile><Meta/><Root><Group><UUID>\(id(1 << 40))</UUID><Name>Root</Name>"
      + (1...count).map { number in
        "<Entry><UUID>\(id(number))</UUID><Times><LastModificationTime>\(time)</LastModificationTime></Times>"
          + "<String><Key>Title</Key><Value>\(number)</Value></String>"
          + "<String><Key>Notes</Key><Value>\(name) \(String(repeating: "prose ", count: 90))</Value></String></Entry>"
      }.joined() + "</Group></Root></KeePassFile>"
  }

  /// How long another program takes; nil where it is not, or fails.
  private func beside(_ command: String) throws -> Double? {
    var status: Int32 = 1
    let time = try milliseconds {
      status = try launch("/bin/sh", ["-c", "{ \(command); } >/dev/null 2>&1"])
    }
    return status == 0 ? time : nil
  }

  private func waitForCode() throws -> String {
    for _ in 0..<600 {
      let text = (try? String(contentsOfFile: home + "/code", encoding: .utf8)) ?? ""
      if let line = text.split(separator: "\n").first, line.count == 49 { return String(line) }
      usleep(50_000)
    }
    throw Failed(words: ["sync", "invite"])
  }

  private static func weigh(_ folder: String) throws -> (objects: Int, bytes: Int) {
    var (objects, bytes) = (0, 0)
    for case let name as String in FileManager.default.enumerator(atPath: folder) ?? .init() {
      let facts = try FileManager.default.attributesOfItem(atPath: folder + "/" + name)
      guard facts[.type] as? FileAttributeType == .typeRegular else { continue }
      objects += 1
      bytes += facts[.size] as? Int ?? 0
    }
    return (objects, bytes)
  }

  private static func number(_ value: Double) -> String { String(format: "%.0f", value) }
}

/// A home of its own, whose commands are run by a shell in which `$F` is the program and `$P` its passphrase's file.
private struct SyncHome {
  private let bench: Bench
  private let path: String

  init(_ bench: Bench, _ path: String) {
    self.bench = bench
    self.path = path
  }

  func run(_ words: String) throws { try shell("$F " + words) }

  /// Runs a command in the background.
  func start(_ words: String) throws { try shell("$F \(words) &") }

  func shell(_ command: String) throws {
    let script = """
      set -e; export HOME='\(path)' FACEDIARY_RUNTIME='\(path)/run' P='\(path)/passphrase' F='\(bench.program)'
      mkdir -p "$HOME"; [ -e "$P" ] || { umask 077; echo bench > "$P"; }
      \(command)
      """
    guard try bench.launch("/bin/sh", ["-c", script]) == 0 else {
      throw Bench.Failed(words: [command])
    }
  }
}
