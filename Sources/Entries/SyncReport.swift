/// What settling a diary with its other devices came to.
package struct SyncReport: Codable, Sendable, Equatable {
  /// Whether the diary has no other devices.
  package var sharesNothing = false
  /// Whether it waits to be let in.
  package var isAsking = false
  /// Whether a device of another space than the pairing code names answered.
  package var isOtherSpace = false
  /// Whether somebody who has the pairing code said no.
  package var isRefused = false
  /// Segments written here, to be moved to the store.
  package var pushed = 0
  /// Segments of other devices that were merged, and entries they changed.
  package var pulled = 0
  package var merged = 0
  /// Of a device that came in, how many entries the diary has now.
  package var entries: Int?
  /// Entries that have more than one text now.
  package var conflicts = 0
  /// Segments that wait for others, which are not here.
  package var waiting = 0
  /// Entries that would be removed and wait for confirmation; 0 when there are none.
  package var removals = 0
  /// Entries that were removed because the owner had agreed to so many.
  package var agreed = 0
  /// Photos and files that are not here yet.
  package var missingFiles = 0
  /// Ids of other devices that have the name of this one, which has just come in.
  package var namesakes: [String] = []
  package var troubles: [SyncTrouble] = []
  /// Objects in the place that are of no use: what refused and damaged ones are called there; the first of them.
  package var unusable: [String] = []
  /// Objects that nothing here opens, by name, where no other piece of the place is damaged or gone: then they are not of this diary.
  package var unreadable: [String] = []
  /// Packs that were written here.
  package var packed = 0
  /// Names of objects that packs replace, to be removed from the place.
  package var replaced: [String] = []
  /// The packs because of which they may be removed, once the place was found to return them as they are.
  package var answering: [String] = []

  package init() {}

  /// As many names as a person is shown, in order.
  package static func few(_ names: some Sequence<String>) -> [String] {
    Array(Set(names).sorted().prefix(10))
  }
}

/// What is wrong with a place or with what is in it. Nothing here is deleted for any of it.
package enum SyncTrouble: Codable, Sendable, Hashable {
  /// The place had objects that it no longer has.
  case lost(Int)
  /// Objects that this device wrote and that are gone everywhere, also here.
  case goneHere(Int)
  /// Objects that the device which let this one in had, and that never came. Nobody waits for them any more.
  case neverCame(Int)
  /// Objects whose bytes do not match their names: incomplete or damaged.
  case damaged(Int)
  /// A segment that no device of the space can have written: who it says wrote it.
  case refused(device: String)
  /// A device wrote after it was revoked.
  case wroteAfterRevocation(device: String)
  /// Somebody else writes as this device: a copy of it, or this diary before a backup was restored.
  case copied
  /// This device was revoked: it may not read what is written now.
  case closed
  /// Objects under a key of which nothing is known here: not of this diary, or what opens them has not come.
  case unreadable(Int)
  /// Written by a later version of this program.
  case newer
  /// Entries that another device removed for good and that stay: this device had them as that one did not know them, which is so of
  /// all of them where a device joins again. How many, and the first of them.
  case survived(Int, [EntryID])
  /// Entries that this device removed for good and that are here again: another one had them as this device did not know them.
  case cameBack(Int, [EntryID])

  /// Whether it is found once, and kept until a person has been told.
  package var isKept: Bool {
    switch self {
    case .copied, .newer, .wroteAfterRevocation, .survived, .cameBack: true
    default: false
    }
  }

  package var isLoss: Bool { if case .lost = self { true } else { false } }

  /// Whether anything of the diary, its space or its place is not as it should be. That a lost device goes on writing is none.
  public var isFailure: Bool {
    switch self {
    case .wroteAfterRevocation, .survived, .cameBack: false
    default: true
    }
  }
}

/// A device that was taken out.
package struct RevokedDevice: Codable, Sendable, Equatable {
  package let name: String
  /// Devices that it had let in and that still take part: their names and the beginnings of their ids.
  package let letIn: [String]

  package init(name: String, letIn: [String]) {
    self.name = name
    self.letIn = letIn
  }
}

/// A device of the space, for people.
package struct SyncDevice: Codable, Sendable, Equatable {
  package let id: String
  package let name: String
  package let isThis: Bool
  package let isRevoked: Bool
  /// Seconds since 1970 when something new of it came here last; nil for never.
  package let heard: Int64?
  /// How many segments of it are merged.
  package let segments: Int

  package init(
    id: String, name: String, isThis: Bool, isRevoked: Bool, heard: Int64?, segments: Int
  ) {
    self.id = id
    self.name = name
    self.isThis = isThis
    self.isRevoked = isRevoked
    self.heard = heard
    self.segments = segments
  }
}

/// Where a diary stands among its devices.
package struct SyncStatus: Codable, Sendable, Equatable {
  package let space: String?
  package let isAsking: Bool
  package let devices: [SyncDevice]
  /// Eight symbols that are the same wherever the same was merged.
  package let digest: String
  package let unpublished: Int
  package let conflicts: Int
  package let missingFiles: Int
  /// Entries that would be removed and wait for confirmation.
  package let removals: Int
  /// Seconds since 1970; nil for never.
  package let settled: Int64?
  /// Whether a copy of this device writes, too: the same id means both.
  package let isCopied: Bool
  /// What a sync that nobody saw found, and that this device was revoked.
  package let troubles: [SyncTrouble]

  package init(
    space: String?, isAsking: Bool, devices: [SyncDevice], digest: String, unpublished: Int,
    conflicts: Int, missingFiles: Int, removals: Int, settled: Int64?, isCopied: Bool,
    troubles: [SyncTrouble]
  ) {
    self.space = space
    self.isAsking = isAsking
    self.devices = devices
    self.digest = digest
    self.unpublished = unpublished
    self.conflicts = conflicts
    self.missingFiles = missingFiles
    self.removals = removals
    self.settled = settled
    self.isCopied = isCopied
    self.troubles = troubles
  }
}

/// An entry with more than one text.
package struct ConflictingEntry: Codable, Sendable, Equatable {
  package struct Version: Codable, Sendable, Equatable {
    /// Of the entry's history here.
    package let revision: UInt64
    package let device: String?
    package let modified: Int64
    package let title: String?
    /// Whether it stands here for its title alone: the text that its revision had was replaced since.
    package let isTitleAlone: Bool

    package init(
      revision: UInt64, device: String?, modified: Int64, title: String?, isTitleAlone: Bool
    ) {
      self.revision = revision
      self.device = device
      self.modified = modified
      self.title = title
      self.isTitleAlone = isTitleAlone
    }
  }
  package let id: EntryID
  /// The one that is shown first, then the others: of very many, which a member may give, the newest. Their texts are asked for one by
  /// one.
  package let versions: [Version]

  package static let versionLimit = 1_000

  package init(id: EntryID, versions: [Version]) {
    self.id = id
    self.versions = versions
  }

  /// The revision that has the text of a version.
  package func textRevision(of version: Version) -> UInt64 {
    version.isTitleAlone ? versions.first?.revision ?? version.revision : version.revision
  }
}
