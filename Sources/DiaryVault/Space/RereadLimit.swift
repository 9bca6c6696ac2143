internal import Bytes
internal import Replication
internal import SealedFiles

/// How much is read again of what was read in vain before: segments that wait for others, those of a device that was taken out of
/// which it cannot be told yet whether they count, and packs with such segments or with what cannot be read. Everybody who ever took part can put any number of them into the place.
///
/// A segment that waits for another is read once that one is merged. Of the rest some of each device are read again at a sync, by
/// chance, so that the turn of each one comes, and so that nobody delays what another device wrote; and all of it once something new
/// was merged.
enum RereadLimit {
  /// Bytes for each device; one object is read whatever its size.
  private static let bytes = 8 << 20

  /// The objects that are not read this time, and what each waits for.
  static func leftOut(of store: ReplicaStore, _ mirror: SpaceMirror) -> [ObjectPath: Hash?] {
    let vain = store.record.readInVain
    guard !vain.isEmpty else { return [:] }
    var objects: [DeviceID?: [ObjectPath]] = [:]
    var leftOut: [ObjectPath: Hash?] = [:]
    for object in mirror.names() {
      guard let reading = vain[object.hash] else { continue }
      if let need = reading.need {
        if !isSettled(need, store) { leftOut[object] = need }
      } else {
        objects[reading.author, default: []].append(object)
      }
    }
    for objects in objects.values {
      var left = bytes
      for object in objects.shuffled() {
        if left <= 0 { leftOut[object] = .some(nil) }
        left -= mirror.size(object) ?? 0
      }
    }
    return leftOut
  }

  /// Whether a segment is merged, or was found not to be merged by itself: what waits for it decides about that.
  private static func isSettled(_ segment: Hash, _ store: ReplicaStore) -> Bool {
    store.replica.has(segment) || store.record.passedOver.contains(segment)
  }
}

extension Merging {
  /// Segments by themselves that were not merged, and why.
  var readInVain: [LogEnd: SpaceRecord.VainReading] {
    var readings = leftOut.reduce(into: [:]) {
      $0[$1.key] = SpaceRecord.VainReading(author: $1.key.device, need: $1.value)
    }
    for end in waiting.union(refused).union(undecided) where stopped[end] == nil {
      readings[end] = SpaceRecord.VainReading(author: end.device, need: wanted[end])
    }
    return readings
  }

  /// Notes what was read and not merged. Packs are noted as they are read.
  func noteReadInVain(_ store: ReplicaStore, _ mirror: SpaceMirror) {
    let packs = Set(mirror.packs)
    var vain = store.record.readInVain.filter { hash, _ in
      packs.contains(hash) && store.record.packs[hash].map { $0.partial != nil } ?? true
    }
    for (end, reading) in readInVain where mirror.has(.log(end)) && !store.replica.has(end.hash) {
      vain[end.hash] = reading
    }
    if !vain.isEmpty || !store.record.readInVain.isEmpty { store.record.readInVain = vain }
  }

  mutating func leave(_ objects: [ObjectPath: Hash?]) {
    for (object, need) in objects { if case .log(let end) = object { leftOut[end] = need } }
  }

  /// Takes up what waits for nothing any more, and what was left out by chance once something new was merged; false when there is
  /// nothing.
  mutating func takeUpLeftOut(_ store: ReplicaStore) -> Bool {
    let isNew = pulled > 0
    let now = leftOut.filter { $0.value.map(store.replica.has) ?? isNew }
    let ready = waiting.filter { wanted[$0].map(store.replica.has) ?? false }
    for end in now.keys { leftOut[end] = nil }
    for end in ready { wanted[end] = nil }
    waiting.subtract(ready)
    names = Self.lastFirst(ready.union(now.keys))
    return !names.isEmpty
  }
}
