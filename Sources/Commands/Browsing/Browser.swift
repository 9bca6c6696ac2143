internal import Client
internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import Platform
internal import Requests
internal import Words

/// One run of the timeline.
@MainActor
final class Browser {
  enum Mode {
    case list
    /// Typing what to search for.
    case searching
    case reading(Entry, top: Int)
    /// Typing an answer to a question at the foot.
    case typing(Prompt, String)
    /// Choosing one of an entry's files by its number.
    case choosing(Entry)
    /// The keys, from a line on.
    case help(top: Int)
    /// A question at the foot, and what yes does.
    case asking(any Message, EntryID)
  }

  enum Prompt { case date, tag }

  let invocation: Invocation
  let connection: KeeperConnection
  let style: Style
  var screen: Screen
  var timeline: Timeline
  var journals: [Journal] = []
  var emoji: [String: String] = [:]
  var total = 0
  /// 0 is all of them.
  var tab = 0
  var search = ""
  /// Shown alone, when there is one.
  var tag: String?
  var starredOnly = false
  /// Whether more than a journal was chosen.
  var isNarrowed: Bool { tab > 0 || timeline.query != nil || tag != nil || starredOnly }
  /// How many entries the filter lets through, where that is known.
  var count: Int?
  /// What was put into the trash last.
  var deleted: EntryID?
  var mode = Mode.list
  var remark: String?
  var lastKey = SystemClock.sinceBoot
  var lastActivity = SystemClock.sinceBoot
  var listTop = 0
  var shownLines: [Timeline.Line] = []
  var tabColumns: [Range<Int>] = []
  /// The entry being read, broken into lines once.
  var page: (id: EntryID, revision: UInt64, starred: Bool, columns: Int, lines: [String])?

  init(_ invocation: Invocation, _ connection: KeeperConnection) throws {
    self.invocation = invocation
    self.connection = connection
    style = Style(invocation.environment["NO_COLOR", default: ""].isEmpty)
    timeline = try Timeline(connection)
    screen = try Screen()
    try look()
  }

  /// Journals, kinds and how many entries there are; also tells the session that somebody is here.
  private func look() throws {
    let names = try connection.run(ListNames())
    journals = names.journals
    tab = min(tab, journals.count)
    emoji = Dictionary(names.kinds.map { ($0.name, $0.emoji) }) { $1 }
    total = try connection.run(CountEntries()).live
    lastActivity = SystemClock.sinceBoot
  }

  func run() async throws {
    // Also after an error: the terminal is restored before the error is written.
    defer { screen.suspend() }
    var size = (columns: 0, rows: 0)
    var isDirty = true
    while true {
      let now = screen.size
      if isDirty || now != size {
        size = now
        try draw(size)
      }
      let key = try screen.key(within: 500)
      isDirty = key != nil
      try checkSession()
      guard let key else { continue }
      lastKey = SystemClock.sinceBoot
      // Keys that only move are use, too.
      if lastKey - lastActivity > 20_000_000_000 { try look() }
      remark = nil
      do {
        guard try await handle(key, size) else { return }
      } catch let error as VaultError where [.notFound, .conflict, .ambiguous].contains(error.code)
      {
        // Something else has changed the entry in the meantime.
        mode = .list
        remark = invocation.text(ReadingMessage.movedMeanwhile)
        try look()
        try timeline.reload()
      }
    }
  }

  /// The keeper watches the clock; when it has closed the diary, this is where we learn of it.
  private func checkSession() throws { _ = try connection.session() }

  // MARK: Keys

  /// Returns false when it is over.
  private func handle(_ key: Key, _ size: (columns: Int, rows: Int)) async throws -> Bool {
    switch mode {
    case .list: return try await handleList(key, size)
    case .searching: try handleSearch(key, size)
    case .reading(let entry, let top): return try await handleReading(key, entry, top, size)
    case .typing(let prompt, let text): try handleTyping(key, prompt, text)
    case .choosing(let entry):
      mode = .reading(entry, top: 0)
      if case .text(let digit) = key, let number = digit.wholeNumberValue,
        entry.attachments.indices.contains(number - 1)
      {
        try await show(entry.attachments[number - 1], of: entry, size)
      }
    case .help(let top): mode = help(key, top, size.rows, size.columns)
    case .asking(_, let id):
      mode = .list
      if key == .text("y") || key == .text("Y") {
        _ = try connection.run(DeleteEntries([.id(id)]))
        deleted = id
        remark = invocation.text(ReadingMessage.movedToTrashUndo)
        // What stands in its place is chosen.
        try timeline.refresh(id)
        try look()
      }
    }
    return true
  }

