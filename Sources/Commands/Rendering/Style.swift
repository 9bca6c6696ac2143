/// Bold and dim where a terminal shows them.
struct Style {
  private let on: Bool
  init(_ on: Bool) { self.on = on }
  func bold(_ text: String) -> String { on ? "\u{1b}[1m\(text)\u{1b}[0m" : text }
  /// What is chosen; without colours it has its mark.
  func chosen(_ text: String) -> String { "\u{1b}[7m\(text)\u{1b}[0m" }
  func reverse(_ text: String) -> String { on ? "\u{1b}[7m\(text)\u{1b}[0m" : text }
  func dim(_ text: String) -> String { on ? "\u{1b}[2m\(text)\u{1b}[0m" : text }
}
