internal import Bytes
internal import Entries
internal import Replication
internal import Text

/// The ids by which all devices know journals and kinds, by their numbers here.
struct SharedNames {
  private(set) var journals: [UInt32: Identity] = [:]
  private(set) var kinds: [UInt32: Identity] = [:]
  /// Also of those that are gone, or of which only entries have told so far.
  private var journalNumbers: [Identity: UInt32] = [:]
  private var kindNumbers: [Identity: UInt32] = [:]

  init(_ record: SpaceRecord? = nil) {
    journals = record?.journals ?? [:]
    kinds = record?.kinds ?? [:]
    for kind in Kind.builtIn { kinds[kind.id] = Identity(high: 0, low: UInt64(kind.id)) }
    for (number, id) in record?.formerJournals ?? [:] { journalNumbers[id] = number }
    for (number, id) in journals { journalNumbers[id] = number }
    for (number, id) in record?.formerKinds ?? [:] { kindNumbers[id] = number }
    for (number, id) in kinds { kindNumbers[id] = number }
  }

  /// The number here of what an entry names.
  subscript(reference: EntryField.Reference, id: Identity) -> UInt32? {
    get {
      switch reference {
      case .journal: journalNumbers[id]
      case .kind: kindNumbers[id]
      }
    }
    set {
      switch reference {
      case .journal: journalNumbers[id] = newValue
      case .kind: kindNumbers[id] = newValue
      }
    }
  }
}

/// A journal, kind or template, as devices tell one another of it.
enum SharedName: Equatable {
  /// With its place in the owner's order.
  case journal(Journal, place: UInt64)
  case kind(Kind, place: UInt64)
  case template(EntryTemplate)

  static func id(ofTemplate name: String) -> Identity {
    let digest = Digest.blake2b(SearchText.fold(name), count: 16, domain: "FDv2 template")
    return Identity(bytes: digest) ?? Identity(high: 0, low: 0)
  }

  /// The id of a journal or kind when it is told of for the first time.
  static func id(of name: SharedName) -> Identity {
    let digest = Digest.blake2b(name.encoded, count: 16, domain: "FDv2 name")
    let id = Identity(bytes: digest) ?? Identity(high: 0, low: 0)
    // Those of the kinds that every diary has.
    return id.high == 0 ? Identity.random() : id
  }

  /// Whether it may stand under an id: a template's follows from its name, and those of the kinds that every diary has are taken.
  func mayHave(_ id: Identity) -> Bool {
    switch self {
    case .journal, .kind: id.high != 0
    case .template(let template): id == Self.id(ofTemplate: template.name)
    }
  }

  var encoded: [UInt8] {
    var writer = ByteWriter(reserving: 128)
    switch self {
    case .journal(let journal, let place):
      writer.put(UInt8(1))
      writer.putVarint(place)
      writer.putCounted(journal.name)
      writer.put(Int64(journal.from ?? Int(Int32.min)))
      writer.put(Int64(journal.to ?? Int(Int32.min)))
      writer.putCounted(journal.emoji ?? "")
    case .kind(let kind, let place):
      writer.put(UInt8(2))
      writer.putVarint(place)
      writer.putCounted(kind.name)
      writer.putCounted(kind.emoji)
      writer.putVarint(UInt64(kind.otherNames.count))
      for name in kind.otherNames { writer.putCounted(name) }
    case .template(let template):
      writer.put(UInt8(3))
      writer.putCounted(template.name)
      writer.putCounted(template.body)
    }
    return writer.bytes
  }

