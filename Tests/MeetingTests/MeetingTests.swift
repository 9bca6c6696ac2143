import Bytes
import Entries
import Foundation
import Meeting
import Places
import Replication
import Requests
import Scratch
import SealedFiles
import Testing

/// The steps of a sync, with a place in memory and a diary that says what it is told to say.
@Suite struct MeetingTests {
  private final class MemoryPlace: Place {
    let place = "memory"
    var objects: [String: [UInt8]] = [:]
    var keepsAll = false
    /// What it lists and does not give, and what it fails at.
    var withheld: Set<String> = []
    var unreadable: Set<String> = []
    /// Whether it says of everything that it is one byte long.
    var understates = false
    var isReached = true
    /// How many objects were asked for.
    private(set) var asked = 0
    var isFull = false
    /// How long what it takes may be, and what it says of more.
    var room = Int.max
    var says = PlaceError.Reason.full
    /// What comes from other devices after each listing.
    var coming: [[String: [UInt8]]] = []

    /// What goes before each listing.
    var going: [[String]] = []

    private func reach() throws(PlaceError) {
      guard isReached else { throw PlaceError(.missing, place) }
    }

    func objects(in folder: String) throws(PlaceError) -> [PlacedObject] {
      try reach()
      for name in going.isEmpty ? [] : going.removeFirst() { objects[name] = nil }
      defer { if !coming.isEmpty { objects.merge(coming.removeFirst()) { $1 } } }
      return objects.filter { $0.key.hasPrefix(folder + "/") }
        .map { PlacedObject($0.key, size: understates ? 1 : $0.value.count) }
    }

    func get(_ names: [String], into directory: String) throws(PlaceError) {
      try reach()
      defer { asked += names.count }
      for name in names where !withheld.contains(name) && !unreadable.contains(name) {
        let path = directory + "/" + name
        try? FileManager.default.createDirectory(
          atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        if let bytes = objects[name] { try? Data(bytes).write(to: URL(fileURLWithPath: path)) }
      }
      guard unreadable.isDisjoint(with: names) else {
        throw PlaceError(.program("rclone", says: "unexpected EOF"), place)
      }
    }

    func put(
      _ names: [String], from directory: String, under prefix: String, replacing: Bool
    ) throws(PlaceError) {
      try reach()
      guard !isFull else { throw PlaceError(.missing, place) }
      for name in names {
        let bytes = FileManager.default.contents(atPath: directory + "/" + name)
        guard bytes?.count ?? 0 <= room else { throw PlaceError(says, place) }
        objects[prefix + name] = bytes.map(Array.init)
      }
    }

    func remove(_ names: [String]) throws(PlaceError) -> Bool {
      for name in names where !keepsAll { objects[name] = nil }
      return !keepsAll
    }

    func needs() -> [String] { [] }
  }

  private final class Teller: DiaryConnection {
    var reports: [SyncReport] = []
    private(set) var asked: [Settle] = []
    /// What it writes when it is asked.
    var telling: () throws -> Void = {}

    func run<R: Request>(
      _ request: R, items: () throws -> ImportItem?, entry: (Entry) throws -> Void
    ) throws -> R.Answer {
      let settle = try #require(request as? Settle)
      asked.append(settle)
      try telling()
      let report = reports.isEmpty ? SyncReport() : reports.removeFirst()
      return try #require(report as? R.Answer)
    }
  }

  private let scratch = Scratch()
  private let place = MemoryPlace()
  private let diary = Teller()
  private let space = Identity(high: 7, low: 7).text

  private var mirror: SpaceMirror { SpaceMirror(VaultFolder(scratch.path)) }

  private func meeting(isOpen: Bool = true, compacting: Bool = false) -> Meeting {
    Meeting(
      ObjectMover(scratch.path, place), space: space, diary: isOpen ? diary : nil,
      compacting: compacting)
  }

  private func object(_ number: UInt8) -> (path: ObjectPath, bytes: [UInt8]) {
    let bytes = [UInt8](repeating: number, count: 100)
    return (.pack(SpaceObject.hash(bytes)), bytes)
  }

  private func name(_ path: ObjectPath) -> String { "fd1/\(space)/\(path.text)" }

  private func steps(_ meeting: inout Meeting) throws -> [Meeting.Step] {
    var steps: [Meeting.Step] = []
    while meeting.next != .done {
      steps.append(meeting.next)
      try meeting.step()
    }
    return steps
  }

