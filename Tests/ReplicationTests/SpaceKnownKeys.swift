import Bytes
import Sealing

@testable import Replication

/// What the objects of `Keys/vectors/space` are made of.
extension SpaceKnownAnswerTests {
  static let recoveryCode = count(0x01, 16)
  static let (laptopSeed, phoneSeed) = (count(0x20, 32), count(0x40, 32))
  static let pairingCode = count(0x60, 16)
  static let epochKey = count(0x80, 32)
  static let (laptopID, phoneID) = (
    made("laptop", laptopSeed), made("電話", phoneSeed)
  )

  static func made(_ name: String, _ seed: [UInt8]) -> DeviceID {
    let keys = try? SpaceIdentity(seed: secret(seed))
    return keys.map { Member(name: name, $0).id } ?? Hash(count(0, 32))
  }

  static func recovery() throws -> SpaceIdentity {
    try SpaceIdentity(recovery: try secret(recoveryCode))
  }
  static func laptop() throws -> SpaceIdentity {
    try SpaceIdentity(seed: try secret(laptopSeed))
  }
  static func phone() throws -> SpaceIdentity {
    try SpaceIdentity(seed: try secret(phoneSeed))
  }
  static func space() throws -> Identity { Roster.space(of: try recovery()) }
  static func epoch() throws -> EpochKey { try EpochKey(try secret(epochKey)) }
  static func pairing() throws -> Pairing { try Pairing(try secret(pairingCode)) }
  static func members() throws -> (laptop: Member, phone: Member) {
    (
      Member(name: "laptop", try laptop()),
      Member(name: "電話", try phone())
    )
  }

  /// An operation whose body no device writes says nothing; here it is an error.
  static func check(_ copy: SignedSegment) throws {
    for (body, operation) in zip(copy.operations, copy.segment().operations) where !body.isGone {
      switch operation {
      case .revisionGone, .setGone: throw SealingError.malformed
      default: break
      }
    }
  }
}
