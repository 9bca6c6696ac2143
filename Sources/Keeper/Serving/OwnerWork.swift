package import Access
internal import DiaryVault
internal import Entries
package import Requests
package import Sealing

/// Where a keeper gets secrets and shows them: the terminal, standard streams, files. No secret crosses a socket.
@MainActor
package protocol OwnerDesk {
  /// A new passphrase, which a person chooses now.
  func newPassphrase() throws -> SecretBytes
  /// A new PIN for the chip that keeps the device key, which a person chooses now.
  func newPIN() throws -> SecretBytes
  /// The PIN that the device key in the chip asks for.
  func pin() throws -> SecretBytes
  /// The passphrase or recovery code, given now.
  func secretNow() throws -> GivenSecret
  /// The passphrase of a backup that was made before the key was replaced, nil when none was named.
  func backupPassphrase() throws -> SecretBytesBox?
  /// Writes a recovery code to standard output with what stands around it, at once; done when it is written.
  func show(_ code: borrowing SecretBytes, before: String, after: String) throws
  /// Whether a person agrees to what is said, in a dialog.
  func confirms(_ words: String) throws -> Bool
  /// The recovery code of the space that the diary's devices share: its 16 bytes.
  func spaceCode() throws -> SecretBytesBox
  /// The one-time code by which this device asks to come in: 16 bytes, and what the space's name begins with.
  func pairingCode() throws -> (code: SecretBytesBox, space: String)
}

/// What an owner's request works with.
@MainActor
package struct OwnerWork {
  package let keeper: Keeper
  /// Of the diary that was opened; nil for a request that opens none.
  let rights: OwnerRights?
  package let desk: any OwnerDesk
  /// What opened it.
  package let given: GivenSecret?
  package let ask: (OwnerQuestion) throws -> OwnerReply

  package init(
    keeper: Keeper, rights: OwnerRights?, desk: any OwnerDesk, given: GivenSecret?,
    ask: @escaping (OwnerQuestion) throws -> OwnerReply
  ) {
    self.keeper = keeper
    self.rights = rights
    self.desk = desk
    self.given = given
    self.ask = ask
  }

  /// - Throws: ``AuthenticationError`` `notOwner` when nothing was opened.
  package func owner() throws -> OwnerRights {
    guard let rights else { throw AuthenticationError(.notOwner, keeper.location.vault) }
    return rights
  }

  /// Ends the session of this diary, where there is one.
  package func endSession() throws {
    guard case .yes = try ask(.endSession) else { throw SessionError.foreign }
  }

  /// Runs what opens the diary, once more with the PIN where only the secret has shown that its key needs one.
  func givingPIN(_ body: () throws -> Void) throws {
    do { try body() } catch let error as AuthenticationError
      where error.reason == .chip(.needsPIN) && (try? keeper.needsPIN()) == true
    {
      try keeper.unlockChip(with: SecretBytesBox(try desk.pin()))
      try body()
    }
  }

  package func progress(_ done: Int, _ total: Int) { _ = try? ask(.progress(done, total)) }

  /// Shows a recovery code; when this throws, nobody saw it.
  package func announce(_ code: borrowing SecretBytes, _ facts: CodeFacts) throws {
    guard case .announcement(let before, let after) = try ask(.announce(facts)) else {
      throw SessionError.foreign
    }
    try desk.show(code, before: before, after: after)
  }

  /// Whether the owner agrees.
  package func agrees(to question: OwnerQuestion) throws -> Bool {
    switch try ask(question) {
    case .yes: true
    case .dialog(let words): try desk.confirms(words)
    case .no, .sealed, .announcement: false
    }
  }

  /// The open diary's slots.
  package func slots() throws -> [KeySlotFacts] {
    keeper.isOpen ? try keeper.slotFacts() : []
  }
}

extension OwnerWork {
  /// What opens a backup that was made before the key was replaced, where the owner named it.
  func secretOfBackup() throws -> GivenSecret? {
    try desk.backupPassphrase().map {
      GivenSecret(factor: .passphrase, secret: try $0.secret.copy())
    }
  }

  /// - Throws: ``VaultError`` `declined` when the owner says no.
  func confirm(_ facts: BackupFacts) throws {
    guard case .yes = try ask(.replaceDiary(facts)) else {
      throw VaultError(.declined, keeper.location.vault)
    }
  }
}

extension OwnerWork {
  /// The open diary; asked again after each wait, in which what opened it may have been replaced.
  ///
  /// - Throws: ``AuthenticationError`` `notOwner` when nothing was opened; what ``Keeper/require(_:)`` throws.
  @discardableResult
  func openVault() throws -> Vault {
    try keeper.require(owner())
    return try keeper.vault()
  }

  /// Lets the client move objects between mirror and place: this process has no network.
  ///
  /// - Throws: ``VaultError`` `declined` when nobody waits any more.
  func exchange(space: String?, join: String?) throws {
    guard case .yes = try ask(.exchange(space: space, join: join)) else {
      throw VaultError(.declined, keeper.location.vault)
    }
  }
}
