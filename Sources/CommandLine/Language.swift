/// A language people are spoken to in. What machines read never depends on it.
package enum Language: String, CaseIterable, Sendable {
  case english = "en"
  case japanese = "ja"

  /// The language of a code or of a locale's name: `ja`, `ja_JP.UTF-8`.
  package init?(named name: String) {
    self.init(rawValue: name.prefix { $0.isLetter }.lowercased())
  }

  /// What people type for yes.
  package var yes: [String] {
    switch self {
    case .english: ["y", "yes"]
    case .japanese: ["はい"]
    }
  }

  /// What people type for no.
  package var no: [String] {
    switch self {
    case .english: ["n", "no"]
    case .japanese: ["いいえ"]
    }
  }

  /// Whether a text says yes (true) or no (false), in any language; nil when it says neither.
  package static func agreement(_ text: String) -> Bool? {
    let text = text.lowercased()
    if allCases.contains(where: { $0.yes.contains(text) }) { return true }
    return allCases.contains { $0.no.contains(text) } ? false : nil
  }
}
