internal import Platform

/// How far a long piece of work has come, on a terminal's standard error, once it takes over half a second.
final class Progress {
  private let name: String
  private var total: Int?
  private let shows: Bool
  private let start = SystemClock.sinceBoot
  private var last: Int64 = 0
  private var done = 0
  private var isShown = false

  init(_ name: String, of total: Int?, shows: Bool) {
    self.name = name
    self.total = total.flatMap { $0 > 0 ? $0 : nil }
    self.shows = shows
  }

  func add(_ count: Int) {
    done += count
    guard shows else { return }
    let now = SystemClock.sinceBoot
    guard now - start > 500_000_000, now - last > 100_000_000 else { return }
    last = now
    isShown = true
    let share = total.map { "\(min(100, done * 100 / max(1, $0))) %" } ?? byteCount(done)
    Output.sayRaw("\r\u{1b}[K\(clipped(visible(name), to: 40))  \(share)")
  }

  /// So many are done, of so many.
  func reach(_ count: Int, of whole: Int) {
    total = whole
    add(count - done)
  }

  func end() {
    if isShown { Output.sayRaw("\r\u{1b}[K") }
    isShown = false
  }
}

extension Invocation {
  func progress(_ name: String) -> Progress {
    Progress(name, of: nil, shows: !isQuiet && !isJSON && Terminal.isTerminal(2))
  }
}
