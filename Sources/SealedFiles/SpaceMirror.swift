package import Bytes
package import Entries
internal import Platform
internal import Replication

/// The diary's own copy of what its devices have in the store, under the same names: what is written here waits in it to be
/// moved there, what others wrote to be merged. Moving needs no key.
package struct SpaceMirror: Sendable {
  package let folder: VaultFolder

  package init(_ folder: VaultFolder) { self.folder = folder }

  /// Where an object stands here: a photo's in the vault's own place of objects.
  package func path(_ object: ObjectPath) -> String {
    if case .object(let hash) = object { return folder.objects + "/" + hash.text }
    return folder.sync + "/" + object.text
  }

  package func has(_ object: ObjectPath) -> Bool {
    (try? FileStatus(path(object)))?.kind == .regular
  }

  /// Bytes of an object; nil when it is not here.
  package func size(_ object: ObjectPath) -> Int? {
    guard let status = try? FileStatus(path(object)), status.kind == .regular else { return nil }
    return status.size
  }

  /// Everything that is here, photos too.
  package func names() -> Set<ObjectPath> {
    var found: Set<ObjectPath> = []
    Self.find(in: folder.sync, into: &found)
    Self.find(in: folder.objects, "object/", depth: 2, into: &found)
    return found
  }

  /// The objects that lie under their names below a directory.
  static func find(
    in directory: String, _ prefix: String = "", depth: Int = 0, into found: inout Set<ObjectPath>
  ) {
    for (name, isFile) in (try? FileSystem.entries(in: directory)) ?? [] {
      // What is no file, somebody else put there.
      if let object = ObjectPath(prefix + name) {
        if isFile { found.insert(object) }
      } else if depth < 2, FileSystem.isDirectory(directory + "/" + name) {
        find(in: directory + "/" + name, prefix + name + "/", depth: depth + 1, into: &found)
      }
    }
  }

  /// The packs that are here, without a look at everything else.
  package var packs: [Hash] {
    ((try? FileSystem.names(in: folder.sync + "/pack")) ?? []).compactMap { name in
      if case .pack(let hash)? = ObjectPath("pack/" + name) { hash } else { nil }
    }
  }

  /// Puts an object under its name, durably.
  package func put(_ object: ObjectPath, _ bytes: [UInt8]) throws(VaultError) {
    let path = path(object)
    if !FileSystem.exists(path) { try write(bytes, to: path) }
  }

  private func write(_ bytes: [UInt8], to path: String) throws(VaultError) {
    try onDisk { () throws(PlatformError) in
      let directory = FileSystem.parent(of: path)
      try FileSystem.makeDirectories(directory)
      let file = try AtomicFile(path)
      try file.write(bytes)
      try file.commit()
      try FileSystem.synchronize(directory: directory)
    }
  }

  /// The epoch that an object says it is sealed under; no bytes where it says none.
  package func epoch(_ object: ObjectPath) -> [UInt8] {
    guard let file = try? Descriptor.open(path(object), [.noFollow, .nonBlocking]),
      (try? file.status())?.kind == .regular, let head = try? file.read(21, at: 0)
    else { return [] }
    return Array(head.dropFirst(5))
  }

  /// nil when it is not here. One whose bytes do not match its name is removed, to be fetched again; of a segment only its reader
  /// knows whether they do.
  package func read(_ object: ObjectPath) throws(VaultError) -> [UInt8]? {
    let path = path(object)
    guard let status = try? FileStatus(path), status.kind == .regular else { return nil }
    guard status.size <= object.sizeLimit else {
      try? FileSystem.remove(path)
      return nil
    }
    let bytes = try onDisk { () throws(PlatformError) in
      try Descriptor.open(path, [.noFollow, .nonBlocking]).readAll(limit: object.sizeLimit)
    }
    guard object.isNamedByContent || SpaceObject.hash(bytes) == object.hash else {
      try? FileSystem.remove(path)
      return nil
    }
    return bytes
  }

  /// Bytes of records of the roster that are in memory together.
  private static let rosterBatch = 16 << 20

  /// Reads the roster's records among some names, a batch at a time, the lowest first.
  package func readRoster<Failure>(
    _ names: Set<ObjectPath>, _ take: ([[UInt8]]) throws(Failure) -> Void
  ) throws(Failure) {
    let sorted = names.compactMap { name -> (depth: Int, name: ObjectPath)? in
      if case .roster(let depth, _) = name { (depth, name) } else { nil }
    }.sorted { ($0.depth, $0.name.text) < ($1.depth, $1.name.text) }
    var batch: [[UInt8]] = []
    var size = 0
    for (_, name) in sorted {
      guard let bytes = try? read(name) else { continue }
      batch.append(bytes)
      size += bytes.count
      if size >= Self.rosterBatch {
        try take(batch)
        (batch, size) = ([], 0)
      }
    }
    if !batch.isEmpty { try take(batch) }
  }

  // MARK: One at a time

  /// While there is one, nobody else moves objects.
  package struct Lock {
    fileprivate let lock: FileLock
    fileprivate init(_ lock: FileLock) { self.lock = lock }
  }

  private static let incoming = ".incoming-"
  /// How long another sync of the same diary is waited for.
  private static let patience = 60_000

  /// nil while another sync of this diary runs.
  package func lockIfFree() throws(VaultError) -> Lock? {
    // A diary that was removed, beside a process that moves objects, is not begun again.
    guard FileSystem.exists(folder.path) else { throw VaultError(.noVault, folder.path) }
    return try onDisk { () throws(PlatformError) in
      try FileSystem.makeDirectories(folder.sync)
      return try FileLock.directory(folder.sync, alone: true)
    }.map { Lock($0) }
  }

  /// Waits until no other sync of this diary runs, and takes away what a killed one left.
  ///
  /// - Throws: ``VaultError`` `busy` when the other takes longer than a minute.
  package func waitForLock() throws(VaultError) -> Lock {
    var waited = 0
    while true {
      if let lock = try lockIfFree() {
        let directory = lock.lock.directory
        for name in (try? FileSystem.names(in: directory)) ?? []
        where name.hasPrefix(Self.incoming) {
          FileSystem.removeTree(directory + "/" + name)
        }
        return lock
      }
      guard waited < Self.patience else { throw VaultError(.busy, folder.sync, .otherSync) }
      SystemClock.sleep(milliseconds: 100)
      waited += 100
    }
  }

  // MARK: Coming in

  /// An empty directory for what comes, beside where it will stand.
  package func beginIncoming() throws(VaultError) -> String {
    try onDisk { () throws(PlatformError) in
      try FileSystem.makeDirectories(folder.sync)
      return try FileSystem.makeTemporaryDirectory(folder.sync + "/" + Self.incoming)
    }
  }

  package func endIncoming(_ directory: String) { FileSystem.removeTree(directory) }

  /// Takes away what is in it: another space begins with nothing of this one. The folder stays, which somebody may hold locked.
  package func clear() { clear { _ in true } }

  /// - Parameter isOver: whether what has a name in the folder goes. Of a link in its place nothing does.
  func clear(_ isOver: (String) -> Bool) {
    guard let opened = try? OpenDirectory(noFollow: folder.sync) else { return }
    for name in (try? FileSystem.names(in: opened.path)) ?? [] where isOver(name) {
      FileSystem.removeTree(opened.path + "/" + name)
    }
    withExtendedLifetime(opened) {}
  }

  /// Whether the folder is one, and no link that leads elsewhere.
  var isFolder: Bool { (try? FileStatus(folder.sync))?.kind == .directory }

  /// Takes all of it away.
  func remove() {
    if isFolder { FileSystem.removeTree(folder.sync) }
  }

  /// Whether a file that was fetched is there, and its bytes match its name as far as can be told without a key.
  package func isWhole(_ object: ObjectPath, at path: String) throws(VaultError) -> Bool {
    guard let file = try? Descriptor.open(path, [.noFollow, .nonBlocking]),
      let name = ObjectName(bytes: object.hash.bytes)
    else { return false }
    let status = try onDisk { () throws(PlatformError) in try file.status() }
    guard status.kind == .regular, status.size <= object.sizeLimit else { return false }
    if object.isNamedByContent { return true }
    return try ObjectCheck(file, is: name).finish()
  }

  /// Moves a file that was fetched to its place, durably.
  ///
  /// - Returns: false when it is not there or its bytes do not match its name: it is fetched again another time.
  package func take(_ object: ObjectPath, from path: String) throws(VaultError) -> Bool {
    guard try isWhole(object, at: path),
      let file = try? Descriptor.open(path, [.noFollow, .nonBlocking])
    else { return false }
    return try onDisk { () throws(PlatformError) in
      try FileSystem.makePrivate(path)
      try file.synchronize()
      let target = self.path(object)
      let directory = FileSystem.parent(of: target)
      try FileSystem.makeDirectories(directory)
      if let kind = (try? FileStatus(target))?.kind {
        // Of a segment that is here nobody can tell here whether this one is better.
        guard kind != .regular || !object.isNamedByContent else { return false }
        if kind != .regular { FileSystem.removeTree(target) }
      }
      try FileSystem.rename(path, to: target)
      try FileSystem.synchronize(directory: directory)
      return true
    }
  }

  // MARK: A segment on its way

  private func pendingPath(_ end: LogEnd) -> String {
    folder.sync + "/pending-" + end.hash.text
  }

  /// Keeps a segment that does not count yet.
  package func prepare(_ end: LogEnd, _ bytes: [UInt8]) throws(VaultError) {
    try write(bytes, to: pendingPath(end))
  }

  /// Whether a segment is kept that gets its name when the vault knows it.
  package func isPrepared(_ end: LogEnd) -> Bool { FileSystem.exists(pendingPath(end)) }

  /// Gives it its name: the vault knows it now.
  package func settle(_ end: LogEnd) throws(VaultError) {
    try onDisk { () throws(PlatformError) in
      let (from, to) = (pendingPath(end), path(.log(end)))
      guard FileSystem.exists(from) else { return }
      let directory = FileSystem.parent(of: to)
      try FileSystem.makeDirectories(directory)
      try FileSystem.rename(from, to: to)
      try FileSystem.synchronize(directory: directory)
    }
  }

  /// Removes a file that is not a valid object.
  package func remove(_ object: ObjectPath) { try? FileSystem.remove(path(object)) }

  /// Takes away what a killed process left of segments that never counted.
  package func removePending(but end: LogEnd?) {
    let kept = end.map { FileSystem.name(of: pendingPath($0)) }
    for name in (try? FileSystem.names(in: folder.sync)) ?? []
    where name.hasPrefix("pending-") && name != kept {
      try? FileSystem.remove(folder.sync + "/" + name)
    }
  }

  // MARK: What the store was seen to have

  /// Files beside the objects, a name a line.
  private enum List: String { case listing, stored, wanted, replaced, shared, cut }

  /// What there is to do after a whole listing of the store.
  package struct Plan: Sendable {
    package var get: [ObjectPath] = []
    package var put: [ObjectPath] = []
    /// Objects that the store had and no longer has. They are not put there again unasked.
    package var lost: [ObjectPath] = []
  }

  /// - Parameters:
  ///   - listing: what the store has whole.
  ///   - cut: what it has only the beginning of, which is put there again.
  ///   - damaged: what is not whole here, and is fetched again.
  ///   - repairing: whether what the store lost is put there again.
  package func plan(
    _ listing: Set<ObjectPath>, cut: Set<ObjectPath> = [], damaged: Set<ObjectPath> = [],
    repairing: Bool = false,
    of isMeant: (ObjectPath) -> Bool = { _ in true }
  ) -> Plan {
    var plan = Plan()
    let here = names().filter(isMeant).subtracting(damaged)
    let (wanted, stored) = (wanted(), stored().subtracting(names(in: .shared) ?? []))
    for name in listing.subtracting(here).subtracting(names(in: .replaced) ?? []) {
      if case .object = name, !wanted.contains(name), !damaged.contains(name) { continue }
      plan.get.append(name)
    }
    for name in here.subtracting(listing) {
      if stored.contains(name), !repairing, !cut.contains(name) {
        plan.lost.append(name)
      } else {
        plan.put.append(name)
      }
    }
    // What is there under its name may be damaged there: what is here is whole.
    if repairing { plan.put += here.intersection(listing) }
    // Files before the logs that name them, the roster before what its devices write.
    plan.get.sort(by: Self.isBefore)
    plan.put.sort(by: Self.isBefore)
    return plan
  }

  /// What is here and has not the bytes that its name says, as far as can be told without a key.
  package func damaged() -> Set<ObjectPath> {
    names().filter { !isWhole($0) }
  }

  /// Whether an object is here with these bytes. What cannot be read is not whole.
  package func isWhole(_ object: ObjectPath) -> Bool {
    (try? isWhole(object, at: path(object))) == true
  }

  /// Segments in the order of their logs: who comes in the middle of it has all that the others follow.
  private static func isBefore(_ one: ObjectPath, _ other: ObjectPath) -> Bool {
    if case .log(let one) = one, case .log(let other) = other {
      return (one.sequence, one) < (other.sequence, other)
    }
    return one.text > other.text
  }

  /// The names a whole listing of the store last gave; nil before the first.
  package func listing() -> Set<ObjectPath>? { names(in: .listing) }

  /// Whether all that it gave is here but photos and files; false before the first.
  package var hasAllListed: Bool {
    guard let listing = listing() else { return false }
    return listing.subtracting(names()).allSatisfy { if case .object = $0 { true } else { false } }
  }

  /// What was put into the store once more because it had only a part of it.
  package func cut() -> Set<ObjectPath> { names(in: .cut) ?? [] }

  package func keep(cut: Set<ObjectPath>) throws(VaultError) {
    guard cut != self.cut() else { return }
    try keep(cut, as: .cut)
  }

  /// When that was, seconds since 1970.
  package var listed: Int64? {
    (try? FileStatus(folder.sync + "/" + List.listing.rawValue))?.modified
  }

  private func names(in list: List) -> Set<ObjectPath>? {
    guard
      let file = try? Descriptor.open(
        folder.sync + "/" + list.rawValue, [.noFollow, .nonBlocking]),
      (try? file.status())?.kind == .regular, let bytes = try? file.readAll(limit: 64 << 20)
    else { return nil }
    return Set(
      bytes.split(separator: 0x0a).compactMap { ObjectPath(String(decoding: $0, as: UTF8.self)) })
  }

  /// What any listing ever gave, of what is still here or there: of the rest nobody asks, and it would only grow.
  package func stored() -> Set<ObjectPath> { names(in: .stored) ?? [] }

  package func keep(listing: Set<ObjectPath>) throws(VaultError) {
    try keep(listing.union(stored().subtracting(listing).filter(has)), as: .stored)
    try keep(listing, as: .listing)
  }

  /// Records that objects which packs replace were removed from the store, so that they do not count as lost.
  package func forget(_ names: Set<ObjectPath>) throws(VaultError) {
    try keep(stored().subtracting(names), as: .stored)
    try keep((listing() ?? []).subtracting(names), as: .listing)
  }

  /// Files that an entry here got are put into a store that lacks them, also where it had them before they were purged.
  package func putAgain(_ files: Set<Hash>) throws(VaultError) {
    guard !files.isEmpty else { return }
    let (names, stored) = (Set(files.map { ObjectPath.object($0) }), stored())
    if !names.isDisjoint(with: stored) { try keep(stored.subtracting(names), as: .stored) }
  }

  /// Files that another device purged with an entry of its own, and an entry here has: a device that had not heard of this one may take
  /// them from the store, at any time, and they are put there again.
  package func keep(shared files: Set<Hash>) throws(VaultError) {
    guard !files.isEmpty else { return }
    let known = names(in: .shared) ?? []
    let all = known.filter(has).union(files.map { .object($0) })
    if all != known { try keep(all, as: .shared) }
  }

  private func keep(_ names: Set<ObjectPath>, as list: List) throws(VaultError) {
    try onDisk { () throws(PlatformError) in
      try FileSystem.makeDirectories(folder.sync)
      let file = try AtomicFile(folder.sync + "/" + list.rawValue)
      try file.write(Array(names.map(\.text).sorted().joined(separator: "\n").utf8))
      try file.commit()
    }
  }

  /// Photos and files that entries here have, and that are to be fetched: the process that moves objects cannot know it.
  package func wanted() -> Set<ObjectPath> { names(in: .wanted) ?? [] }

  package func keep(wanted: Set<Hash>) throws(VaultError) {
    try keep(Set(wanted.map { .object($0) }), as: .wanted)
  }

  /// What packs replace and the store still lists: not to be fetched again.
  package func keep(replaced: Set<ObjectPath>) throws(VaultError) {
    guard !replaced.isEmpty || names(in: .replaced) != nil else { return }
    try keep(replaced, as: .replaced)
  }
}

extension ObjectPath {
  /// Whether the hash in its name is of what is sealed in it, not of its bytes.
  fileprivate var isNamedByContent: Bool { if case .log = self { true } else { false } }

  /// The most bytes an object of its kind has.
  var sizeLimit: Int {
    switch self {
    case .log: Segment.sizeLimit
    case .roster, .request, .answer: 1 << 20
    case .pack: Pack.sizeLimit
    case .object: SealedFile.sealedSize(plain: Attachment.padded(Attachment.sizeLimit))
    }
  }
}
