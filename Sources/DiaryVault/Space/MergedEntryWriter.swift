internal import Bytes
internal import Entries
internal import Replication
internal import SealedFiles

/// Brings entries to what they are when a segment is merged: each text that came becomes a revision in the entry's history,
/// then the entry is what all devices show.
struct MergedEntryWriter {
  private let edit: CatalogueEdit
  private let store: ReplicaStore
  private let compaction: Compaction?
  private var texts: [[UInt8]: [UInt8]]
  private var objects: Set<ObjectName> = []
  /// Whether an entry went for good.
  private(set) var hasRemoved = false
  /// The rows of entries that came or went, in order.
  private(set) var moved: [(row: Int64, isHere: Bool)] = []
  /// Entries that are not what they were.
  private(set) var changed: Set<Identity> = []
  /// Entries that the segment purges. What a purge takes may stand in any row of their histories, also in one that shows several operations.
  private var purged: Set<Identity> = []
  /// The segment's revisions that give a title or a text, by their entries.
  private var revisions: [Identity: [Dot]] = [:]

  init(_ edit: CatalogueEdit, _ store: ReplicaStore, _ compaction: Compaction?) {
    self.compaction = compaction
    self.edit = edit
    self.store = store
    texts = [:]
  }

  /// - Parameters:
  ///   - texts: those of the segment, by their digests.
  ///   - place: of the segment among those merged.
  init(
    _ edit: CatalogueEdit, _ store: ReplicaStore, _ segment: Segment, _ texts: [[UInt8]: [UInt8]],
    at place: Int, _ compaction: Compaction?
  ) {
    self.init(edit, store, compaction)
    self.texts = texts
    purged = Set(segment.purged)
    // What does not count is in no history.
    guard !store.replica.voidSegments.contains(place) else { return }
    for (index, operation) in segment.operations.enumerated() {
      guard case .revision(let entry, let fields, _) = operation,
        [ReplicatedEntry.title, ReplicatedEntry.body].contains(where: { field in
          fields[field]?.contains { $0.value != nil } ?? false
        })
      else { continue }
      revisions[entry, default: []].append(Dot(segment: place, index: index))
    }
  }

  /// Texts by their digests, beside those of the segment.
  mutating func take(_ others: [[UInt8]: [UInt8]]) { texts.merge(others) { one, _ in one } }

  /// Objects of what was merged that are not here.
  func missingFiles(_ mirror: SpaceMirror) -> Set<Hash> {
    Set(objects.map { Hash($0.bytes) }.filter { !mirror.has(.object($0)) })
  }

  mutating func merge(_ entry: Identity) throws(VaultError) {
    var id = store.record.id(of: entry)
    // Rows are found by the first eight bytes of an id. Of two entries that share them the second gets another id here: nobody
    // can choose an id to keep somebody else's entry from being shown.
    var before = try findRow(of: id)
    if let other = before?.header.id, store.record.entry(of: other) != entry {
      id = try edit.freshID()
      store.record.rename(entry, id)
      before = nil
    }
    var facts = store[entry]
    if purged.contains(entry) || !store.replica.areLiving(facts.revisions.keys, in: entry) {
      try forgetPurged(entry, id, &facts)
    }
    let (header, told) = (facts.header, texts(toldBy: facts, of: entry))
    var last: Written?
    for dot in revisions[entry] ?? [] {
      if let number = number(of: dot, in: entry, told) {
        facts.revisions[dot] = number
        last = nil
        continue
      }
      guard let written = try keepIfHere(entry, id, dot, facts) else { continue }
      facts.revisions[dot] = written.header.revision
      last = written
    }
    let isShown: Bool
    if before == nil, facts.revisions.count == 1, let last, let dot = facts.revisions.first?.key,
      store.replica.isAlone(dot, in: entry)
    {
      // What comes in by the thousand: an entry that one device wrote once.
      account(last.header, last.shown, [], &facts)
      isShown = true
    } else if let shown = store.replica.shown(entry) {
      // What a text is shown of stands in the history, also where it was given by what does not count.
      for dot in Self.givers(shown) where facts.revisions[dot] == nil {
        if let number = number(of: dot, in: entry, texts(toldBy: facts, of: entry)) {
          facts.revisions[dot] = number
          continue
        }
        guard let written = try keepIfHere(entry, id, dot, facts) else { continue }
        facts.revisions[dot] = written.header.revision
        last = nil
      }
      try show(shown, id, &facts, after: last)
      isShown = true
    } else {
      try remove(id)
      isShown = false
      facts = ReplicaStore.Facts()
      store.record.conflicts.remove(id)
      store.record.rename(entry, nil)
    }
    let wasShown = before != nil
    if isShown != wasShown { note(id, isHere: isShown) }
    if isShown != wasShown || facts.header != header { changed.insert(entry) }
    store[entry] = facts
  }

  private mutating func note(_ id: EntryID, isHere: Bool) {
    store.record.living += isHere ? 1 : -1
    moved.append((id.key, isHere))
  }

