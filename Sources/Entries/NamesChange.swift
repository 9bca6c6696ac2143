/// A change to the journals and kinds.
public enum NamesChange: Sendable, Codable, Equatable {
  case addJournal(Journal)
  /// Its days, counted from 1970-01-01, and its emoji.
  case editJournal(String, from: Change<Int>, to: Change<Int>, emoji: Change<String>)
  case renameJournal(String, to: String)
  /// Before another one; nil puts it last.
  case moveJournal(String, before: String?)
  /// Its entries go to another journal, or to the trash for nil.
  case removeJournal(String, entriesTo: String?)
  case addKind(Kind)
  case renameKind(String, to: String)
  /// Its entries have no kind then.
  case removeKind(String)
}

extension Journal {
  /// A journal to be made.
  public init(name: String, from: Int? = nil, to: Int? = nil, emoji: String? = nil) {
    self.init(id: 0, name: name, from: from, to: to, emoji: emoji)
  }
}

extension Kind {
  /// A kind to be made.
  public init(name: String, emoji: String, otherNames: [String] = []) {
    self.init(id: 0, name: name, emoji: emoji, otherNames: otherNames)
  }
}
