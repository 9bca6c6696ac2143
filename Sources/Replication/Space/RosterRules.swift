internal import Bytes

/// Which records of a roster count, and who takes part: a function of the set of records, whatever order they arrive in.
///
/// A record counts when its signer is the recovery code, or a device whose admission is among the record's ancestors and counts; and
/// when it is within what every revocation of its signer lets stand. A revocation follows the first record alone, so that a place which
/// withholds one record cannot hide another.
///
/// What one device may sign is limited, and of what is too much the lowest records count. That alone would let a device take out whom it
/// let in, by lower records that it signs afterwards. So what counted for another device when that signed a record is not displaced
/// (``confirmed(_:of:among:_:)``).
struct RosterRules: Sendable {
  /// How many devices the first one may let in, directly or through others.
  static let firstBudget = 128
  /// How many epochs a device may begin by itself, whatever changed.
  private static let freeRenewals = 32
  /// How many records of one device count at the same position: a second one means that a copy of the device wrote it.
  static let branchLimit = 2
  /// Records at so many positions of a device confirm something. Few devices ever sign as many, and to look at them costs time.
  static let confirmations = 64

  struct Node: Sendable {
    let hash: Hash
    let record: RosterRecord
    /// 1 more than the highest of those it follows.
    let depth: Int
    /// Those it follows, and all that they follow, by their places.
    let ancestors: Places
    /// How many of them its own author signed.
    let position: Int
    /// What counted for its author, where that is known: what follows from the ancestors.
    var believed: Places?
  }

  /// Records that are here with all their ancestors, each behind those.
  private(set) var nodes: [Node] = []
  private var places: [Hash: Int] = [:]
  /// The records that let a device in.
  private var admissions: [DeviceID: [Int]] = [:]
  /// The records of each author.
  private var own: [DeviceID: [Int]] = [:]
  /// How much each author signed.
  private var amounts: [DeviceID: Amount] = [:]
  /// Those who signed more than may count.
  private var disputed: Set<DeviceID> = []

  func place(of hash: Hash) -> Int? { places[hash] }

  /// Whether a record begins the space.
  func isFirst(_ hash: Hash) -> Bool {
    guard let place = places[hash], case .space = nodes[place].record.action else { return false }
    return true
  }

  /// The public key of a device that some record among these lets in, whether that counts or not: its id is made of it.
  func signingKey(of device: DeviceID, in some: Places) -> [UInt8]? {
    (admissions[device] ?? []).first(where: some.contains)
      .flatMap { nodes[$0].record.member?.signingKey }
  }

  /// Whom each author let in, whether that counts or not; nil stands for the recovery code.
  var admitted: [DeviceID?: [DeviceID]] {
    var found: [DeviceID?: [DeviceID]] = [:]
    for (device, records) in admissions {
      for record in records { found[nodes[record].record.author, default: []].append(device) }
    }
    return found
  }

  /// The public key of a device that any record lets in.
  func signingKey(of device: DeviceID) -> [UInt8]? {
    (admissions[device]?.first).flatMap { nodes[$0].record.member?.signingKey }
  }

  /// Takes a record whose ancestors are here.
  mutating func append(_ record: RosterRecord, _ hash: Hash) {
    let (ancestors, depth) = above(record)
    let position = record.author.map { (own[$0] ?? []).count(where: ancestors.contains) } ?? 0
    if let author = record.author { own[author, default: []].append(nodes.count) }
    places[hash] = nodes.count
    if let member = record.member { admissions[member.id, default: []].append(nodes.count) }
    nodes.append(
      Node(
        hash: hash, record: record, depth: depth, ancestors: ancestors, position: position))
    guard let author = record.author else { return }
    amounts[author, default: Amount()].add(nodes[nodes.count - 1])
    if !disputed.contains(author), isTooMuch(amounts[author] ?? Amount(), of: author) {
      disputed.insert(author)
      for place in nodes.indices { keepBelief(place) }
    } else {
      keepBelief(nodes.count - 1)
    }
  }

  /// Finds out what counted for the author of a record that may confirm what somebody else signed, who signed too much. It is found once:
  /// what one knew rests on what those knew that it follows.
  private mutating func keepBelief(_ place: Int) {
    guard nodes[place].believed == nil, let author = nodes[place].record.author,
      disputed.contains(where: { $0 != author }), mayConfirm(place, among: own[author] ?? [])
    else { return }
    nodes[place].believed = result(of: nodes[place].ancestors).counting
  }

