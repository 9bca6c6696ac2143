/// Text in the columns of a terminal.
///
/// A character of East Asian width W or F, and an emoji, takes two; a combining mark none (Unicode Standard
/// Annex #11; emoji presentation after UTS #51).
package func width(_ text: String) -> Int {
  if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
  return text.reduce(0) { $0 + width($1) }
}

package func width(_ character: Character) -> Int {
  let scalars = character.unicodeScalars
  guard let first = scalars.first else { return 0 }
  if first.value < 0x80 {
    // A keycap: 1️⃣ is a digit made wide.
    return scalars.contains { $0.value == 0xfe0f } ? 2 : 1
  }
  if scalars.contains(where: { $0.value == 0xfe0f }) { return 2 }
  if scalars.contains(where: { $0.value == 0xfe0e }) { return 1 }
  let properties = first.properties
  switch properties.generalCategory {
  case .nonspacingMark, .enclosingMark, .format, .control: return 0
  default: break
  }
  if properties.isEmojiPresentation { return 2 }
  switch first.value {
  case 0x1100...0x115f, 0x2329...0x232a, 0x2e80...0x303e, 0x3041...0x33ff, 0x3400...0x4dbf,
    0x4e00...0x9fff, 0xa000...0xa4cf, 0xa960...0xa97f, 0xac00...0xd7a3, 0xf900...0xfaff,
    0xfe10...0xfe19, 0xfe30...0xfe6f, 0xff00...0xff60, 0xffe0...0xffe6, 0x1_6fe0...0x1_8dff,
    0x1_aff0...0x1_b2ff, 0x1_f200...0x1_f265, 0x2_0000...0x3_fffd:
    return 2
  default: return 1
  }
}

/// As much of `text` as fits into `columns`, ending in … when it does not.
package func clipped(_ text: String, to columns: Int) -> String {
  if width(text) <= columns { return text }
  var result = ""
  var used = 0
  for character in text {
    let own = width(character)
    if used + own > columns - 1 { break }
    result.append(character)
    used += own
  }
  return columns > 0 ? result + "…" : ""
}

package func padRight(_ text: String, _ columns: Int) -> String {
  text + String(repeating: " ", count: max(0, columns - width(text)))
}

package func padLeft(_ text: String, _ columns: Int) -> String {
  String(repeating: " ", count: max(0, columns - width(text))) + text
}

/// `1.2 MB`
package func byteCount(_ count: Int) -> String {
  var value = Double(count)
  for unit in ["B", "kB", "MB", "GB", "TB"] {
    if value < 1000 || unit == "TB" {
      let tenths = Int((value * 10).rounded())
      return unit == "B" || tenths % 10 == 0 || value >= 100
        ? "\(Int(value.rounded())) \(unit)" : "\(tenths / 10).\(tenths % 10) \(unit)"
    }
    value /= 1000
  }
  return "\(count) B"
}
