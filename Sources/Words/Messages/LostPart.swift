/// A part of an import that no entry has taken.
package enum LostPart: String, Sendable {
  /// A photo or file that an entry names and that is not there.
  case attachment
  /// A field that entries here have no place for.
  case field
  /// A file that is not an entry, or whose day is unknown.
  case file
  /// A folder that cannot be opened or lies too deep.
  case folder
  /// An entry that cannot be imported.
  case entry
  /// An entry that was in the trash there.
  case trashed
  /// An entry with nothing in it.
  case empty
  /// A file beside the entries that none of them names.
  case unread
}