  /// Whether a device may begin an epoch by itself after some records. So many are needed as there are changes of who takes part that
  /// count, and some more for changes that knew nothing of one another.
  func mayRenew(_ device: DeviceID, after some: Places) -> Bool {
    let done = (own[device] ?? []).count { some.contains($0) && nodes[$0].record.isRenewal }
    guard done >= Self.freeRenewals else { return true }
    let counting = result(of: some).counting
    let changes = nodes.indices.count { counting.contains($0) && nodes[$0].record.changesMembers }
    return done < Self.freeRenewals + 2 * changes
  }

  /// A record and all that it follows.
  func closure(of place: Int) -> Places {
    var closure = nodes[place].ancestors
    closure.insert(place)
    return closure
  }

  /// The order that everybody computes alike: each record behind those it follows, those of one depth by their hashes.
  func isLower(_ one: Int, _ other: Int) -> Bool {
    (nodes[one].depth, nodes[one].hash) < (nodes[other].depth, nodes[other].hash)
  }

  /// The order of the records of one device.
  private func isEarlier(_ one: Int, _ other: Int) -> Bool {
    (nodes[one].position, nodes[one].hash) < (nodes[other].position, nodes[other].hash)
  }

  /// What a record follows; what is not here is left out.
  func above(_ record: RosterRecord) -> (ancestors: Places, depth: Int) {
    var ancestors = Places()
    var depth = 0
    for place in record.previous.compactMap({ places[$0] }) {
      ancestors.formUnion(closure(of: place))
      depth = max(depth, nodes[place].depth)
    }
    return (ancestors, depth + 1)
  }

  // MARK: What follows

  struct Result: Sendable {
    /// The places of the records that count.
    var counting = Places()
    var members: [DeviceID: (member: Member, standing: Roster.Standing)] = [:]
    /// How many devices a device may still let in.
    var budgets: [DeviceID: Int] = [:]

    var active: [Member] {
      members.values.filter { $0.standing == .active }.map(\.member).sorted { $0.id < $1.id }
    }
  }

  /// What follows from all records.
  func result() -> Result { result(nodes.indices, Beliefs()) }

  /// What follows from only some of the records.
  func result(of some: Places) -> Result {
    result(nodes.indices.filter(some.contains), Beliefs())
  }

  private func result(_ indices: some Sequence<Int>, _ beliefs: Beliefs) -> Result {
    let indices = indices.sorted(by: isLower)
    let revocations = revocations(among: indices)
    let (spent, confirmed) = spending(indices, revocations, beliefs)
    var result = Result()
    for index in indices {
      let node = nodes[index]
      if let author = node.record.author {
        guard let budget = budget(of: author, before: node, result.counting),
          let spent = spent[index]
        else { continue }
        // What a revocation lists stands, whatever else its signer signed or signs.
        if revocations[author] == nil, case .add = node.record.action, spent > budget,
          !confirmed.contains(index)
        {
          continue
        }
      }
      result.counting.insert(index)
      if let member = node.record.member {
        if result.members[member.id] == nil { result.members[member.id] = (member, .active) }
      }
    }
    limitRenewals(indices, &result)
    for device in result.members.keys {
      let budget = (admissions[device] ?? []).filter(result.counting.contains)
        .map { self.budget(of: nodes[$0].record) }.max()
      let all = (own[device] ?? []).compactMap { spent[$0] }.max()
      result.budgets[device] = max(0, (budget ?? 0) - (all ?? 0))
    }
    // Revoked keys never come back. All ends count that any of the revocations lets stand.
    for (device, all) in revocations {
      guard let member = result.members[device]?.member else { continue }
      result.members[device] = (member, .revoked(Set(all.flatMap(\.ends)).sorted()))
    }
    return result
  }

  /// Of the epochs that a device begins by itself, only so many count as ``mayRenew(_:after:)`` lets it begin, side by side or not.
  private func limitRenewals(_ indices: [Int], _ result: inout Result) {
    let counting = indices.filter(result.counting.contains)
    let changes = counting.count { nodes[$0].record.changesMembers }
    let most = Self.freeRenewals + 2 * changes
    let renewals = Dictionary(
      grouping: counting.filter { nodes[$0].record.isRenewal && nodes[$0].record.author != nil }
    ) { nodes[$0].record.author }
    for own in renewals.values where own.count > most {
      for place in own.sorted(by: isEarlier).dropFirst(most) { result.counting.remove(place) }
    }
  }

