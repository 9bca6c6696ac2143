package import Entries

/// Puts the diary into a space of its own; its recovery code is shown before it counts. Answers the space, 26 base32 characters.
package struct BeginSpace: Request {
  package typealias Answer = String
  package static let kind = RequestKind.beginSpace
  package static let access = RequestAccess.owner
  package let name: String
  package init(name: String) { self.name = name }
}

/// Lets another device in, by a code that is shown once.
package struct InviteDevice: Request {
  package typealias Answer = String
  package static let kind = RequestKind.inviteDevice
  package static let access = RequestAccess.owner
  package init() {}
}

/// Asks to come in by a code, and waits until it is let in.
package struct JoinSpace: Request {
  package typealias Answer = SyncReport
  package static let kind = RequestKind.joinSpace
  package static let access = RequestAccess.owner
  package let name: String
  package init(name: String) { self.name = name }
}

/// Joins with the space's recovery code and what the store has.
package struct RecoverSpace: Request {
  package typealias Answer = SyncReport
  package static let kind = RequestKind.recoverSpace
  package static let access = RequestAccess.owner
  package let name: String
  package init(name: String) { self.name = name }
}

/// Takes a device out with the space's recovery code.
package struct RevokeDevice: Request {
  package typealias Answer = RevokedDevice
  package static let kind = RequestKind.revokeDevice
  package static let access = RequestAccess.owner
  package let device: String
  /// Also where it may lose changes that wait for the owner's decision.
  package let losesWaiting: Bool
  package init(_ device: String, losesWaiting: Bool) {
    self.device = device
    self.losesWaiting = losesWaiting
  }
}
