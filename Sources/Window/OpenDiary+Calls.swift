internal import Bytes
internal import CommandLine
internal import Dates
internal import Entries
internal import JSONText
internal import Requests
internal import Words

/// Which entries the page lists.
struct ListCall: Decodable {
  var query: String?
  /// Days since 1970-01-01.
  var from: Int?
  var to: Int?
  var journal: String?
  var kind: String?
  var tags: [String]?
  var starred: Bool?
  var attachments: Bool?
  var trash: Bool?
  var after: String?
  var oldestFirst: Bool?
  var limit: Int?

  var filter: EntryFilter {
    var filter = EntryFilter()
    (filter.fromDay, filter.toDay) = (from, to)
    (filter.journal, filter.kind) = (journal, kind)
    filter.tags = tags ?? []
    filter.starred = starred ?? false
    filter.hasAttachment = attachments ?? false
    filter.trash = trash ?? false
    return filter
  }
}

private struct EntryCall: Decodable {
  var id: EntryID
  var revision: UInt64?
  var trash: Bool?
}

private struct SaveCall: Decodable {
  var id: EntryID?
  /// The revision that the form was filled with.
  var base: UInt64?
  /// The revision that it may replace; nil for that one.
  var expected: UInt64?
  /// Whether all texts of an entry that has several were shown: what is saved takes the place of all.
  var endsConflict: Bool?
  /// What the text is kept as while it is typed; of a new entry, its id.
  var draft: String?
  var fields: PageFields
  var uploads: [String]?
  var detach: [String]?
}

private struct KeepTemplateCall: Decodable {
  var draft: String
  var template: TemplateCall
}

private struct IDsCall: Decodable {
  var ids: [EntryID]
}

private struct CountCall: Decodable {
  var count: Int
}

private struct StarCall: Decodable {
  var id: EntryID
  var starred: Bool
}

private struct VersionCall: Decodable {
  var id: EntryID
  var expected: UInt64
  /// Those whose texts are kept, in this order.
  var revisions: [UInt64]
}

/// What the page asks of entries.
extension OpenDiary {
  /// The most entries of one answer.
  private static let listLimit = 500

  func list(_ body: CallBody) throws -> [UInt8] {
    let call = try body.decoded(ListCall.self)
    let query = call.query.map { SearchQuery(typed: $0, today: DateParser.today) }
      .flatMap { $0.isEmpty ? nil : $0 }
    let limit = min(max(call.limit ?? 100, 1), Self.listLimit)
    var entries: [Entry] = []
    _ = try connection.run(
      ListEntries(
        call.filter, order: call.oldestFirst == true ? .oldestFirst : .newestFirst,
        limit: limit + 1, query: query, after: call.after.map { EntryReference($0) })
    ) { entries.append($0) }
    return JSONWriter.object { json in
      json.member("more", entries.count > limit)
      json.key("entries")
      json.beginArray()
      for entry in entries.prefix(limit) {
        json.entry(entry, query: query) { address($0, of: entry.id) }
      }
      json.endArray()
    }
  }

  func onThisDay(_ today: ZonedTime) throws -> [UInt8] {
    var entries: [Entry] = []
    let days = try EntryFilter.before(
      CivilDate(number: today.day), newest: connection.newestDay)
    for filter in days {
      _ = try connection.run(ListEntries(filter, limit: 50)) { entries.append($0) }
    }
    return JSONWriter.object { json in
      json.key("entries")
      json.beginArray()
      for entry in entries { json.entry(entry) { address($0, of: entry.id) } }
      json.endArray()
    }
  }

  func show(_ body: CallBody) throws -> [UInt8] {
    let call = try body.decoded(EntryCall.self)
    let entry = try entry(
      call.id, revision: call.revision, isInTrash: call.trash ?? false)
    if call.trash != true { remember(entry) }
    return JSONWriter.object { json in
      json.key("entry")
      json.entry(entry) { address($0, of: entry.id) }
      json.member("html", html(entry))
      // As the form's controls have them.
      json.member("dateText", PageFields.text(of: entry.date))
      json.member("untilText", entry.until.map(PageFields.text))
    }
  }