  private func handleList(_ key: Key, _ size: (columns: Int, rows: Int)) async throws -> Bool {
    let page = max(1, size.rows - 6)
    switch key {
    case .text("q"), .control("c"), .control("d"): return false
    case .escape where isNarrowed:
      search = ""
      tag = nil
      starredOnly = false
      try choose(tab: 0)
    case .text("?"): mode = .help(top: 0)
    case .text(":"), .text("@"): mode = .typing(.date, "")
    case .text("#"), .text("t"): mode = .typing(.tag, tag ?? "")
    case .text("*"):
      starredOnly.toggle()
      try filter()
    case .text("u"): try undo()
    case .text("o"):
      guard let entry = timeline.chosen, !entry.attachments.isEmpty else {
        remark = invocation.text(WritingMessage.noFiles)
        break
      }
      try read(entry)
      if case .reading(let whole, _) = mode { try await open(whole, size) }
    case .up, .text("k"), .wheelUp: try timeline.move(by: key == .wheelUp ? -3 : -1)
    case .down, .text("j"), .wheelDown: try timeline.move(by: key == .wheelDown ? 3 : 1)
    case .pageUp, .control("b"): try timeline.move(by: -page)
    case .pageDown, .control("f"), .text(" "): try timeline.move(by: page)
    case .home, .text("g"): try timeline.moveToNewest()
    case .end, .text("G"): try timeline.moveToOldest()
    case .right, .tab, .text("l"): try choose(tab: (tab + 1) % (journals.count + 1))
    case .left, .backTab, .text("h"):
      try choose(tab: (tab + journals.count) % (journals.count + 1))
    case .text("/"): mode = .searching
    case .enter: if let entry = timeline.chosen { try read(entry) }
    case .text("s"): if let entry = timeline.chosen { try star(entry) }
    case .text("e"): if let entry = timeline.chosen { try await edit(entry) }
    case .text("n"): try await write()
    case .text("d"), .delete:
      if let entry = timeline.chosen { mode = .asking(ReadingMessage.askToTrash, entry.id) }
    case .control("l"): try reload()
    case .click(let column, let row): try click(column, row)
    case .text: remark = invocation.text(ReadingMessage.noSuchKey)
    default: break
    }
    return true
  }

  /// Scrolls the list of keys if it does not fit; any other key goes back.
  private func help(_ key: Key, _ top: Int, _ rows: Int, _ columns: Int) -> Mode {
    let last = max(0, helpLines(columns).count - rows + 1)
    switch key {
    case .down, .text("j"), .wheelDown: return last > 0 ? .help(top: min(top + 1, last)) : .list
    case .up, .text("k"), .wheelUp: return last > 0 ? .help(top: max(top - 1, 0)) : .list
    case .pageDown, .text(" "):
      return top < last ? .help(top: min(top + max(1, rows - 2), last)) : .list
    case .pageUp: return last > 0 ? .help(top: max(top - max(1, rows - 2), 0)) : .list
    default: return .list
    }
  }

  private func click(_ column: Int, _ row: Int) throws {
    if row == 0 || row == 2, let index = tabColumns.firstIndex(where: { $0.contains(column) }) {
      return try choose(tab: index)
    }
    guard shownLines.indices.contains(row - listTop) else { return }
    if case .entry(let index) = shownLines[row - listTop] {
      if timeline.selected == index { try read(timeline.rows[index]) }
      timeline.choose(index)
    }
  }

  private func handleSearch(_ key: Key, _ size: (columns: Int, rows: Int)) throws {
    switch key {
    case .enter: mode = .list
    case .escape, .control("c"):
      search = ""
      mode = .list
      try filter()
    case .backspace:
      if search.isEmpty { mode = .list } else { search.removeLast() }
      try filter()
    case .control("u"):
      search = ""
      try filter()
    case .text(let character):
      search.append(character)
      try filter()
    case .paste(let text):
      search += text.map { $0.isNewline || $0 == "\t" ? " " : $0 }
      try filter()
    case .up: try timeline.move(by: -1)
    case .down: try timeline.move(by: 1)
    default: break
    }
  }

  private func handleTyping(_ key: Key, _ prompt: Prompt, _ text: String) throws {
    var text = text
    switch key {
    case .enter:
      mode = .list
      switch prompt {
      case .date: if !text.trimmed.isEmpty { try go(to: text) }
      case .tag:
        let name = text.trimmed.drop { $0 == "#" }
        tag = name.isEmpty ? nil : String(name)
        try filter()
      }
      return
    case .escape, .control("c"):
      mode = .list
      return
    case .backspace: text = String(text.dropLast())
    case .control("u"): text = ""
    case .text(let character): text.append(character)
    case .paste(let more): text += more.prefix(200).map { $0.isNewline ? " " : $0 }
    default: break
    }
    mode = .typing(prompt, text)
  }

