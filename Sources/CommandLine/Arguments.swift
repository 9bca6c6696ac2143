/// The command line after its command: options read into their values, and the other words.
package struct Arguments: Sendable {
  package private(set) var operands: [String] = []
  private var values: [String: [(text: String, value: any Sendable)]] = [:]

  package init() {}

  /// The value of an option, nil when it was not given.
  package subscript<Value>(option: Option<Value>) -> Value? {
    values[option.spec.name]?.last?.value as? Value
  }

  package subscript(flag: Flag) -> Bool { values[flag.spec.name] != nil }

  package subscript(option: RepeatedOption) -> [String] {
    values[option.spec.name]?.map(\.text) ?? []
  }

  /// Whether an option was given at all.
  package func has(_ option: any OptionKey) -> Bool { values[option.spec.name] != nil }

  /// What was typed for an option, each time it was given.
  package func texts(_ option: any OptionKey) -> [String] {
    values[option.spec.name]?.map(\.text) ?? []
  }

  /// - Parameter dashedWords: whether `-word` is an operand if no option has that name.
  /// - Throws: ``UsageError``, suggesting the nearest option; what reading a value throws.
  package static func parse(
    _ words: [String], options: [any OptionKey], dashedWords: Bool = false
  ) throws -> Arguments {
    let options = options.map(\.spec)
    var result = Arguments()
    var index = 0
    var optionsEnded = false
    while index < words.count {
      let word = words[index]
      index += 1
      guard !optionsEnded, word.hasPrefix("-"), word != "-" else {
        result.operands.append(word)
        continue
      }
      if word == "--" {
        optionsEnded = true
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      guard let option = options.first(where: { $0.name == name || $0.short == name }) else {
        if dashedWords, !word.hasPrefix("--") {
          result.operands.append(word)
          continue
        }
        throw UsageError.unknownOption(name, near: nearest(name, options.map(\.name)))
      }
      guard let placeholder = option.value else {
        guard parts.count == 1 else { throw UsageError.takesNoValue(name) }
        result.values[option.name, default: []].append(("", ""))
        continue
      }
      var value = parts.count == 2 ? String(parts[1]) : nil
      if value == nil, index < words.count {
        value = words[index]
        index += 1
      }
      guard let value else {
        throw UsageError.needsValue(name, value: placeholder)
      }
      if !option.repeats, result.values[option.name] != nil {
        throw UsageError.givenTwice(option.name)
      }
      result.values[option.name, default: []].append((value, try option.read(value)))
    }
    return result
  }

  /// The candidate with the fewest changes from `word`, when there are few enough.
  package static func nearest(_ word: String, _ candidates: [String]) -> String? {
    // An insertion and a removal at once are one change.
    func changes(_ other: String) -> Int {
      let difference = Array(other).difference(from: Array(word))
      return max(difference.insertions.count, difference.removals.count)
    }
    let best = candidates.map { ($0, changes($0)) }.min { $0.1 < $1.1 }
    guard let best, best.1 <= max(1, word.count / 3) else { return nil }
    return best.0
  }
}
