/// What a shell may suggest for a word.
package enum Completion: Sendable, Equatable {
  case none, file
  case words([String])
  /// Something only the program knows: `journal`, `entry`, …
  case named(String)
}

/// What the help, the manual, the parser and the shells need of an option, whatever the type of its value.
package struct OptionSpec: Sendable {
  package let name: String
  package let short: String?
  /// What its value is called; nil for a flag.
  package let value: String?
  package let repeats: Bool
  package let help: any Message
  package let completion: Completion
  /// Reads a value; throws when the text is not a valid one.
  let read: @Sendable (String) throws -> any Sendable
}

/// Something declared once that stands among a command's options.
package protocol OptionKey: Sendable {
  var spec: OptionSpec { get }
}

/// An option with a value: its name, help, reading and completion, declared once; the key to its value in
/// ``Arguments``.
package struct Option<Value: Sendable>: OptionKey {
  package let spec: OptionSpec

  /// - Parameter reading: makes a value of what was typed, or throws; done before the command runs.
  package init(
    _ name: String, short: String? = nil, _ value: String, _ help: any Message,
    completion: Completion = .none, reading: @escaping @Sendable (String) throws -> Value
  ) {
    spec = OptionSpec(
      name: name, short: short, value: value, repeats: false, help: help, completion: completion,
      read: reading)
  }
}

extension Option where Value == String {
  package init(
    _ name: String, short: String? = nil, _ value: String, _ help: any Message,
    completion: Completion = .none
  ) {
    self.init(name, short: short, value, help, completion: completion) { $0 }
  }
}

/// An option that may be given several times.
package struct RepeatedOption: OptionKey {
  package let spec: OptionSpec

  package init(_ name: String, _ value: String, _ help: any Message, completion: Completion = .none)
  {
    spec = OptionSpec(
      name: name, short: nil, value: value, repeats: true, help: help, completion: completion,
      read: { $0 })
  }
}

/// An option without a value.
package struct Flag: OptionKey {
  package let spec: OptionSpec

  package init(_ name: String, short: String? = nil, _ help: any Message) {
    spec = OptionSpec(
      name: name, short: short, value: nil, repeats: false, help: help, completion: .none,
      read: { $0 })
  }
}

extension Option {
  /// One of some words, which are its completion and stand in its help.
  package static func choice(
    _ name: String, _ words: [String], _ help: any Message,
    _ make: @escaping @Sendable (String) -> Value?
  ) -> Option {
    Option(name, words.joined(separator: "|"), help, completion: .words(words)) { text in
      if let value = make(text) { return value }
      throw UsageError.notOneOf(option: name, given: text, words: words)
    }
  }
}

extension Option where Value == Int {
  /// A number within bounds.
  package static func number(
    _ name: String, _ value: String, in bounds: ClosedRange<Int>, _ help: any Message
  ) -> Option {
    Option(name, value, help) { text in
      guard let number = Int(text), bounds.contains(number) else {
        throw UsageError.notANumber(
          option: name, given: text, least: bounds.lowerBound,
          most: bounds.upperBound == .max ? nil : bounds.upperBound)
      }
      return number
    }
  }
}
