package import CommandLine

/// What a camera's program asks of the person before it, in a line `ask: NAME` of what it says while it looks.
package enum CameraRequest: String, Sendable, CaseIterable, Message {
  case left, right, up, straight

  /// - Parameter line: of what the program said; nil for any other.
  package init?(line: String) {
    guard line.hasPrefix("ask: ") else { return nil }
    self.init(rawValue: String(line.dropFirst(5)))
  }

  package func text(in language: Language) -> String { language.phrasebook.text(self) }
}