  /// Revisions by their titles and texts.
  private typealias Told = [[Few<[UInt8]>?]: (dot: Dot, number: UInt64)]

  /// What is here of an entry of which a segment tells.
  private func texts(toldBy facts: ReplicaStore.Facts, of entry: Identity) -> Told {
    guard revisions[entry] != nil || store.replica.hasBrought(entry) else { return [:] }
    return facts.revisions.reduce(into: [:]) { told, known in
      told[text(of: known.key, in: entry)] = (known.key, known.value)
    }
  }

  /// The revision here that says what an operation says, where a device brought either of them along when it came into the space, again or
  /// with a copy of the diary.
  private func number(of dot: Dot, in entry: Identity, _ told: Told) -> UInt64? {
    guard !told.isEmpty, let known = told[text(of: dot, in: entry)],
      store.replica.isBrought(dot) || store.replica.isBrought(known.dot),
      store.replica.author(of: dot) != store.replica.author(of: known.dot)
    else { return nil }
    return known.number
  }

  private func text(of dot: Dot, in entry: Identity) -> [Few<[UInt8]>?] {
    let values = store.replica.values(of: dot, in: entry)
    return Self.textFields.map { values?[$0] }
  }

  private static let textFields = [ReplicatedEntry.title, ReplicatedEntry.body]

  /// The operations that gave the titles and texts that are shown, in order.
  private static func givers(_ shown: ShownEntry) -> [Dot] {
    textFields.flatMap { field in
      (shown.values[field] ?? []).flatMap { shown.origins(of: field, $0) }
    }.sorted()
  }

  /// Makes an entry what is left of it when something counts no more, or again. One of which nothing is left but what does not count goes
  /// to the trash, and is from now on this device's: its owner decides.
  mutating func recount(_ entry: Identity) throws(VaultError) {
    let id = store.record.id(of: entry)
    guard store.replica.shown(entry) == nil, store.replica.hasVoid(entry),
      store.replica.lacking(entry).isEmpty,
      store.replica.areLiving(store[entry].revisions.keys, in: entry),
      let row = try findRow(of: id), row.header.id == id
    else {
      // What was in no history, while it did not count or the entry was gone.
      let known = store[entry].revisions
      revisions[entry] = store.replica.givers(Self.textFields, in: entry)
        .filter { known[$0] == nil }
      return try merge(entry)
    }
    var header = row.header
    store[entry] = ReplicaStore.Facts()
    store.record.living -= 1
    store.record.conflicts.remove(id)
    store.untold.insert(id.key)
    header.others = []
    header.trashed = header.trashed ?? edit.catalogue.vault.settings.now()
    try edit.replace(row.place, by: header)
  }

  private mutating func remove(_ id: EntryID) throws(VaultError) {
    guard let (place, header) = try find(id) else { return }
    try edit.remove(place)
    try edit.deleteRows(of: header)
    hasRemoved = true
  }

  /// Writes an entry's history anew, without the titles and texts that were purged.
  private mutating func forgetPurged(
    _ entry: Identity, _ id: EntryID, _ facts: inout ReplicaStore.Facts
  ) throws(VaultError) {
    guard let (_, header) = try find(id) else { return }
    let here = store.replica.living(of: facts.revisions.keys, in: entry)
    let living = facts.revisions.filter { here.contains($0.key) }
    let numbers = Set(living.values)
    for revision in try edit.catalogue.revisions(of: header)
    where numbers.contains(revision.header.revision) {
      let text = Array(try edit.catalogue.body(revision).utf8)
      texts[ReplicatedEntry.digest(text)] = text
    }
    try remove(id)
    facts.revisions = [:]
    var kept: [UInt64: UInt64] = [:]
    for (dot, number) in living.sorted(by: { $0.value < $1.value }) {
      if kept[number] == nil { kept[number] = try keep(entry, id, dot, facts)?.header.revision }
      facts.revisions[dot] = kept[number]
    }
  }

  /// What stands where an entry's row would be: the entry, or another whose id begins alike.
  private func findRow(
    of id: EntryID
  ) throws(VaultError) -> (place: Catalogue.Place, header: Header)? {
    try edit.holds(id.key) ? try edit.place(of: id.key) : nil
  }

  private func find(
    _ id: EntryID
  ) throws(VaultError) -> (place: Catalogue.Place, header: Header)? {
    guard let found = try findRow(of: id) else { return nil }
    guard found.header.id == id else { throw VaultError(.conflict, .entry, id.short) }
    return found
  }

  /// What was last written into an entry.
  private struct Written {
    let values: ReplicatedEntry.Values
    let shown: ReplicatedEntry.Shown
    let header: Header
  }

  /// Puts a revision as another device wrote it into the history; nil for one that is purged.
  private mutating func keep(
    _ entry: Identity, _ id: EntryID, _ dot: Dot, _ facts: ReplicaStore.Facts
  ) throws(VaultError) -> Written? {
    guard let values = store.replica.values(of: dot, in: entry) else { return nil }
    let written = try self.entry(values)
    need(written.attachments)
    let text = try text(of: id, written.body, given: [], facts)
    return Written(
      values: values, shown: written, header: try write(id, written, text: text, others: []))
  }