  private func handleReading(
    _ key: Key, _ entry: Entry, _ top: Int, _ size: (columns: Int, rows: Int)
  ) async throws -> Bool {
    let page = max(1, size.rows - 4)
    var top = top
    switch key {
    case .text("q"), .escape, .left, .backspace, .text("h"):
      mode = .list
      return true
    case .control("c"), .control("d"): return false
    case .up, .text("k"): top -= 1
    case .down, .text("j"): top += 1
    case .wheelUp: top -= 3
    case .wheelDown: top += 3
    case .pageUp, .control("b"): top -= page
    case .pageDown, .control("f"), .text(" "): top += page
    case .home, .text("g"): top = 0
    case .end, .text("G"): top = Int.max / 2
    case .text("s"):
      try star(entry)
      try read(entry)
      return true
    case .text("e"):
      try await edit(entry)
      if let now = timeline.chosen { try read(now) }
      return true
    case .text("o"):
      try await open(entry, size)
      return true
    case .text("?"):
      mode = .help(top: 0)
      return true
    case .text("d"), .delete:
      mode = .asking(ReadingMessage.askToTrash, entry.id)
      return true
    case .text("n"), .right, .text("l"), .tab:
      // On to the next one, without going back to the list.
      try timeline.move(by: 1)
      if let next = timeline.chosen { try read(next) }
      return true
    default: return true
    }
    mode = .reading(entry, top: max(0, top))
    return true
  }

  // MARK: Doing

  private func choose(tab: Int) throws {
    self.tab = tab
    try filter()
  }

  private func filter() throws {
    var filter = EntryFilter()
    if tab > 0 { filter.journal = journals[tab - 1].name }
    filter.tags = tag.map { [$0] } ?? []
    filter.starred = starredOnly
    do {
      let query = search.isEmpty ? nil : SearchQuery(typed: search, today: DateParser.today)
      try timeline.show(filter, matching: query)
    } catch let error as VaultError where error.code == .notFound {
      // The journal was removed meanwhile.
      tab = 0
      try look()
      try timeline.show(EntryFilter(), matching: nil)
    } catch let error as VaultError where error.code == .invalid {
      // More words than anybody searches for: a whole text was pasted.
      search = ""
      remark = invocation.text(Failure(error).message)
      try timeline.show(filter, matching: nil)
    }
    count = try counted(filter)
    lastActivity = SystemClock.sinceBoot
  }

  /// How many entries there are, where counts are kept: of a journal or of a tag.
  private func counted(_ filter: EntryFilter) throws -> Int? {
    guard search.isEmpty, !starredOnly else { return nil }
    switch (filter.journal, tag) {
    case (let journal?, nil):
      return try connection.run(Tally(.journals)).first { $0.name == journal }?.count
    case (nil, let tag?):
      return try connection.run(Tally(.tags)).first { $0.name.lowercased() == tag.lowercased() }?
        .count
    default: return nil
    }
  }

  /// Goes to the newest entry of a day or, if it has none, of the days before it.
  private func go(to text: String) throws {
    do {
      switch try invocation.dates.span(text) {
      case .days(let days): try timeline.move(toDay: days.upperBound)
      case .instant(let time): try timeline.move(toDay: time.day)
      }
    } catch let error as Failure {
      remark = invocation.text(error.message)
    }
  }

  private func undo() throws {
    guard let id = deleted else {
      remark = invocation.text(ReadingMessage.nothingDeleted)
      return
    }
    deleted = nil
    _ = try connection.run(RestoreEntries([.id(id)]))
    remark = invocation.text(ReadingMessage.broughtBack)
    try reload()
    try timeline.choose(id)
  }

  /// Opens the entry's only file, or asks which one.
  private func open(_ entry: Entry, _ size: (columns: Int, rows: Int)) async throws {
    switch entry.attachments.count {
    case 0: remark = invocation.text(WritingMessage.noFiles)
    case 1: try await show(entry.attachments[0], of: entry, size)
    default: mode = .choosing(entry)
    }
  }

  /// A picture on this terminal if it shows any, else with another program.
  private func show(
    _ attachment: Attachment, of entry: Entry, _ size: (columns: Int, rows: Int)
  ) async throws {
    try await away {
      if let picture = try TerminalPicture(self.invocation)?.drawn(
        attachment, of: entry, columns: size.columns, rows: max(4, size.rows - 3),
        self.connection)
      {
        try self.invocation.output.write(picture)
        try self.invocation.output.flush()
        try OpenCommand.askWhetherSeen(attachment, self.invocation)
      } else {
        try await OpenCommand.open(
          attachment, of: entry, with: nil, self.invocation, self.connection)
      }
    }
  }

  func reload() throws {
    try look()
    try timeline.reload()
  }

  private func read(_ entry: Entry) throws {
    do {
      let whole = try connection.entry(.id(entry.id))
      mode = .reading(whole, top: 0)
    } catch let error as VaultError where error.code == .notFound {
      remark = invocation.text(ReadingMessage.movedMeanwhile)
      mode = .list
      try reload()
    }
    lastActivity = SystemClock.sinceBoot
  }

  private func star(_ entry: Entry) throws {
    var change = EntryChange()
    change.starred = !entry.starred
    _ = try connection.run(EditEntry(.id(entry.id), change))
    // Where only those with a star are shown, one stays until the list is read again: the same key gives its star back.
    try timeline.refresh(entry.id)
  }
}
