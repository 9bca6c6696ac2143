internal import Platform
internal import Synchronization

/// How far a long piece of work has come, on a terminal's standard error, once it takes over half a second.
package final class ProgressLine {
  private let name: String
  private var total: Int?
  private let shows: Bool
  private let amount: (Int) -> String
  private let start = SystemClock.sinceBoot
  private var last: Int64 = 0
  private var done = 0
  private var isShown = false

  /// - Parameter amount: how much is done, in words, where nobody knows of how much.
  package init(
    _ name: String, of total: Int?, shows: Bool,
    amount: @escaping (Int) -> String = { byteCount($0) }
  ) {
    self.name = name
    self.total = total.flatMap { $0 > 0 ? $0 : nil }
    self.shows = shows
    self.amount = amount
  }

  package func add(_ count: Int) {
    done += count
    guard shows else { return }
    let now = SystemClock.sinceBoot
    guard now - start > 500_000_000, now - last > 100_000_000 else { return }
    last = now
    isShown = true
    Self.isOnScreen.store(true, ordering: .relaxed)
    let share = total.map { "\(min(100, done * 100 / max(1, $0))) %" } ?? amount(done)
    Output.draw("\r\u{1b}[K\(clipped(visible(name), to: 40))  \(share)")
  }

  /// Reports that `count` of `whole` are done.
  package func reach(_ count: Int, of whole: Int) {
    total = whole
    add(count - done)
  }

  package func end() {
    Self.clear()
    isShown = false
  }

  /// Whether one stands on the screen; what is said next takes its place.
  private static let isOnScreen = Atomic(false)

  static func clear() {
    if isOnScreen.exchange(false, ordering: .relaxed) { Output.draw("\r\u{1b}[K") }
  }
}
