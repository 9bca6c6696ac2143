package import DiaryVault
package import Entries
internal import Requests

/// What a slice of time came to.
package enum WorkStep<Answer> {
  /// More items are wanted.
  case needsItems
  case entries([Entry])
  /// The slice is over.
  case paused
  case answer(Answer)

  func map<Other>(_ body: (Answer) throws -> Other) rethrows -> WorkStep<Other> {
    switch self {
    case .needsItems: .needsItems
    case .entries(let entries): .entries(entries)
    case .paused: .paused
    case .answer(let answer): .answer(try body(answer))
    }
  }
}

/// A request on its way: takes items, gives entries in batches, then its answer, a slice of time after another.
///
/// The same whether it runs in place or for one of many clients of a keeper.
package final class Work<Answer: Codable & Sendable> {
  package typealias Step = WorkStep<Answer>

  private let next: (Slice) throws(VaultError) -> Step
  private let taking: ((ImportItem) throws(VaultError) -> Void)?
  private var hasItems: Bool

  /// - Parameters:
  ///   - taking: takes an item, for a request that items follow; `next` is asked when they have ended.
  package init(
    taking: ((ImportItem) throws(VaultError) -> Void)? = nil,
    _ next: @escaping (Slice) throws(VaultError) -> Step
  ) {
    self.taking = taking
    self.next = next
    hasItems = taking != nil
  }

  /// Work that is done already.
  package convenience init(_ answer: Answer) {
    self.init { _ throws(VaultError) in .answer(answer) }
  }

  package func step(_ slice: Slice) throws(VaultError) -> Step {
    hasItems ? .needsItems : try next(slice)
  }

  package func take(_ items: [ImportItem]) throws(VaultError) {
    guard hasItems, let taking else {
      throw VaultError(.message, expected: .noItems)
    }
    for item in items { try taking(item) }
  }

  package func endItems() { hasItems = false }

  /// Runs it to its end, in place.
  func finish(
    items: () throws -> ImportItem?, entry: (Entry) throws -> Void
  ) throws -> Answer {
    while true {
      switch try step(.unlimited) {
      case .needsItems: if let item = try items() { try take([item]) } else { endItems() }
      case .entries(let entries): for each in entries { try entry(each) }
      case .paused: continue
      case .answer(let answer): return answer
      }
    }
  }
}

extension Work {
  /// Enough to be worth a message, small enough to hold.
  private static var batch: Int { 128 }
  private static var batchBytes: Int { 256 << 10 }

  /// Entries of a cursor, in batches, then `answer`.
  package convenience init(_ cursor: EntryCursor, answer: Answer) {
    self.init { slice throws(VaultError) in
      var entries: [Entry] = []
      var size = 0
      var isAtEnd = false
      while entries.count < Self.batch, size < Self.batchBytes, !isAtEnd {
        switch try cursor.next(within: slice) {
        case .found(let entry):
          size += entry.size
          entries.append(entry)
        case .paused: return entries.isEmpty ? .paused : .entries(entries)
        case .ended: isAtEnd = true
        }
      }
      return entries.isEmpty ? .answer(answer) : .entries(entries)
    }
  }

  /// Entries, in batches, then `answer`.
  package convenience init(_ all: [Entry], answer: Answer) {
    var left = all[...]
    self.init { _ throws(VaultError) in
      var size = 0
      let batch = left.prefix(Self.batch).prefix { entry in
        defer { size += entry.size }
        return size < Self.batchBytes
      }
      left = left.dropFirst(batch.count)
      return batch.isEmpty ? .answer(answer) : .entries(Array(batch))
    }
  }

  /// What was counted, when it has been.
  package convenience init(_ counting: Counting<Answer>) {
    self.init { slice throws(VaultError) in
      try counting.step(slice).map { .answer($0) } ?? .paused
    }
  }
}

extension Work<Int> {
  /// How many entries were changed, when they have been.
  package convenience init(_ change: BulkChange) {
    self.init { slice throws(VaultError) in try change.step(slice).map { .answer($0) } ?? .paused }
  }
}
