/// A word that is not an option: its name, how many there may be, and what completes it.
package struct Operand: Sendable {
  package let name: String
  package let isOptional: Bool
  package let repeats: Bool
  package let completion: Completion

  package init(
    _ name: String, optional: Bool = false, repeats: Bool = false, completion: Completion = .none
  ) {
    self.name = name
    isOptional = optional
    self.repeats = repeats
    self.completion = completion
  }

  /// `ID…`, `[TEXT…]`.
  package var usage: String {
    let name = name + (repeats ? "…" : "")
    return isOptional ? "[\(name)]" : name
  }
}

/// One way to write a command: its operands, perhaps after a word that says what to do.
package struct Form: Sendable {
  /// `add` in `journals add NAME`; nil for the operands alone.
  package let verb: String?
  /// Whether this form is used when no verb is given.
  package let isDefault: Bool
  package let operands: [Operand]

  package init(_ operands: Operand...) {
    verb = nil
    isDefault = false
    self.operands = operands
  }

  package init(_ verb: String, isDefault: Bool = false, _ operands: Operand...) {
    self.verb = verb
    self.isDefault = isDefault
    self.operands = operands
  }

  /// How many words may follow the verb.
  var count: ClosedRange<Int> {
    let least = operands.count { !$0.isOptional }
    return least...(operands.contains(where: \.repeats) ? Int.max : operands.count)
  }

  /// `add NAME`, `[list]`.
  package var usage: String {
    let words = operands.map(\.usage).joined(separator: " ")
    guard let verb else { return words }
    let first = isDefault ? "[\(verb)]" : verb
    return words.isEmpty ? first : isDefault ? "[\(verb) \(words)]" : first + " " + words
  }
}

/// A command, declared once: the parser, the help, the manual and the shells read this.
package struct Command<Context>: Sendable {
  package let name: String
  package let forms: [Form]
  package let summary: any Message
  package let options: [any OptionKey]
  /// Whether a word with one hyphen before it, `-word`, is an operand if no option has that name.
  package let takesDashedWords: Bool
  /// Shown by `--help` below the options.
  package let details: (any Message)?
  package let run: @MainActor @Sendable (Context) async throws -> Outcome

  package init(
    _ name: String, _ forms: Form..., summary: any Message, options: [any OptionKey] = [],
    takesDashedWords: Bool = false, details: (any Message)? = nil,
    run: @escaping @MainActor @Sendable (Context) async throws -> Outcome
  ) {
    self.name = name
    self.forms = forms.isEmpty ? [Form()] : forms
    self.summary = summary
    self.options = options
    self.takesDashedWords = takesDashedWords
    self.details = details
    self.run = run
  }

  /// The words after its name: `[list] | add NAME`.
  package var usage: String { forms.map(\.usage).joined(separator: " | ") }

  package var verbs: [String] { forms.compactMap(\.verb) }

  /// The form that words are written in.
  ///
  /// - Throws: ``UsageError`` for an unknown verb, or for too few or too many words.
  package func form(of words: [String]) throws -> (form: Form, operands: [String]) {
    guard !verbs.isEmpty else {
      return (forms[0], try checked(words, forms[0]))
    }
    guard let first = words.first else {
      if let form = forms.first(where: \.isDefault) { return (form, []) }
      throw misused("\(name) \(usage)")
    }
    let form = try self.form(of: first)
    return (form, try checked(Array(words.dropFirst()), form))
  }

  /// The form of a verb.
  ///
  /// - Throws: ``UsageError`` `unknownVerb`.
  package func form(of verb: String) throws -> Form {
    guard let form = forms.first(where: { $0.verb == verb }) else {
      throw UsageError.unknownVerb(
        verb, of: name, near: Arguments.nearest(verb, verbs), all: verbs)
    }
    return form
  }

  private func checked(_ words: [String], _ form: Form) throws -> [String] {
    guard form.count.contains(words.count) else {
      let rest = form.operands.map(\.usage).joined(separator: " ")
      throw misused([name, form.verb ?? "", rest].filter { !$0.isEmpty }.joined(separator: " "))
    }
    return words
  }

  private func misused(_ usage: String) -> UsageError { .misused(command: name, usage: usage) }

  /// What completes the word at `place` among those after the name.
  package func completion(at place: Int, after words: [String]) -> Completion {
    var place = place
    var form = forms[0]
    if !verbs.isEmpty {
      guard place > 0 else { return .words(verbs) }
      guard let found = forms.first(where: { $0.verb == words.first }) else { return .none }
      form = found
      place -= 1
    }
    let operand =
      form.operands.indices.contains(place)
      ? form.operands[place] : form.operands.last.flatMap { $0.repeats ? $0 : nil }
    return operand?.completion ?? .none
  }
}