  @Test func `what came is merged where nothing more can be put`() throws {
    let (theirs, mine) = (object(1), object(2))
    place.objects[name(theirs.path)] = theirs.bytes
    try mirror.put(mine.path, mine.bytes)
    place.isFull = true
    var closed = meeting(isOpen: false)
    #expect(throws: PlaceError.self) { try closed.finish() }
    #expect(mirror.has(theirs.path))
    var open = meeting()
    try open.step()
    #expect(open.next == .settle)
    try open.step()
    #expect(diary.asked.count == 1)
    #expect(throws: PlaceError.self) { try open.finish() }
    place.isFull = false
    var again = meeting()
    try again.finish()
    #expect(place.objects[name(mine.path)] == mine.bytes)
  }

  @Test(arguments: [
    PlaceError.Reason.full, .tooLarge(limit: 100), .program("rclone", says: "quota exceeded"),
    .system("File too large"),
  ])
  func `texts go where there is no room for a photo, which follows`(says: PlaceError.Reason) throws
  {
    let photo = [UInt8](repeating: 9, count: 1000)
    let path = ObjectPath.object(SpaceObject.hash(photo))
    try mirror.put(path, photo)
    let (text, later) = (object(2), object(3))
    try mirror.put(text.path, text.bytes)
    (place.room, place.says) = (100, says)
    var closed = meeting(isOpen: false)
    #expect(throws: PlaceError(says, "memory")) { try closed.finish() }
    #expect(place.objects == [name(text.path): text.bytes])
    // What the open diary tells meanwhile goes, too.
    diary.telling = { [mirror] in try mirror.put(later.path, later.bytes) }
    var open = meeting()
    #expect(throws: PlaceError(says, "memory")) { try open.finish() }
    #expect(diary.asked.count == 1)
    #expect(
      place.objects == [name(text.path): text.bytes, name(later.path): later.bytes])
    place.room = .max
    var again = meeting()
    try again.finish()
    #expect(place.objects[name(path)] == photo)
  }

  @Test func `what is no file is neither moved nor in the way of what comes`() throws {
    let (theirs, other) = (object(1), object(3))
    place.objects[name(theirs.path)] = theirs.bytes
    let folder = scratch.path + "/sync/"
    try FileManager.default.createDirectory(
      atPath: folder + theirs.path.text + "/inside", withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: folder + other.path.text, withDestinationPath: "/etc/passwd")
    var meeting = meeting()
    try meeting.finish()
    #expect(try mirror.read(theirs.path) == theirs.bytes)
    #expect(place.objects.count == 1)
  }

  @Test func `a closed diary is only moved`() throws {
    let (theirs, mine) = (object(1), object(2))
    place.objects[name(theirs.path)] = theirs.bytes
    try mirror.put(mine.path, mine.bytes)
    var meeting = meeting(isOpen: false)
    #expect(try steps(&meeting) == [.exchange])
    #expect(meeting.moved.pulled == 1 && meeting.moved.pushed == 1 && diary.asked.isEmpty)
    #expect(mirror.has(theirs.path) && place.objects[name(mine.path)] == mine.bytes)
  }

