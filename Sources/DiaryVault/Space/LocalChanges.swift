internal import Bytes
internal import Entries
internal import Replication

/// Finds the changes made here since the replica was last brought up to date, and records them in a
/// segment.
///
/// The code that writes the diary need not deal with other devices. A page whose ref the replica
/// does not know is compared, entry by entry, with what the replica would show; removed entries are
/// noticed by number.
struct LocalChanges {
  let edit: CatalogueEdit
  let store: ReplicaStore
  /// Texts by their digests, for the segment that tells of them.
  private(set) var texts: [[UInt8]: [UInt8]] = [:]
  /// Entries whose tags or files stand in another order than the others will show them in.
  private var reordered: [Header] = []
  /// Entries that are told of anew although others removed them for good: this device joined with them.
  private(set) var survivors: Set<EntryID> = []
  /// Photos and files of what was told.
  private(set) var files: Set<Hash> = []
  /// Whether there was a page of which not everything was known.
  private(set) var looked = false
  /// Pages that were not looked at yet.
  private(set) var unseen: Set<Int64> = []
  private var size = 0

  /// What one segment takes, in bytes; an entry more may come on top.
  private static let segmentBytes = 4 << 20
  /// Revisions of one entry that one segment takes.
  private static let revisionsAtOnce = 500
  /// Entries that went for good, of which one segment tells: with all else that it may hold, fewer operations than a reader
  /// takes.
  static let removalsAtOnce = 50_000
  private let removalsAtOnce: Int
  /// Entries that this device brought along, of which what only stood there before is let go, as it is of the names; nil for neither.
  private let settling: [Identity]?
  /// Whether entries that went for good are left for another segment.
  private var hasMoreRemoved = false

  /// Whether all that was done here has been found.
  var isComplete: Bool { unseen.isEmpty && !hasMoreRemoved }

  init(
    _ edit: CatalogueEdit, _ store: ReplicaStore,
    removalsAtOnce: Int = LocalChanges.removalsAtOnce, settling: [Identity]? = nil
  ) {
    self.removalsAtOnce = removalsAtOnce
    self.settling = settling
    self.edit = edit
    self.store = store
  }

  private var catalogue: Catalogue { edit.catalogue }

  mutating func find() throws(VaultError) {
    try findNames()
    let names = try edit.names()
    // The newest first, because a device that joins reads them first.
    var run: [(id: Int64, headers: HeaderPage)] = []
    for page in try catalogue.pages().reversed() where !store.pages.contains(page.ref) {
      looked = true
      guard size < Self.segmentBytes else {
        unseen.insert(page.id)
        continue
      }
      let headers = try catalogue.page(page, keeping: false)
      if let next = run.first, headers.lastDate != next.headers.firstDate {
        try tell(run, names)
        run = []
      }
      run.insert((page.id, headers), at: 0)
    }
    try tell(run, names)
    for header in reordered {
      try edit.replace(try edit.place(of: header.id.key).place, by: header)
    }
    if unseen.isEmpty, catalogue.state.count != store.record.living { try findRemoved() }
    if isComplete { try settleBrought() }
  }

  private mutating func settleBrought() throws(VaultError) {
    guard let settling else { return }
    size += try store.settleNames(edit.names())
    for entry in settling {
      try store.load(entry)
      guard store.replica.settle(entry) else { continue }
      var writer = MergedEntryWriter(edit, store, nil)
      try writer.merge(entry)
    }
  }

  /// Tells of entries, the newest first, but those of one second in their order, which they have everywhere: also where they stand on
  /// several pages.
  private mutating func tell(
    _ run: [(id: Int64, headers: HeaderPage)], _ names: NameRegister
  ) throws(VaultError) {
    let all = run.flatMap { page in
      (0..<page.headers.count).map { (page: page.id, headers: page.headers, index: $0) }
    }
    var end = all.count
    while end > 0 {
      let date = all[end - 1].headers.key(all[end - 1].index).date
      let start = (all[..<end].lastIndex { $0.headers.key($0.index).date != date } ?? -1) + 1
      for (page, headers, index) in all[start..<end] {
        if try !tell(index, of: headers, names) { unseen.insert(page) }
      }
      end = start
    }
  }

