import Bytes

/// What a device did, told by whoever made it do so.
enum Deed {
  case revision(Identity, Revision)
  case purge(Identity, Purge)
  case set(Identity, Setting)

  var number: Int {
    switch self {
    case .revision(_, let revision): revision.number
    case .purge(_, let purge): purge.number
    case .set(_, let setting): setting.number
    }
  }

  /// One more than that of everything its author had merged.
  var lamport: Int {
    switch self {
    case .revision(_, let revision): revision.lamport
    case .purge(_, let purge): purge.lamport
    case .set(_, let setting): setting.lamport
    }
  }

  struct Revision {
    let number: Int
    let lamport: Int
    /// The revisions and purges that its author had seen.
    let known: Set<Int>
    /// What it was to change; nil for what it left as it was.
    var text: Int?
    var star: Int?
    /// All that the entry is to have.
    var tags: Set<Int>?
    var files: Set<Int>?
    var isTrashed: Bool?
  }

  struct Purge {
    let number: Int
    let lamport: Int
    let known: Set<Int>
  }

  /// A journal, a kind or a template.
  struct Setting {
    let number: Int
    let lamport: Int
    let known: Set<Int>
    let value: UInt8
  }
}

/// A device that was taken out, and what its author knew of its logs: only what leads there counts.
struct Revocation {
  let device: DeviceID
  let ends: [LogEnd]
}

/// Knows what was done, and says what must be shown. It asks no replica anything.
struct Judge {
  /// By segment.
  private(set) var deeds: [Hash: [Deed]] = [:]
  private var links: [Hash: (device: DeviceID, sequence: UInt64, previous: Hash?)] = [:]
  /// The segment of a deed.
  private var homes: [Int: Hash] = [:]
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
    var files: Set<Value> = []
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

  /// The deeds of a segment that a device wrote after another one.
  mutating func add(_ end: LogEnd, after previous: Hash?, _ its: [Deed]) {
    let hash = end.hash
    deeds[hash] = its
    links[hash] = (end.device, end.sequence, previous)
    for deed in its { homes[deed.number] = hash }
  }

  // MARK: What counts

  /// The segments among some that do not count.
  ///
  /// - Parameter held: those that whoever asks has: what may lead to another that is listed counts.
  func void(
    _ hashes: Set<Hash>, _ revocations: [Revocation], held: Set<Hash>? = nil
  ) -> Set<Hash> {
    guard !revocations.isEmpty else { return [] }
    var listed: [DeviceID: UInt64] = [:]
    var counting: Set<Hash> = []
    for revocation in revocations {
      listed[revocation.device, default: 0] += 0
      for end in revocation.ends {
        var (next, sequence): (Hash?, UInt64) = (end.hash, end.sequence)
        while let hash = next, counting.insert(hash).inserted {
          guard held?.contains(hash) ?? true else {
            listed[revocation.device] = max(listed[revocation.device] ?? 0, sequence)
            break
          }
          next = links[hash]?.previous
          sequence -= 1
        }
      }
    }
    return hashes.filter { hash in
      guard let link = links[hash], let unknown = listed[link.device] else { return false }
      return !counting.contains(hash) && link.sequence > unknown
    }
  }

  /// The same of revisions and purges.
  func void(_ numbers: Set<Int>, _ revocations: [Revocation], held: Set<Hash>? = nil) -> Set<Int> {
    let void = void(Set(numbers.compactMap { homes[$0] }), revocations, held: held)
    return numbers.filter { homes[$0].map(void.contains) ?? false }
  }

  /// Of what a device knows, what counts of an entry, and of the rest what has a text, a tag or a file that is shown.
  func seen(_ entry: Identity, of known: Set<Int>, void: Set<Int>) -> Set<Int> {
    guard !void.isEmpty else { return known }
    let has = counting(entry, of: known, void, lacking: [])
    let shown = has.texts.union(has.tags).union(has.files).map(\.origin)
    return known.subtracting(void.subtracting(shown))
  }

  // MARK: Deeds

  /// - Parameters:
  ///   - known: what its author knew, also such as does not count and was not shown.
  ///   - lacking: what its author knew without what it gave.
  mutating func add(
    _ entry: Identity, _ revision: Deed.Revision, known: Set<Int>, void: Set<Int>,
    lacking: Set<Int>
  ) {
    var has = counting(entry, of: known, void, lacking: lacking)
    func given(_ value: Int) -> Value { Value(origin: revision.number, value: value) }
    if let text = revision.text { has.texts = [given(text)] }
    if let star = revision.star { has.stars = [given(star)] }
    func change(_ elements: inout Set<Value>, _ wanted: Set<Int>) {
      // One that could not be shown is given anew.
      let there = Set(elements.filter { !lacking.contains($0.origin) }.map(\.value))
      elements = elements.filter { wanted.contains($0.value) }
        .union(wanted.subtracting(there).map(given))
    }
    if let tags = revision.tags { change(&has.tags, tags) }
    if let files = revision.files { change(&has.files, files) }
    if let isTrashed = revision.isTrashed { has.trash = [given(isTrashed ? 1 : 0)] }
    revisions[revision.number] = (entry, revision, has)
  }

