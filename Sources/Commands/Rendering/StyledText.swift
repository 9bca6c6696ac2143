internal import CommandLine
internal import Dates
internal import Formats
internal import Words

/// Text in pieces that look different, and its way into lines of a terminal.
struct StyledText {
  struct Look: OptionSet, Hashable {
    let rawValue: Int
    static let bold = Look(rawValue: 1)
    static let dim = Look(rawValue: 2)
    static let italic = Look(rawValue: 4)
    static let underlined = Look(rawValue: 8)
    static let struck = Look(rawValue: 16)

    /// As a terminal is told (ECMA-48, SGR).
    fileprivate var codes: String {
      [(Look.bold, "1"), (.dim, "2"), (.italic, "3"), (.underlined, "4"), (.struck, "9")]
        .filter { contains($0.0) }.map(\.1).joined(separator: ";")
    }
  }

  private(set) var pieces: [(text: String, look: Look)] = []

  init() {}

  init(_ text: String, _ look: Look = []) { add(text, look) }

  /// Appends text, in which nothing commands the terminal.
  mutating func add(_ text: String, _ look: Look = []) {
    if !text.isEmpty { pieces.append((visible(text.replacing("\t", with: "    ")), look)) }
  }

  var columns: Int { pieces.reduce(0) { $0 + width($1.text) } }

  /// One line for the terminal.
  func drawn(_ style: Style) -> String {
    var line = ""
    for (text, look) in pieces {
      line += style.isOn && !look.isEmpty ? "\u{1b}[\(look.codes)m\(text)\u{1b}[0m" : text
    }
    return line
  }

  /// Cannot begin a line in Japanese.
  private static let notFirst = Set(
    "、。，．・：；？！ー～…‥」』）】〉》〕］｝’”ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ々ゝゞヽヾ,.!?)]}:;%")
  /// Cannot end one.
  private static let notLast = Set("「『（【〈《〔［｛‘“([{")

  /// Lines of at most `columns`, broken at newlines, at spaces where there are any, and between the characters of scripts
  /// that have none, but not before what closes or after what opens.
  func wrapped(_ columns: Int) -> [StyledText] {
    let columns = max(2, columns)
    var lines: [StyledText] = []
    var line: [(character: Character, look: Look, width: Int)] = []
    var used = 0
    /// Where the line may be broken: what stands before it stays.
    var good = 0
    func end(_ count: Int) {
      var kept = line.prefix(count)
      while kept.last?.character == " " { kept.removeLast() }
      lines.append(Self.joined(kept))
      line.removeFirst(count)
      used = line.reduce(0) { $0 + $1.width }
      good = 0
    }
    /// Whether a space stood where the line was full: the line ends there, and so do the spaces.
    var isFull = false
    for (text, look) in pieces {
      for character in text {
        if character == "\n" {
          end(line.count)
          isFull = false
          continue
        }
        if isFull {
          if character == " " { continue }
          end(line.count)
          isFull = false
        }
        let own = width(character)
        if let last = line.last,
          last.character == " "
            || ((own == 2 || last.width == 2)
              && !Self.notFirst.contains(character) && !Self.notLast.contains(last.character))
        {
          good = line.count
        }
        if used + own > columns {
          if character == " " {
            isFull = true
            continue
          }
          end(good > 0 ? good : line.count)
        }
        line.append((character, look, own))
        used += own
      }
    }
    end(line.count)
    return lines
  }

  private static func joined(
    _ characters: ArraySlice<(character: Character, look: Look, width: Int)>
  ) -> StyledText {
    var text = StyledText()
    var piece = ""
    var look: Look = []
    for each in characters {
      if each.look != look {
        if !piece.isEmpty { text.pieces.append((piece, look)) }
        piece = ""
        look = each.look
      }
      piece.append(each.character)
    }
    if !piece.isEmpty { text.pieces.append((piece, look)) }
    return text
  }

  static func += (one: inout StyledText, other: StyledText) { one.pieces += other.pieces }

  static func + (one: StyledText, other: StyledText) -> StyledText {
    var sum = one
    sum.pieces += other.pieces
    return sum
  }
}
