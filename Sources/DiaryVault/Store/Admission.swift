internal import Entries

/// The only gate to an open vault. Code that opens a vault, or checks an open one again, asks here
/// what it may do with it.
///
/// The door is what the vault is opened for; the standing is what was found out about it. The
/// checks are, in this order: the role of the file, the lineage of its key, whether this device was
/// given another key, its anchor and the counter in its chip, the slot and its kind. `ThreatModel` has the table.
enum Admission {
  /// What a vault is opened for.
  enum Door: CaseIterable {
    /// By passphrase or recovery code; also to prove one again, and with a device that was reset.
    case secret
    /// By a face, with a passphrase or without.
    case face
    /// By a face, from the memory of a session that a passphrase opened.
    case warm
    /// An open diary that looks at its file again.
    case session
    /// By a secret, after an older copy was put back on purpose.
    case acceptance
    /// By a secret that is valid today, to make a backup the diary or to take its contents.
    case backup
    /// By a secret, to take out what still opens.
    case salvage
  }

  /// What a vault turned out to be.
  struct Standing: Equatable {
    var role: StateRecord.Role
    /// How its key relates to the one this device remembers; nil when it remembers none.
    var lineage: KnownLineage.Finding?
    /// How its state relates to the one this device remembers; nil when it remembers none.
    var anchor: Anchor.Finding?
    /// How the counter in this device's chip relates to the anchor; nil where no chip counts, or none is asked.
    var chip: ChipCount.Finding?
    /// Whether the vault knows that this device was given another key since. A session goes on with what it holds.
    var isDeviceReplaced = false
    /// Whether the slot that opened it counts; true where none did.
    var isSlotKnown = true
    /// Whether the vault's own policy allows the kind of slot.
    var isKindAllowed = true
  }

  enum Verdict: Equatable {
    case write
    /// It is read, and never written: a backup.
    case read
    /// An older copy or a fork, with which the owner has to decide to go on.
    case ask
    case refuse(Refusal)
  }

  enum Refusal: Equatable {
    /// A backup where a face opens the diary.
    case backup
    /// A live diary where a backup is wanted.
    case noBackup
    /// Sealed under a key that was replaced.
    case retiredKey
    /// Sealed under a key that does not follow the one this device remembers.
    case foreignKey
    /// The device store is one from before its key was replaced.
    case replacedDevice
    case olderCopy
    case fork
    /// The device's chip has counted what vault and device store know nothing of, or less than they do, or has no counter.
    case chipAhead, chipBehind, chipGone

    /// Whether a write by another process at this moment can look like this, as long as it is not locked out.
    var mayPass: Bool {
      switch self {
      case .chipAhead, .chipBehind, .olderCopy, .fork: true
      case .backup, .noBackup, .retiredKey, .foreignKey, .replacedDevice, .chipGone, .slot, .kind:
        false
      }
    }
    /// The slot was removed, or its secret replaced.
    case slot
    /// No slot of this kind may open it.
    case kind
  }

  static func verdict(at door: Door, _ standing: Standing) -> Verdict {
    let slot: Refusal? = standing.isSlotKnown ? nil : .slot
    switch (door, standing.role) {
    case (.salvage, _), (.backup, .backup), (.secret, .backup), (.acceptance, .backup):
      return slot.map { .refuse($0) } ?? .read
    case (.backup, .live): return .refuse(.noBackup)
    case (.face, .backup), (.warm, .backup): return .refuse(.backup)
    // A backup that was opened as one is not asked about again.
    case (.session, .backup): return .refuse(.olderCopy)
    case (.secret, .live), (.face, .live), (.warm, .live), (.session, .live), (.acceptance, .live):
      break
    }
    switch standing.lineage {
    case .retired: return .refuse(.retiredKey)
    case .foreign: return .refuse(.foreignKey)
    case .same, .continued, nil: break
    }
    // It may be an old copy of a device store, so what it remembers proves nothing.
    if standing.isDeviceReplaced { return .refuse(.replacedDevice) }
    // The owner who accepts an older copy decides, with a slot that counts.
    func asked(_ refusal: Refusal) -> Verdict {
      door == .acceptance ? slot.map { .refuse($0) } ?? .ask : .refuse(refusal)
    }
    switch standing.anchor {
    case .same, .ahead, .acceptedElsewhere: break
    // The owner who accepts also decides where this device remembers nothing.
    case nil: if door == .acceptance { return asked(.olderCopy) }
    case .rolledBack: return asked(.olderCopy)
    case .forked: return asked(.fork)
    }
    switch standing.chip {
    case .same, nil: break
    case .ahead: return asked(.chipAhead)
    case .behind: return asked(.chipBehind)
    case .gone: return asked(.chipGone)
    }
    if let slot { return .refuse(slot) }
    return standing.isKindAllowed ? .write : .refuse(.kind)
  }
}
