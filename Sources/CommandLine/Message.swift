/// A language people are spoken to in. What machines read never depends on it.
package enum Language: String, CaseIterable, Sendable {
  case english = "en"
  case japanese = "ja"

  /// The language of a code or of a locale's name: `ja`, `ja_JP.UTF-8`.
  package init?(named name: String) {
    self.init(rawValue: name.prefix { $0.isLetter }.lowercased())
  }
}

/// Something said to people: usually a case of an enum, which each language has words for.
package protocol Message: Sendable {
  func text(in language: Language) -> String
}

/// What is the same in every language: a name, a number, what another program said.
package struct Verbatim: Message, Equatable {
  package let words: String

  package init(_ words: String) { self.words = words }

  package func text(in _: Language) -> String { words }
}
