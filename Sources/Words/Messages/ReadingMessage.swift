/// Reading: lists, the timeline, looking back.
package enum ReadingMessage: Sendable {
  case browseNeedsTerminal
  case movedMeanwhile
  case askToTrash
  case entryCount(Int)
  case wordCount(Int)
  case journalEmpty
  case nothingYet
  case all
  case searchKeys
  case listKeys
  case entryKeys
  case terminalGone
  case movedToTrashUndo
  case broughtBack
  case browseKeys
  case anyKeyBack
  case moveOrBack
  case noSuchKey
  case nothingDeleted
  case goToDate
  case filterByTag
  case whichFile
  case sameLines(Int)
  case openNeedsTerminal
  case severalFiles(entry: String, count: Int)
  case noViewer
  case viewerFailed(String, status: Int)
  case pressEnterWhenSeen(String)
  case moreWithAll(Int)
  case new
  /// Of the columns of a ranking: rank, movement, count, name.
  case rankHeads
  case periodBackwards(String)
  case notPeriod(String)
  case periodForms
  case figures(entries: Int, words: Int, days: Int)
  case span(from: String, to: String)
  case streaks(current: Int, longest: Int)
  case emptyDays(Int)
  case day(year: String, month: String, day: String, weekday: String)
  case month(year: Int, month: Int)
  /// A day as a book has it.
  case longDay(year: Int, month: Int, day: Int, weekday: String)
  case revision(UInt64)
}
