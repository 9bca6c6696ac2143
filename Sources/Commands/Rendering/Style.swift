internal import Dates
internal import Formats
internal import Words

/// Bold and dim where a terminal shows them.
struct Style {
  let isOn: Bool
  init(_ isOn: Bool) { self.isOn = isOn }
  func bold(_ text: String) -> String { isOn ? "\u{1b}[1m\(text)\u{1b}[0m" : text }
  /// What is chosen; without colours it has its mark.
  func chosen(_ text: String) -> String { "\u{1b}[7m\(text)\u{1b}[0m" }
  func reverse(_ text: String) -> String { isOn ? "\u{1b}[7m\(text)\u{1b}[0m" : text }
  func removed(_ text: String) -> String { isOn ? "\u{1b}[31m\(text)\u{1b}[0m" : text }
  func added(_ text: String) -> String { isOn ? "\u{1b}[32m\(text)\u{1b}[0m" : text }
  func dim(_ text: String) -> String { isOn ? "\u{1b}[2m\(text)\u{1b}[0m" : text }
}
