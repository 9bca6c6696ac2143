package import Bytes
package import Sealing

/// Taking records of the store.
extension Roster {
  /// What came of a record.
  package enum Outcome: Equatable, Sendable {
    case taken, known
    case waiting(for: Set<Hash>)
    /// It is sealed under an epoch of which nothing is known here: this device is not among those who may read it.
    case closed
  }

  /// Takes all of some objects of the store that can be taken: a record may give the keys of earlier epochs, so more than one
  /// round may be needed.
  ///
  /// - Parameters:
  ///   - keys: the epochs known here; those that records begin and give are added.
  ///   - box: opens what is sealed to this device, or to the recovery code.
  ///   - vouched: records that somebody who takes part named.
  /// - Returns: those that wait for others, those that cannot be opened with `box`, and why others are refused.
  /// - Throws: ``SealingError``: the machine's troubles, which say nothing of an object.
  package mutating func takeAll(
    _ objects: [[UInt8]], keys: inout [[UInt8]: EpochKey], box: SealedBox,
    vouched: Set<Hash> = []
  ) throws(SealingError) -> (waiting: [Hash], closed: [Hash], refused: [Hash: SealingError]) {
    var (pending, refused) = ([RosterObject](), [Hash: SealingError]())
    for object in objects {
      let hash = SpaceObject.hash(object)
      guard !has(hash) else { continue }
      do throws(SealingError) {
        var one = try prepare(object, keys, box)
        if vouched.contains(hash) { try one.tryBoxes(box, space) }
        pending.append(one)
      } catch { try Self.refuse(error, hash, &refused) }
    }
    var isMoving = true
    var waiting: [Hash] = []
    var tries = Self.triesLimit
    while isMoving {
      (isMoving, waiting) = (false, [])
      var next: [RosterObject] = []
      for var one in pending {
        let known = keys.count
        do throws(SealingError) {
          let outcome = try read(&one, &keys, box)
          switch outcome {
          case .taken: isMoving = true
          case .known: break
          case .waiting, .closed:
            next.append(one)
            if outcome != .closed { waiting.append(one.hash) }
            // One that waits may have given the key of those it waits for.
            if keys.count > known { isMoving = true }
          }
        } catch { try Self.refuse(error, one.hash, &refused) }
      }
      pending = next
      if !isMoving { isMoving = try tryBoxes(of: &pending, box, trying: &tries) }
    }
    if tries == 0 { isCut = true }
    try settle(&keys)
    let left = Set(waiting)
    return (waiting, pending.map(\.hash).filter { !left.contains($0) }, refused)
  }

  private static func refuse(
    _ error: SealingError, _ hash: Hash, _ refused: inout [Hash: SealingError]
  ) throws(SealingError) {
    guard [.newer, .malformed, .notAuthentic].contains(error) else { throw error }
    refused[hash] = error
  }

  /// Takes an object of the store.
  ///
  /// - Throws: ``SealingError``: `malformed`, `notAuthentic`, `newer`.
  package mutating func take(
    _ object: [UInt8], keys: inout [[UInt8]: EpochKey], box: SealedBox
  ) throws(SealingError) -> Outcome {
    guard !has(SpaceObject.hash(object)) else { return .known }
    var pending = try prepare(object, keys, box)
    try pending.tryBoxes(box, space)
    let outcome = try read(&pending, &keys, box)
    try settle(&keys)
    return outcome
  }

  /// So many boxes are tried of objects of which nobody can say who made them: the place can hold any number of such. Who takes part
  /// knows the epoch that a record is sealed under, or learns it from others; who comes in was told which records are new, or has the
  /// recovery code, whose box is the last.
  private static let triesLimit = 4_096