  init(_ bytes: [UInt8]) throws(SealingError) {
    var reader = ByteReader(bytes)
    func day(_ number: Int64) -> Int? { number == Int64(Int32.min) ? nil : Int(number) }
    switch try reader.uint8() {
    case 1:
      let place = try reader.varint()
      let name = try reader.text()
      let (from, to) = (day(try reader.int64()), day(try reader.int64()))
      let emoji = try reader.text()
      let journal = Journal(name: name, from: from, to: to, emoji: emoji.isEmpty ? nil : emoji)
      var register = NameRegister()
      guard (try? register.addJournal(journal)) != nil else { throw .malformed }
      self = .journal(journal, place: place)
    case 2:
      let place = try reader.varint()
      let (name, emoji) = (try reader.text(), try reader.text())
      var others: [String] = []
      for _ in 0..<(try reader.varint()) { others.append(try reader.text()) }
      guard (try? NameRegister.check(name, .kind)) != nil,
        others.count <= NameRegister.otherNameLimit,
        others.allSatisfy({ (try? NameRegister.check($0, .kind)) != nil }),
        emoji.utf8.count <= NameRegister.emojiLimit
      else { throw .malformed }
      self = .kind(Kind(name: name, emoji: emoji, otherNames: others), place: place)
    case 3:
      let template = EntryTemplate(name: try reader.text(), body: try reader.text())
      guard (try? NameRegister.check(template.name, .template)) != nil,
        template.body.utf8.count <= EntryTemplate.bodyLimit, !template.body.utf8.contains(0)
      else { throw .malformed }
      self = .template(template)
    default: throw .newer
    }
    try reader.expectEnd()
  }
}

/// Names that are given one after the other, so that no two are alike.
struct FreeNames {
  private var taken: Set<[UInt8]> = []
  /// The number that comes next after a name, however many have it.
  private var next: [[UInt8]: Int] = [:]

  /// The bytes of a name before which a number fits.
  private static let stemLimit = NameRegister.nameLimit - 8

  mutating func take(_ name: String) { taken.insert(SearchText.fold(name)) }

  /// The name, or what it becomes with the lowest number from 2 that makes it free. A long one is shortened before its number.
  mutating func free(_ name: String, _ isTaken: (String) -> Bool = { _ in false }) -> String {
    var candidate = name
    if isTaken(name) || taken.contains(SearchText.fold(name)) {
      var stem = name
      while stem.utf8.count > Self.stemLimit { stem.unicodeScalars.removeLast() }
      let folded = SearchText.fold(stem)
      var number = next[folded] ?? 2
      repeat {
        candidate = "\(stem) \(number)"
        number += 1
      } while isTaken(candidate) || taken.contains(SearchText.fold(candidate))
      next[folded] = number
    }
    take(candidate)
    return candidate
  }
}

/// The journals, kinds and templates of all devices together.
///
/// Two journals of one name stay two: the one with the lower id keeps the name, the other gets a number after it.
struct SharedNameList {
  private(set) var journals: [(id: Identity, journal: Journal)] = []
  private(set) var kinds: [(id: Identity, kind: Kind)] = []
  /// Under each id, what devices made of one template without knowing of one another: the newest under its name, others numbered.
  private(set) var templates: [(id: Identity, texts: [EntryTemplate])] = []
  /// Those for which there is no room here, under the names that they would have, so that no change here takes them away.
  private(set) var leftOut: [Identity: [EntryTemplate]] = [:]
  /// Of a template that devices made differently: those texts that stand as templates of their own, too, and are shown as such.
  private(set) var doubles: [Identity: [(id: Identity, template: EntryTemplate)]] = [:]
  /// Knows the names of all templates, shown or not.
  private(set) var templateNames = FreeNames()
  private var journalPlaces: [Identity: Int] = [:]
  private var kindPlaces: [Identity: Int] = [:]

  /// All that the devices have, by id, of each the newest first. What was removed without knowing of the rest counts for templates
  /// only where nothing else is left.
  private static func found(
    in store: ReplicaStore
  ) throws(VaultError) -> [(id: Identity, names: [SharedName])] {
    var found: [(id: Identity, names: [SharedName])] = []
    for id in store.replica.registerIDs.sorted() {
      let values = store.replica.values(of: id)
      var names: [SharedName] = []
      for value in values where !value.isEmpty { names.append(try SharedName.reading(value)) }
      guard let first = names.first else { continue }
      if case .template = first {} else if values.first?.isEmpty ?? true { continue }
      found.append((id, names))
    }
    return found
  }

