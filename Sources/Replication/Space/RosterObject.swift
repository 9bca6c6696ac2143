internal import Bytes
internal import Sealing

/// A roster record as an object of the store, while it is taken: what was found out about it is not looked for again.
struct RosterObject {
  let object: [UInt8]
  let hash: Hash
  /// The epoch that the record is sealed under.
  let epoch: [UInt8]
  /// What stands in clear.
  private let head: [UInt8]
  /// The epoch that the record begins.
  let opening: EpochOpening?
  private let sealed: [UInt8]
  /// The key of the epoch that it begins, and those that come with it, once they are known.
  private(set) var given: [EpochKey] = []
  /// Whether no box of it has to be tried any more.
  private(set) var isTried = false
  private var opened: (record: RosterRecord, signed: SignedContent)?

  /// - Throws: ``SealingError``: `malformed`; `newer`.
  init(_ object: [UInt8]) throws(SealingError) {
    var reader = ByteReader(object)
    let plain: [UInt8]
    (epoch, plain) = try SpaceObject.readHead(.roster, &reader)
    opening = try EpochOpening.read(&reader)
    self.object = object
    hash = SpaceObject.hash(object)
    head = plain + EpochOpening.encoded(opening)
    sealed = try reader.bytes(reader.remaining)
  }

  /// Takes the key of the epoch that it begins.
  mutating func take(_ key: EpochKey, _ space: Identity) throws(SealingError) {
    guard let opening else { return }
    let earlier = try authentic { () throws(SealingError) in try opening.keys(key, in: space) }
    given = [key] + (earlier ?? [])
  }

  /// Tries its boxes for the key of the epoch that it begins, where that is not known.
  ///
  /// - Parameter most: how many may be tried; lowered by those that were.
  mutating func tryBoxes(
    _ box: SealedBox, _ space: Identity, trying most: inout Int
  ) throws(SealingError) {
    guard let opening, given.isEmpty, !isTried else {
      isTried = true
      return
    }
    let key = try opening.key(for: box, trying: &most)
    isTried = most > 0
    if let key { try take(key, space) }
  }

  mutating func tryBoxes(_ box: SealedBox, _ space: Identity) throws(SealingError) {
    var all = Int.max
    try tryBoxes(box, space, trying: &all)
  }

  /// - Parameter key: of ``epoch``.
  /// - Throws: ``SealingError``: `malformed`; `notAuthentic`; `newer`.
  mutating func open(
    _ key: EpochKey, _ space: Identity
  ) throws(SealingError) -> (record: RosterRecord, signed: SignedContent) {
    if let opened { return opened }
    let signed = try SpaceObject.open(sealed, .roster, head: head, in: space, key: key)
    let record = try RosterRecord(signed.content)
    guard record.epochDigest == EpochOpening.digest(opening),
      record.beginsEpoch == (opening != nil)
    else { throw .malformed }
    opened = (record, signed)
    return (record, signed)
  }
}
