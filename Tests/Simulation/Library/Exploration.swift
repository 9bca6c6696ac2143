internal import Bytes
import Replication

/// Every history of a few devices that each do a few things to one entry, by what each had heard of the others when it did
/// them. Schedules in which everybody has heard the same are one history: that it does not matter in which order segments
/// arrive is checked at the end of each.
package struct Exploration {
  package struct Counts: Sendable {
    /// Histories that were played to their end.
    package var histories = 0
    /// Deeds that were done.
    package var states = 0
    /// Orders of arrival that were compared.
    package var orders = 0
  }

  /// What a device may do to the entry; only the first where the entry is not shown.
  private enum Act: CaseIterable {
    case text, star, tag, file, trash, untrash, purge
  }

  /// A deed by who did it, with how much it had heard of each device, itself included.
  private struct Event: CustomStringConvertible {
    let device: Int
    let heard: [Int]
    var act: Act?

    var description: String {
      "\(device) having heard \(heard): \(act.map { "\($0)" } ?? "")"
    }
  }

  /// How many deeds each device does.
  private let limits: [Int]
  private(set) var counts = Counts()

  /// - Parameters:
  ///   - deeds: how many each device does.
  ///   - reversed: whether the ids of the devices are in the opposite order, by which ties are broken.
  ///   - part: only the histories whose first deed is one of these, by number; nil for all.
  /// - Throws: ``Violation``.
  package static func run(
    _ deeds: [Int], reversed: Bool = false, part: Int? = nil
  ) throws -> Counts {
    var exploration = Exploration(limits: deeds)
    var history = History(deeds.count, reversed: reversed)
    history.write(0)
    try history.devices[0].seal(&history.judge)
    let first = history.devices[0].segments.values.map { ($0.name, $0.bytes) }
    for index in history.devices.indices.dropFirst() {
      for (name, bytes) in first { try history.devices[index].take(name, bytes, history.judge) }
    }
    try exploration.go(on: history, [], deeds.map { _ in [] }, part)
    return exploration.counts
  }

  private init(limits: [Int]) { self.limits = limits }

  /// - Parameters:
  ///   - events: so far.
  ///   - segments: of each device, in order.
  private mutating func go(
    on history: History, _ events: [Event], _ segments: [[LogEnd]], _ part: Int?
  ) throws {
    guard zip(limits, segments).contains(where: { $0 > $1.count }) else {
      do { try finish(history) } catch let error as Violation {
        throw Violation("\(error), after \(events.map(\.description).joined(separator: ", "))")
      }
      return
    }
    for device in limits.indices where segments[device].count < limits[device] {
      let before = events.last { $0.device == device }?.heard ?? limits.map { _ in 0 }
      for heard in views(of: device, before, segments.map(\.count), events)
      where isCanonical(Event(device: device, heard: heard), events) {
        var here = history
        try hear(device, segments, before, heard, &here)
        for (number, act) in Act.allCases.enumerated() {
          if let part, events.isEmpty, number != part { continue }
          var next = here
          guard Self.act(act, device, &next) else { continue }
          let known = Set(next.devices[device].segments.keys)
          try next.devices[device].seal(&next.judge)
          guard let new = next.devices[device].segments.first(where: { !known.contains($0.key) })
          else { throw Violation("a deed was not sealed") }
          counts.states += 1
          var all = segments
          all[device].append(new.value.name)
          var its = heard
          its[device] += 1
          try go(on: next, events + [Event(device: device, heard: its, act: act)], all, part)
        }
      }
    }
  }

  /// What a device may have heard when it does its next deed: at least what it had, with all that is behind each thing.
  private func views(
    of device: Int, _ before: [Int], _ there: [Int], _ events: [Event]
  ) -> [[Int]] {
    var views = [before]
    for other in limits.indices where other != device {
      views = views.flatMap { view in
        (before[other]...there[other]).map { count in
          var more = view
          more[other] = count
          return more
        }
      }
    }
    return views.filter { view in
      limits.indices.allSatisfy { other in
        guard view[other] > 0, other != device else { return true }
        let last = events.filter { $0.device == other }[view[other] - 1].heard
        return limits.indices.allSatisfy { $0 == other || last[$0] <= view[$0] }
      }
    }
  }

  /// Of the schedules in which everybody has heard the same, the one in which lower devices go first.
  private func isCanonical(_ event: Event, _ events: [Event]) -> Bool {
    var done = limits.indices.map { device in events.count { $0.device == device } }
    for other in events.reversed() {
      if other.device == event.device || done[other.device] <= event.heard[other.device] {
        return true
      }
      if other.device > event.device { return false }
      done[other.device] -= 1
    }
    return true
  }

  private func hear(
    _ device: Int, _ segments: [[LogEnd]], _ before: [Int], _ heard: [Int],
    _ history: inout History
  ) throws {
    for other in limits.indices where other != device {
      for name in segments[other][before[other]..<heard[other]] {
        guard let segment = history.devices[other].segments[name.hash] else { continue }
        try history.devices[device].take(name, segment.bytes, history.judge)
      }
    }
    guard history.devices[device].waiting.isEmpty else {
      throw Violation("a segment waits although all that it follows is there")
    }
  }

  /// False where it cannot be done, or would do nothing.
  private static func act(_ act: Act, _ device: Int, _ history: inout History) -> Bool {
    let entry = history.entries[0]
    guard let shown = history.devices[device].replica.shown(entry) else {
      guard act == .text else { return false }
      let text = history.judge.newText()
      history.revise(device, entry) {
        ($0.text, $0.star, $0.tags, $0.files, $0.isTrashed) = (text, 0, [], [], false)
      }
      return true
    }
    switch act {
    case .text:
      let text = history.judge.newText()
      history.revise(device, entry) { $0.text = text }
    case .star: history.revise(device, entry) { $0.star = device + 1 }
    case .tag:
      var tags = Set((shown.values[Device.tags] ?? []).compactMap(\.first).map(Int.init))
      if tags.remove(device) == nil { tags.insert(device) }
      history.revise(device, entry) { $0.tags = tags }
    case .file:
      var files = Set((shown.values[Device.files] ?? []).compactMap(\.first).map(Int.init))
      if files.remove(device) == nil { files.insert(device) }
      history.revise(device, entry) { $0.files = files }
    case .trash: history.revise(device, entry) { $0.isTrashed = true }
    case .untrash:
      guard shown.values[Device.trash]?.first?.isEmpty == false else { return false }
      history.revise(device, entry) { $0.isTrashed = false }
    case .purge: history.purge(device)
    }
    return true
  }

  /// All hear everything, and others in other orders.
  private mutating func finish(_ history: History) throws {
    var history = history
    let all = history.devices.flatMap { $0.segments.values.map { ($0.name, $0.bytes) } }
    let names = Dictionary(all.map { ($0.0.hash, $0) }) { one, _ in one }.values
      .sorted { $0.0 < $1.0 }
    for index in history.devices.indices {
      for (name, bytes) in names where history.devices[index].segments[name.hash] == nil {
        try history.devices[index].take(name, bytes, history.judge)
      }
    }
    try history.check()
    counts.histories += 1
    let digest = history.devices[0].replica.digest()
    var orders = [Array(names.reversed())]
    for place in names.indices.dropLast() {
      var order = Array(names)
      order.swapAt(place, place + 1)
      orders.append(order)
    }
    for order in orders {
      var new = Device(DeviceID([UInt8](repeating: 0x55, count: 32)))
      for (name, bytes) in order { try new.take(name, bytes, history.judge) }
      guard new.replica.digest() == digest,
        new.replica.shown(history.entries[0])
          == history.devices[0].replica.shown(history.entries[0])
      else { throw Violation("segments in another order are another state") }
      counts.orders += 1
    }
  }
}

extension History {
  /// Devices whose ids are in the order of their numbers, or in the opposite one, and nothing else.
  init(_ count: Int, reversed: Bool) {
    random = Seeded(1)
    hasRevocations = false
    devices = (0..<count).map { index in
      let number = UInt8(reversed ? count - index : index + 1)
      return Device(DeviceID([UInt8](repeating: number, count: 32)))
    }
  }
}
