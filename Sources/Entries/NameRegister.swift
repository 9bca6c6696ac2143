package import Bytes
internal import Text

/// A journal: a named part of the diary; a trip when it has days.
public struct Journal: Sendable, Equatable, Codable {
  package let id: UInt32
  public var name: String
  /// Civil days since 1970-01-01, both included.
  public var from: Int?
  public var to: Int?
  public var emoji: String?
  /// The id by which devices know it, once it was told of. It outlasts the space: a device that comes in again tells of the same.
  package var shared: Identity?

  private enum CodingKeys: CodingKey { case id, name, from, to, emoji }

  package init(
    id: UInt32, name: String, from: Int? = nil, to: Int? = nil, emoji: String? = nil,
    shared: Identity? = nil
  ) {
    self.id = id
    self.name = name
    self.from = from
    self.to = to
    self.emoji = emoji
    self.shared = shared
  }
}

/// What an entry is about: a move, a meal, …
public struct Kind: Sendable, Equatable, Codable {
  package let id: UInt32
  public var name: String
  public var emoji: String
  /// Other names it is found by.
  public var otherNames: [String]
  /// As of a journal.
  package var shared: Identity?

  private enum CodingKeys: CodingKey { case id, name, emoji, otherNames }

  /// The four every diary has.
  public static let builtIn = [
    Kind(id: 1, name: "move", emoji: "🚗", otherNames: ["移動"]),
    Kind(id: 2, name: "meal", emoji: "🍽", otherNames: ["ごはん"]),
    Kind(id: 3, name: "sight", emoji: "🏞", otherNames: ["観光"]),
    Kind(id: 4, name: "stay", emoji: "🏨", otherNames: ["ホテル"]),
  ]
  static let firstOwn: UInt32 = 100

  package init(
    id: UInt32, name: String, emoji: String, otherNames: [String] = [], shared: Identity? = nil
  ) {
    self.id = id
    self.name = name
    self.emoji = emoji
    self.otherNames = otherNames
    self.shared = shared
  }
}

/// What a journal, a kind or a template was at some time.
package struct NameVersion: Sendable, Equatable {
  /// Of all but its place in the owner's order: 16 bytes.
  package let digest: [UInt8]
  package let place: UInt64

  package init(digest: [UInt8], place: UInt64) {
    self.digest = digest
    self.place = place
  }
}

/// What a journal, a kind or a template was when a device and the others last had it alike.
package struct ToldName: Sendable, Equatable {
  /// As it stood in this diary, where it may have had a number after its name.
  package let here: NameVersion
  /// As the devices told one another.
  package let everywhere: NameVersion

  package init(here: NameVersion, everywhere: NameVersion) {
    self.here = here
    self.everywhere = everywhere
  }

  fileprivate func encode(to writer: inout ByteWriter) {
    for version in [here, everywhere] {
      writer.put(version.digest)
      writer.putVarint(version.place)
    }
  }

  fileprivate init(_ reader: inout ByteReader) throws(SealingError) {
    here = NameVersion(digest: try reader.bytes(16), place: try reader.varint())
    everywhere = NameVersion(digest: try reader.bytes(16), place: try reader.varint())
  }
}