  private mutating func tell(
    _ index: Int, of headers: HeaderPage, _ names: NameRegister
  ) throws(VaultError) -> Bool {
    let digest = headers.digest(index)
    if let id = store.record.entry(of: headers.id(index)), try store.isKnown(id, header: digest) {
      return true
    }
    let header = try unsealing(.header) { () throws(SealingError) in try headers.header(index) }
    return try tell(header, digest, names)
  }

  /// False when the segment is full before all of an entry is told.
  private mutating func tell(
    _ header: Header, _ digest: UInt64, _ names: NameRegister
  ) throws(VaultError) -> Bool {
    guard size < Self.segmentBytes else { return false }
    guard let id = store.record.entry(of: header.id) else { return true }
    try store.load(id)
    var isKnown = store.replica.shown(id) != nil
    if isKnown { edit.note(sharedDate: header.date.seconds) }
    if !isKnown, store.replica.wasPurged(id) { survivors.insert(header.id) }
    if store.record.purgedAway[id] != nil { purge(id) }
    if isKnown, try isAnother(header, than: id, names) {
      purge(id)
      isKnown = false
    }
    var facts = store[id]
    var written: [(header: Header, bodyAt: UInt64?)] = []
    if !isKnown || header.revision > facts.revision {
      written = try catalogue.revisions(of: header).prefix {
        !isKnown || $0.header.revision > facts.revision
      }.reversed()
    }
    let endsConflict = store.record.conflicts.contains(header.id) && header.others.isEmpty
    for (count, revision) in written.enumerated() {
      if size >= Self.segmentBytes || count >= Self.revisionsAtOnce {
        if !isKnown { store.record.living += 1 }
        store[id] = facts
        return false
      }
      let text = try catalogue.body(revision)
      var values = ReplicatedEntry.values(revision.header, body: text, names, store.names)
      // Nothing records whether the entry was in the trash at that time.
      if revision.header.revision != header.revision { values[ReplicatedEntry.trash] = [[]] }
      try tell(
        id, values, text: text, revision: revision.header.revision, &facts,
        always: endsConflict && revision.header.revision == header.revision
          ? [ReplicatedEntry.title, ReplicatedEntry.body] : [],
        beside: isKnown ? [] : header.others)
      facts.revision = revision.header.revision
    }
    if written.isEmpty {
      var values = ReplicatedEntry.values(header, body: "", names, store.names)
      values[ReplicatedEntry.body] = nil
      try tell(id, values, text: nil, revision: header.revision, &facts)
    }
    facts.revision = header.revision
    facts.header = digest
    if let ordered = ReplicatedEntry.inOrder(header) {
      facts.header = ordered.digest
      reordered.append(ordered)
    }
    store[id] = facts
    if !isKnown { store.record.living += 1 }
    if endsConflict { store.record.conflicts.remove(header.id) }
    return true
  }

  /// Whether the entry that was told is gone for good, and another was imported under its id since: its revisions are fewer, or as many,
  /// with a text that was never told.
  private func isAnother(
    _ header: Header, than id: Identity, _ names: NameRegister
  ) throws(VaultError) -> Bool {
    let told = store[id].revision
    guard header.revision == told else { return header.revision < told }
    guard header.others.isEmpty, let shown = store.replica.shown(id), shown.conflicts.isEmpty,
      let newest = try catalogue.revisions(of: header).first
    else { return false }
    let text = Array(try catalogue.body(newest).utf8)
    // Of one whose text was purged, photos or a title are left.
    if text.isEmpty, shown.values[ReplicatedEntry.body] == [[]] { return false }
    let body = ReplicatedEntry.digest(text)
    return !store.replica.revisions(of: id).contains {
      $0[ReplicatedEntry.body]?.contains(body) ?? false
    }
  }

  private mutating func tell(
    _ id: Identity, _ values: ReplicatedEntry.Values, text: String?, revision: UInt64,
    _ facts: inout ReplicaStore.Facts, always: [Field] = [], beside others: [UInt64] = []
  ) throws(VaultError) {
    let shown = store.replica.shown(id)
    let known = try shown.map { shown throws(VaultError) in try normal(shown.values) } ?? [:]
    var changes = ReplicatedEntry.changes(from: known, to: values)
    for field in always where shown?.conflicts.contains(field) ?? false {
      changes[field] = values[field]
    }
    if shown == nil { changes = values }
    guard !changes.isEmpty else { return }
    // A diary that left a space with an entry of several texts tells of all of them.
    let beside = others.isEmpty ? [:] : facts.revisions.filter { others.contains($0.value) }
    let dot = store.replica.edit(id, changes, beside: Set(beside.keys))
    if changes[ReplicatedEntry.title] != nil || changes[ReplicatedEntry.body] != nil {
      facts.revisions[dot] = revision
    }
    store[id] = facts
    files.formUnion((changes[ReplicatedEntry.attachments] ?? []).compactMap(ReplicatedEntry.object))
    size += 256
    if let text, changes[ReplicatedEntry.body] != nil {
      texts[ReplicatedEntry.digest(Array(text.utf8))] = Array(text.utf8)
      size += text.utf8.count
    }
  }