  private func html(_ entry: Entry) -> String {
    PageText.html(entry.body ?? "") { [self] name in
      entry.attachments.first { $0.name == name }.flatMap { self.address($0, of: entry.id) }
    }
  }

  func save(_ body: CallBody) throws -> [UInt8] {
    let call = try body.decoded(SaveCall.self)
    let written: Written
    if let id = call.id {
      written = try edit(id, call)
    } else {
      let content = try content(call.fields, over: nil)
      let files = try finish(call.uploads ?? [])
      guard content.title != nil || !content.body.allSatisfy(\.isWhitespace) || !files.isEmpty
      else { throw Failure(.invalid, WritingMessage.entryNeedsSomething) }
      var draft = EntryDraft(content)
      draft.attachments = files
      var request = AddEntry(draft)
      request.id = call.draft.flatMap { EntryID($0) }
      written = try connection.run(request)
    }
    if let draft = call.draft { drop(draft) }
    for word in call.uploads ?? [] { dropUpload(word) }
    return JSONWriter.object { json in
      json.member("id", written.id.description)
      json.member("revision", written.revision)
    }
  }

  /// What the form has, to be saved.
  private func content(_ fields: PageFields, over base: EntryContent?) throws -> EntryContent {
    var content = try fields.content(over: base, dates)
    if inlineTags { InlineTags.add(to: &content) }
    return content
  }

  private func base(of id: EntryID, _ call: SaveCall) throws -> Entry {
    guard let revision = call.base else { throw SessionError.foreign }
    return try base(of: id, revision)
  }

  private func edit(_ id: EntryID, _ call: SaveCall) throws -> Written {
    let base = try base(of: id, call)
    let content = try content(call.fields, over: base.content)
    var change = EntryChange(from: base.content, to: content)
    if call.endsConflict == true {
      change.endsConflict = true
      change.title = content.title.map { .set($0) } ?? .clear
      change.body = content.body
    }
    change.attach = try finish(call.uploads ?? [])
    change.detach = call.detach ?? []
    guard !change.isEmpty else { return Written(id: id, revision: base.revision) }
    return try connection.run(
      EditEntry(.id(id), change, expected: call.expected ?? base.revision))
  }

  /// Keeps what the form has, sealed, until it is saved or discarded.
  func keep(_ body: CallBody) throws -> [UInt8] {
    if let call = try? body.decoded(KeepTemplateCall.self) {
      let (template, text) = (call.template, call.template.body ?? "")
      if text.allSatisfy(\.isWhitespace) {
        drop(call.draft)
      } else {
        try keep(
          UnsavedText(template: template.name, body: text, old: template.expected, at: dates.now),
          as: call.draft)
      }
      return JSONWriter.done
    }
    let call = try body.decoded(SaveCall.self)
    guard let draft = call.draft else { throw SessionError.foreign }
    let files = try whole(call.uploads ?? [])
    if let id = call.id {
      let base = try base(of: id, call)
      let content = try call.fields.keptContent(over: base.content, dates)
      var change = EntryChange(from: base.content, to: content)
      (change.attach, change.detach) = (files, call.detach ?? [])
      if change.isEmpty {
        drop(draft)
      } else {
        try keep(UnsavedText(change, of: base, expected: base.revision), as: draft)
      }
    } else {
      let content = try call.fields.keptContent(over: nil, dates)
      try keep(
        UnsavedText(adding: EntryDraft(content), files: files, id: EntryID(draft) ?? .random()),
        as: draft)
    }
    return JSONWriter.done
  }

  func star(_ body: CallBody) throws -> [UInt8] {
    let call = try body.decoded(StarCall.self)
    var change = EntryChange()
    change.starred = call.starred
    let written = try connection.run(EditEntry(.id(call.id), change))
    return JSONWriter.object { $0.member("revision", written.revision) }
  }

  func moveToTrash(_ body: CallBody) throws -> [UInt8] {
    try counted(connection.run(DeleteEntries(try ids(body))))
  }

  func restore(_ body: CallBody) throws -> [UInt8] {
    try counted(connection.run(RestoreEntries(try ids(body))))
  }