  init(_ store: ReplicaStore) throws(VaultError) {
    let found = try Self.found(in: store)
    var free = FreeNames()
    var placedJournals: [(UInt64, Identity, Journal)] = []
    for (id, names) in found {
      guard case .journal(var journal, let place) = names[0] else { continue }
      journal.name = free.free(journal.name)
      placedJournals.append((place, id, journal))
    }
    free = FreeNames()
    let builtIn = NameRegister()
    var placedKinds: [(UInt64, Identity, Kind)] = []
    for (id, names) in found {
      guard case .kind(var kind, let place) = names[0] else { continue }
      kind.name = free.free(kind.name) { builtIn.kind(named: $0) != nil }
      placedKinds.append((place, id, kind))
    }
    var room = NameRegister.sizeLimit * 3 / 4
    for (id, journal) in Self.fitting(
      placedJournals, in: &room, store.replica, { 64 + $0.name.utf8.count })
    {
      journalPlaces[id] = journals.count
      journals.append((id, journal))
    }
    for (id, kind) in Self.fitting(
      placedKinds, in: &room, store.replica,
      { 64 + $0.name.utf8.count + $0.otherNames.reduce(0) { $0 + $1.utf8.count + 4 } })
    {
      kindPlaces[id] = kinds.count
      kinds.append((id, kind))
    }
    takeTemplates(found)
  }

  /// All devices together may have more than one diary may have. Then every device leaves out the same ones: the first of each device
  /// have room before the second of any, so that nobody who adds very many takes those of the others away.
  ///
  /// - Returns: those that fit, in the owner's order.
  private static func fitting<Item>(
    _ placed: [(UInt64, Identity, Item)], in room: inout Int, _ replica: Replica,
    _ size: (Item) -> Int
  ) -> [(Identity, Item)] {
    let ordered = placed.sorted { ($0.0, $0.1) < ($1.0, $1.1) }
    var ranked = Array(ordered.indices)
    if ordered.count > NameRegister.countLimit || ordered.reduce(0, { $0 + size($1.2) }) > room {
      var counts: [DeviceID: Int] = [:]
      let ranks = ordered.map { _, id, _ in
        replica.authors(ofRegister: id).map { author in
          counts[author, default: 0] += 1
          return counts[author] ?? 0
        }.min() ?? .max
      }
      ranked.sort { (ranks[$0], $0) < (ranks[$1], $1) }
    }
    var chosen: [Int] = []
    for index in ranked where chosen.count < NameRegister.countLimit {
      let needed = size(ordered[index].2)
      guard needed <= room else { continue }
      room -= needed
      chosen.append(index)
    }
    return chosen.sorted().map { (ordered[$0].1, ordered[$0].2) }
  }

  private mutating func takeTemplates(_ found: [(id: Identity, names: [SharedName])]) {
    var room = TemplateList.sizeLimit * 3 / 4
    var count = 0
    var all: [(id: Identity, texts: [EntryTemplate])] = []
    for (id, names) in found {
      var seen: Set<String> = []
      let texts = names.compactMap { name in
        if case .template(let template) = name, seen.insert(template.body).inserted {
          template
        } else {
          nil
        }
      }
      guard let first = texts.first else { continue }
      templateNames.take(first.name)
      all.append((id, texts))
    }
    func take(_ template: EntryTemplate, _ id: Identity) {
      let size = 64 + template.name.utf8.count + template.body.utf8.count
      guard count < TemplateList.countLimit, size <= room else {
        leftOut[id, default: []].append(template)
        return
      }
      (room, count) = (room - size, count + 1)
      if let place = templates.firstIndex(where: { $0.id == id }) {
        templates[place].texts.append(template)
      } else {
        templates.append((id, [template]))
      }
    }
    for (id, texts) in all { take(texts[0], id) }
    // A device that came into the space anew has told of a numbered one as a template of its own.
    let alone = Dictionary(all.map { ($0.texts[0].body, $0) }) { one, _ in one }
    for (id, texts) in all {
      for other in texts.dropFirst() {
        if let double = alone[other.body], double.id != id {
          doubles[id, default: []].append((double.id, double.texts[0]))
          continue
        }
        take(EntryTemplate(name: templateNames.free(texts[0].name), body: other.body), id)
      }
    }
  }

  func journal(_ id: Identity) -> Journal? { journalPlaces[id].map { journals[$0].journal } }

