/// What becomes of values that devices gave a field without knowing of one another, and of values whose operation was purged.
package enum MergeRule: Sendable {
  /// All of them stay, and more than one distinct value is a conflict inside the entry: a title, a text.
  case all
  /// The one with the highest stamp stays: a place.
  case newest
  /// As ``newest``, but every revision repeats the value, so that it stands when the operation that gave it was purged: a date.
  case carried
  /// Each value is an element, and one that was added stays: tags.
  case elements
  /// As ``elements``, and an entry of which one is left is there: photos and files.
  case files
  /// As ``newest``, but an entry leaves the trash when it gets a text that the device which trashed it had not seen.
  case trash

  /// Whether an operation gives at most one value.
  var isSingle: Bool { !areElements }

  package var areElements: Bool { self == .elements || self == .files }

  /// Whether a revision may have so many values of a field, given, kept or repeated.
  package func allows(_ count: Int) -> Bool {
    self == .carried ? count == 1 : count <= Segment.valueLimit
  }
}
