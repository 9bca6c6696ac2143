/// A sentence for people: an English form with places for values, which another language replaces.
///
/// Written as an interpolated string; `Text("no vault at \(path)")` has the form `no vault at {}`.
package struct Text: ExpressibleByStringInterpolation, Sendable, Equatable, Codable {
  package let form: String
  package let values: [String]
  /// The places of values that are words of ours, which a language may have too.
  private var terms: Set<Int> = []

  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var form = ""
    fileprivate var values: [String] = []
    fileprivate var terms: Set<Int> = []

    package init(literalCapacity: Int, interpolationCount: Int) {}
    package mutating func appendLiteral(_ literal: String) { form += literal }
    package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      form += "{}"
      values.append(value.description)
    }
    /// A word of ours, not of the owner's.
    package mutating func appendInterpolation(term value: String) {
      terms.insert(values.count)
      appendInterpolation(value)
    }
  }

  package init(form: String, values: [String]) {
    self.form = form
    self.values = values
  }

  package init(stringInterpolation: StringInterpolation) {
    form = stringInterpolation.form
    values = stringInterpolation.values
    terms = stringInterpolation.terms
  }

  package init(stringLiteral: String) {
    form = stringLiteral
    values = []
  }

  /// What stands there already, in no language of ours.
  package init(verbatim: String) {
    form = "{}"
    values = [verbatim]
  }

  /// The sentence in a language; a translation may take the values in another order as `{1}`, `{2}`, ….
  package func string(in language: Language) -> String {
    let form = language.translations[form] ?? form
    let values = values.enumerated().map {
      terms.contains($0.offset) ? language.translations[$0.element] ?? $0.element : $0.element
    }
    var result = ""
    var next = 0
    var rest = form[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      result += rest[..<open]
      let inside = rest[rest.index(after: open)..<close]
      if inside.isEmpty, next < values.count {
        result += values[next]
        next += 1
      } else if let place = Int(inside), values.indices.contains(place - 1) {
        result += values[place - 1]
      } else {
        result += rest[open...close]
      }
      rest = rest[rest.index(after: close)...]
    }
    return result + rest
  }
}

/// A language people are spoken to in. Machine output never depends on it.
package struct Language: Sendable {
  package let code: String
  /// From the English form of a ``Text`` to its own.
  package let translations: [String: String]

  package static let english = Language(code: "en", translations: [:])

  package init(code: String, translations: [String: String]) {
    self.code = code
    self.translations = translations
  }
}
