package import Bytes
package import Places
internal import Platform
internal import SealedFiles

/// Moves objects between a diary's mirror and the place where its devices meet. It has no key, and needs none: most objects
/// are what the hash in their name says, and what a segment is, only the open diary can tell.
package struct ObjectMover {
  package struct Moved {
    /// What was fetched.
    package var fetched: Set<ObjectPath> = []
    package var pulled: Int { fetched.count }
    package var pushed = 0
    /// Objects that the place had and no longer has.
    package var lost = 0
    /// Photos and files among them.
    package var lostFiles = 0
    /// Objects whose bytes do not match their names, and such as the place lists and does not give.
    package var damaged: Set<ObjectPath> = []
    /// Why not everything could be put.
    package var failure: PlaceError?
  }

  private let mirror: SpaceMirror
  private let place: any Place
  private let progress: (Int, Int) throws -> Void
  private let isOver: () -> Void
  private static let batch = 512

  /// - Parameters:
  ///   - vault: the vault's folder.
  ///   - progress: called with how many objects were moved, and of how many; what it throws ends the exchange.
  ///   - isOver: called when all of an exchange are.
  package init(
    _ vault: String, _ place: any Place,
    progress: @escaping (Int, Int) throws -> Void = { _, _ in },
    isOver: @escaping () -> Void = {}
  ) {
    mirror = SpaceMirror(VaultFolder(vault))
    self.place = place
    self.progress = progress
    self.isOver = isOver
  }

  /// One exchange, with no other sync of this diary beside it.
  package func exchangeAlone(space: String?, join: String?) throws -> Moved {
    let lock = try mirror.waitForLock()
    defer { withExtendedLifetime(lock) {} }
    return try exchange(space: space, join: join)
  }

  /// Fetches what is new, and puts what is new here.
  ///
  /// - Throws: ``PlaceError``; ``VaultError``.
  package func exchange(space: String?, join: String?) throws -> Moved {
    let moved = try exchangeWhatCanBe(space: space, join: join)
    if let failure = moved.failure { throw failure }
    return moved
  }

  /// The same for somebody who goes on with what was fetched where not everything can be put, as in a place that is full.
  ///
  /// - Parameters:
  ///   - space: the space's name; nil while it is not known.
  ///   - join: the name of a pairing whose request and answer are moved, too.
  ///   - repairing: whether what the place lost is put there again.
  ///   - fetched: what was fetched a moment ago. What of it is not here was of no use, and is not fetched at once again.
  /// - Throws: ``PlaceError``; ``VaultError``.
  package func exchangeWhatCanBe(
    space: String?, join: String?, repairing: Bool = false, but fetched: Set<ObjectPath> = []
  ) throws -> Moved {
    var moved = Moved()
    if let join, let id = Identity(text: join) {
      let folder = "join/" + join
      let listing = Set(
        try place.list(ObjectFolder.root + folder).compactMap(Self.object(ObjectFolder.root)))
      let plan = mirror.plan(listing, repairing: true) { $0.isOfPairing(id) }
      _ = try get(plan.get, in: ObjectFolder.root, of: Placed(listing: listing), &moved)
      try put(plan.put, in: ObjectFolder.root, replacing: false, &moved)
    }
    guard let space, Identity(text: space) != nil else { return moved }
    let prefix = ObjectFolder.root + space + "/"
    let there = try look(at: prefix, isRepairing: repairing)
    let cut = there.cut
    var listing = there.listing
    let damaged = repairing ? mirror.damaged() : []
    let plan = mirror.plan(listing, cut: cut, damaged: damaged, repairing: repairing) {
      !$0.isOfPairing
    }
    moved.lostFiles = plan.lost.count(where: \.isFile)
    let absent = try get(
      plan.get.filter { !fetched.contains($0) }, in: prefix, of: there, &moved)
    moved.damaged.formUnion(there.stillCut)
    if !absent.isEmpty {
      // Others may have removed them a moment ago.
      let now = Set(try place.list(ObjectFolder.root + space).compactMap(Self.object(prefix)))
      moved.damaged.formUnion(absent.intersection(now))
    }
    // Only the open diary can tell whether an object that packs replace is lost.
    let hasPacks = listing.contains { name in
      if case .pack = name { mirror.has(name) } else { false }
    }
    moved.lost = plan.lost.count { name in
      switch name {
      case .log, .pack: !hasPacks
      default: true
      }
    }
    do {
      // Where nothing may be replaced, the rest is there by then.
      try put(
        plan.put.filter { !cut.contains($0) }, in: prefix, replacing: repairing, &moved)
      try put(plan.put.filter(cut.contains), in: prefix, replacing: true, &moved)
      listing.formUnion(plan.put)
      try mirror.keep(listing: listing)
      try mirror.keep(cut: cut.union(there.stillCut))
    } catch let error as PlaceError {
      moved.failure = error
    }
    isOver()
    return moved
  }

  /// What a place has, as far as its list tells.
  private struct Placed {
    /// What it has whole, or this device cannot tell.
    var listing: Set<ObjectPath> = []
    /// What it has less of than this device, and what of that this device has put there once more already.
    var cut: Set<ObjectPath> = []
    var stillCut: Set<ObjectPath> = []
    /// Bytes of each, where the place says.
    var sizes: [ObjectPath: Int] = [:]
  }

  private func look(at prefix: String, isRepairing: Bool) throws(PlaceError) -> Placed {
    var there = Placed()
    for listed in try place.objects(in: String(prefix.dropLast())) {
      guard let object = Self.object(prefix)(listed.name), !object.isOfPairing else { continue }
      there.sizes[object] = listed.size
      // Nothing damaged takes the place of what is whole there.
      if let size = listed.size, let whole = mirror.size(object), size < whole,
        mirror.isWhole(object)
      {
        there.cut.insert(object)
      } else {
        there.listing.insert(object)
      }
    }
    // Once is enough for a place that keeps no more of it, or does not say what it keeps.
    there.stillCut = isRepairing ? [] : there.cut.intersection(mirror.cut())
    there.cut.subtract(there.stillCut)
    there.listing.formUnion(there.stillCut)
    return there
  }

  package enum Removal { case removed, kept, packsDiffer }

  /// Removes from the place what packs replace, once the place was found to return these packs as they are.
  package func remove(_ names: [String], for packs: [String], space: String?) throws -> Removal {
    guard let space, Identity(text: space) != nil, !names.isEmpty else { return .removed }
    let prefix = "\(ObjectFolder.root)\(space)/"
    guard try returns(packs.compactMap { ObjectPath($0) }, prefix) else { return .packsDiffer }
    let objects = names.compactMap { ObjectPath($0) }
    var forgets = true
    for start in stride(from: 0, to: objects.count, by: Self.batch) {
      let batch = objects[start..<min(objects.count, start + Self.batch)]
      do throws(PlaceError) {
        forgets = try place.remove(batch.map { prefix + $0.text }) && forgets
      } catch {
        // A place that forbids deleting keeps everything, and still works.
        forgets = false
      }
    }
    if forgets { try mirror.forget(Set(objects)) }
    return forgets ? .removed : .kept
  }

  private func returns(_ objects: [ObjectPath], _ prefix: String) throws -> Bool {
    let directory = try mirror.beginIncoming()
    defer { mirror.endIncoming(directory) }
    try place.get(objects.map { prefix + $0.text }, into: directory)
    return try objects.allSatisfy {
      try mirror.isWhole($0, at: directory + "/" + prefix + $0.text)
    }
  }

  private static func object(_ prefix: String) -> (String) -> ObjectPath? {
    { $0.hasPrefix(prefix) ? ObjectPath(String($0.dropFirst(prefix.count))) : nil }
  }

  /// Brings objects into a directory. Those that the place has and cannot read are left out.
  ///
  /// - Parameter there: what the place has.
  private func fetch(
    _ objects: ArraySlice<ObjectPath>, in prefix: String, of there: Placed, into directory: String
  ) throws(PlaceError) {
    func path(_ object: ObjectPath) -> String { directory + "/" + prefix + object.text }
    func isThere(_ object: ObjectPath) -> Bool { FileSystem.exists(path(object)) }
    do throws(PlaceError) {
      return try place.get(objects.map { prefix + $0.text }, into: directory)
    } catch {
      // Nobody here can tell whether a segment came whole.
      for object in objects where object.isLog {
        guard let size = (try? FileStatus(path(object)))?.size, size != there.sizes[object] else {
          continue
        }
        try? FileSystem.remove(path(object))
      }
      let left = objects.filter { !isThere($0) }
      // It may be the disk here that is full.
      let needed = left.reduce(1 << 20) { $0 + (there.sizes[$1] ?? 0) }
      guard FileSystem.room(at: directory) ?? .max > needed else { throw error }
      // Whether the place cannot be read, or these objects alone, one tells that came before.
      let sure =
        objects.first(where: isThere)
        ?? there.listing.filter { !$0.isFile && mirror.has($0) }.min {
          (mirror.size($0) ?? 0) < (mirror.size($1) ?? 0)
        }
      func isReadable() -> Bool {
        guard let sure else { return false }
        try? FileSystem.remove(path(sure))
        return (try? place.get([prefix + sure.text], into: directory)) != nil && isThere(sure)
      }
      guard error.mayConcernOne, left.count < objects.count || isReadable() else { throw error }
      var failed = 0
      for object in left {
        do throws(PlaceError) {
          try place.get([prefix + object.text], into: directory)
        } catch {
          try? FileSystem.remove(path(object))
          failed += 1
          guard error.mayConcernOne, !failed.isMultiple(of: 4) || isReadable() else { throw error }
        }
      }
    }
  }

  /// - Returns: what the place did not give.
  private func get(
    _ objects: [ObjectPath], in prefix: String, of there: Placed, _ moved: inout Moved
  ) throws -> Set<ObjectPath> {
    var done = 0
    var absent: Set<ObjectPath> = []
    for start in stride(from: 0, to: objects.count, by: Self.batch) {
      let batch = objects[start..<min(objects.count, start + Self.batch)]
      let directory = try mirror.beginIncoming()
      defer { mirror.endIncoming(directory) }
      try fetch(batch, in: prefix, of: there, into: directory)
      for object in batch {
        let path = directory + "/" + prefix + object.text
        if try mirror.take(object, from: path) {
          moved.fetched.insert(object)
        } else if FileSystem.exists(path) {
          moved.damaged.insert(object)
        } else {
          absent.insert(object)
        }
      }
      done += batch.count
      try progress(done, objects.count)
    }
    return absent
  }

  private func put(
    _ objects: [ObjectPath], in prefix: String, replacing: Bool, _ moved: inout Moved
  ) throws {
    var rest = objects[...]
    var failure: PlaceError?
    // What names another comes after it: files, then logs; one kind in one call.
    while let first = rest.first {
      let group = rest.prefix(Self.batch).prefix { $0.isFile == first.isFile }
      rest = rest.dropFirst(group.count)
      do throws(PlaceError) {
        if first.isFile {
          try place.put(
            group.map(\.hash.text), from: mirror.folder.objects,
            under: prefix + "object/", replacing: replacing)
        } else {
          try place.put(
            group.map(\.text), from: mirror.folder.sync, under: prefix, replacing: replacing)
        }
      } catch {
        // Texts are small: they go where there is no room for a photo, which follows when there is.
        guard first.isFile, error.mayConcernOne else { throw error }
        failure = error
        if case .tooLarge = error.reason { continue }
        rest = rest.drop { $0.isFile }
        continue
      }
      moved.pushed += group.count
      try progress(moved.pushed, objects.count)
    }
    if let failure { throw failure }
  }
}

extension PlaceError {
  /// Whether it may concern one object alone, as by its size. Programs and systems say in their own words what is wrong.
  fileprivate var mayConcernOne: Bool {
    switch reason {
    case .full, .tooLarge, .program, .system: true
    case .unknown, .missing, .notFolder, .readOnly, .noProgram, .silent, .unreliable: false
    }
  }
}

extension ObjectPath {
  fileprivate var isOfPairing: Bool {
    switch self {
    case .request, .answer: true
    case .log, .roster, .pack, .object: false
    }
  }

  fileprivate func isOfPairing(_ id: Identity) -> Bool {
    switch self {
    case .request(id, _), .answer(id, _): true
    default: false
    }
  }

  fileprivate var isFile: Bool { if case .object = self { true } else { false } }
  fileprivate var isLog: Bool { if case .log = self { true } else { false } }
}
