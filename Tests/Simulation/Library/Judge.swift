import Bytes

/// What a device did, told by whoever made it do so.
enum Deed {
  case revision(Identity, Revision)
  case purge(Identity, Purge)
  case other(lamport: Int)

  /// One more than that of everything its author had merged.
  var lamport: Int {
    switch self {
    case .revision(_, let revision): revision.lamport
    case .purge(_, let purge): purge.lamport
    case .other(let lamport): lamport
    }
  }

  struct Revision {
    let number: Int
    let lamport: Int
    /// The revisions and purges that its author knew.
    let known: Set<Int>
    /// What it was to change; nil for what it left as it was.
    var text: Int?
    var star: Int?
    /// All that the entry is to have.
    var tags: Set<Int>?
    var isTrashed: Bool?
  }

  struct Purge {
    let number: Int
    let lamport: Int
    let known: Set<Int>
  }
}

/// Knows what was done, and says what must be shown. It asks no replica anything.
struct Judge {
  /// By segment.
  var deeds: [Hash: [Deed]] = [:]
  private(set) var texts = 0
  private var numbers = 0
  private var revisions: [Int: (entry: Identity, revision: Deed.Revision, has: Values)] = [:]
  private var purges: [Int: (entry: Identity, purge: Deed.Purge)] = [:]

  /// A value, by the revision that gave it.
  private struct Value: Hashable {
    let origin: Int
    let value: Int
  }

  /// What an entry has of each field.
  private struct Values {
    var texts: Set<Value> = []
    var stars: Set<Value> = []
    var tags: Set<Value> = []
    var trash: Set<Value> = []
  }

  mutating func newNumber() -> Int {
    numbers += 1
    return numbers
  }

  mutating func newText() -> Int {
    texts += 1
    return texts
  }

  mutating func add(_ entry: Identity, _ revision: Deed.Revision) {
    var has = counting(entry, of: revision.known)
    func given(_ value: Int) -> Value { Value(origin: revision.number, value: value) }
    if let text = revision.text { has.texts = [given(text)] }
    if let star = revision.star { has.stars = [given(star)] }
    if let tags = revision.tags {
      let there = Set(has.tags.map(\.value))
      has.tags = has.tags.filter { tags.contains($0.value) }
        .union(tags.subtracting(there).map(given))
    }
    if let isTrashed = revision.isTrashed { has.trash = [given(isTrashed ? 1 : 0)] }
    revisions[revision.number] = (entry, revision, has)
  }

  mutating func add(_ entry: Identity, _ purge: Deed.Purge) {
    purges[purge.number] = (entry, purge)
  }

  // MARK: What follows

  /// The revisions among some deeds that a purge among them took.
  func purged(_ known: Set<Int>) -> Set<Int> {
    var purged: Set<Int> = []
    for number in known {
      guard let (entry, purge) = purges[number] else { continue }
      for number in purge.known where revisions[number]?.entry == entry { purged.insert(number) }
    }
    return purged.intersection(known)
  }

  private func heads(_ living: Set<Int>) -> [(revision: Deed.Revision, has: Values)] {
    living.filter { one in
      !living.contains { revisions[$0]?.revision.known.contains(one) == true }
    }.compactMap { revisions[$0].map { ($0.revision, $0.has) } }
  }

  /// What an entry has when some deeds are known.
  private func counting(_ entry: Identity, of known: Set<Int>) -> Values {
    let purged = purged(known)
    let living = known.filter { revisions[$0]?.entry == entry && !purged.contains($0) }
    let heads = heads(living)
    func values(_ field: KeyPath<Values, Set<Value>>, standing: Bool = false) -> Set<Value> {
      let all = heads.reduce(into: Set<Value>()) { $0.formUnion($1.has[keyPath: field]) }
      return all.filter { value in
        guard standing || living.contains(value.origin) else { return false }
        return !heads.contains { head in
          (head.revision.number == value.origin || head.revision.known.contains(value.origin))
            && !head.has[keyPath: field].contains(value)
        }
      }
    }
    return Values(
      texts: values(\.texts), stars: values(\.stars, standing: true), tags: values(\.tags),
      trash: values(\.trash))
  }

  struct Expected: Equatable {
    /// Texts in its history.
    var kept: Set<Int> = []
    /// None when the entry is gone.
    var shown: Set<Int> = []
    var tags: Set<Int> = []
    /// The newest; of several that are as new as one another any may be shown.
    var stars: Set<Int> = []
    var mayBeTrashed: Set<Bool> = []
  }

  /// What must be of an entry when some segments are merged.
  ///
  /// - Parameter lost: revisions that nobody has any more.
  func expected(_ entry: Identity, from hashes: Set<Hash>, without lost: Set<Int>) -> Expected {
    var known: Set<Int> = []
    for deed in hashes.flatMap({ deeds[$0] ?? [] }) {
      switch deed {
      case .revision(_, let revision):
        if !lost.contains(revision.number) { known.insert(revision.number) }
      case .purge(_, let purge): known.insert(purge.number)
      case .other: break
      }
    }
    let purged = purged(known)
    let values = counting(entry, of: known)
    var expected = Expected()
    for number in known where !purged.contains(number) {
      guard let (its, revision, _) = revisions[number], its == entry, let text = revision.text
      else { continue }
      expected.kept.insert(text)
    }
    expected.shown = Set(values.texts.map(\.value))
    expected.tags = Set(values.tags.map(\.value))
    expected.stars = Set(newest(values.stars).map(\.value))
    expected.mayBeTrashed = Set(
      newest(values.trash).map { trash in
        trash.value == 1 && values.texts.allSatisfy { knows(trash.origin, $0.origin) }
      })
    if values.trash.isEmpty { expected.mayBeTrashed = [false] }
    return expected
  }

  private func knows(_ one: Int, _ other: Int) -> Bool {
    one == other || revisions[one]?.revision.known.contains(other) == true
  }

  private func newest(_ values: Set<Value>) -> Set<Value> {
    func lamport(_ value: Value) -> Int { revisions[value.origin]?.revision.lamport ?? 0 }
    let highest = values.map(lamport).max()
    return values.filter { lamport($0) == highest }
  }
}

/// An invariant that does not hold.
package struct Violation: Error, CustomStringConvertible {
  package let description: String
  init(_ description: String) { self.description = description }
}