  private func budget(of record: RosterRecord) -> Int {
    switch record.action {
    case .space: Self.firstBudget
    case .add(_, let budget): Int(budget)
    case .revoke, .renew, .confirm: 0
    }
  }

  /// The most that an admission gave a device which counts and which a record follows; nil when there is none.
  private func budget(of device: DeviceID, before node: Node, _ counting: Places) -> Int? {
    (admissions[device] ?? []).filter { node.ancestors.contains($0) && counting.contains($0) }
      .map { budget(of: nodes[$0].record) }.max()
  }

  /// How much an author signed.
  private struct Amount: Sendable {
    private var positions: [Int: Int] = [:]
    /// The most records at one position.
    private(set) var branches = 0
    private(set) var spent = 0

    mutating func add(_ node: Node) {
      positions[node.position, default: 0] += 1
      branches = max(branches, positions[node.position] ?? 0)
      if case .add(_, let budget) = node.record.action { spent += 1 + Int(budget) }
    }
  }

  /// Whether that is more than may count: too many at one position, or more than the least that an admission gave the author.
  private func isTooMuch(_ amount: Amount, of author: DeviceID) -> Bool {
    if amount.branches > Self.branchLimit { return true }
    let least = (admissions[author] ?? []).map { budget(of: nodes[$0].record) }.min() ?? 0
    return amount.spent > least
  }

  /// What a device has spent with each of its records, in the order of their positions, then hashes, those that are confirmed first;
  /// nothing for one too many at its position, or one that a revocation of the device does not list. It does not depend on which of them
  /// count.
  private func spending(
    _ indices: [Int], _ revocations: [DeviceID: [RosterRecord.Revocation]], _ beliefs: Beliefs
  ) -> (spent: [Int: Int], confirmed: Places) {
    let standing = standing(indices, revocations)
    var own: [DeviceID: [Int]] = [:]
    for index in standing {
      if let author = nodes[index].record.author { own[author, default: []].append(index) }
    }
    var spent: [Int: Int] = [:]
    var confirmed = Places()
    for (author, all) in own {
      let isRevoked = revocations[author] != nil
      if !isRevoked, isTooMuch(all.reduce(into: Amount()) { $0.add(nodes[$1]) }, of: author) {
        confirmed.formUnion(self.confirmed(all, of: author, among: standing, beliefs))
      }
      var sum = 0
      var branches: [Int: Int] = [:]
      let ordered = all.sorted(by: isEarlier)
      for index in ordered.filter(confirmed.contains) + ordered.filter({ !confirmed.contains($0) })
      {
        branches[nodes[index].position, default: 0] += 1
        guard
          isRevoked || confirmed.contains(index)
            || branches[nodes[index].position] ?? 0 <= Self.branchLimit
        else { continue }
        if case .add(_, let budget) = nodes[index].record.action { sum += 1 + Int(budget) }
        spent[index] = sum
      }
    }
    return (spent, confirmed)
  }

  // MARK: What is confirmed

  /// The devices whose word about an author counts. The first device let everybody in: about it the word of each other counts. Who lets
  /// in a device could sign in its name, too, and so could who was let in by the same one: about another device the first one's word counts,
  /// and that of those who came in by another of those whom the first device, or the recovery code, let in.
  private func witnesses(of author: DeviceID, among some: [Int]) -> Set<DeviceID> {
    var letIn: [DeviceID?: [DeviceID]] = [:]
    var first: DeviceID?
    for index in some {
      guard let member = nodes[index].record.member else { continue }
      if case .space = nodes[index].record.action {
        first = member.id
      } else {
        letIn[nodes[index].record.author, default: []].append(member.id)
      }
    }
    guard let first else { return [] }
    if first == author { return Set(letIn.values.joined()).subtracting([author]) }
    func below(_ device: DeviceID) -> Set<DeviceID> {
      var found: Set<DeviceID> = [device]
      var next = [device]
      while let one = next.popLast() {
        for device in letIn[one] ?? [] where device != first && found.insert(device).inserted {
          next.append(device)
        }
      }
      return found
    }
    let tops = Set((letIn[first] ?? []) + (letIn[nil] ?? [])).subtracting([first])
    let branches: [Set<DeviceID>] = tops.map(below)
    var (own, all): (Set<DeviceID>, Set<DeviceID>) = ([author], [first])
    for branch in branches {
      all.formUnion(branch)
      if branch.contains(author) { own.formUnion(branch) }
    }
    return all.subtracting(own)
  }

