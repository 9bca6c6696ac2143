package import Entries

/// Journals and kinds, in the owner's order.
package struct Names: Codable, Sendable {
  package let journals: [Journal]
  package let kinds: [Kind]

  package init(journals: [Journal], kinds: [Kind]) {
    self.journals = journals
    self.kinds = kinds
  }
}

extension EntryChange {
  /// What makes an entry what it was, but for its photos and files. A journal or kind that is gone stays gone.
  package init(bringing now: Entry, backTo old: Entry, _ names: Names) {
    var content = old.content
    if let journal = old.journal, !names.journals.contains(where: { $0.name == journal }) {
      content.journal = now.journal
    }
    if let kind = old.kind, !names.kinds.contains(where: { $0.name == kind }) {
      content.kind = now.kind
    }
    self.init(from: now.content, to: content)
  }
}

package struct ListNames: Request {
  package typealias Answer = Names
  package static let kind = RequestKind.listNames
  package static let access = RequestAccess.reads
  package let journal: String?
  package let kind: String?

  /// - Parameters: names that must exist; else `notFound`.
  package init(requiring journal: String? = nil, kind: String? = nil) {
    self.journal = journal
    self.kind = kind
  }
}

/// Answers how many entries this changed.
package struct ChangeNames: Request {
  package typealias Answer = Int
  package static let kind = RequestKind.changeNames
  package static let access = RequestAccess.holds
  package let change: NamesChange
  package init(_ change: NamesChange) { self.change = change }
}

package struct EntryCounts: Codable, Sendable, Equatable {
  package let live: Int
  package let trashed: Int

  package init(live: Int, trashed: Int) {
    self.live = live
    self.trashed = trashed
  }
}

package struct CountEntries: Request {
  package typealias Answer = EntryCounts
  package static let kind = RequestKind.countEntries
  package static let access = RequestAccess.reads
  package init() {}
}

/// How many entries have each tag, kind or journal; how often each word occurs.
package struct Tally: Request {
  package typealias Answer = [TallyCount]
  package static let kind = RequestKind.tally
  package static let access = RequestAccess.reads
  package let subject: TallySubject
  package let filter: EntryFilter
  package init(_ subject: TallySubject, _ filter: EntryFilter = EntryFilter()) {
    self.subject = subject
    self.filter = filter
  }
}

package struct Statistics: Request {
  package typealias Answer = DiaryStatistics
  package static let kind = RequestKind.statistics
  package static let access = RequestAccess.reads
  package let filter: EntryFilter
  package init(_ filter: EntryFilter = EntryFilter()) { self.filter = filter }
}

package struct ListTemplates: Request {
  package typealias Answer = [EntryTemplate]
  package static let kind = RequestKind.listTemplates
  package static let access = RequestAccess.reads
  package init() {}
}

/// A nil body removes it.
package struct SetTemplate: Request {
  package typealias Answer = Done
  package static let kind = RequestKind.setTemplate
  package static let access = RequestAccess.writes
  package let name: String
  package let body: String?
  /// Whether one of that name is a conflict.
  package let isNew: Bool
  /// The text that it must still have; nil for any.
  package let expected: String?
  package init(_ name: String, body: String?, isNew: Bool = false, expected: String? = nil) {
    self.name = name
    self.body = body
    self.isNew = isNew
    self.expected = expected
  }
}
