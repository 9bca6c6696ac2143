internal import Bytes
internal import DiaryVault
internal import Entries
internal import FaceMatching
internal import Foundation
internal import Sealing

/// Searching texts of one's own: words drawn by how many entries hold them, parts of words, phrases, words that are not
/// there. What is searched decides what a search costs, so a bench with texts of its own would prove nothing.
extension Bench {
  private struct Query {
    let kind: String
    let text: String
  }

  /// - Parameter path: JSON Lines with a `body` each.
  /// - Returns: a table by kind of query: how many, median, 95th centile and worst, beside sqlite3 and ripgrep where they are.
  func search(_ path: String) throws -> String {
    let bodies = try texts(path)
    let size = bodies.reduce(0) { $0 + $1.utf8.count }
    let folder = home + "/search.facediary"
    let vault = try Vault.create(
      at: folder, vaultID: Randomness.system.bytes(16), recovery: try SecretBytes.random(16),
      device: Randomness.system.bytes(16), anchors: Anchors(), settings: VaultSettings())
    let imported = try milliseconds {
      let taking = try VaultImport(vault)
      for (number, body) in bodies.enumerated() {
        let date = try ZonedTime(seconds: 1_400_000_000 + Int64(number) * 3_000, offset: 0)
        try taking.take(.entry(ImportedEntry(draft: EntryDraft(date: date, body: body))))
      }
      _ = try taking.finish()
    }
    let indexed = try milliseconds {
      guard let update = try IndexUpdate(vault) else { return }
      while try !update.step(.unlimited) {}
    }
    let index = try FileManager.default.contentsOfDirectory(atPath: folder + "/index").reduce(0) {
      $0
        + (try FileManager.default.attributesOfItem(atPath: folder + "/index/" + $1)[.size] as? Int
          ?? 0)
    }
    let queries = queries(bodies)
    let rivals = try rivals(bodies)
    var times: [String: [String: [Double]]] = [:]
    for query in queries {
      func note(_ who: String, runs count: Int = 3, _ body: () throws -> Void) rethrows {
        let runs = try (0..<count).map { _ in try milliseconds(body) }.sorted()
        times[who, default: [:]][query.kind, default: []].append(runs[count / 2])
        times[who, default: [:]]["all", default: []].append(runs[count / 2])
      }
      for (who, limit) in [("here, 50 hits", 50 as Int?), ("here, every hit", nil)] {
        try note(who, runs: limit == nil ? 1 : 3) {
          let cursor = try EntryCursor(
            try Snapshot(vault), limit: limit, query: SearchQuery([query.text]))
          while try cursor.next() != nil {}
        }
      }
      for rival in rivals { note(rival.name) { rival.search(query.text) } }
    }
    var lines = [
      "\(machine)\n",
      String(
        format: "%d texts, %.1f MB; import %.2f s, index %.2f s, %.2f of the text\n", bodies.count,
        Double(size) / 1e6, imported / 1e3, indexed / 1e3, Double(index) / Double(max(1, size))),
      "newest first, each hit with the line around it, ms; sqlite3 and rg are whole processes on plain text\n",
      "| who | queries | n | median | 95th | worst |", "|---|---|---|---|---|---|",
    ]
    for who in ["here, 50 hits", "here, every hit"] + rivals.map(\.name) {
      for (kind, values) in (times[who] ?? [:]).sorted(by: { $0.key < $1.key }) {
        let sorted = values.sorted()
        lines.append(
          String(
            format: "| \(who) | \(kind) | %d | %.1f | %.1f | %.1f |", sorted.count,
            sorted[sorted.count / 2], sorted[sorted.count * 95 / 100], sorted[sorted.count - 1]))
      }
    }
    return lines.joined(separator: "\n")
  }

  private func texts(_ path: String) throws -> [String] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").prefix(entries).map {
      let object = try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
      guard let body = object?["body"] as? String else { throw Usage() }
      return body
    }
  }

  /// Ten words of each magnitude of how many texts hold them, 25 parts of words and phrases each, and absent words.
  private func queries(_ bodies: [String]) -> [Query] {
    var random = SplitMix64(state: 7)
    var counts: [String: Int] = [:]
    for body in bodies {
      let words = body.split { !$0.isLetter && !$0.isNumber }.filter {
        $0.count > 1 && $0.count < 30
      }
      for word in Set(words) { counts[String(word), default: 0] += 1 }
    }
    let words = counts.keys.sorted()
    guard !words.isEmpty else { return [] }
    var queries: [Query] = []
    for magnitude in 0..<6 {
      let low = Int(pow(10, Double(magnitude)))
      let own = words.filter { (low..<(low * 10)).contains(counts[$0] ?? 0) }
      for word in own.shuffled(using: &random).prefix(10) {
        queries.append(Query(kind: "word in \(low) and more", text: word))
      }
    }
    for _ in 0..<25 {
      let word = words.randomElement(using: &random) ?? ""
      if word.count > 4 {
        queries.append(Query(kind: "part", text: String(word.dropFirst().prefix(3))))
      }
      let run = (bodies.randomElement(using: &random) ?? "").split(separator: " ")
      if run.count > 3 {
        let start = Int.random(in: 0..<(run.count - 2), using: &random)
        let phrase = run[start..<(start + 2)].joined(separator: " ")
        if !phrase.hasPrefix("-"), !phrase.contains("\"") {
          queries.append(Query(kind: "phrase", text: "\"\(phrase)\""))
        }
      }
    }
    for word in ["zqxjv", "xqzzk", "驫麤", "ßqxw", "wvutsrq"] {
      queries.append(Query(kind: "absent", text: word))
    }
    return queries
  }

  private struct Rival {
    let name: String
    let search: (String) -> Void
  }

  /// Installed programs that search the same texts in clear.
  private func rivals(_ bodies: [String]) throws -> [Rival] {
    let file = home + "/texts.txt"
    let lines = bodies.map { $0.split(whereSeparator: \.isNewline).joined(separator: " ") }
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: file))
    func run(_ words: [String]) -> Bool {
      (try? launch("/usr/bin/env", words)) == 0
    }
    var rivals: [Rival] = []
    let database = home + "/texts.sqlite"
    let make = [
      "CREATE VIRTUAL TABLE t USING fts5(x, tokenize='trigram');", ".mode ascii",
      ".separator \"\\037\" \"\\n\"", ".import \(file) t",
    ]
    func fts(_ text: String, _ limit: String) {
      let plain = text.replacingOccurrences(of: "\"", with: "")
        .replacingOccurrences(of: "'", with: "''")
      _ = run([
        "sqlite3", database,
        "SELECT x FROM t WHERE x MATCH '\"\(plain)\"' ORDER BY rowid DESC\(limit)",
      ])
    }
    if run(["sqlite3", database] + make) {
      rivals.append(
        Rival(name: "sqlite3 FTS5, 50 hits") { fts($0, " LIMIT 50") })
      rivals.append(
        Rival(name: "sqlite3 FTS5, every hit") { fts($0, "") })
    }
    if run(["rg", "--version"]) {
      rivals.append(
        Rival(name: "ripgrep") { text in
          _ = run(["rg", "-i", "-F", "-e", text.replacingOccurrences(of: "\"", with: ""), file])
        })
    }
    return rivals
  }
}
