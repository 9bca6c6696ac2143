internal import CommandLine
internal import Dates
internal import Entries
internal import JSONText
internal import Requests
internal import Words

private struct NamesCall: Decodable {
  enum Action: String, Decodable {
    case addJournal, editJournal, renameJournal, removeJournal, addKind, renameKind, removeKind
  }
  var action: Action
  var name: String
  /// The new name, or the journal that the entries go to.
  var to: String?
  var emoji: String?
  /// Of a trip, counted from 1970-01-01.
  var days: Days?

  struct Days: Decodable {
    var from: Int?
    var to: Int?
  }

  var change: NamesChange {
    let (name, emoji) = (self.name.trimmed, self.emoji?.trimmed ?? "")
    func day(_ day: Int?) -> Change<Int> { day.map { .set($0) } ?? .clear }
    return switch action {
    case .addJournal:
      .addJournal(
        Journal(
          name: name, from: days?.from, to: days?.to, emoji: emoji.isEmpty ? nil : emoji))
    case .editJournal:
      .editJournal(
        self.name, from: day(days?.from), to: day(days?.to),
        emoji: emoji.isEmpty ? .clear : .set(emoji))
    case .renameJournal: .renameJournal(self.name, to: to?.trimmed ?? "")
    case .removeJournal: .removeJournal(self.name, entriesTo: to)
    case .addKind: .addKind(Kind(name: name, emoji: emoji))
    case .renameKind: .renameKind(self.name, to: to?.trimmed ?? "")
    case .removeKind: .removeKind(self.name)
    }
  }
}

private struct TagCall: Decodable {
  var name: String
  var to: String
  /// Whether it may be a tag that other entries have already.
  var merge: Bool
}

struct TemplateCall: Decodable {
  var name: String
  /// nil removes it.
  var body: String?
  /// The text that it had when it was shown; nil for a new one.
  var expected: String?
}

/// What the page changes of journals, kinds, tags and templates.
extension OpenDiary {
  func changeNames(_ body: CallBody) throws -> [UInt8] {
    _ = try connection.run(ChangeNames(try body.decoded(NamesCall.self).change))
    return JSONWriter.done
  }

  /// Entries whose tag is changed by one call: the page asks again for the rest, and the server answers others in between.
  private static let tagSlice = 100

  /// Gives the entries of a tag another one in its place.
  ///
  /// - Returns: how many were changed, and whether there are more; or the tag that is there already, which has to be asked about.
  func renameTag(_ body: CallBody) throws -> [UInt8] {
    let call = try body.decoded(TagCall.self)
    let name = call.to.trimmed
    let isSame = SearchQuery.areEqual(call.name, name)
    if !call.merge, !isSame,
      let known = try connection.run(Tally(.tags)).first(where: {
        SearchQuery.areEqual($0.name, name)
      })
    {
      return JSONWriter.object { $0.member("known", known.name) }
    }
    var filter = EntryFilter()
    filter.tags = [call.name]
    var found: [Entry] = []
    // Another spelling of the same tag also finds the entries that have it by now.
    let limit = isSame ? nil : Self.tagSlice + 1
    _ = try connection.run(ListEntries(filter, limit: limit)) { entry in
      if !isSame || !entry.tags.contains(name) { found.append(entry) }
    }
    var change = EntryChange()
    (change.removeTags, change.addTags) = ([call.name], [name])
    for entry in found.prefix(Self.tagSlice) {
      _ = try connection.run(EditEntry(.id(entry.id), change))
    }
    return JSONWriter.object { json in
      json.member("changed", min(found.count, Self.tagSlice))
      json.member("more", found.count > Self.tagSlice)
    }
  }

  func templates() throws -> [UInt8] {
    let templates = try connection.run(ListTemplates())
    return JSONWriter.object { json in
      json.member("templates", array: templates) { json, template in
        json.member("name", template.name)
        json.member("body", template.body)
      }
    }
  }

  func setTemplate(_ body: CallBody) throws -> [UInt8] {
    let call = try body.decoded(TemplateCall.self)
    if let text = call.body, text.allSatisfy(\.isWhitespace) {
      throw Failure(.invalid, WritingMessage.templateNeedsText)
    }
    _ = try connection.run(
      SetTemplate(
        call.name, body: call.body, isNew: call.body != nil && call.expected == nil,
        expected: call.expected))
    return JSONWriter.done
  }
}
