package import Access
package import Entries
package import SealedFiles

/// The key of the object that a file becomes, for the client that seals it: ``ObjectStore``. The only request that may come while another
/// of the same client runs: an import asks it between its items.
package struct ObjectKey: Request {
  /// 32 bytes.
  package typealias Answer = [UInt8]
  package static let kind = RequestKind.objectKey
  package static let access = RequestAccess.reads
  /// BLAKE2b-512 of the file's content.
  package let digest: [UInt8]
  package init(_ digest: [UInt8]) { self.digest = digest }
}

/// An attachment, with what opens its object: who asks for the file gets it.
package struct FindAttachment: Request {
  package typealias Answer = AttachedFile
  package static let kind = RequestKind.findAttachment
  package static let access = RequestAccess.reads
  package let entry: EntryReference
  package let name: String
  /// nil for the newest.
  package let revision: UInt64?
  package init(_ name: String, of entry: EntryReference, revision: UInt64? = nil) {
    self.entry = entry
    self.name = name
    self.revision = revision
  }
}

/// Followed by what is imported: all of it, or nothing.
package struct ImportEntries: Request {
  package typealias Answer = ImportCounts
  package static let kind = RequestKind.importEntries
  package static let access = RequestAccess.holds
  package let isDryRun: Bool
  package let onConflict: ImportConflict
  package init(isDryRun: Bool = false, onConflict: ImportConflict = .refuse) {
    self.isDryRun = isDryRun
    self.onConflict = onConflict
  }
}

/// The ways in, without what they hold.
package struct ListKeySlots: Request {
  package typealias Answer = [KeySlotFacts]
  package static let kind = RequestKind.listKeySlots
  package static let access = RequestAccess.reads
  package init() {}
}

/// Opens every record.
package struct VerifyVault: Request {
  package typealias Answer = VerifyReport
  package static let kind = RequestKind.verifyVault
  package static let access = RequestAccess.reads
  /// In place only: it has no slices, and a keeper's client makes it itself.
  package var checksDatabase = false

  private enum CodingKeys: CodingKey {}

  package init() {}
  package init(checksDatabase: Bool) { self.checksDatabase = checksDatabase }
}

/// Brings the search index up to date, for a command that opened the diary for itself. A session does it when it has time.
package struct UpdateIndex: Request {
  package typealias Answer = Done
  package static let kind = RequestKind.updateIndex
  package static let access = RequestAccess.reads
  package init() {}
}

/// Rebuilds what can be rebuilt from what verifies; answers how many things.
package struct RepairVault: Request {
  package typealias Answer = Int
  package static let kind = RequestKind.repairVault
  package static let access = RequestAccess.writes
  package init() {}
}

/// The sealed state record as it is now, before the diary is copied as a backup.
package struct BeginBackup: Request {
  package typealias Answer = [UInt8]
  package static let kind = RequestKind.beginBackup
  package static let access = RequestAccess.reads
  package init() {}
}

/// Seals a copied state record as a backup's, if it is not older than the one when the backup began.
package struct SealBackup: Request {
  package typealias Answer = SealedBackup
  package static let kind = RequestKind.sealBackup
  package static let access = RequestAccess.reads
  package let state: [UInt8]
  package let begun: [UInt8]
  package init(state: [UInt8], since begun: [UInt8]) { (self.state, self.begun) = (state, begun) }
}
