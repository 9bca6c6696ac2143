package import Bytes
internal import Sealing

/// One change of who takes part.
package struct RosterRecord: Hashable, Sendable {
  package enum Action: Hashable, Sendable {
    /// The space is made, by its recovery code and its first device.
    case space(recoverySigning: [UInt8], recoveryBox: [UInt8], Member)
    /// A device is let in, with how many others it may let in itself.
    case add(Member, budget: UInt8)
    /// Devices are taken out, with the recovery code. It follows the first record alone and is sealed under the first epoch, so that all
    /// who take part can read it, whatever the device knew that it was made on.
    case revoke([Revocation])
    /// A new epoch for those who take part.
    case renew
    /// Nothing changes: what counts for the author, who has what it follows, is not taken back by others (``RosterRules``). It is sealed
    /// under the first epoch, too.
    case confirm
  }

  /// What still counts of a device that is taken out.
  package struct Revocation: Hashable, Sendable {
    package let device: DeviceID
    /// Its segments up to these ends of its own log.
    package let ends: [LogEnd]
    /// These roster records that it signed.
    package let records: [Hash]

    package init(_ device: DeviceID, ends: [LogEnd], records: [Hash]) {
      self.device = device
      self.ends = ends
      self.records = records
    }
  }

  /// The records it follows, in order.
  package let previous: [Hash]
  /// nil for the recovery code.
  package let author: DeviceID?
  package let action: Action
  /// The digest of what stands in clear beside it: the epoch that it begins, if it begins one.
  let epochDigest: [UInt8]

  package init(previous: [Hash], author: DeviceID?, _ action: Action, epochDigest: [UInt8]) {
    self.previous = previous
    self.author = author
    self.action = action
    self.epochDigest = epochDigest
  }

  /// Whether it must begin an epoch. Others must not.
  var beginsEpoch: Bool {
    switch action {
    case .space, .renew: true
    case .add, .revoke, .confirm: false
    }
  }

  /// Whether it begins an epoch and changes nobody's part.
  var isRenewal: Bool { if case .renew = action { true } else { false } }

  /// Whether it says who takes part.
  var changesMembers: Bool { member != nil || !revocations.isEmpty }

  var isConfirmation: Bool { if case .confirm = action { true } else { false } }

  /// The device that it lets in.
  var member: Member? {
    switch action {
    case .space(_, _, let member), .add(let member, _): member
    case .revoke, .renew, .confirm: nil
    }
  }

  var revocations: [Revocation] { if case .revoke(let all) = action { all } else { [] } }
}

/// Its form. A record has exactly one, and a reader accepts no other.
extension RosterRecord {
  /// The most records that one may follow, or lists of what a device signed.
  private static let listLimit: UInt64 = 65_536

  package func encoded() -> [UInt8] {
    var writer = ByteWriter(reserving: 256)
    Self.put(previous, to: &writer)
    writer.put(UInt8(author == nil ? 0 : 1))
    author?.encode(to: &writer)
    switch action {
    case .space(let signing, let box, let member):
      writer.put(UInt8(1))
      writer.put(signing)
      writer.put(box)
      member.encode(to: &writer)
    case .add(let member, let budget):
      writer.put(UInt8(2))
      member.encode(to: &writer)
      writer.put(budget)
    case .revoke(let all):
      writer.put(UInt8(3))
      Self.encode(all, to: &writer)
    case .renew: writer.put(UInt8(4))
    case .confirm: writer.put(UInt8(5))
    }
    writer.put(epochDigest)
    return writer.bytes
  }

  /// - Throws: ``SealingError`` `malformed`; `newer` for an action of a later program.
  init(_ bytes: [UInt8]) throws(SealingError) {
    try self.init(bytes) { reader throws(SealingError) in try Member(&reader) }
    guard encoded() == bytes, isWellFormed else { throw .malformed }
  }

  /// Reads one that was checked before it was kept.
  init(kept bytes: [UInt8]) throws(SealingError) {
    try self.init(bytes) { reader throws(SealingError) in try Member(kept: &reader) }
  }

  private init(
    _ bytes: [UInt8], member: (inout ByteReader) throws(SealingError) -> Member
  ) throws(SealingError) {
    var reader = ByteReader(bytes)
    previous = try Self.hashes(&reader)
    author = try reader.flag() ? try DeviceID(&reader) : nil
    switch try reader.uint8() {
    case 1:
      action = .space(
        recoverySigning: try reader.bytes(32), recoveryBox: try reader.bytes(32),
        try member(&reader))
    case 2: action = .add(try member(&reader), budget: try reader.uint8())
    case 3: action = .revoke(try Self.revocations(&reader))
    case 4: action = .renew
    case 5: action = .confirm
    default: throw .newer
    }
    epochDigest = try reader.bytes(32)
    try reader.expectEnd()
  }

  /// Who may sign what, as far as the record alone says it.
  private var isWellFormed: Bool {
    switch action {
    case .space: previous.isEmpty && author == nil
    case .revoke: previous.count == 1 && author == nil
    case .add, .renew: !previous.isEmpty
    case .confirm: !previous.isEmpty && author != nil
    }
  }

  private static func put(_ hashes: [Hash], to writer: inout ByteWriter) {
    writer.putVarint(UInt64(hashes.count))
    for hash in hashes { hash.encode(to: &writer) }
  }

  private static func hashes(_ reader: inout ByteReader) throws(SealingError) -> [Hash] {
    let count = try reader.varint()
    guard count <= listLimit else { throw .malformed }
    var hashes: [Hash] = []
    for _ in 0..<count {
      let hash = try Hash(&reader)
      guard hashes.last.map({ $0 < hash }) ?? true else { throw .malformed }
      hashes.append(hash)
    }
    return hashes
  }

  static func encode(_ all: [Revocation], to writer: inout ByteWriter) {
    writer.putVarint(UInt64(all.count))
    for one in all {
      one.device.encode(to: &writer)
      one.ends.encode(to: &writer)
      put(one.records, to: &writer)
    }
  }

  static func revocations(
    _ reader: inout ByteReader
  ) throws(SealingError) -> [Revocation] {
    let count = try reader.varint()
    guard (1...listLimit).contains(count) else { throw .malformed }
    var all: [Revocation] = []
    for _ in 0..<count {
      let one = Revocation(
        try DeviceID(&reader), ends: try [LogEnd](&reader), records: try hashes(&reader))
      guard all.last.map({ $0.device < one.device }) ?? true,
        one.ends.allSatisfy({ $0.device == one.device })
      else { throw .malformed }
      all.append(one)
    }
    return all
  }
}
