internal import Bytes

/// Which revisions of an entry no other has seen.
extension EntryHistory {
  /// Those of an entry with very many revisions, kept up with what is added.
  struct Heads: Sendable {
    var voidChanges: Int
    /// The newest first.
    var dots: [Dot]
    /// The last revision there is.
    var newest: Dot
    /// Devices that have more than these.
    var cut: Set<DeviceID>
  }

  /// The revisions that are here and count.
  func counting(in logs: Logs) -> [Revision] { revisions.values.filter { !logs.isVoid($0.dot) } }

  /// The most heads that revisions of one device are. A device has several only where it was copied; one that lies could have any
  /// number.
  private static let headLimit = 64
  /// The most that are kept up with what is added, where fewer devices have them, so that those that are no longer among the newest may
  /// be heads again.
  static let headsKept = 1024

  /// Revisions that count and that no other has seen, of each device the newest; the newest first.
  func heads(in logs: Logs) -> [Revision] {
    guard let known = headsKnown, known.voidChanges == logs.voidChanges else {
      return findHeads(in: logs, limit: Self.headLimit).dots.compactMap { revisions[$0] }
    }
    return Self.newest(known.dots, ofEach: Self.headLimit, in: logs).compactMap { revisions[$0] }
  }

  /// The first of some heads, of each device so many.
  private static func newest(_ dots: [Dot], ofEach most: Int, in logs: Logs) -> [Dot] {
    var counts: [DeviceID: Int] = [:]
    return dots.filter {
      let device = logs.entries[$0.segment].device
      counts[device, default: 0] += 1
      return counts[device] ?? 0 <= most
    }
  }

  func findHeads(in logs: Logs, limit: Int) -> Heads {
    var heads = Heads(
      voidChanges: logs.voidChanges, dots: [],
      newest: revisions.keys.max() ?? Dot(segment: 0, index: 0), cut: [])
    let counting = counting(in: logs)
    if counting.count == 1 {
      heads.dots = [counting[0].dot]
      return heads
    }
    // What all had seen is looked up at once: a device that lies may have made very many.
    let sight = Sight(counting.lazy.map { (dot: $0.dot, unseen: $0.unseen) }, in: logs)
    var counts: [DeviceID: Int] = [:]
    for one in counting.map(\.dot).sorted(by: { logs.stamp($0) > logs.stamp($1) }) {
      let device = logs.entries[one.segment].device
      guard !heads.cut.contains(device), !sight.has(one, in: logs) else { continue }
      guard counts[device] ?? 0 < limit else {
        heads.cut.insert(device)
        continue
      }
      heads.dots.append(one)
      counts[device, default: 0] += 1
    }
    return heads
  }

  /// The heads after one more: those that it has not seen, and itself, if nothing here can have seen it. Where that does not say it, they
  /// are found when all is added.
  mutating func keepHeads(with revision: Revision, in logs: Logs) {
    guard var known = headsKnown else { return }
    headsKnown = nil
    // Only what was merged later can have seen it: a body may come after those of the same segment, and of later ones.
    guard known.voidChanges == logs.voidChanges, known.newest < revision.dot else { return }
    known.newest = revision.dot
    if !logs.isVoid(revision.dot) {
      known.dots.removeAll { revision.has(seen: $0, in: logs) }
      let stamp = logs.stamp(revision.dot)
      known.dots.insert(
        revision.dot, at: known.dots.firstIndex { logs.stamp($0) < stamp } ?? known.dots.count)
      guard keepNewest(of: &known, in: logs) else { return }
    }
    headsKnown = known
  }

  /// Cuts heads to the newest of each device; false where of a device that had more too few are left.
  private func keepNewest(of known: inout Heads, in logs: Logs) -> Bool {
    guard known.dots.count > Self.headsKept || !known.cut.isEmpty else { return true }
    var counts: [DeviceID: Int] = [:]
    for dot in known.dots { counts[logs.entries[dot.segment].device, default: 0] += 1 }
    guard known.cut.allSatisfy({ counts[$0] ?? 0 >= Self.headLimit }) else { return false }
    guard known.dots.count > max(Self.headsKept, counts.count * Self.headLimit) else { return true }
    let most = max(Self.headLimit, Self.headsKept / 2 / counts.count)
    known.cut.formUnion(counts.filter { $0.value > most }.keys)
    known.dots = Self.newest(known.dots, ofEach: most, in: logs)
    return true
  }
}
