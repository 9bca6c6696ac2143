package import Access
package import DiaryVault
package import Entries
package import Requests
package import SealedFiles

extension ObjectKey: VaultServed {
  package func begin(on vault: Vault) throws(VaultError) -> Work<[UInt8]> {
    Work(try vault.objectKey(of: digest))
  }
}

extension FindAttachment: VaultServed {
  package func begin(on vault: Vault) throws(VaultError) -> Work<AttachedFile> {
    Work(try Snapshot(vault).attachment(name, of: entry, revision: revision))
  }
}

extension ImportEntries: VaultServed {
  package func begin(on vault: Vault) throws(VaultError) -> Work<ImportCounts> {
    let importing = try VaultImport(vault, isDryRun: isDryRun, onConflict: onConflict)
    return Work { item throws(VaultError) in
      try importing.take(item)
    } _: { slice throws(VaultError) in
      try importing.finish(within: slice).map { .answer($0) } ?? .paused
    }
  }
}

extension ListKeySlots: VaultServed {
  package func begin(on vault: Vault) throws(VaultError) -> Work<[KeySlotFacts]> {
    Work(try vault.slotFacts())
  }
}

extension VerifyVault: VaultServed {
  package func begin(on vault: Vault) throws(VaultError) -> Work<VerifyReport> {
    let verification = try Verification(vault, checksDatabase: checksDatabase)
    return Work { slice throws(VaultError) in
      try verification.step(slice).map { .answer($0) } ?? .paused
    }
  }
}

extension UpdateIndex: VaultServed {
  package func begin(on vault: Vault) throws(VaultError) -> Work<Done> {
    let update = try IndexUpdate(vault)
    return Work { slice throws(VaultError) in
      guard let update else { return .answer(Done()) }
      return try update.step(slice) ? .answer(Done()) : .paused
    }
  }
}

extension RepairVault: VaultServed {
  package func begin(on vault: Vault) throws(VaultError) -> Work<Int> {
    let repair = try Repair(vault)
    return Work { slice throws(VaultError) in try repair.step(slice).map { .answer($0) } ?? .paused
    }
  }
}

extension BeginBackup: VaultServed {
  package func begin(on vault: Vault) throws(VaultError) -> Work<[UInt8]> {
    Work(try vault.beginBackup())
  }
}

extension SealBackup: VaultServed {
  package func begin(on vault: Vault) throws(VaultError) -> Work<SealedBackup> {
    Work(try vault.sealBackup(state: state, since: begun))
  }
}
