internal import CommandLine

/// Times of a day as people write them.
extension DateParser {
  /// `09:30`, `09:30:15`, `6pm`, `6:30 pm`, `noon`, `18時30分`, `午後6時`: seconds since midnight.
  static func timeOfDay(_ text: String) -> Int? {
    switch text {
    case "noon", "正午": return 43_200
    case "midnight": return 0
    default: break
    }
    for (mark, shift) in [("am", 0), ("pm", 12), ("午前", 0), ("午後", 12)] {
      let isBehind = text.hasSuffix(mark)
      guard isBehind || text.hasPrefix(mark) else { continue }
      let rest = isBehind ? text.dropLast(mark.count) : text.dropFirst(mark.count)
      // 9.30pm
      let clock = rest.trimmed.replacing(".", with: ":")
      let isHour = clock.count <= 2 && clock.allSatisfy { $0.isASCII && $0.isNumber }
      guard let second = timeOfDay(isHour ? clock + ":00" : clock), second < 13 * 3600,
        isBehind ? second >= 3600 : true
      else { return nil }
      return second % 43_200 + shift * 3600
    }
    if text.hasSuffix("時") { return timeOfDay(String(text.dropLast()) + ":00") }
    if text.hasSuffix("分"), text.contains("時") {
      return timeOfDay(String(text.dropLast()).replacing("時", with: ":"))
    }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count),
      parts.allSatisfy({ (1...2).contains($0.count) && $0.allSatisfy { $0.isASCII && $0.isNumber } }
      )
    else { return nil }
    let numbers = parts.compactMap { Int($0) }
    // A leap second is the second before it.
    let second = numbers.count == 3 ? min(numbers[2], 59) : 0
    guard numbers[0] < 24, numbers[1] < 60, numbers.count == 2 || numbers[2] <= 60 else {
      return nil
    }
    return numbers[0] * 3600 + numbers[1] * 60 + second
  }
}
