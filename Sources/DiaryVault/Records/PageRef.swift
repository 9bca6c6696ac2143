/// A header page as its section knows it.
struct PageRef: Sendable, Equatable {
  let id: Int64
  var ref: Ref
  /// The key of its first record.
  var first: PageKey
  var count: UInt32
  var trashed: UInt32
}