  mutating func add(_ entry: Identity, _ purge: Deed.Purge) {
    purges[purge.number] = (entry, purge)
  }

  // MARK: What follows

  /// The revisions among some deeds that a purge among them took which counts.
  func purged(_ known: Set<Int>, void: Set<Int>) -> Set<Int> {
    var purged: Set<Int> = []
    for number in known where !void.contains(number) {
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
  private func counting(
    _ entry: Identity, of known: Set<Int>, _ void: Set<Int>, lacking: Set<Int>
  ) -> Values {
    let purged = purged(known.union(lacking), void: void)
    let living = known.filter { revisions[$0]?.entry == entry && !purged.contains($0) }
    // What is not here is kept where it is not replaced.
    let there = living.union(lacking.subtracting(purged))
    let heads = heads(living.subtracting(void))
    func values(
      _ field: KeyPath<Values, Set<Value>>, standing: Bool = false, isText: Bool = false
    ) -> Set<Value> {
      let all = heads.reduce(into: Set<Value>()) { $0.formUnion($1.has[keyPath: field]) }
      func gaveUp(_ value: Value) -> [(revision: Deed.Revision, has: Values)] {
        heads.filter { head in
          (head.revision.number == value.origin || head.revision.known.contains(value.origin))
            && !head.has[keyPath: field].contains(value)
        }
      }
      let left = all.filter { value in
        guard standing || there.contains(value.origin) else { return false }
        return gaveUp(value).allSatisfy { head in
          let others = head.has[keyPath: field]
          return isText && all.count <= 16 && !others.isEmpty
            && others.allSatisfy { other in
              gaveUp(other).contains { $0.has[keyPath: field].contains(value) }
            }
        }
      }
      if isText, left.isEmpty { return all.filter { there.contains($0.origin) } }
      // What every revision repeats is never without a value.
      return standing && left.isEmpty ? all : left
    }
    return Values(
      texts: values(\.texts, isText: true), stars: values(\.stars, standing: true),
      tags: values(\.tags),
      files: values(\.files), trash: values(\.trash))
  }

  struct Expected: Equatable {
    /// Texts in its history.
    var kept: Set<Int> = []
    /// The entry is gone when it has neither a text nor a file.
    var shown: Set<Int> = []
    var files: Set<Int> = []
    var tags: Set<Int> = []
    /// The newest; of several that are as new as one another any may be shown.
    var stars: Set<Int> = []
    var mayBeTrashed: Set<Bool> = []
  }

  /// What must be of an entry when some segments are merged.
  ///
  /// - Parameter lost: revisions that nobody has any more.
  func expected(
    _ entry: Identity, from hashes: Set<Hash>, without lost: Set<Int>, _ revocations: [Revocation]
  ) -> Expected {
    var known: Set<Int> = []
    for deed in hashes.flatMap({ deeds[$0] ?? [] }) {
      switch deed {
      case .revision(_, let revision):
        if !lost.contains(revision.number) { known.insert(revision.number) }
      case .purge(_, let purge): known.insert(purge.number)
      case .set: break
      }
    }
    let void = void(known, revocations)
    let purged = purged(known, void: void)
    let values = counting(entry, of: known, void, lacking: [])
    var expected = Expected()
    for number in known.subtracting(void) where !purged.contains(number) {
      guard let (its, revision, has) = revisions[number], its == entry else { continue }
      if let text = revision.text { expected.kept.insert(text) }
      // What does not count is kept where somebody went on with it.
      let given = has.texts.filter { void.contains($0.origin) && !purged.contains($0.origin) }
      expected.kept.formUnion(given.filter { known.contains($0.origin) }.map(\.value))
    }
    expected.shown = Set(values.texts.map(\.value))
    expected.tags = Set(values.tags.map(\.value))
    expected.files = Set(values.files.map(\.value))
    expected.stars = Set(newest(values.stars).map(\.value))
    expected.mayBeTrashed = Set(
      newest(values.trash).map { trash in
        trash.value == 1 && values.texts.allSatisfy { knows(trash.origin, $0.origin) }
      })
    if values.trash.isEmpty { expected.mayBeTrashed = [false] }
    return expected
  }

  /// The values that a journal may be shown with when some segments are merged.
  func values(of register: Identity, from hashes: Set<Hash>, _ revocations: [Revocation]) -> Set<
    UInt8
  > {
    let counting = hashes.subtracting(void(hashes, revocations))
    let all = counting.flatMap { deeds[$0] ?? [] }.compactMap { deed in
      if case .set(register, let setting) = deed { setting } else { nil }
    }
    let left = all.filter { one in !all.contains { $0.known.contains(one.number) } }
    let highest = left.map(\.lamport).max()
    return Set(left.filter { $0.lamport == highest }.map(\.value))
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
