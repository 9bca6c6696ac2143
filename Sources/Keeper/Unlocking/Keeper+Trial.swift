internal import Access
internal import Authentication
internal import DiaryVault
internal import Entries
internal import Platform

/// Counting what is tried.
extension Keeper {
  /// A try at the passphrase, counted before anything is hashed.
  struct Trial {
    let device: PassphraseTry?
    let vault: VaultWaits?
    /// Where the vault counted it when it began.
    let begun: VaultWaits.Begun?

    func end(_ outcome: AccessRecord.PassphraseOutcome) throws {
      vault?.end(outcome, begun)
      try device?.end(outcome)
    }

    /// Runs the code that tries the secret, with all that comes before, and counts the result.
    ///
    /// - Parameter proves: whether what was opened shows that the secret is valid today.
    func count<Result>(
      proves: (Result) -> Bool = { _ in true }, _ body: () throws -> Result
    ) throws -> Result {
      // A try that `lock` or Ctrl-C breaks off would be a wrong one: it takes a second at most, and then we end.
      try Signals.deferring { try counted(proves: proves, body) }
    }

    /// What asks a person in the middle of it. A secret that leads so far is not wrong, and nobody who thinks holds up a signal.
    func letting(
      _ ask: @escaping (OlderCopy) throws(VaultError) -> Void
    ) -> (OlderCopy) throws(VaultError) -> Void {
      { copy throws(VaultError) in
        try? device?.end(.unknown)
        try Signals.letting { () throws(VaultError) in try ask(copy) }
      }
    }

    private func counted<Result>(
      proves: (Result) -> Bool, _ body: () throws -> Result
    ) throws -> Result {
      let result: Result
      do { result = try body() } catch {
        try end(after: error)
        throw error
      }
      // The row of the file that was opened is that file's own.
      vault?.end(.right, begun)
      try device?.end(proves(result) ? .right : .unknown)
      return result
    }

    /// What goes wrong before the secret is tried says nothing of it. A slot that was damaged on purpose must not make
    /// guessing free.
    func end(after error: any Error) throws {
      let error = error as? VaultError
      try end(error?.code == .wrongSecret || error?.part == .keySlot ? .wrong : .unknown)
    }
  }

  /// Where this device has opened the diary before, its own record counts the try and says how long to wait: the row of the
  /// vault is not sealed, and a forged one must not make the owner wait. Where it has not, the row counts.
  ///
  /// - Throws: ``AuthenticationError`` `waiting`.
  func beginTrial(
    _ factors: SecretFactor..., on file: LockedVault, _ store: DeviceStore?, _ keys: DeviceKeys?
  ) throws -> Trial {
    guard factors.contains(.passphrase) else { return Trial(device: nil, vault: nil, begun: nil) }
    let waits = waits(file)
    var own: AccessRecord?
    var isKnown = false
    // A record that is gone is not begun by a try: what says that the device knew the diary would be gone for good.
    if let store, let keys, let wasOpened = try access(store, keys).wasOpened() {
      (own, isKnown) = (access(store, keys), wasOpened)
    }
    let begun = isKnown ? nil : try waits.begin()
    return Trial(device: try own?.beginPassphrase(), vault: waits, begun: begun)
  }
}
