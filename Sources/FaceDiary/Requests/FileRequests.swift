package import DiaryVault

/// What keys of files are made with, for who seals them: ``ObjectStore``.
package struct ObjectSalt: Request {
  package static let kind = RequestKind.objectSalt
  package init() {}
  package func begin(on vault: Vault) throws(VaultError) -> Work<[UInt8]> { Work(vault.objectSalt) }
}

/// An attachment, with what opens its object: who asks for the file gets it.
package struct FindAttachment: Request {
  package static let kind = RequestKind.findAttachment
  package let entry: EntryReference
  package let name: String
  package init(_ name: String, of entry: EntryReference) {
    self.entry = entry
    self.name = name
  }

  package func begin(on vault: Vault) throws(VaultError) -> Work<AttachedFile> {
    Work(try Snapshot(vault).attachment(name, of: entry))
  }
}

/// Followed by what is imported: all of it, or nothing.
package struct ImportEntries: Request {
  package static let kind = RequestKind.importEntries
  package let isDryRun: Bool
  package let onConflict: ImportConflict
  package init(isDryRun: Bool = false, onConflict: ImportConflict = .refuse) {
    self.isDryRun = isDryRun
    self.onConflict = onConflict
  }

  package func begin(on vault: Vault) throws(VaultError) -> Work<ImportCounts> {
    let importing = try VaultImport(vault, isDryRun: isDryRun, onConflict: onConflict)
    return Work { item throws(VaultError) in
      try importing.take(item)
    } _: { slice throws(VaultError) in
      try importing.finish(within: slice).map { .answer($0) } ?? .paused
    }
  }
}

/// The ways in, without what they hold.
package struct ListKeySlots: Request {
  package static let kind = RequestKind.listKeySlots
  package init() {}
  package func begin(on vault: Vault) throws(VaultError) -> Work<[KeySlotFacts]> {
    Work(try vault.slotFacts())
  }
}

extension Vault {
  func slotFacts() throws(VaultError) -> [KeySlotFacts] {
    let times = try slotTimes()
    return keyring.slots.map { KeySlotFacts($0, created: times[$0.id]) }
  }
}

/// Opens every record.
package struct VerifyVault: Request {
  package static let kind = RequestKind.verifyVault
  /// In place only: it has no slices, and a keeper's client makes it itself.
  private var checksDatabase = false

  private enum CodingKeys: CodingKey {}

  package init() {}
  package init(checksDatabase: Bool) { self.checksDatabase = checksDatabase }

  package func begin(on vault: Vault) throws(VaultError) -> Work<VerifyReport> {
    let verification = try Verification(vault, checksDatabase: checksDatabase)
    return Work { slice throws(VaultError) in
      try verification.step(slice).map { .answer($0) } ?? .paused
    }
  }
}

/// Brings the search index up to date: for who opened the diary for one command. A session does it when it has time.
package struct UpdateIndex: Request {
  package static let kind = RequestKind.updateIndex
  package init() {}
  package func begin(on vault: Vault) throws(VaultError) -> Work<Done> {
    let update = try IndexUpdate(vault)
    return Work { slice throws(VaultError) in
      guard let update else { return .answer(Done()) }
      return try update.step(slice) ? .answer(Done()) : .paused
    }
  }
}

/// Rebuilds what can be rebuilt from what verifies; answers how many things.
package struct RepairVault: Request {
  package static let kind = RequestKind.repairVault
  package init() {}
  package func begin(on vault: Vault) throws(VaultError) -> Work<Int> {
    let repair = try Repair(vault)
    return Work { slice throws(VaultError) in try repair.step(slice).map { .answer($0) } ?? .paused
    }
  }
}

/// Seals a copied state record as a backup's.
package struct SealBackup: Request {
  package static let kind = RequestKind.sealBackup
  package let state: [UInt8]
  package init(state: [UInt8]) { self.state = state }
  package func begin(on vault: Vault) throws(VaultError) -> Work<[UInt8]> {
    Work(try vault.sealBackup(state: state))
  }
}
