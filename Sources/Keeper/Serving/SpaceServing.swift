internal import Access
internal import Bytes
package import DiaryVault
package import Entries
internal import Replication
package import Requests
internal import Sealing

extension Settle: VaultServed {
  package func begin(on vault: Vault) throws(VaultError) -> Work<SyncReport> {
    let reconciliation = Reconciliation(
      vault, allowing: removals, compacts: compacts, repairs: repairs, isTold: isTold)
    return Work { slice throws(VaultError) in
      try reconciliation.step(slice).map { .answer($0) } ?? .paused
    }
  }
}

extension LeaveSpace: VaultServed {
  package func begin(on vault: Vault) throws(VaultError) -> Work<Done> {
    try vault.leaveSpace()
    return Work(Done())
  }
}

extension AskSyncStatus: VaultServed {
  package func begin(on vault: Vault) throws(VaultError) -> Work<Answer> {
    Work(Answer(status: try vault.syncStatus()))
  }
}

extension ListConflicts: VaultServed {
  package func begin(on vault: Vault) throws(VaultError) -> Work<[ConflictingEntry]> {
    Work(try vault.conflicts(entry, after: after))
  }
}

extension BeginSpace: OwnerServed {
  @MainActor package func run(_ owner: OwnerWork) throws -> String {
    let vault = try owner.openVault()
    try vault.leaveUnfinishedSpace()
    let code = try RecoveryCode.make()
    let space = Roster.space(of: try SpaceIdentity(recovery: code)).text
    try owner.announce(try RecoveryCode.text(of: code), CodeFacts(id: space))
    try owner.openVault()
    try vault.beginSpace(recovery: code, name: name)
    _ = try Reconciliation(vault).finish()
    return space
  }
}

extension InviteDevice: OwnerServed {
  /// Answers the device's name.
  @MainActor package func run(_ owner: OwnerWork) throws -> String {
    let vault = try owner.openVault()
    let space = try vault.requireRoom()
    let code = try RecoveryCode.make()
    let pairing = try Pairing(code)
    // No code is shown where another device would find only a part of what it needs.
    try owner.exchange(space: space, join: pairing.id.text)
    try owner.announce(try Pairing.text(of: code, space: space), CodeFacts())
    var refused: Set<String> = []
    while true {
      try owner.exchange(space: space, join: pairing.id.text)
      // Of two devices that have the code one is not the owner's, who compares what each of them shows.
      let requests = try vault.requests(pairing)
      for request in requests where !refused.contains(request.check) {
        let question = OwnerQuestion.letIn(
          name: request.name, check: request.check, of: requests.count)
        let isAgreed = try owner.agrees(to: question)
        do {
          try owner.openVault()
          guard isAgreed else {
            try vault.refuse(request, pairing)
            refused.insert(request.check)
            continue
          }
          try letIn(request, pairing, vault)
        } catch {
          // Its passphrase was replaced, or this device was revoked meanwhile: the other need not wait until it gives up.
          try? vault.refuse(request, pairing)
          try? owner.exchange(space: space, join: pairing.id.text)
          throw error
        }
        _ = try Reconciliation(vault).finish()
        try owner.exchange(space: space, join: pairing.id.text)
        return request.name
      }
    }
  }

  @MainActor private func letIn(
    _ request: JoinRequest, _ pairing: Pairing, _ vault: Vault
  ) throws(VaultError) {
    // What others did to the roster meanwhile comes first, what was done here goes along.
    _ = try Reconciliation(vault).finish()
    _ = try vault.requireRoom()
    try vault.letIn(request, pairing)
  }
}

extension JoinSpace: OwnerServed {
  @MainActor package func run(_ owner: OwnerWork) throws -> SyncReport {
    let vault = try owner.openVault()
    let code = try owner.desk.pairingCode()
    try owner.openVault()
    let (join, check) = try vault.askToJoin(
      code: code.code.secret, space: code.space, name: name)
    _ = try owner.ask(.asked(check: check))
    while true {
      try owner.exchange(space: try vault.space(), join: join)
      try owner.openVault()
      let report = try Reconciliation(vault).finish()
      guard !report.isAsking else {
        // Somebody with the code let this device in, but into another space than the one that was typed.
        if report.isOtherSpace {
          throw VaultError(.invalid, owner.keeper.location.vault, .codeOfAnotherSpace)
        }
        if report.isRefused {
          throw VaultError(.declined, owner.keeper.location.vault, .wasNotLetIn)
        }
        continue
      }
      // What it brings goes out, and files that entries want come in.
      try owner.exchange(space: try vault.space(), join: nil)
      var whole = try Reconciliation(vault, isTold: true).finish()
      whole.merged += report.merged
      whole.troubles += report.troubles.filter { !whole.troubles.contains($0) }
      whole.entries = try Snapshot(vault).count
      whole.namesakes = try namesakes(vault)
      return whole
    }
  }
}

/// The devices that have the name of this one: where it knows that it was one of them before, that one.
private func namesakes(_ vault: Vault) throws(VaultError) -> [String] {
  let devices = try vault.syncStatus()?.devices ?? []
  let own = devices.first(where: \.isThis)?.name
  let found = devices.filter { !$0.isThis && !$0.isRevoked && $0.name == own }.map(\.id)
  let before = try vault.formerDevices()
  let known = found.filter(before.contains)
  return known.isEmpty ? found : known
}

extension RecoverSpace: OwnerServed {
  @MainActor package func run(_ owner: OwnerWork) throws -> SyncReport {
    let vault = try owner.openVault()
    try vault.leaveUnfinishedSpace()
    let code = try owner.desk.spaceCode()
    let space = Roster.space(of: try SpaceIdentity(recovery: code.secret)).text
    try owner.exchange(space: space, join: nil)
    // Who was there before goes on only where all is here that it had merged: a place may give some of it a moment later.
    for _ in 0..<2 where !vault.hasAllListed { try owner.exchange(space: space, join: nil) }
    try owner.openVault()
    try vault.recoverSpace(recovery: code.secret, name: name)
    var report = try Reconciliation(vault).finish()
    report.entries = try Snapshot(vault).count
    report.namesakes = try namesakes(vault)
    try owner.exchange(space: space, join: nil)
    // Only now is it sure that a person is told.
    if report.troubles.contains(where: \.isKept) {
      _ = try Reconciliation(vault, isTold: true).finish()
    }
    return report
  }
}

extension RevokeDevice: OwnerServed {
  @MainActor package func run(_ owner: OwnerWork) throws -> RevokedDevice {
    let vault = try owner.openVault()
    let space = try vault.requireSpace()
    try owner.exchange(space: space, join: nil)
    let waiting = try Reconciliation(vault).finish().removals
    // Before the recovery code is asked for.
    try vault.requireActive()
    guard losesWaiting || waiting == 0 else {
      throw VaultError(.conflict, .device, device, .changesWait(waiting))
    }
    let code = try owner.desk.spaceCode()
    try owner.openVault()
    let revoked = try vault.revoke(device, recovery: code.secret)
    _ = try Reconciliation(vault).finish()
    try owner.exchange(space: space, join: nil)
    return revoked
  }
}
