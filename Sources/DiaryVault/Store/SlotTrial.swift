internal import Bytes
internal import Entries
internal import Sealing

/// Trying a secret on slots.
extension Vault {
  /// Whether a slot in this device's spare is one that it remembers for the key that it remembers, and a file names only keys that were
  /// replaced by that one.
  static func isOlder(
    _ file: LockedVault, than slot: KeySlot, _ keyring: Keyring, _ anchors: any AnchorStore
  ) -> Bool {
    guard let remembered = try? anchors.load(), remembered.keyID == keyring.keyID,
      remembered.slots.contains(slot)
    else { return false }
    let retired = remembered.known.lineage.links.map(\.retired)
    return !file.copies.isEmpty && file.copies.allSatisfy { retired.contains($0.keyID) }
  }

  /// The slots in the order in which they are tried. The device's spare is not sealed: what it alone has comes last, unless the
  /// anchor knows it, because all slots together may cost only so much.
  static func tried(
    _ slots: [(slot: KeySlot, keyring: Keyring)], of file: LockedVault, _ anchors: any AnchorStore
  ) -> [(slot: KeySlot, keyring: Keyring)] {
    guard let remembered = try? anchors.load() else { return slots }
    let isInDoubt = { (slot: KeySlot) in
      !file.copies.contains { $0.slots.contains(slot) } && !remembered.slots.contains(slot)
    }
    return slots.filter { !isInDoubt($0.slot) } + slots.filter { isInDoubt($0.slot) }
  }

  /// A secret that is tried on one slot after the other, and what came of it.
  struct SlotTrial {
    private let settings: VaultSettings
    private var work = SlotWork()
    private(set) var failure: VaultError?
    /// Whether it was tried on a slot and was wrong. One that could not be tried must not make guessing free.
    var isWrongForOne = false

    init(_ settings: VaultSettings) { self.settings = settings }

    /// Keeps why it could not be tried, or the vault not be opened: the first reason counts.
    mutating func note(_ error: VaultError) { failure = failure ?? error }

    /// False when all slots together would cost too much.
    mutating func maySpend(on slot: KeySlot) -> Bool {
      do throws(VaultError) { try work.spend(on: slot, settings) } catch {
        note(error)
        return false
      }
      return true
    }

    /// What the slot gives for the secret. One that is broken or asks for too much work does not keep others from being tried.
    mutating func keys(
      of slot: KeySlot, _ keyring: Keyring, with secret: borrowing SecretBytes
    ) -> VaultKeys? {
      do throws(VaultError) {
        let keys = try slot.keys(with: secret, of: keyring, leastMemory: settings.leastMemory)
        if keys == nil, slot.kind.isHashed { isWrongForOne = true }
        return keys
      } catch {
        note(error)
        return nil
      }
    }
  }

  static func nothingOpened(
    _ file: LockedVault, _ kind: SlotKind, after trial: SlotTrial
  ) -> VaultError {
    if let failure = trial.failure {
      guard trial.isWrongForOne else { return failure }
      // The secret was wrong for a slot, whatever was found behind another: one may have been put there for the guess.
      return VaultError(
        failure.code, failure.thing, failure.name, failure.reason, candidates: failure.candidates,
        part: .keySlot, slot: failure.slot)
    }
    return file.hasLostSlots
      ? VaultError(
        .damaged, .keySlot, .keyring(file.keyringProblems), part: .keySlot)
      : VaultError(kind == .face ? .noSuchSlot : .wrongSecret, file.path, slot: kind)
  }
}