/// The names of journals and kinds, sealed as one record. Headers hold their numbers.
package struct NameRegister: Sendable, Equatable {
  package static let sizeLimit = 1 << 20
  package static let nameLimit = 256
  package static let emojiLimit = 64
  /// Journals, and own kinds.
  package static let countLimit = 1000
  package static let otherNameLimit = 16

  package var journals: [Journal] = []
  package var ownKinds: [Kind] = []
  /// Numbers are never given twice: an older revision may still hold one.
  private var nextJournal: UInt32 = 1
  private var nextKind = Kind.firstOwn
  /// Of journals, kinds and templates, by their shared ids: what each was when this device and the others last had it alike, also of
  /// those that were removed here since.
  package var told: [Identity: ToldName] = [:]
  /// What a later version adds, kept.
  private var unknown: [UInt8] = []

  package var kinds: [Kind] { Kind.builtIn + ownKinds }

  package init() {}

  package func journal(_ id: UInt32) -> Journal? { journals.first { $0.id == id } }
  package func kind(_ id: UInt32) -> Kind? { kinds.first { $0.id == id } }

  /// The journal called `name`, ignoring case and width.
  package func journal(named name: String) -> Journal? {
    let key = SearchText.fold(name)
    return journals.first { SearchText.fold($0.name) == key }
  }

  /// The kind named by any of its names, by its emoji with or without U+FE0F, or by both together.
  package func kind(named name: String) -> Kind? {
    let key = SearchText.fold(name).filter { $0 != 0x20 }
    return kinds.first { kind in
      let emoji = SearchText.fold(kind.emoji)
      let names = ([kind.name] + kind.otherNames).map { SearchText.fold($0).filter { $0 != 0x20 } }
      if !emoji.isEmpty, key == emoji { return true }
      return names.contains { $0 == key || emoji + $0 == key || $0 + emoji == key }
    }
  }

  package mutating func addJournal(_ journal: Journal) throws(VaultError) -> Journal {
    try Self.check(journal.name, .journal)
    guard self.journal(named: journal.name) == nil else {
      throw VaultError(.conflict, .journal, journal.name, .isThereAlready)
    }
    guard journals.count < Self.countLimit else {
      throw VaultError(.journals, expected: .atMost(Self.countLimit))
    }
    try Self.checkDays(journal)
    let id = nextJournal
    nextJournal += 1
    let made = Journal(
      id: id, name: journal.name, from: journal.from, to: journal.to, emoji: journal.emoji)
    journals.append(made)
    return made
  }

  /// A number for a journal or kind that is not here yet.
  package mutating func reserve(_ reference: EntryField.Reference) -> UInt32 {
    switch reference {
    case .journal:
      defer { nextJournal += 1 }
      return nextJournal
    case .kind:
      defer { nextKind += 1 }
      return nextKind
    }
  }

  /// Whether a journal of this number was ever here or announced.
  package func hasNumbered(journal: UInt32) -> Bool { journal < nextJournal }

  /// Whether a kind of this number was ever here or announced.
  package func hasNumbered(kind: UInt32) -> Bool { kind < nextKind }

  package mutating func addKind(_ kind: Kind) throws(VaultError) -> Kind {
    try Self.check(kind.name, .kind)
    guard self.kind(named: kind.name) == nil else {
      throw VaultError(.conflict, .kind, kind.name, .isThereAlready)
    }
    guard ownKinds.count < Self.countLimit, kind.otherNames.count <= Self.otherNameLimit else {
      throw VaultError(
        .kinds, expected: .atMostWithOtherNames(Self.countLimit, Self.otherNameLimit))
    }
    try Self.checkEmoji(kind.emoji)
    if !kind.emoji.isEmpty, let other = self.kind(named: kind.emoji) {
      throw VaultError(.conflict, .kind, other.name, .hasEmojiAlready)
    }
    for name in kind.otherNames { try Self.check(name, .kind) }
    let id = nextKind
    nextKind += 1
    let made = Kind(id: id, name: kind.name, emoji: kind.emoji, otherNames: kind.otherNames)
    ownKinds.append(made)
    return made
  }

  private static func checkDays(_ journal: Journal) throws(VaultError) {
    try checkEmoji(journal.emoji ?? "")
    guard [journal.from, journal.to].allSatisfy({ $0.map(CivilDate.numbers.contains) ?? true })
    else {
      throw VaultError(.journal, expected: .daysOfYears)
    }
    if let from = journal.from, let to = journal.to, from > to {
      throw VaultError(.journal, expected: .startNotAfterEnd)
    }
  }

  /// Takes journals and own kinds as another device has them; those with number 0 get one.
  package mutating func take(journals new: [Journal], kinds newKinds: [Kind]) {
    journals = new.map { journal in
      guard journal.id == 0 else { return journal }
      defer { nextJournal += 1 }
      return Journal(
        id: nextJournal, name: journal.name, from: journal.from, to: journal.to,
        emoji: journal.emoji, shared: journal.shared)
    }
    ownKinds = newKinds.map { kind in
      guard kind.id == 0 else { return kind }
      defer { nextKind += 1 }
      return Kind(
        id: nextKind, name: kind.name, emoji: kind.emoji, otherNames: kind.otherNames,
        shared: kind.shared)
    }
  }

  package mutating func editJournal(
    _ name: String, from: Change<Int>, to: Change<Int>, emoji: Change<String>
  ) throws(VaultError) {
    var journal = try requireJournal(name)
    journal.from = from.applied(to: journal.from)
    journal.to = to.applied(to: journal.to)
    journal.emoji = emoji.applied(to: journal.emoji)
    try Self.checkDays(journal)
    for index in journals.indices where journals[index].id == journal.id {
      journals[index] = journal
    }
  }

  package mutating func renameJournal(_ name: String, to new: String) throws(VaultError) {
    let old = try requireJournal(name)
    try Self.check(new, .journal)
    if let other = journal(named: new), other.id != old.id {
      throw VaultError(.conflict, .journal, other.name, .isThereAlready)
    }
    for index in journals.indices where journals[index].id == old.id { journals[index].name = new }
  }

  /// Puts a journal before another one, or last.
  package mutating func moveJournal(_ name: String, before other: String?) throws(VaultError) {
    let moved = try requireJournal(name)
    let next = try other.map { name throws(VaultError) in try requireJournal(name) }
    guard moved.id != next?.id else { return }
    journals.removeAll { $0.id == moved.id }
    let place = journals.firstIndex { $0.id == next?.id } ?? journals.count
    journals.insert(moved, at: place)
  }

  package mutating func renameKind(_ name: String, to new: String) throws(VaultError) {
    let old = try requireOwnKind(name)
    try Self.check(new, .kind)
    if let other = kind(named: new), other.id != old.id {
      throw VaultError(.conflict, .kind, other.name, .isThereAlready)
    }
    for index in ownKinds.indices where ownKinds[index].id == old.id { ownKinds[index].name = new }
  }

  /// Gives the journals and kinds that are still there the names and the rest that they had, where no other one has these by now.
  package mutating func bringBack(_ former: NameRegister) {
    for old in former.journals {
      guard let place = journals.firstIndex(where: { $0.shared != nil && $0.shared == old.shared }),
        [nil, journals[place].id].contains(journal(named: old.name)?.id)
      else { continue }
      (journals[place].name, journals[place].emoji) = (old.name, old.emoji)
      (journals[place].from, journals[place].to) = (old.from, old.to)
    }
    for old in former.ownKinds {
      guard let place = ownKinds.firstIndex(where: { $0.shared != nil && $0.shared == old.shared })
      else { continue }
      let free = [nil, ownKinds[place].id]
      guard free.contains(kind(named: old.name)?.id) else { continue }
      ownKinds[place].name = old.name
      ownKinds[place].otherNames = old.otherNames
      if old.emoji.isEmpty || free.contains(kind(named: old.emoji)?.id) {
        ownKinds[place].emoji = old.emoji
      }
    }
  }

  package func requireOwnKind(_ name: String) throws(VaultError) -> Kind {
    let kind = try requireKind(name)
    guard ownKinds.contains(kind) else {
      throw VaultError(.conflict, .kind, kind.name, .isBuiltIn)
    }
    return kind
  }

  private static func checkEmoji(_ emoji: String) throws(VaultError) {
    // One picture: a character that is no letter or digit of its own.
    guard emoji.count <= 1, !emoji.contains(where: { $0.isLetter || $0.isASCII }) else {
      throw VaultError(.emoji, expected: .oneEmoji)
    }
    guard emoji.utf8.count <= emojiLimit, !emoji.contains(where: \.isWhitespace) else {
      throw VaultError(.emoji, expected: .atMostBytesWithoutSpaces(emojiLimit))
    }
  }

  package static func check(_ name: String, _ what: VaultError.Thing) throws(VaultError) {
    guard !name.allSatisfy(\.isWhitespace), name.utf8.count <= nameLimit,
      !name.contains(where: \.isNewline), !name.utf8.contains(0)
    else { throw VaultError(what, expected: .nameOfBytes(nameLimit)) }
  }

  package func plain() -> [UInt8] {
    var writer = ByteWriter(reserving: 256)
    writer.put(RecordVersion.first)
    writer.put(UInt32(journals.count))
    for journal in journals {
      writer.put(journal.id)
      writer.putCounted(journal.name)
      writer.put(Int64(journal.from ?? Int(Int32.min)))
      writer.put(Int64(journal.to ?? Int(Int32.min)))
      writer.putCounted(journal.emoji ?? "")
    }
    writer.put(UInt32(ownKinds.count))
    for kind in ownKinds {
      writer.put(kind.id)
      writer.putCounted(kind.name)
      writer.putCounted(kind.emoji)
      writer.put(UInt32(kind.otherNames.count))
      for name in kind.otherNames { writer.putCounted(name) }
    }
    writer.put(nextJournal)
    writer.put(nextKind)
    Self.put(journals.map { ($0.id, $0.shared) }, to: &writer)
    Self.put(ownKinds.map { ($0.id, $0.shared) }, to: &writer)
    writer.putVarint(UInt64(told.count))
    for (id, name) in told.sorted(by: { $0.key < $1.key }) {
      writer.put(id.bytes)
      name.encode(to: &writer)
    }
    writer.put(unknown)
    return Padding.pad(writer.bytes)
  }

  package init(plain: [UInt8]) throws(SealingError) {
    var reader = ByteReader(try Padding.unpad(plain))
    try reader.expectVersion()
    func day(_ number: Int64) throws(SealingError) -> Int? {
      if number == Int64(Int32.min) { return nil }
      guard let day = Int(exactly: number), CivilDate.numbers.contains(day) else {
        throw .malformed
      }
      return day
    }
    for _ in 0..<(try reader.uint32()) {
      let id = try reader.uint32()
      let name = try reader.text()
      let from = try day(try reader.int64())
      let to = try day(try reader.int64())
      let emoji = try reader.text()
      journals.append(
        Journal(id: id, name: name, from: from, to: to, emoji: emoji.isEmpty ? nil : emoji))
    }
    for _ in 0..<(try reader.uint32()) {
      let id = try reader.uint32()
      let name = try reader.text()
      let emoji = try reader.text()
      var others: [String] = []
      for _ in 0..<(try reader.uint32()) { others.append(try reader.text()) }
      ownKinds.append(Kind(id: id, name: name, emoji: emoji, otherNames: others))
    }
    nextJournal = try reader.uint32()
    nextKind = try reader.uint32()
    // Room for all that are to come: numbers are never given twice.
    guard journals.allSatisfy({ $0.id < nextJournal }), ownKinds.allSatisfy({ $0.id < nextKind }),
      max(nextJournal, nextKind) < 1 << 31
    else { throw .malformed }
    // Of a diary that no version which shares has written, nothing more is there.
    if !reader.isAtEnd {
      let (known, knownKinds) = (try Self.shared(&reader), try Self.shared(&reader))
      for index in journals.indices { journals[index].shared = known[journals[index].id] }
      for index in ownKinds.indices { ownKinds[index].shared = knownKinds[ownKinds[index].id] }
      for _ in 0..<(try reader.varint()) {
        guard let id = Identity(bytes: try reader.bytes(16)) else { throw .malformed }
        told[id] = try ToldName(&reader)
      }
    }
    unknown = try reader.bytes(reader.remaining)
  }

  private static func put(_ all: [(number: UInt32, id: Identity?)], to writer: inout ByteWriter) {
    let known = all.compactMap { number, id in id.map { (number, $0) } }
    writer.putVarint(UInt64(known.count))
    for (number, id) in known {
      writer.put(number)
      writer.put(id.bytes)
    }
  }

  private static func shared(
    _ reader: inout ByteReader
  ) throws(SealingError) -> [UInt32: Identity] {
    var known: [UInt32: Identity] = [:]
    for _ in 0..<(try reader.varint()) {
      let number = try reader.uint32()
      guard let id = Identity(bytes: try reader.bytes(16)), id.high != 0 else { throw .malformed }
      known[number] = id
    }
    return known
  }
}

extension NameRegister {
  package func requireJournal(_ name: String) throws(VaultError) -> Journal {
    if let known = journal(named: name) { return known }
    throw VaultError(.notFound, .journal, name, candidates: nearest(name, journals.map(\.name)))
  }

  package func requireKind(_ name: String) throws(VaultError) -> Kind {
    if let known = kind(named: name) { return known }
    throw VaultError(.notFound, .kind, name, candidates: nearest(name, kinds.map(\.name)))
  }

  private func nearest(_ name: String, _ names: [String]) -> [String] {
    let key = SearchText.fold(name)
    return names.filter {
      let other = SearchText.fold($0)
      return other.starts(with: key.prefix(2)) || PreparedQuery.contains(other, key)
        || (key.count < 64 && other.count < 64 && EditDistance.between(key, other) <= 2)
    }
  }
}
