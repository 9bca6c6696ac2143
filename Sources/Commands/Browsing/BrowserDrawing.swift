internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import Words

/// The timeline and the page as lines of the screen.
extension Browser {
  func draw(_ size: (columns: Int, rows: Int)) throws {
    let columns = size.columns
    let rows = max(size.rows, 4)
    if case .reading(let entry, let top) = mode {
      return try screen.draw(reading(entry, top, columns, rows))
    }
    if case .choosing(let entry) = mode {
      return try screen.draw(choices(entry, columns, rows))
    }
    if case .help(let top) = mode { return try screen.draw(help(top, columns, rows)) }
    var lines: [String]
    // A list that fits below the whole head is not scrolled, wherever somebody went in it.
    let belowHead = rows < 10 ? nil : timeline.lines(rows - 5)
    if let belowHead, !timeline.isScrolled {
      shownLines = belowHead
      var count = invocation.text(ReadingMessage.entryCount(total))
      if isNarrowed {
        let shown =
          self.count.map(String.init) ?? "\(timeline.rows.count)\(timeline.isWhole ? "" : "+")"
        count = shown + " / " + count
      }
      lines = [
        style.bold(padRight("  FaceDiary", max(0, columns - width(count) - 2))) + style.dim(count),
        "", tabs(columns, prefix: ""), style.dim(String(repeating: "─", count: columns)),
      ]
    } else {
      lines = [tabs(columns, prefix: "")]
      shownLines = timeline.lines(rows - 2)
    }
    listTop = lines.count
    lines += shownLines.map { line($0, columns) }
    if shownLines.isEmpty {
      let hint: any Message =
        isNarrowed
        ? WritingMessage.nothingFound
        : tab > 0 ? ReadingMessage.journalEmpty : ReadingMessage.nothingYet
      lines.append("  " + style.dim(invocation.text(hint)))
    }
    while lines.count < rows - 1 { lines.append("") }
    lines.append(foot(columns))
    try screen.draw(Array(lines.prefix(rows)), chosen: chosen(rows))
  }

  /// The line where somebody is: the chosen entry, or the foot where they type or answer.
  private func chosen(_ rows: Int) -> Int {
    guard case .list = mode, remark == nil,
      let line = shownLines.firstIndex(of: .entry(timeline.selected))
    else { return rows - 1 }
    return listTop + line
  }

  /// The keys and what they do, in two columns; the headings stand further out.
  func helpLines(_ columns: Int) -> [String] {
    let rows = invocation.text(ReadingMessage.browseKeys).split(
      separator: "\n", omittingEmptySubsequences: false
    ).map { line in
      let parts = line.split(separator: "\t", maxSplits: 1).map(String.init)
      return parts.count == 2
        ? "    " + padRight(parts[0], 16) + "  " + parts[1] : line.isEmpty ? "" : "  " + line
    }
    return wrapped(rows.joined(separator: "\n"), to: columns).split(
      separator: "\n", omittingEmptySubsequences: false
    ).map(String.init)
  }

  /// The keys, one a line.
  private func help(_ top: Int, _ columns: Int, _ rows: Int) -> [String] {
    let keys = helpLines(columns)
    var lines = keys.dropFirst(top).prefix(rows - 1).map { line in
      let shown = clipped(line, to: columns)
      return line.hasPrefix("    ") ? shown : style.bold(shown)
    }
    while lines.count < rows - 1 { lines.append("") }
    let foot = keys.count > rows - 1 ? ReadingMessage.moveOrBack : .anyKeyBack
    return lines + [style.dim(clipped(invocation.text(foot), to: columns))]
  }

  func tabs(_ columns: Int, prefix: String) -> String {
    let names =
      [invocation.text(ReadingMessage.all)]
      + journals.map {
        oneLine(($0.emoji.map { $0 + " " } ?? "") + $0.name)
      }
    // As many before the chosen one as fit.
    var first = tab
    var used = width(names[tab]) + 3
    while first > 0, used + width(names[first - 1]) + 3 < columns - 2 {
      first -= 1
      used += width(names[first]) + 3
    }
    var line = first > 0 ? "‹" : " "
    var column = 1
    tabColumns = Array(repeating: 0..<0, count: names.count)
    for (index, name) in names.enumerated().dropFirst(first) {
      let label = clipped(" \(name) ", to: max(0, columns - column - 2))
      guard width(label) > 2 else {
        line += "›"
        break
      }
      tabColumns[index] = column..<(column + width(label))
      line += index == tab ? style.chosen(label) : style.dim(label)
      line += " "
      column += width(label) + 1
    }
    return line
  }

