internal import Bytes
internal import DiaryVault
internal import Entries
internal import Foundation
internal import SealedFiles
internal import Sealing

/// How cost grows with the diary: the same work at 100, 1,000, … entries, in this process, and a log–log plot of it.
extension Bench {
  private struct Series {
    let name: String
    let color: String
    var points: [(entries: Int, milliseconds: Double)] = []
  }

  /// - Returns: a table; the plot is written to ``plot`` when one was asked for.
  func growth() throws -> String {
    var series = [
      Series(name: "add one entry, durable", color: "#d62728"),
      Series(name: "show one entry", color: "#1f77b4"),
      Series(name: "list the last ten", color: "#2ca02c"),
      Series(name: "search, one hit", color: "#9467bd"),
      Series(name: "list all headers", color: "#8c564b"),
      Series(name: "verify everything", color: "#7f7f7f"),
    ]
    var size = 100
    while size <= entries {
      for (index, milliseconds) in try costs(of: size).enumerated() {
        series[index].points.append((size, milliseconds))
      }
      size *= 10
    }
    if let plot { try Data(Self.svg(series).utf8).write(to: URL(fileURLWithPath: plot)) }
    let sizes = series[0].points.map(\.entries)
    return "\(machine)\n\n| ms at entries | " + sizes.map(String.init).joined(separator: " | ")
      + " |\n|---|" + sizes.map { _ in "---|" }.joined() + "\n"
      + series.map { one in
        "| \(one.name) | "
          + one.points.map { String(format: "%.2f", $0.milliseconds) }.joined(separator: " | ")
          + " |"
      }.joined(separator: "\n")
  }

  private func costs(of size: Int) throws -> [Double] {
    let path = home + "/growth-\(size).facediary"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let vault = try Vault.create(
      at: path, vaultID: Randomness.system.bytes(16), recovery: try SecretBytes.random(16),
      device: Randomness.system.bytes(16), anchors: Anchors(), settings: VaultSettings())
    let taking = try VaultImport(vault)
    var last: EntryID?
    for (number, var draft) in try drafts(size).enumerated() {
      if number == size / 2 { draft.body += "singlehit" }
      try taking.take(.entry(ImportedEntry(draft: draft)))
    }
    _ = try taking.finish()
    let draft = try drafts(1)[0]
    func walk(limit: Int? = nil, query: String? = nil) throws {
      let cursor = try EntryCursor(
        try Snapshot(vault), limit: limit, query: query.map { SearchQuery([$0]) })
      while let entry = try cursor.next() { last = entry.id }
    }
    try walk(limit: 1)
    let shown = EntryReference.prefix(last?.description ?? "")
    let few = size >= 100_000 ? 3 : 9
    return [
      try median(30) { _ = try vault.add(draft) },
      try median(30) { _ = try Snapshot(vault).entry(shown) },
      try median(30) { try walk(limit: 10) },
      try median(few) { try walk(query: "singlehit") },
      try median(few) { try walk() },
      try median(few) { _ = try vault.verify() },
    ]
  }

  private func median(_ runs: Int, _ body: () throws -> Void) rethrows -> Double {
    let times = try (0..<runs).map { _ in try milliseconds(body) }.sorted()
    return times[runs / 2]
  }

  private static func svg(_ series: [Series]) -> String {
    let sizes = series[0].points.map(\.entries)
    let all = series.flatMap { $0.points.map(\.milliseconds) }
    let low = floor(log10(all.min() ?? 1))
    let high = ceil(log10(all.max() ?? 1))
    func x(_ entries: Int) -> Double {
      80 + (log10(Double(entries)) - 2) / max(1, log10(Double(sizes.last ?? 1000)) - 2) * 560
    }
    func y(_ ms: Double) -> Double { 400 - (log10(ms) - low) / (high - low) * 360 }
    func at(_ value: Double) -> String { String(format: "%.1f", value) }
    var lines: [String] = []
    for power in Int(low)...Int(high) {
      let height = at(y(pow(10, Double(power))))
      let name =
        power < 0 ? String(format: "%g", pow(10, Double(power))) : "\(Int(pow(10, Double(power))))"
      lines.append("<line x1=\"80\" x2=\"640\" y1=\"\(height)\" y2=\"\(height)\" stroke=\"#ddd\"/>")
      lines.append(
        "<text x=\"72\" y=\"\(height)\" text-anchor=\"end\" dominant-baseline=\"middle\">\(name) ms</text>"
      )
    }
    for size in sizes {
      lines.append(
        "<text x=\"\(at(x(size)))\" y=\"420\" text-anchor=\"middle\">\(size)</text>")
    }
    for (index, one) in series.enumerated() {
      let points = one.points.map { "\(at(x($0.entries))),\(at(y($0.milliseconds)))" }
      lines.append(
        "<polyline points=\"\(points.joined(separator: " "))\" fill=\"none\" stroke=\"\(one.color)\" stroke-width=\"2\"/>"
      )
      lines.append(
        "<text x=\"660\" y=\"\(60 + 22 * index)\" fill=\"\(one.color)\">\(one.name)</text>")
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 860 450" font-family="sans-serif" font-size="13">
      <rect width="860" height="450" fill="white"/>
      <text x="360" y="442" text-anchor="middle">entries in the diary</text>
      \(lines.joined(separator: "\n"))
      </svg>

      """
  }
}