  /// Removes the entries named for good; never all at once, for the page names what it shows.
  func purge(_ body: CallBody) throws -> [UInt8] {
    try counted(connection.run(PurgeEntries(try ids(body))))
  }

  /// Empties the trash of somebody who was asked about so many entries.
  func emptyTrash(_ body: CallBody) throws -> [UInt8] {
    let asked = try body.decoded(CountCall.self).count
    guard try connection.run(CountEntries()).trashed == asked else {
      throw Failure(.conflict, WindowMessage.trashChanged)
    }
    return try counted(connection.run(PurgeEntries(nil)))
  }

  private func ids(_ body: CallBody) throws -> [EntryReference] {
    try body.decoded(IDsCall.self).ids.map { .id($0) }
  }

  private func counted(_ count: Int) -> [UInt8] {
    JSONWriter.object { $0.member("count", count) }
  }

  func history(_ body: CallBody) throws -> [UInt8] {
    let call = try body.decoded(EntryCall.self)
    var revisions: [Entry] = []
    _ = try connection.run(Requests.EntryHistory(.id(call.id))) { revisions.append($0) }
    return JSONWriter.object { json in
      json.member("revisions", array: revisions) { json, entry in
        json.member("revision", entry.revision)
        json.member("modified", utc(entry.modified))
        json.member("title", entry.title)
        json.member("size", entry.bodySize)
      }
    }
  }

  func revert(_ body: CallBody) throws -> [UInt8] {
    let call = try body.decoded(EntryCall.self)
    let now = try entry(call.id, isForChange: true)
    let old = try entry(call.id, revision: call.revision)
    let change = EntryChange(bringing: now, backTo: old, try connection.run(ListNames()))
    guard !change.isEmpty else {
      return JSONWriter.object { $0.member("revision", now.revision) }
    }
    let written = try connection.run(EditEntry(.id(now.id), change, expected: now.revision))
    return JSONWriter.object { $0.member("revision", written.revision) }
  }

  /// The versions of an entry that two devices changed, each with the revision that has its text.
  private func versions(
    of id: EntryID
  ) throws -> [(facts: ConflictingEntry.Version, text: Entry)] {
    guard let found = try connection.run(ListConflicts(.id(id))).first else { return [] }
    return try found.versions.prefix(20).map {
      ($0, try entry(id, revision: found.textRevision(of: $0)))
    }
  }

  /// Texts one under the other. A conflict of titles repeats none.
  private func together(_ entries: [Entry]) -> String {
    var texts: [String] = []
    for entry in entries where !texts.contains(entry.body ?? "") { texts.append(entry.body ?? "") }
    return texts.joined(separator: "\n\n---\n\n")
  }

  /// The texts of an entry that two devices changed.
  func conflict(_ body: CallBody) throws -> [UInt8] {
    let call = try body.decoded(EntryCall.self)
    let versions = try versions(of: call.id)
    return JSONWriter.object { json in
      json.member("together", together(versions.map(\.text)))
      json.member("versions", array: versions) { json, each in
        json.member("revision", each.facts.revision)
        json.member("device", each.facts.device)
        json.member("modified", utc(each.facts.modified))
        json.member("title", each.facts.title)
        json.member("body", each.text.body ?? "")
        json.member("html", html(each.text))
      }
    }
  }

  /// Ends a conflict with one of the texts, or with several one under the other.
  func keepVersion(_ body: CallBody) throws -> [UInt8] {
    let call = try body.decoded(VersionCall.self)
    let versions = try versions(of: call.id)
    let kept = call.revisions.compactMap { revision in
      versions.first { $0.facts.revision == revision }
    }
    guard let first = kept.first, kept.count == call.revisions.count else {
      throw VaultError(.conflict, .entry, call.id.short, .wasChangedMeanwhile)
    }
    var change = EntryChange()
    change.endsConflict = true
    change.title = first.facts.title.map { .set($0) } ?? .clear
    change.body = together(kept.map(\.text))
    let written = try connection.run(EditEntry(.id(call.id), change, expected: call.expected))
    return JSONWriter.object { $0.member("revision", written.revision) }
  }
}