  @Test func `it ends when nothing more comes`() throws {
    var meeting = meeting()
    #expect(try steps(&meeting) == [.exchange, .settle, .remove, .exchange])
    let (one, two) = (object(1), object(2))
    place.coming = [[name(one.path): one.bytes], [name(two.path): two.bytes]]
    var next = self.meeting()
    #expect(
      try steps(&next)
        == [.exchange] + Array(repeating: [.settle, .remove, .exchange], count: 3).flatMap(\.self))
    #expect(next.moved.pulled == 2)
  }

  @Test func `a place to which something always comes ends it after some rounds`() throws {
    place.coming = (1...50).map { [name(object($0).path): object($0).bytes] }
    var meeting = meeting()
    #expect(try steps(&meeting).count { $0 == .settle } == 4)
  }

  @Test func `what was fetched and thrown away is not fetched again in the same sync`() throws {
    place.objects[name(object(1).path)] = object(1).bytes
    var meeting = meeting()
    while meeting.next != .done {
      try meeting.step()
      // The diary has no use for it.
      mirror.remove(object(1).path)
    }
    #expect(meeting.moved.pulled == 1)
    #expect(diary.asked.count <= 2)
    var next = self.meeting()
    _ = try steps(&next)
    #expect(next.moved.pulled == 1)
  }

  @Test(arguments: [true, false])
  func `what a place lists and does not give is told`(isOpen: Bool) throws {
    let (one, two) = (object(1), object(2))
    for each in [one, two] { place.objects[name(each.path)] = each.bytes }
    place.withheld = [name(one.path)]
    var meeting = meeting(isOpen: isOpen)
    _ = try steps(&meeting)
    #expect(meeting.report.troubles == [.damaged(1)] && meeting.moved.pulled == 1)
    // Another device removes it between the list and the request.
    place.withheld = [name(object(3).path)]
    place.objects[name(object(3).path)] = object(3).bytes
    place.going = [[], [name(object(3).path)]]
    var next = self.meeting(isOpen: isOpen)
    _ = try steps(&next)
    #expect(next.report.troubles.isEmpty && next.moved.pulled == 1)
  }

  /// As after a program that was killed while it sent it.
  @Test(arguments: [true, false])
  func `what a place has only a part of is put there again`(wasStored: Bool) throws {
    let (one, two) = (object(1), object(2))
    for each in [one, two] { try mirror.put(each.path, each.bytes) }
    if wasStored {
      var first = meeting()
      try first.finish()
    } else {
      place.objects[name(two.path)] = two.bytes
    }
    place.objects[name(one.path)] = Array(one.bytes.prefix(40))
    var meeting = meeting()
    try meeting.finish()
    #expect(meeting.moved.pushed == 1 && meeting.report.troubles.isEmpty)
    #expect(place.objects[name(one.path)] == one.bytes)
    #expect(mirror.listing() == [one.path, two.path])
  }

  @Test func `a place that says too small sizes gets everything once, and is told of`() throws {
    place.understates = true
    try mirror.put(object(1).path, object(1).bytes)
    var pushed = 0
    for turn in 0..<4 {
      var meeting = meeting()
      try meeting.finish()
      pushed += meeting.moved.pushed
      #expect(meeting.report.troubles == (turn == 0 ? [] : [.damaged(1)]), "\(turn)")
    }
    #expect(pushed == 2)
    place.understates = false
    var meeting = meeting()
    try meeting.finish()
    #expect(meeting.report.troubles.isEmpty && mirror.cut().isEmpty)
  }

  @Test(arguments: [true, false])
  func `what is damaged here takes the place of nothing whole`(repairs: Bool) throws {
    let one = object(1)
    try mirror.put(one.path, one.bytes)
    var first = meeting()
    try first.finish()
    try Data(one.bytes + [0]).write(to: URL(fileURLWithPath: mirror.path(one.path)))
    var meeting = Meeting(
      ObjectMover(scratch.path, place), space: space, diary: diary, repairing: repairs)
    try meeting.finish()
    #expect(place.objects[name(one.path)] == one.bytes)
    let here = FileManager.default.contents(atPath: mirror.path(one.path)).map { Array($0) }
    #expect(here == one.bytes + (repairs ? [] : [0]))
  }

  @Test func `what a place cannot read keeps nothing else from coming`() throws {
    let roster = Array("roster".utf8)
    let known = ObjectPath.roster(1, SpaceObject.hash(roster))
    let all = (1...20).map { object($0) }
    for each in all { place.objects[name(each.path)] = each.bytes }
    place.unreadable = Set(all.prefix(9).map { name($0.path) })
    var meeting = meeting()
    try meeting.finish()
    #expect(meeting.moved.pulled == 11 && meeting.report.troubles == [.damaged(9)])
    // Nothing else is new, so that it is told from a place that gives nothing by what is here already.
    place.objects[name(known)] = roster
    var next = self.meeting()
    #expect(throws: Never.self) { try next.finish() }
    #expect(next.moved.fetched == [known] && next.report.troubles == [.damaged(9)])
    var third = self.meeting()
    #expect(throws: Never.self) { try third.finish() }
    #expect(third.report.troubles == [.damaged(9)])
    // A place that gives nothing at all is asked no more than it must.
    place.unreadable = Set(place.objects.keys)
    let asked = place.asked
    var last = self.meeting()
    #expect(throws: PlaceError(.program("rclone", says: "unexpected EOF"), "memory")) {
      try last.finish()
    }
    #expect(place.asked - asked <= 22)
  }

  @Test func `removals that are allowed are asked for in the same round`() throws {
    diary.reports = [SyncReport(), SyncReport(), SyncReport()]
    diary.reports[0].removals = 30
    diary.reports[0].merged = 2
    diary.reports[1].merged = 30
    var meeting = meeting()
    try meeting.step()
    try meeting.settle()
    #expect(meeting.report.removals == 30 && meeting.next == .remove)
    try meeting.settle(allowing: 30)
    #expect(meeting.report.removals == 0 && meeting.report.merged == 32)
    try meeting.finish()
    #expect(diary.asked.map(\.removals) == [0, 30])
  }

  /// - Parameters: whether the place gives the pack back as it is, and whether it removes anything.
  @Test(arguments: [(true, true), (true, false), (false, true)])
  func `what a pack replaces goes once the place has returned the pack`(
    isWhole: Bool, removes: Bool
  ) throws {
    let (old, pack) = (object(1), object(2))
    place.objects = [
      name(old.path): old.bytes,
      name(pack.path): isWhole ? pack.bytes : pack.bytes.map { $0 + 1 },
    ]
    place.keepsAll = !removes
    try mirror.put(old.path, old.bytes)
    try mirror.put(pack.path, pack.bytes)
    var report = SyncReport()
    report.replaced = [old.path.text]
    report.answering = [pack.path.text]
    diary.reports = [report]
    var meeting = meeting(compacting: true)
    while meeting.next != .remove { try meeting.step() }
    // The diary has removed here what it named.
    mirror.remove(old.path)
    try meeting.finish()
    #expect((place.objects[name(old.path)] == nil) == (isWhole && removes))
    #expect(meeting.packsDiffer == !isWhole && meeting.placeKeepsAll == !removes)
    #expect(meeting.report.replaced.isEmpty == !isWhole)
    #expect(diary.asked.first?.compacts == true)
  }

  @Test func `a place that fails leaves the step to be taken again`() throws {
    place.isReached = false
    var meeting = meeting()
    #expect(throws: PlaceError.self) { try meeting.step() }
    #expect(meeting.next == .exchange)
    place.isReached = true
    try meeting.finish()
    #expect(meeting.next == .done)
  }

  @Test func `a diary that shares nothing ends it`() throws {
    var report = SyncReport()
    report.sharesNothing = true
    diary.reports = [report]
    var meeting = meeting()
    #expect(try steps(&meeting) == [.exchange, .settle])
    #expect(meeting.report.sharesNothing)
  }

  @Test func `what the place lost is said, and put back by repairing`() throws {
    let mine = object(3)
    try mirror.put(mine.path, mine.bytes)
    var first = meeting(isOpen: false)
    try first.finish()
    place.objects = [:]
    var second = meeting(isOpen: false)
    try second.finish()
    #expect(second.report.troubles == [.lost(1)] && place.objects.isEmpty)
    var repairing = Meeting(
      ObjectMover(scratch.path, place), space: space, diary: nil, repairing: true)
    try repairing.finish()
    #expect(repairing.report.troubles.isEmpty && place.objects[name(mine.path)] == mine.bytes)
  }

  /// A place that fails then, as the store can choose to, keeps nothing from being said.
  @Test(arguments: [false, true])
  func `what is said once is kept until the last round is over`(fails: Bool) throws {
    var said = SyncReport()
    said.troubles = [.copied, .damaged(1)]
    diary.reports = [said, said]
    let place = place
    diary.telling = { place.isReached = !fails }
    var meeting = meeting()
    if fails {
      #expect(throws: PlaceError.self) { try meeting.finish() }
      #expect(diary.asked.map(\.isTold) == [false])
      return
    }
    try meeting.finish()
    #expect(diary.asked.map(\.isTold) == [false, true])
    #expect(meeting.report.troubles == said.troubles)
    // Nothing to be said costs nothing more.
    diary.reports = []
    var quiet = self.meeting()
    try quiet.finish()
    #expect(diary.asked.map(\.isTold) == [false, true, false])
  }

  @Test func `a later round forgets no piece that could not be used`() throws {
    var (first, second) = (SyncReport(), SyncReport())
    first.unusable = ["a"]
    first.unreadable = ["b"]
    first.troubles = [.unreadable(1)]
    second.unusable = ["c"]
    diary.reports = [first, second]
    let theirs = object(1)
    place.coming = [[name(theirs.path): theirs.bytes]]
    var meeting = meeting()
    try meeting.finish()
    #expect(diary.asked.count == 2)
    #expect(meeting.report.unusable == ["a", "c"] && meeting.report.unreadable == ["b"])
  }
}