  func line(_ line: Timeline.Line, _ columns: Int) -> String {
    switch line {
    case .day(let day): return style.bold(clipped(invocation.page.dayHeading(day), to: columns))
    case .entry(let row):
      let entry = timeline.rows[row]
      var text = "\(entry.date.clock)  "
      if entry.starred { text += "★ " }
      if !entry.others.isEmpty { text += "⇄ " }
      if let emoji = entry.kind.flatMap({ emoji[$0] }), !emoji.isEmpty { text += emoji + " " }
      text += entry.title ?? entry.preview ?? ""
      if timeline.query != nil, let excerpt = entry.excerpt, excerpt != entry.title,
        excerpt != entry.preview
      {
        text += "  " + excerpt
      }
      for tag in entry.tags { text += " #" + tag }
      if !entry.attachments.isEmpty { text += " 📎\(entry.attachments.count)" }
      let isChosen = row == timeline.selected
      let shown = clipped((isChosen ? "› " : "  ") + oneLine(text), to: columns)
      return isChosen ? style.chosen(shown + "\u{1b}[K") : marked(shown)
    }
  }

  /// What was searched for underlined.
  func marked(_ text: String) -> String {
    guard let query = timeline.query else { return text }
    var result = ""
    var place = text.startIndex
    for range in query.hits(in: text) where range.lowerBound >= place {
      result += text[place..<range.lowerBound] + "\u{1b}[1;4m" + text[range] + "\u{1b}[22;24m"
      place = range.upperBound
    }
    return result + text[place...]
  }

  func foot(_ columns: Int) -> String {
    switch mode {
    case .searching:
      return clipped(
        "/" + oneLine(search) + "▏  " + invocation.text(ReadingMessage.searchKeys), to: columns)
    case .asking(let question, _): return clipped(invocation.text(question), to: columns)
    case .typing(let prompt, let text):
      let question = prompt == .date ? ReadingMessage.goToDate : .filterByTag
      return clipped(invocation.text(question) + " " + oneLine(text) + "▏", to: columns)
    default: break
    }
    if let remark { return style.bold(clipped(oneLine(remark), to: columns)) }
    let help = invocation.text(
      ReadingMessage.listKeys)
    var filters = search.isEmpty ? [] : ["/" + oneLine(search)]
    if let tag { filters.append("#" + oneLine(tag)) }
    if starredOnly { filters.append("★") }
    let text =
      filters.isEmpty
      ? help
      : filters.joined(separator: " ") + "   " + invocation.text(ReadingMessage.searchKeys)
    return style.dim(clipped(text, to: columns))
  }

  func reading(_ entry: Entry, _ top: Int, _ columns: Int, _ rows: Int) -> [String] {
    if page?.id != entry.id || page?.revision != entry.revision || page?.columns != columns
      || page?.starred != entry.starred
    {
      page = (
        entry.id, entry.revision, entry.starred, columns, pageLines(entry, columns)
      )
    }
    let lines = page?.lines ?? []
    let height = rows - 1
    let first = min(top, max(0, lines.count - height))
    if first != top { mode = .reading(entry, top: first) }
    var shown = Array(lines.dropFirst(first).prefix(height))
    while shown.count < height { shown.append("") }
    let share = min(100, (first + height) * 100 / max(lines.count, 1))
    let place = lines.count > height ? "  \(share) %" : ""
    if let remark {
      shown.append(style.bold(clipped(oneLine(remark), to: columns)))
    } else {
      let help = invocation.text(ReadingMessage.entryKeys)
      shown.append(style.dim(clipped(help + place, to: columns)))
    }
    return shown
  }

  /// Its files by number.
  private func choices(_ entry: Entry, _ columns: Int, _ rows: Int) -> [String] {
    var lines = [
      "", style.bold(clipped("  " + invocation.text(ReadingMessage.whichFile), to: columns)), "",
    ]
    for (index, file) in entry.attachments.prefix(9).enumerated() {
      lines.append(
        clipped("  \(index + 1)  \(oneLine(file.name))  \(byteCount(file.size))", to: columns))
    }
    return Array(lines.prefix(rows))
  }

  /// An entry as lines of the screen.
  func pageLines(_ entry: Entry, _ columns: Int) -> [String] {
    invocation.page.lines(of: entry, columns: columns, emoji: emoji)
  }

  /// Text of the diary in one line of a screen: nothing that could move the cursor.
  func oneLine(_ text: String) -> String {
    visible(String(text.map { $0 == "\t" || $0.isNewline ? " " : $0 }))
  }
}
