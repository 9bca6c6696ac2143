internal import DiaryVault

/// The command line after its command, taken apart but not yet understood.
struct Arguments: Sendable {
  private(set) var operands: [String] = []
  private var values: [String: [String]] = [:]

  func has(_ name: String) -> Bool { values[name] != nil }

  func value(_ name: String) -> String? { values[name]?.last }

  func all(_ name: String) -> [String] { values[name] ?? [] }

  /// - Throws: ``Failure`` `usage`, suggesting the nearest option.
  static func parse(_ words: [String], options: [Option]) throws -> Arguments {
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
        let near = nearest(name, options.map(\.name))
        throw Failure(
          .usage, "unknown option \(name)", hint: near.map { "did you mean \($0)?" })
      }
      if option.value == nil {
        guard parts.count == 1 else { throw Failure(.usage, "\(name) takes no value") }
        result.values[option.name, default: []].append("")
        continue
      }
      var value = parts.count == 2 ? String(parts[1]) : nil
      if value == nil, index < words.count {
        value = words[index]
        index += 1
      }
      guard let value else {
        throw Failure(.usage, "\(name) needs a value: \(name) \(option.value ?? "")")
      }
      if !option.repeats, result.has(option.name) {
        throw Failure(.usage, "\(option.name) is given twice")
      }
      result.values[option.name, default: []].append(value)
    }
    return result
  }

  /// The candidate with the fewest changes from `word`, when there are few enough.
  static func nearest(_ word: String, _ candidates: [String]) -> String? {
    let best = candidates.map { ($0, EditDistance.between(Array(word), Array($0))) }.min {
      $0.1 < $1.1
    }
    guard let best, best.1 <= max(1, word.count / 3) else { return nil }
    return best.0
  }
}
