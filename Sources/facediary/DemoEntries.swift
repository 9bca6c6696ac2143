internal import CommandLine
internal import Entries

/// A diary to look at: what somebody may have written in the last year.
enum DemoEntries {
  private struct Sample {
    let daysAgo: Int64
    let minute: Int64
    let title: String?
    let body: String
    let tags: [String]
    var place: String?
    var weather: String?
    var kind: String?
    var isStarred = false
  }

  /// - Parameter now: what the days count from.
  static func drafts(_ language: Language, now: ZonedTime) throws -> [EntryDraft] {
    try (language == .japanese ? japanese : english).map { sample in
      let midnight = now.seconds - Int64(now.secondOfDay)
      var draft = EntryDraft(
        date: try ZonedTime(
          seconds: midnight - sample.daysAgo * 86_400 + sample.minute * 60, offset: now.offset),
        kind: sample.kind, title: sample.title, body: sample.body, tags: sample.tags,
        starred: sample.isStarred)
      draft.location = sample.place
      draft.weather = sample.weather
      return draft
    }
  }

  private static let english = [
    Sample(
      daysAgo: 0, minute: 425, title: "Along the river",
      body:
        "Before work. The **heron** stood where it always stands.\n\n- buy bread\n- call Ana",
      tags: ["walks", "birds"], place: "The weir", weather: "fog, 6 °C", isStarred: true),
    Sample(
      daysAgo: 1, minute: 1260, title: nil, body: "Wind all night. Slept badly, read well.",
      tags: ["reading"], weather: "wind"),
    Sample(
      daysAgo: 2, minute: 780, title: "Soup",
      body: "From what was left: leek, two potatoes, the end of the cheese.", tags: ["food"],
      kind: "meal"),
    Sample(
      daysAgo: 6, minute: 1110, title: "The train was late",
      body: "Nobody minded. A child explained the clouds to the whole carriage.", tags: ["trains"],
      kind: "move"),
    Sample(
      daysAgo: 13, minute: 560, title: "Letters", body: "Wrote three, posted two.",
      tags: ["letters"]),
    Sample(
      daysAgo: 40, minute: 615, title: "Up to the ridge",
      body: "> The path goes on longer than the map says.\n\nWe could see the sea, or said so.",
      tags: ["walks"], place: "The ridge", weather: "clear", kind: "sight", isStarred: true),
    Sample(
      daysAgo: 95, minute: 1300, title: nil,
      body: "Finished the second volume. The third is longer.",
      tags: ["reading"]),
    Sample(
      daysAgo: 210, minute: 900, title: "Planted beans", body: "Twelve, in two rows.",
      tags: ["garden"]),
    Sample(
      daysAgo: 365, minute: 480, title: "First frost",
      body: "The bicycle would not, and then it would.", tags: ["walks"], weather: "frost"),
  ]

  private static let japanese = [
    Sample(
      daysAgo: 0, minute: 425, title: "川沿い",
      body: "仕事の前に歩いた。**アオサギ**はいつもの場所に立っていた。\n\n- パンを買う\n- 花に電話する",
      tags: ["散歩", "鳥"], place: "堰", weather: "霧、6 °C", isStarred: true),
    Sample(
      daysAgo: 1, minute: 1260, title: nil, body: "一晩中、風の音。眠れず、本がよく進んだ。", tags: ["読書"], weather: "風"
    ),
    Sample(
      daysAgo: 2, minute: 780, title: "スープ",
      body: "残り物で作った。ねぎ、じゃがいも二つ、チーズの切れ端。", tags: ["料理"],
      kind: "meal"),
    Sample(
      daysAgo: 6, minute: 1110, title: "電車が遅れた",
      body: "誰も気にしなかった。子どもが車内のみんなに雲の説明をしていた。", tags: ["電車"], kind: "move"),
    Sample(
      daysAgo: 13, minute: 560, title: "手紙", body: "三通書いて、二通出した。", tags: ["手紙"]),
    Sample(
      daysAgo: 40, minute: 615, title: "尾根まで",
      body: "> 道は地図より長い。\n\n海が見えた、ということにした。", tags: ["散歩"], place: "尾根", weather: "晴れ",
      kind: "sight", isStarred: true),
    Sample(
      daysAgo: 95, minute: 1300, title: nil, body: "第二巻を読み終えた。第三巻はもっと長い。", tags: ["読書"]),
    Sample(
      daysAgo: 210, minute: 900, title: "豆をまいた", body: "十二粒、二列に。", tags: ["庭"]),
    Sample(
      daysAgo: 365, minute: 480, title: "初霜", body: "自転車がなかなか動かなかった。しばらくして動いた。",
      tags: ["散歩"], weather: "霜"),
  ]
}