  /// The same; nil also where no copy of its text is here: the entry is shown without it.
  private mutating func keepIfHere(
    _ entry: Identity, _ id: EntryID, _ dot: Dot, _ facts: ReplicaStore.Facts
  ) throws(VaultError) -> Written? {
    do throws(VaultError) { return try keep(entry, id, dot, facts) } catch {
      guard error.reason == .knownTextMissing else { throw error }
      return nil
    }
  }

  /// A text by its digest; none for what was purged.
  private func text(
    of id: EntryID, _ digest: [UInt8], given: [Dot], _ facts: ReplicaStore.Facts
  ) throws(VaultError) -> [UInt8] {
    if digest.isEmpty { return [] }
    if let text = texts[digest] { return text }
    if try find(id) != nil, let text = try edit.text(of: id, digest, given: given, facts) {
      return text
    }
    // The entry was not shown in between, so that its history here was gone: the segments have it.
    guard let entry = store.record.entry(of: id) else {
      throw VaultError(.tampered, .entry, id.short, .knownTextMissing)
    }
    for dot in store.replica.givers(of: digest, ReplicatedEntry.body, in: entry) {
      if let text = try compaction?.text(dot, digest) { return text }
    }
    throw VaultError(.tampered, .entry, id.short, .knownTextMissing)
  }

  private func entry(
    _ values: ReplicatedEntry.Values
  ) throws(VaultError) -> ReplicatedEntry.Shown {
    try store.numberNames(of: values, edit)
    let names = try edit.names()
    return try unsealing(.foreignEntry) { () throws(SealingError) in
      try ReplicatedEntry.shown(values, names, store.names)
    }
  }

  /// - Parameter last: what it was made by the last revision of the segment: most often that is all.
  private mutating func show(
    _ shown: ShownEntry, _ id: EntryID, _ facts: inout ReplicaStore.Facts, after last: Written?
  ) throws(VaultError) {
    if let last, shown.conflicts.isEmpty, last.values == shown.values {
      account(last.header, last.shown, [], &facts)
      return
    }
    let written = try self.entry(shown.values)
    let text = try text(
      of: id, written.body, given: shown.origins(of: ReplicatedEntry.body, written.body), facts)
    var others: Set<UInt64> = []
    for field in [ReplicatedEntry.title, ReplicatedEntry.body] where shown.conflicts.contains(field)
    {
      for value in (shown.values[field] ?? []).dropFirst() {
        // If two devices wrote the same text, one of them is enough: the same one everywhere.
        let newest = shown.newestOrigins(of: field, value)
        if let number = newest.compactMap({ facts.revisions[$0] }).first { others.insert(number) }
      }
    }
    account(
      try write(id, written, text: text, others: others.sorted()), written, others, &facts)
  }

  private mutating func account(
    _ header: Header, _ written: ReplicatedEntry.Shown, _ others: Set<UInt64>,
    _ facts: inout ReplicaStore.Facts
  ) {
    facts.revision = header.revision
    facts.header = header.digest
    if others.isEmpty {
      store.record.conflicts.remove(header.id)
    } else {
      store.record.conflicts.insert(header.id)
    }
    need(written.attachments)
  }

  /// Notes files that an entry has or had. A device that purged them did not know of this entry.
  private mutating func need(_ files: [SealedAttachment]) {
    objects.formUnion(files.map(\.object))
    for file in files where store.record.dropped[Hash(file.object.bytes)] != nil {
      store.record.dropped[Hash(file.object.bytes)] = nil
      store.sharedFiles.insert(Hash(file.object.bytes))
    }
  }

  /// Makes an entry what is given, by a new revision if what is written changes.
  private func write(
    _ id: EntryID, _ shown: ReplicatedEntry.Shown, text: [UInt8], others: [UInt64]
  ) throws(VaultError) -> Header {
    var content = shown.content
    content.body = String(decoding: text, as: UTF8.self)
    func complete(_ header: inout Header) {
      header.trashed = shown.trashed
      header.others = others
      // By number, because a name may mean another journal or kind here.
      (header.journal, header.kind) = (shown.journal, shown.kind)
    }
    guard let (place, old) = try find(id) else {
      return try edit.add(
        content, shown.attachments, id: id, created: shown.created, modified: shown.modified,
        complete: complete)
    }
    var header = old
    header.created = shown.created
    header.modified = shown.modified
    header.attachments = shown.attachments
    let oldBody = try edit.catalogue.body(old)
    if old.content(try edit.names(), body: oldBody) != content
      || old.attachments != shown.attachments
    {
      try header.take(content, try edit.names())
      complete(&header)
      try edit.write(&header, body: content.body, over: old, body: oldBody, at: place)
    } else {
      complete(&header)
      if header != old { try edit.replace(place, by: header) }
    }
    return header
  }
}