  func kind(_ id: Identity) -> Kind? { kindPlaces[id].map { kinds[$0].kind } }
}

/// The places that are told with journals or kinds, in the owner's order. A name stays where it stood while that is behind the one before
/// it, so that nothing is told of it when another one goes: a change of the name on another device would be undone.
struct ToldOrder {
  private var last: (place: UInt64, id: Identity)?
  /// No device that keeps to the rules comes near it. Nothing could stand behind the highest number.
  private static let limit: UInt64 = 1 << 48

  /// - Parameters:
  ///   - told: where it stood.
  ///   - index: where it stands in the diary.
  mutating func place(of id: Identity, told: UInt64?, index: Int) -> UInt64 {
    var place = UInt64(index)
    if let told, told < Self.limit, last.map({ (told, id) > $0 }) ?? true {
      place = told
    } else if let last {
      place = max(place, last.place + 1)
    }
    last = (place, id)
    return place
  }
}

extension Journal {
  func isSame(_ other: Journal) -> Bool {
    name == other.name && from == other.from && to == other.to && emoji == other.emoji
  }
}

extension Kind {
  func isSame(_ other: Kind) -> Bool {
    name == other.name && emoji == other.emoji && otherNames == other.otherNames
  }
}

extension ReplicaStore {
  /// Gives a journal and a kind that an entry names a number, where nothing else has told of them yet, or they are gone: when they
  /// come, the entry has them.
  func numberNames(
    of values: ReplicatedEntry.Values, _ edit: CatalogueEdit
  ) throws(VaultError) {
    for field in EntryField.all {
      guard let reference = field.reference,
        let id = values[Field(field.number)]?.first.flatMap({ Identity(bytes: $0) }),
        names[reference, id] == nil
      else { continue }
      var register = try edit.names()
      number(register.reserve(reference), reference, id)
      edit.setNames(register)
    }
  }

  /// Gives the diary the journals, kinds and templates that all devices together have.
  func takeNames(_ edit: CatalogueEdit) throws(VaultError) {
    touchRegisters()
    namesAreStale = false
    let shared = try allNames()
    var names = try edit.names()
    let journalIDs = record.journals.merging(record.formerJournals) { one, _ in one }
    let kindIDs = record.kinds.merging(record.formerKinds) { one, _ in one }
    func numbers(_ ids: [UInt32: Identity]) -> [Identity: UInt32] {
      Dictionary(ids.map { ($0.value, $0.key) }) { max($0, $1) }
    }
    let (journalNumbers, kindNumbers) = (numbers(journalIDs), numbers(kindIDs))
    names.take(
      journals: shared.journals.map { id, journal in
        Journal(
          id: journalNumbers[id] ?? 0, name: journal.name, from: journal.from, to: journal.to,
          emoji: journal.emoji, shared: id)
      },
      kinds: shared.kinds.map { id, kind in
        Kind(
          id: kindNumbers[id] ?? 0, name: kind.name, emoji: kind.emoji,
          otherNames: kind.otherNames, shared: id)
      })
    record.journals = Dictionary(
      uniqueKeysWithValues: zip(names.journals, shared.journals).map { ($0.id, $1.id) })
    record.kinds = Dictionary(
      uniqueKeysWithValues: zip(names.ownKinds, shared.kinds).map { ($0.id, $1.id) })
    record.formerJournals = journalIDs.filter { record.journals[$0.key] == nil }
    record.formerKinds = kindIDs.filter { record.kinds[$0.key] == nil }
    if try names != edit.names() { edit.setNames(names) }
    var templates = try edit.templatesList()
    let before = templates
    var new: [Identity: EntryTemplate] = [:]
    let all = shared.templates.flatMap(\.texts)
    for template in all { new[SharedName.id(ofTemplate: template.name)] = template }
    let old = templates.templates.map { SharedName.id(ofTemplate: $0.name) }
    templates.templates = old.compactMap { new[$0] }
    let there = Set(old)
    templates.templates += all.filter { !there.contains(SharedName.id(ofTemplate: $0.name)) }
    if templates != before { edit.setTemplates(templates) }
    touchNumbers()
  }
}
