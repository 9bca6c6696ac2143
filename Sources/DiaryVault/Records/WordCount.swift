/// Words as a ranking counts them: runs of letters of three and more, in lower case; of Chinese characters
/// and katakana, which are written without spaces, runs of two and more; hiragana separates them.
enum WordCount {
  private enum Script { case none, letters, han, katakana }

  static func each(in text: String, _ body: (String) -> Void) {
    var run = String.UnicodeScalarView()
    var script = Script.none
    func end() {
      defer { run = String.UnicodeScalarView() }
      guard run.count >= (script == .letters ? 3 : 2) else { return }
      body(String(run).lowercased())
    }
    for scalar in text.unicodeScalars {
      let next = Self.script(scalar)
      // A combining mark belongs to the letter before it.
      let continues = next == script || (script == .letters && scalar.properties.isDiacritic)
      if !continues {
        end()
        script = next
      }
      if script != .none { run.append(scalar) }
    }
    end()
  }

  private static func script(_ scalar: Unicode.Scalar) -> Script {
    switch scalar.value {
    case 0x41...0x5a, 0x61...0x7a: .letters
    case 0..<0x80: .none
    case 0x3041...0x309f: .none
    case 0x30a1...0x30fa, 0x30fc...0x30ff: .katakana
    case 0x3400...0x9fff, 0xf900...0xfaff, 0x3005: .han
    default: scalar.properties.isAlphabetic ? .letters : .none
    }
  }
}