  private func prepare(
    _ object: [UInt8], _ keys: [[UInt8]: EpochKey], _ box: SealedBox
  ) throws(SealingError) -> RosterObject {
    var pending = try RosterObject(object)
    if let key = pending.opening.flatMap({ keys[$0.id] }) { try pending.take(key, space) }
    if let key = keys[pending.epoch] {
      _ = try pending.open(key, space)
    } else {
      var tries = 1
      try pending.tryBoxes(box, space, trying: &tries)
    }
    return pending
  }

  /// Tries the boxes of what nothing else opened, until one gives a key that was not known.
  private func tryBoxes(
    of pending: inout [RosterObject], _ box: SealedBox, trying tries: inout Int
  ) throws(SealingError) -> Bool {
    // Real ones are sealed to few. Of very many the place must not be able to choose which come last.
    let order = pending.indices.shuffled().sorted {
      pending[$0].opening?.boxes.count ?? 0 < pending[$1].opening?.boxes.count ?? 0
    }
    for place in order where tries > 0 && !pending[place].isTried {
      try pending[place].tryBoxes(box, space, trying: &tries)
      if !pending[place].given.isEmpty { return true }
    }
    return false
  }

  private mutating func read(
    _ pending: inout RosterObject, _ keys: inout [[UInt8]: EpochKey], _ box: SealedBox
  ) throws(SealingError) -> Outcome {
    guard !has(pending.hash) else { return .known }
    if pending.given.isEmpty, let opening = pending.opening, let key = keys[opening.id] {
      try pending.take(key, space)
    }
    // The new key gives those before it, the one that the record is sealed under among them.
    guard let key = keys[pending.epoch] ?? pending.given.first(where: { $0.id == pending.epoch })
    else { return .closed }
    let (record, signed) = try pending.open(key, space)
    // Somebody who takes part sealed it.
    try pending.tryBoxes(box, space)
    let missing = Set(record.previous.filter { !has($0) })
    guard missing.isEmpty else {
      for key in pending.given where keys[key.id] == nil { keys[key.id] = key }
      return .waiting(for: missing)
    }
    try admit(record, signed, under: pending.epoch, beginning: pending.opening?.id)
    for key in pending.given where keys[key.id] == nil { keys[key.id] = key }
    rules.append(record, pending.hash)
    seals.append(pending.epoch)
    let place = rules.nodes.count - 1
    if let opening = pending.opening {
      epochs[place] = Epoch(
        id: opening.id, verdict: .unknown, opening: opening, receivers: receivers(place))
    }
    return .taken
  }

  /// Checks a record, as far as it and those it follows allow that.
  private mutating func admit(
    _ record: RosterRecord, _ signed: SignedContent, under epoch: [UInt8],
    beginning own: [UInt8]?
  ) throws(SealingError) {
    let ancestors = rules.above(record).ancestors
    if case .space(let signing, let box, _) = record.action {
      guard Self.space(signing, box) == space, epoch == own else { throw .malformed }
      guard signed.isSigned(by: signing) else { throw .notAuthentic }
      (recoverySigning, recoveryBox) = (signing, box)
      return
    }
    // It is sealed under an epoch that it follows, and begins one that is new.
    guard epochs.contains(where: { ancestors.contains($0.key) && $0.value.id == epoch }),
      !epochs.contains(where: { ancestors.contains($0.key) && $0.value.id == own })
    else { throw .malformed }
    if case .revoke = record.action {
      guard record.previous.allSatisfy(rules.isFirst) else { throw .malformed }
    }
    if case .confirm = record.action {
      guard epoch == epochs[0]?.id else { throw .malformed }
    }
    let signer =
      record.author.map { rules.signingKey(of: $0, in: ancestors) } ?? recoverySigning
    guard let signer, signed.isSigned(by: signer) else { throw .notAuthentic }
    if case .renew = record.action, let author = record.author {
      guard rules.mayRenew(author, after: ancestors) else { throw .malformed }
    }
  }

  /// The devices that take part after a record, by what the record's author knew.
  private func receivers(_ place: Int) -> [Member] {
    rules.result(of: rules.closure(of: place)).active
  }
}