  /// Values as the diary keeps them, without those that do not fit together.
  private func normal(
    _ values: ReplicatedEntry.Values
  ) throws(VaultError) -> ReplicatedEntry.Values {
    let names = try edit.names()
    return try unsealing(.otherDevices) { () throws(SealingError) in
      try ReplicatedEntry.normal(values, names, store.names)
    }
  }

  /// Entries that are gone for good.
  private mutating func findRemoved() throws(VaultError) {
    // The pages say which ones they are, and must give the number that the state record gives.
    let keys = try edit.entryKeys()
    let missing = store.record.living - catalogue.state.count
    let all = try store.record.purgedAway.keys.sorted() + store.allEntries()
    var found = try findRemoved(all, missing) { !keys.contains($0.key) }
    // Another one may have come that begins alike.
    if let first = found, first < missing {
      found = try findRemoved(all, missing - first) { [edit] id throws(VaultError) in
        guard keys.contains(id.key) else { return false }
        return try edit.place(of: id.key).header.id != id
      }.map { $0 + first }
    }
    guard let found else {
      hasMoreRemoved = true
      return
    }
    guard found == missing else {
      throw VaultError(.tampered, .entryRows, .rowsMissing(found: found, known: missing))
    }
  }

  /// How many of some entries are gone; nil where there are more than one segment takes.
  private mutating func findRemoved(
    _ entries: [Identity], _ missing: Int, _ isGone: (EntryID) throws(VaultError) -> Bool
  ) throws(VaultError) -> Int? {
    var found = 0
    for id in entries {
      guard try isGone(store.record.id(of: id)) else { continue }
      try store.load(id)
      // One that was never here did not go: another entry has its place.
      let wasHere = store.replica.shown(id) != nil && store[id].revision > 0
      guard wasHere || store.record.purgedAway[id] != nil else { continue }
      found += 1
      guard found <= missing else { break }
      guard found <= removalsAtOnce else { return nil }
      purge(id)
      store.record.rename(id, nil)
    }
    return found
  }

  private mutating func purge(_ id: Identity) {
    let known = store.record.purgedAway.removeValue(forKey: id)
    let files = known?.files ?? store.files(of: id)
    let place = store.replica.purge(id, lacking: known?.lacking).segment
    for file in files { store.record.dropped[file] = place }
    store[id] = ReplicaStore.Facts()
    store.record.living -= 1
    store.record.conflicts.remove(store.record.id(of: id))
  }

  // MARK: Names

  private mutating func findNames() throws(VaultError) {
    var names = try edit.names()
    let shared = try store.allNames()
    let record = store.record
    var order = ToldOrder()
    for (place, journal) in names.journals.enumerated() {
      let id =
        record.journals[journal.id]
        ?? newID(.journal(journal, place: 0), journal.shared, store.record.journals)
      names.journals[place].shared = id
      let isNew = record.journals[journal.id] == nil
      if isNew { store.record.journals[journal.id] = id }
      let isSame = shared.journal(id)?.isSame(journal) ?? false
      try tell(id, at: place, in: &order, isNew: isNew, isSame: isSame) {
        .journal(journal, place: $0)
      }
    }
    order = ToldOrder()
    for (place, kind) in names.ownKinds.enumerated() {
      let id =
        record.kinds[kind.id]
        ?? newID(.kind(kind, place: 0), kind.shared, store.record.kinds)
      names.ownKinds[place].shared = id
      let isNew = record.kinds[kind.id] == nil
      if isNew { store.record.kinds[kind.id] = id }
      let isSame = shared.kind(id)?.isSame(kind) ?? false
      try tell(id, at: place, in: &order, isNew: isNew, isSame: isSame) { .kind(kind, place: $0) }
    }
    if try names != edit.names() { edit.setNames(names) }
    for (number, id) in record.journals where names.journal(number) == nil {
      set(id, [])
      store.record.journals[number] = nil
      store.record.formerJournals[number] = id
    }
    for (number, id) in record.kinds where names.kind(number) == nil {
      set(id, [])
      store.record.kinds[number] = nil
      store.record.formerKinds[number] = id
    }
    store.touchNumbers()
    try findTemplates(shared)
    // What was removed since it was last told of, in another space or before this device came in again.
    for id in names.told.keys where !store.replica.registerIDs.contains(id) {
      store.replica.set(id, [])
      store.touchRegisters()
    }
  }

