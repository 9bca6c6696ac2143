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
