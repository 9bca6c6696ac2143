internal import Access
internal import Bytes
internal import CommandLine
internal import Dates
internal import Entries
internal import JSONText
internal import Requests
internal import Words

private struct RankCall: Decodable {
  var subject: TallySubject
  var year: Int
}

private struct DevicesCall: Decodable {
  /// What was found once and the page has shown, in its words: it need not be kept any longer.
  var told: [String]?
}

/// What the page shows of the diary as a whole.
extension OpenDiary {
  func names(_ language: Language) throws -> [UInt8] {
    let names = try connection.run(ListNames())
    let counts = try connection.run(CountEntries())
    return JSONWriter.object { json in
      json.member("entries", counts.live)
      json.member("trashed", counts.trashed)
      json.member("journals", array: names.journals) { json, journal in
        json.member("id", UInt64(journal.id))
        json.member("name", journal.name)
        json.member("emoji", journal.emoji)
        json.member("from", journal.from)
        json.member("to", journal.to)
      }
      json.member("kinds", array: names.kinds) { json, kind in
        json.member("id", UInt64(kind.id))
        json.member("name", kind.name)
        json.member("title", language.kindName(kind.name))
        json.member("emoji", kind.emoji)
        json.member("isBuiltIn", Kind.builtIn.contains(kind))
      }
    }
  }

  /// How many entries have each tag and journal, and each kind that one has.
  func tallies() throws -> [UInt8] {
    let tags = try connection.run(Tally(.tags))
    let journals = try connection.run(Tally(.journals))
    let kinds = try connection.run(Tally(.kinds)).filter { $0.count > 0 }
    return JSONWriter.object { json in
      for (name, counts) in [("tags", tags), ("journals", journals), ("kinds", kinds)] {
        json.member(name, array: counts.sorted { ($1.count, $0.name) < ($0.count, $1.name) }) {
          $0.member("name", $1.name)
          $0.member("count", $1.count)
        }
      }
    }
  }

  func statistics() throws -> [UInt8] {
    let found = try connection.run(Statistics())
    let figures = DiaryFigures(found, today: LocalZone().now().day)
    return JSONWriter.object { json in
      json.member("entries", found.entries)
      json.member("words", found.words)
      json.member("currentStreak", figures.currentStreak)
      json.member("longestStreak", figures.longestStreak)
      json.member("firstDay", figures.firstDay)
      json.member("lastDay", figures.lastDay)
      json.member("perMonth", array: figures.perMonth) { json, month in
        json.member("month", month.month)
        json.member("entries", month.entries)
        json.member("words", month.words)
      }
      json.key("days")
      json.beginObject()
      for (day, count) in found.days { json.member(String(day), count) }
      json.endObject()
    }
  }

  /// A year's ranking, with movement against the year before.
  func rank(_ body: CallBody) throws -> [UInt8] {
    let call = try body.decoded(RankCall.self)
    func ranked(_ days: ClosedRange<Int>?) throws -> [TallyRank] {
      guard let days else { return [] }
      var filter = EntryFilter()
      (filter.fromDay, filter.toDay) = (days.lowerBound, days.upperBound)
      return TallyRank.list(try connection.run(Tally(call.subject, filter)))
    }
    let days = CivilDate.days(ofYear: call.year)
    // A number that is no year has none before it, either.
    let before = try ranked(days.flatMap { _ in CivilDate.days(ofYear: call.year - 1) })
    let rows = try ranked(days).prefix(20).map { RankedTally($0, before: before) }
    return JSONWriter.object { json in
      json.member("rows", array: rows) { json, row in
        json.member("rank", row.rank)
        json.member("name", row.name)
        json.member("count", row.count)
        json.member("movement", row.movement)
      }
    }
  }

  /// The ways in.
  func slots() throws -> [UInt8] {
    let slots = try connection.run(ListKeySlots())
    return JSONWriter.object { json in
      json.member("slots", array: slots) { json, slot in
        json.member("id", Base32.encode(slot.id))
        json.member("kind", "\(slot.kind)")
        json.member("created", slot.created.map(utc))
      }
    }
  }

  /// The devices, and what of their sync a person has to know or to decide.
  func devices(_ body: CallBody, _ language: Language) throws -> [UInt8] {
    let told = try body.decoded(DevicesCall.self).told ?? []
    // What nobody was shown yet is still to be said.
    let found = told.isEmpty ? [] : try connection.run(Settle(isTold: true)).troubles
    let status = try connection.run(AskSyncStatus()).status
    let unseen = found.filter { $0.isKept && !told.contains($0.message.text(in: language)) }
    return JSONWriter.object { json in
      // One that was not let in yet asks again.
      json.member("shared", status.map { !$0.isAsking } ?? false)
      json.member("conflicts", status?.conflicts)
      json.member("missingFiles", status?.missingFiles)
      json.member("settled", status?.settled.map(utc))
      let removals = status?.removals ?? 0
      json.member("removals", removals)
      if removals > 0 {
        json.member("removed", SyncMessage.wouldRemove(removals).text(in: language))
        json.member("removeAsk", SyncMessage.askToRemove(removals).text(in: language))
      }
      json.member("troubles", array: (status?.troubles ?? []) + unseen) { json, trouble in
        json.member("words", trouble.message.text(in: language))
        json.member("isKept", trouble.isKept)
        json.member("next", trouble.next?.text(in: language))
      }
      json.member("devices", array: status?.devices.filter { !$0.isRevoked } ?? []) {
        $0.member("name", $1.name)
        $0.member("own", $1.isThis)
        $0.member("heard", $1.heard.map(utc))
      }
    }
  }
}