  /// The id of a journal or kind that nothing is known of in this space. It keeps the one that it had in a space before. A new one gets
  /// what every device gives the same journal or kind, so that it is one where they meet, else a random one.
  private func newID(
    _ name: SharedName, _ former: Identity?, _ taken: [UInt32: Identity]
  ) -> Identity {
    if let former, !taken.values.contains(former) { return former }
    let id = SharedName.id(of: name)
    return store.replica.values(of: id).isEmpty ? id : Identity.random()
  }

  /// Tells of a journal or kind, unless it is known as it is, in this order.
  private mutating func tell(
    _ id: Identity, at index: Int, in order: inout ToldOrder, isNew: Bool, isSame: Bool,
    _ name: (UInt64) -> SharedName
  ) throws(VaultError) {
    let value = store.replica.values(of: id).first ?? []
    let told = isNew ? nil : try SharedName.version(of: value)?.place
    let place = order.place(of: id, told: told, index: index)
    if !isSame || place != told { set(id, name(place).encoded) }
  }

  private mutating func set(_ id: Identity, _ value: [UInt8]) {
    let known = store.replica.values(of: id)
    guard known.count > 1 || known.first ?? [] != value else { return }
    store.replica.set(id, value)
    store.touchRegisters()
    size += value.count
  }

  /// Of several texts of one template, a change of any ends that: the others become templates of their own.
  private mutating func findTemplates(_ shared: SharedNameList) throws(VaultError) {
    var here: [Identity: EntryTemplate] = [:]
    var names = shared.templateNames
    for template in try edit.templatesList().templates {
      here[SharedName.id(ofTemplate: template.name)] = template
      names.take(template.name)
    }
    let all = here
    var changed: [Identity] = []
    for (id, texts) in shared.templates {
      let ids = texts.map { SharedName.id(ofTemplate: $0.name) }
      defer { for id in ids { here[id] = nil } }
      let doubles = shared.doubles[id] ?? []
      guard
        zip(ids, texts).contains(where: { here[$0] != $1 })
          || doubles.contains(where: { all[$0.id] != $0.template })
      else { continue }
      for id in ids { set(id, here[id].map { SharedName.template($0).encoded } ?? []) }
      changed.append(id)
    }
    // What is not shown for want of room goes on under a name of its own when what it stands beside is changed.
    let leftOut = (changed + here.keys).flatMap { shared.leftOut[$0] ?? [] }
    for template in leftOut {
      let isTaken = all[SharedName.id(ofTemplate: template.name)] != nil
      let name = isTaken ? names.free(template.name) : template.name
      set(
        SharedName.id(ofTemplate: name),
        SharedName.template(EntryTemplate(name: name, body: template.body)).encoded)
    }
    for (id, template) in here { set(id, SharedName.template(template).encoded) }
    // What got a name of its own is here from now on, where there is room.
    if !leftOut.isEmpty { try store.takeNames(edit) }
  }
}

extension CatalogueEdit {
  /// A text by its digest, from the revision of the entry that has it here.
  ///
  /// - Parameter given: operations that gave it.
  func text(
    of id: EntryID, _ digest: [UInt8], given: [Dot], _ facts: ReplicaStore.Facts
  ) throws(VaultError) -> [UInt8]? {
    let (_, header) = try place(of: id.key)
    let revisions = try catalogue.revisions(of: header)
    let wanted = given.lazy.compactMap { facts.revisions[$0] }.first
    // Most often it is the one that is known; else whichever has it.
    for revision in revisions.filter({ $0.header.revision == wanted })
      + revisions.filter({ $0.header.revision != wanted })
    {
      let text = Array(try catalogue.body(revision).utf8)
      if ReplicatedEntry.digest(text) == digest { return text }
    }
    return nil
  }
}
