internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import Words

extension Invocation {
  /// The entries that ``Options/filters`` name.
  func filter() throws -> EntryFilter {
    var filter = EntryFilter()
    switch arguments[Options.from] {
    case .days(let days)?: filter.fromDay = days.lowerBound
    case .instant(let time)?: filter.fromInstant = time.seconds
    case nil: break
    }
    switch arguments[Options.to] {
    case .days(let days)?: filter.toDay = days.upperBound
    case .instant(let time)?: filter.toInstant = time.seconds
    case nil: break
    }
    let days: ClosedRange<Int>? =
      switch arguments[Options.on] {
      case .days(let days)?: days
      case .instant(let time)?: time.day...time.day
      case nil: nil
      }
    if let days {
      filter.fromDay = max(days.lowerBound, filter.fromDay ?? days.lowerBound)
      filter.toDay = min(days.upperBound, filter.toDay ?? days.upperBound)
    } else if let from = filter.fromDay, let to = filter.toDay, from > to {
      throw Failure(.invalid, WritingMessage.toBeforeFrom)
    }
    filter.tags = arguments[Options.filterTag].flatMap(TagWords.filtered)
    filter.journal = arguments[Options.filterJournal]
    filter.kind = arguments[Options.filterKind]
    filter.starred = arguments[Options.starred]
    filter.hasAttachment = arguments[Options.hasAttachment]
    return filter
  }
}
