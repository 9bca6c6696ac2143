package import Entries

/// What people are told of each trouble, wherever they look.
extension SyncTrouble {
  package var message: SyncMessage {
    switch self {
    case .lost(let count): .lost(count)
    case .goneHere(let count): .goneHere(count)
    case .neverCame(let count): .neverCame(count)
    case .damaged(let count): .damaged(count)
    case .refused(let device): .wasRefused(device: device)
    case .wroteAfterRevocation(let device): .wroteAfterRevocation(device: device)
    case .copied: .copied
    case .closed: .closed
    case .unreadable(let count): .unreadable(count)
    case .newer: .newer
    case .survived(let count, let entries): .survived(count, entries.map(\.short))
    case .cameBack(let count, let entries): .cameBack(count, entries.map(\.short))
    }
  }

  /// What to do; nil where there is nothing.
  package var next: SyncMessage? {
    switch self {
    case .lost: .repairPutsBack
    case .goneHere: .joinAnew
    case .neverCame: .repairWhereKept
    case .damaged: .repairElsewhere
    case .refused: .lookAtDevice
    case .wroteAfterRevocation: nil
    case .copied: .oneCopy
    case .closed: .joinAgain
    case .unreadable: .syncOthersFirst
    case .newer: .update
    case .survived, .cameBack: .removeAgain
    }
  }
}
