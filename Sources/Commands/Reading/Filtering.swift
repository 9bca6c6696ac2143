internal import CommandLine
internal import DiaryVault

extension Invocation {
  /// The entries that ``Options/filters`` name.
  func filter() throws -> EntryFilter {
    var filter = EntryFilter()
    switch arguments[Options.from] {
    case .day(let day)?: filter.fromDay = day
    case .instant(let time)?: filter.fromInstant = time.seconds
    case nil: break
    }
    switch arguments[Options.to] {
    case .day(let day)?: filter.toDay = day
    case .instant(let time)?: filter.toInstant = time.seconds
    case nil: break
    }
    let day: Int? =
      switch arguments[Options.on] {
      case .day(let day)?: day
      case .instant(let time)?: time.day
      case nil: nil
      }
    if let day {
      filter.fromDay = max(day, filter.fromDay ?? day)
      filter.toDay = min(day, filter.toDay ?? day)
    } else if let from = filter.fromDay, let to = filter.toDay, from > to {
      throw Failure(.invalid, WritingMessage.toBeforeFrom)
    }
    filter.tags = arguments[Options.filterTag]
    filter.journal = arguments[Options.filterJournal]
    filter.kind = arguments[Options.filterKind]
    filter.starred = arguments[Options.starred]
    filter.hasAttachment = arguments[Options.hasAttachment]
    return filter
  }
}