  /// Whether a record confirms anything: one of the first of its author, and of few at its position.
  private func mayConfirm(_ index: Int, among some: some Sequence<Int>) -> Bool {
    let node = nodes[index]
    guard let author = node.record.author, node.position < Self.confirmations else { return false }
    let lower = some.count {
      nodes[$0].record.author == author && nodes[$0].position == node.position
        && nodes[$0].hash < node.hash
    }
    return lower < Self.branchLimit
  }

  /// What counted for the authors of records, as far as it was found out while one thing was asked.
  private final class Beliefs {
    var known: [Int: Places] = [:]
  }

  /// What counted for the author of a record when it was signed.
  private func belief(_ index: Int, _ beliefs: Beliefs) -> Places {
    if let known = nodes[index].believed ?? beliefs.known[index] { return known }
    let found = result(nodes.indices.filter(nodes[index].ancestors.contains), beliefs).counting
    beliefs.known[index] = found
    return found
  }

  /// Those records of an author that counted for a witness when that signed one of its own.
  private func confirmed(
    _ all: [Int], of author: DeviceID, among some: [Int], _ beliefs: Beliefs
  ) -> Places {
    let witnesses = witnesses(of: author, among: some)
    let words = some.sorted().filter { index in
      nodes[index].record.author.map(witnesses.contains) ?? false && mayConfirm(index, among: some)
    }
    // From the first on: what one rests on is known by then. Where nobody signed too much it rests on nothing.
    if !disputed.isEmpty { for index in words { _ = belief(index, beliefs) } }
    var found = Places()
    // What counted for a witness counts for those who follow it.
    var followed = Places()
    for index in words.reversed() where !followed.contains(index) {
      followed.formUnion(nodes[index].ancestors)
      found.formUnion(belief(index, beliefs))
    }
    var own = Places()
    for index in all where found.contains(index) { own.insert(index) }
    return own
  }

  /// Whether an admission counts that counted for no witness of its author yet, and a device is one.
  func needsConfirmation(by device: DeviceID, _ counting: Places) -> Bool {
    guard (own[device] ?? []).count < Self.confirmations else { return false }
    let all = standing(Array(nodes.indices), revocations(among: nodes.indices))
    let admissions = Dictionary(
      grouping: all.filter { index in
        guard case .add = nodes[index].record.action else { return false }
        return counting.contains(index)
      }
    ) { nodes[$0].record.author }
    let beliefs = Beliefs()
    return admissions.contains { author, its in
      // Who is no witness is not asked; the recovery code needs none.
      guard let author, witnesses(of: author, among: all).contains(device) else { return false }
      let confirmed = confirmed(its, of: author, among: all, beliefs)
      return !its.allSatisfy(confirmed.contains)
    }
  }

  private func revocations(
    among some: some Sequence<Int>
  ) -> [DeviceID: [RosterRecord.Revocation]] {
    Dictionary(grouping: some.flatMap { nodes[$0].record.revocations }, by: \.device)
  }

  /// Those of some records that no revocation of their authors leaves out.
  private func standing(
    _ some: [Int], _ revocations: [DeviceID: [RosterRecord.Revocation]]
  ) -> [Int] {
    some.filter { index in
      guard let author = nodes[index].record.author else { return true }
      return (revocations[author] ?? []).allSatisfy { $0.records.contains(nodes[index].hash) }
    }
  }
}

/// A set of small numbers.
struct Places: Hashable, Sendable {
  private var words: [UInt64] = []

  func contains(_ place: Int) -> Bool {
    place >> 6 < words.count && words[place >> 6] >> UInt64(place & 63) & 1 == 1
  }

  mutating func insert(_ place: Int) {
    while words.count <= place >> 6 { words.append(0) }
    words[place >> 6] |= 1 << UInt64(place & 63)
  }

  mutating func remove(_ place: Int) {
    guard place >> 6 < words.count else { return }
    words[place >> 6] &= ~(1 << UInt64(place & 63))
  }

  mutating func formUnion(_ other: Places) {
    for (index, word) in other.words.enumerated() {
      if index < words.count { words[index] |= word } else { words.append(word) }
    }
  }
}
