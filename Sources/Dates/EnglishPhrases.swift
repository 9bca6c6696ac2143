/// What people say in English.
extension DatePhrases {
  private static let numbers = [
    "a", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
  ]

  /// The number of a word from one to twelve.
  private static func number(_ word: String) -> Int? {
    ["an": 1, "one": 1][word] ?? numbers.firstIndex(of: word).map { $0 + 1 }
  }

  private static let units = [
    "min": "minutes", "mins": "minutes", "hr": "hours", "hrs": "hours", "h": "hours",
  ]

  static func english(_ text: String) -> String {
    var words = text.split(separator: " ").map(String.init)
    if words.count > 1 {
      words = words.enumerated().filter { place, word in
        !["at", "on"].contains(word)
          && !(word == "in" && words.dropFirst(place + 1).first == "the")
          && !(word == "the" && place > 0 && words[place - 1] == "in")
      }.map(\.element)
    }
    words = partAndClock(clock(ago(words)))
    if words == ["tonight"] { words = ["today", "night"] }
    if words.count == 2, parts[words[1]] != nil {
      if words[0] == "this" { words[0] = "today" }
      if words == ["last", "night"] { words[0] = "yesterday" }
    }
    if words.count > 1, let part = words.last.flatMap({ parts[$0] }) {
      words[words.count - 1] = part
    }
    // The time first: noon yesterday, 8:30 am yesterday.
    let isTime = words.first.map { DateParser.timeOfDay($0) != nil } ?? false
    let length = words.count > 2 && ["am", "pm"].contains(words[1]) ? 2 : 1
    if words.count > length,
      isTime || length == 2 && DateParser.timeOfDay(words[0] + words[1]) != nil,
      words.last.map({ DateParser.timeOfDay($0) == nil && !["am", "pm"].contains($0) }) ?? false
    {
      words = words[length...] + [words[..<length].joined()]
    }
    return words.joined(separator: " ")
  }

  /// `two days ago`, `an hour ago`, `10 min ago`, `1h ago`, `in two hours`, `a week ago tuesday`.
  private static func ago(_ words: [String]) -> [String] {
    if words.first == "in", words.count > 1 {
      return ago(words.dropFirst() + ["ahead"])
    }
    var words = words
    // A weekday before or behind.
    if words.count == 4, words[3] == "ago", DateParser.weekday(words[0]) != nil {
      words = words[1...] + [words[0]]
    }
    guard let place = words.firstIndex(where: { ["ago", "ahead"].contains($0) }) else {
      return words
    }
    if words[..<place] == ["half", "an", "hour"] {
      words.replaceSubrange(..<place, with: ["30", "minutes"])
    }
    if place == 1 {
      let digits = words[0].prefix(while: \.isNumber)
      if !digits.isEmpty, digits.count < words[0].count {
        words.replaceSubrange(
          ..<1, with: [String(digits), String(words[0].dropFirst(digits.count))])
      }
    }
    guard words.count > 2, ["ago", "ahead"].contains(words[2]) else { return words }
    return [number(words[0]).map(String.init) ?? words[0], units[words[1]] ?? words[1]]
      + words[2...]
  }

  /// `this morning 9:30`, `last night 11pm`, `friday evening 7:30`: the clock of 24 hours, as far as that part of a day has such an hour.
  private static func partAndClock(_ words: [String]) -> [String] {
    var words = words
    if words.count > 2, let last = words.last, ["am", "pm"].contains(last) {
      words.removeLast()
      words[words.count - 1] += last
    }
    if words.first == "tonight" { words.replaceSubrange(..<1, with: ["this", "night"]) }
    guard words.count == 3, let second = words.last.flatMap(DateParser.timeOfDay) else {
      return words
    }
    let isMarked = ["am", "pm"].contains { words[2].hasSuffix($0) }
    let isName = ["noon", "midnight"].contains(words[2])
    let hour = second / 3600
    var day = ["this": "today", "last": "yesterday"][words[0]] ?? words[0]
    var shift = 0
    switch words[1] {
    case "morning" where hour < 12: break
    case "afternoon" where hour >= 12 || !isMarked && !isName && hour > 0,
      "evening" where hour >= 12 && !isName || !isMarked && hour > 3 && hour < 12:
      shift = hour < 12 ? 12 : 0
    case "night" where hour < 6 || !isMarked && !isName && hour == 12:
      // After midnight: of the day after that night.
      guard let next = ["yesterday": "today", "today": "tomorrow"][day] else { return words }
      (day, shift) = (next, hour == 12 ? -12 : 0)
    case "night" where hour > 17 || !isMarked && hour > 5 && hour < 12: shift = hour < 12 ? 12 : 0
    // Another word, or an hour that this part of a day does not have.
    default: return words
    }
    let minute = second / 60 % 60
    return [day, "\(hour + shift):\(minute < 10 ? "0" : "")\(minute)"]
  }

  /// `half past nine`, `quarter to ten`.
  private static func clock(_ words: [String]) -> [String] {
    let shifts = ["past": 0, "to": -1]
    guard let place = words.firstIndex(where: { shifts[$0] != nil }), place > 0,
      place + 1 < words.count, let shift = shifts[words[place]],
      let hour = number(words[place + 1]) ?? Int(words[place + 1]), (1...23).contains(hour),
      let minutes = ["half": 30, "quarter": 15][words[place - 1]] ?? Int(words[place - 1]),
      (0...30).contains(minutes)
    else { return words }
    let minute = hour * 60 + (shift == 0 ? minutes : -minutes)
    let rest = minute % 60
    return words[..<(place - 1)] + ["\(minute / 60):\(rest < 10 ? "0" : "")\(rest)"]
      + words[(place + 2)...]
  }
}
