internal import Bytes
package import Entries
package import Requests

/// One sync of a diary with the place where its devices meet, step by step: objects are moved to and from the place, the open diary
/// tells what was done and merges what came, and what packs replace is removed from the place; until nothing more comes.
///
/// It holds no key and no lock. Whoever steps it keeps any other sync of the diary out meanwhile.
package struct Meeting {
  package enum Step: Sendable, Equatable {
    case exchange, settle, remove, done
  }

  /// What comes next.
  package private(set) var next = Step.exchange
  /// What the diary said of all rounds so far.
  package private(set) var report = SyncReport()
  /// What was moved, and what is wrong with the place.
  package private(set) var moved = ObjectMover.Moved()
  /// Whether the place keeps what packs replace, or does not return the packs as they are.
  package private(set) var placeKeepsAll = false
  package private(set) var packsDiffer = false

  private let mover: ObjectMover
  private let space: String?
  private let isRepairing: Bool
  private let isCompacting: Bool
  private let isTold: Bool
  private let diary: (any DiaryConnection)?
  /// Whether the diary is open; else objects are moved once, and merged later.
  package var isOpen: Bool { diary != nil }
  private var round = 0
  /// What the diary said in this round.
  private var settled = SyncReport()

  /// The most rounds: what other devices do meanwhile is for the next sync.
  private static let most = 4

  /// - Parameters:
  ///   - space: the name of the diary's space; nil while it is not known.
  ///   - diary: nil while it is not open.
  ///   - repairing: whether what the place lost is put there again, and what is lost here is fetched from there.
  ///   - compacting: whether all that is merged is put into packs.
  ///   - isTold: whether a person is told what comes of it.
  package init(
    _ mover: ObjectMover, space: String?, diary: (any DiaryConnection)?, repairing: Bool = false,
    compacting: Bool = false, isTold: Bool = true
  ) {
    self.mover = mover
    self.isTold = isTold
    self.space = space
    self.diary = diary
    isRepairing = repairing
    isCompacting = compacting
  }

  /// Takes the next step.
  ///
  /// - Throws: ``PlaceError``, ``VaultError``, ``SessionError``. What was moved and merged before stays so; the next sync goes on.
  package mutating func step() throws {
    switch next {
    case .exchange: try exchange()
    case .settle: try settle()
    case .remove: try remove()
    case .done: break
    }
  }

  /// Takes all steps that are left.
  package mutating func finish() throws {
    while next != .done { try step() }
  }

  private mutating func exchange() throws {
    let now = try mover.exchangeWhatCanBe(
      space: space, join: nil, repairing: isRepairing && round == 0, but: moved.fetched)
    // What came is merged before it is said, and what is told meanwhile is sent, if it can be.
    if let failure = now.failure {
      guard isOpen, round == 0 else { throw failure }
    }
    // What the place lost is put there in the first round alone, so that a later one says nothing of it.
    moved.failure = now.failure ?? (isRepairing ? moved.failure : nil)
    moved.fetched.formUnion(now.fetched)
    moved.pushed += now.pushed
    moved.damaged = moved.damaged.union(now.damaged).subtracting(now.fetched)
    (moved.lost, moved.lostFiles) = (now.lost, now.lostFiles)
    // A pack replaces others once it is in the place.
    let isLast = round > 0 && (round == Self.most || now.pulled == 0 && settled.packed == 0)
    next = isOpen && !isLast ? .settle : .done
    guard next == .done else { return }
    if isRepairing, let failure = moved.failure { throw failure }
    // Only now is it sure that a person is told.
    if isTold, let diary, report.troubles.contains(where: \.isKept) {
      report.add(try diary.run(Settle(isTold: true)))
    }
    end()
  }

  /// Settles the open diary with what is here. It may be called again before the next step, to allow removals that wait.
  ///
  /// - Parameter removals: how many entries may go by what others did, beside the few that go without asking.
  package mutating func settle(allowing removals: Int = 0) throws {
    guard let diary else { return }
    let now = try diary.run(
      Settle(
        allowing: removals, compacts: isCompacting && round == 0,
        repairs: isRepairing && round == 0))
    if next == .settle { settled = SyncReport() }
    settled.add(now)
    report.add(now)
    next = now.sharesNothing ? .done : .remove
    report.sharesNothing = now.sharesNothing
  }

  private mutating func remove() throws {
    // Nothing is replaced where not everything could be put.
    if moved.failure == nil { try removeReplaced() }
    round += 1
    next = .exchange
  }

  private mutating func removeReplaced() throws {
    switch try mover.remove(settled.replaced, for: settled.answering, space: space) {
    case .removed: break
    case .kept: placeKeepsAll = true
    case .packsDiffer: packsDiffer = true
    }
  }

  private mutating func end() {
    if packsDiffer { report.replaced = [] }
    if !moved.damaged.isEmpty {
      if !report.troubles.contains(where: \.isDamage) {
        report.troubles.append(.damaged(moved.damaged.count))
      }
      report.unusable = SyncReport.few(report.unusable + moved.damaged.map(\.text))
    }
    // Whether a file is lost, or was purged by another device, only the open diary can tell.
    if !isOpen { moved.lost -= moved.lostFiles }
    if moved.lost > 0, !isRepairing,
      !report.troubles.contains(where: { $0.isLoss || $0 == .closed })
    {
      report.troubles.append(.lost(moved.lost))
    }
    // Its key may be what is damaged or gone, and come with a repair.
    if report.troubles.contains(where: { $0.isDamage || $0.isLoss }) { report.unreadable = [] }
  }
}

extension SyncReport {
  /// Adds what another round, or the same one asked again, said.
  fileprivate mutating func add(_ other: SyncReport) {
    merged += other.merged
    pulled += other.pulled
    pushed += other.pushed
    (conflicts, waiting, removals, missingFiles) = (
      other.conflicts, other.waiting, other.removals, other.missingFiles
    )
    agreed += other.agreed
    packed += other.packed
    replaced += other.replaced.filter { !replaced.contains($0) }
    answering += other.answering.filter { !answering.contains($0) }
    // A later round counts anew.
    if other.troubles.contains(where: \.isUnreadable) { troubles.removeAll(where: \.isUnreadable) }
    for trouble in other.troubles where !troubles.contains(trouble) { troubles.append(trouble) }
    // What could not be used is not fetched again in a later round, which does not know its name.
    unusable = SyncReport.few(unusable + other.unusable)
    if other.troubles.contains(where: \.isUnreadable) { unreadable = other.unreadable }
  }
}

extension SyncTrouble {
  fileprivate var isDamage: Bool { if case .damaged = self { true } else { false } }
  fileprivate var isUnreadable: Bool { if case .unreadable = self { true } else { false } }
}
