package import DiaryVault
internal import Replication
internal import Sealing

/// Puts the diary into a space of its own; its recovery code is shown before it counts. Answers the space, 26 base32 characters.
package struct BeginSpace: OwnerRequest {
  package static let kind = OwnerRequestKind.beginSpace
  let name: String
  package init(name: String) { self.name = name }
  @MainActor package func run(_ owner: OwnerWork) throws -> String {
    let vault = try owner.openVault()
    try vault.leaveUnfinishedSpace()
    let code = try RecoveryCode.make()
    let space = Roster.space(of: try SpaceIdentity(recovery: code)).text
    try owner.announce(try RecoveryCode.text(of: code), CodeFacts(id: space))
    try vault.beginSpace(recovery: code, name: name)
    _ = try Reconciliation(vault).finish()
    return space
  }
}

/// Lets another device in, by a code that is shown once.
package struct InviteDevice: OwnerRequest {
  package static let kind = OwnerRequestKind.inviteDevice
  package init() {}
  /// Answers the device's name.
  @MainActor package func run(_ owner: OwnerWork) throws -> String {
    let vault = try owner.openVault()
    let space = try vault.requireSpace()
    let code = try RecoveryCode.make()
    let pairing = try Pairing(code)
    try owner.announce(try Pairing.text(of: code, space: space), CodeFacts())
    while true {
      try owner.exchange(space: space, join: pairing.id.text)
      let requests = try vault.requests(pairing)
      // Two who have the code: one of them is nobody's device.
      guard requests.count < 2 else { throw VaultError(.ambiguous, .device, requests[0].name) }
      if let request = requests.first {
        guard case .yes = try owner.ask(.letIn(name: request.name, check: request.check)) else {
          throw VaultError(.declined, owner.keeper.location.vault)
        }
        // What others did to the roster meanwhile comes first, what was done here goes along.
        _ = try Reconciliation(vault).finish()
        try vault.letIn(request, pairing)
        _ = try Reconciliation(vault).finish()
        try owner.exchange(space: space, join: pairing.id.text)
        return request.name
      }
    }
  }
}

/// Asks to come in by a code, and waits until it is let in.
package struct JoinSpace: OwnerRequest {
  package static let kind = OwnerRequestKind.joinSpace
  let name: String
  package init(name: String) { self.name = name }

  @MainActor package func run(_ owner: OwnerWork) throws -> SyncReport {
    let vault = try owner.openVault()
    let code = try owner.desk.pairingCode()
    let (join, check) = try vault.askToJoin(
      code: code.code.secret, space: code.space, name: name)
    _ = try owner.ask(.asked(check: check))
    while true {
      try owner.exchange(space: try vault.space(), join: join)
      let report = try Reconciliation(vault, allowsRemovals: true).finish()
      guard !report.isAsking else {
        // Whoever has the code let this device in, but into another space than was typed.
        if report.isOtherSpace {
          throw VaultError(.invalid, owner.keeper.location.vault, .codeOfAnotherSpace)
        }
        continue
      }
      // What it brings goes out, and files that entries want come in.
      try owner.exchange(space: try vault.space(), join: nil)
      var whole = try Reconciliation(vault, allowsRemovals: true).finish()
      whole.merged += report.merged
      return whole
    }
  }
}

/// Comes in by the space's recovery code and what the store has.
package struct RecoverSpace: OwnerRequest {
  package static let kind = OwnerRequestKind.recoverSpace
  let name: String
  package init(name: String) { self.name = name }
  @MainActor package func run(_ owner: OwnerWork) throws -> SyncReport {
    let vault = try owner.openVault()
    try vault.leaveUnfinishedSpace()
    let code = try owner.desk.spaceCode()
    let space = Roster.space(of: try SpaceIdentity(recovery: code.secret)).text
    try owner.exchange(space: space, join: nil)
    try vault.recoverSpace(recovery: code.secret, name: name)
    let report = try Reconciliation(vault, allowsRemovals: true).finish()
    try owner.exchange(space: space, join: nil)
    return report
  }
}

/// Takes a device out, by the space's recovery code. Answers its name.
package struct RevokeDevice: OwnerRequest {
  package static let kind = OwnerRequestKind.revokeDevice
  let device: String
  package init(_ device: String) { self.device = device }
  @MainActor package func run(_ owner: OwnerWork) throws -> String {
    let vault = try owner.openVault()
    let space = try vault.requireSpace()
    try owner.exchange(space: space, join: nil)
    _ = try Reconciliation(vault).finish()
    let name = try vault.revoke(device, recovery: try owner.desk.spaceCode().secret)
    _ = try Reconciliation(vault).finish()
    try owner.exchange(space: space, join: nil)
    return name
  }
}

extension OwnerWork {
  /// - Throws: ``AuthenticationError`` `notOwner` when nothing was opened.
  fileprivate func openVault() throws -> Vault {
    _ = try owner()
    return try keeper.vault()
  }

  /// Lets the client move objects between mirror and place: this process has no network.
  ///
  /// - Throws: ``VaultError`` `declined` when nobody waits any more.
  fileprivate func exchange(space: String?, join: String?) throws {
    guard case .yes = try ask(.exchange(space: space, join: join)) else {
      throw VaultError(.declined, keeper.location.vault)
    }
  }
}
