/// Where a link leads: `target`, `<target>`, and its title, which is passed over.
struct LinkTarget {
  /// A longer target is read as text.
  static let longest = 2048
  /// A target with more nested parentheses than this is read as text.
  private static let deepest = 32

  let text: String
  /// The place after the closing parenthesis.
  let end: Int

  /// - Parameters:
  ///   - bytes: after the opening parenthesis or the colon.
  ///   - isWhole: whether it ends with `bytes`, not with a parenthesis.
  init?(_ bytes: ArraySlice<UInt8>, isWhole: Bool) {
    let bytes = bytes.prefix(Self.longest)
    var place = bytes.startIndex
    func skipSpace() {
      while place < bytes.endIndex, BlockParser.isSpace(bytes[place]) || bytes[place] == 0x0a {
        place += 1
      }
    }
    var target: [UInt8] = []
    skipSpace()
    if place < bytes.endIndex, bytes[place] == UInt8(ascii: "<") {
      place += 1
      while place < bytes.endIndex, bytes[place] != UInt8(ascii: ">"), bytes[place] != 0x0a,
        bytes[place] != UInt8(ascii: "<")
      {
        target.append(bytes[place])
        place += 1
      }
      guard place < bytes.endIndex, bytes[place] == UInt8(ascii: ">") else { return nil }
      place += 1
    } else {
      var depth = 0
      while place < bytes.endIndex, bytes[place] > 0x20 {
        let byte = bytes[place]
        if byte == 0x5c, place + 1 < bytes.endIndex, bytes[place + 1] > 0x20,
          bytes[place + 1] < 0x30 || bytes[place + 1] == 0x5c
        {
          place += 1
        } else if byte == 0x28 {
          depth += 1
          guard depth <= Self.deepest else { return nil }
        } else if byte == 0x29 {
          if depth == 0, !isWhole { break }
          depth -= 1
        }
        target.append(bytes[place])
        place += 1
      }
    }
    skipSpace()
    if place < bytes.endIndex, [0x22, 0x27, 0x28].contains(bytes[place]), !target.isEmpty {
      let close: UInt8 = bytes[place] == 0x28 ? 0x29 : bytes[place]
      place += 1
      while place < bytes.endIndex, bytes[place] != close {
        if close == 0x29, bytes[place] == 0x28 { return nil }
        place += bytes[place] == 0x5c ? 2 : 1
      }
      guard place < bytes.endIndex else { return nil }
      place += 1
      skipSpace()
    }
    if isWhole {
      guard place == bytes.endIndex, !target.isEmpty else { return nil }
    } else {
      guard place < bytes.endIndex, bytes[place] == 0x29 else { return nil }
      place += 1
    }
    text = String(decoding: target, as: UTF8.self)
    end = place
  }
}
