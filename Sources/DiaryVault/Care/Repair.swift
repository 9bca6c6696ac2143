package import Entries
internal import SealedFiles

extension Vault {
  /// As ``Repair``, at once.
  package func repair() throws(VaultError) -> Int {
    let repair = try Repair(self)
    while true {
      if let mended = try repair.step(.unlimited) { return mended }
    }
  }

  /// - Parameter ref: the vault's state when all this was found; returns nil if it has changed since.
  fileprivate func mend(
    _ report: VerifyReport, _ found: Verification.VerifiedRows, seenAt ref: Ref?
  ) throws(VaultError) -> Int? {
    guard !report.isWhole else { return 0 }
    let isReadable = !report.hasLost
    guard let mended = try mendRows(found, isReadable: isReadable, seenAt: ref) else { return nil }
    guard isReadable else { return mended }
    return try mended + removeForeign(found) + rebuild(report)
  }

  /// Where every row is whole and only the file around them is not, the file is written anew.
  private func rebuild(_ report: VerifyReport) throws(VaultError) -> Int {
    guard report.problems.contains(where: { $0.what == .thing(.database) }) else { return 0 }
    try writing().rebuild()
    return 1
  }

  private func mendRows(
    _ found: Verification.VerifiedRows, isReadable: Bool, seenAt ref: Ref?
  ) throws(VaultError) -> Int? {
    return try change(repairing: true) { edit throws(VaultError) in
      guard latest?.ref == ref else { return nil }
      let store = edit.catalogue.store
      var mended = 0
      let problems = try keyringProblems(store, edit.catalogue.state)
      // Only slots that are all there are put back: what neither copy nor spare has now, another device's spare may have.
      if !problems.isEmpty, missingSlots == 0 {
        try store.put(keyring: keyring.encoded())
        mended += problems.count
      }
      mended += try found.mend(store, removing: isReadable)
      // The state record counts the change, so that the anchor follows.
      if mended > 0 { edit.update { _ in } }
      return mended
    }
  }

  /// Removes files that do not belong to the diary, unless files are being sealed at this moment.
  private func removeForeign(_ found: Verification.VerifiedRows) -> Int {
    let folder = VaultFolder(path)
    var count = 0
    if found.hasForeignList { count += folder.removeContents() ? 1 : 0 }
    guard !found.foreignObjects.isEmpty, let lock = folder.lockObjects() else { return count }
    return withExtendedLifetime(lock) { count + folder.remove(found.foreignObjects) }
  }
}

/// Rebuilds what can be rebuilt from what verifies: the copies of the key slots, and which page an entry's row
/// names; and removes rows that belong to nothing. What is lost stays lost, and then nothing is removed:
/// a row may belong to what cannot be read.
package final class Repair {
  private let vault: Vault
  private var verification: Verification

  package init(_ vault: Vault) throws(VaultError) {
    self.vault = vault
    verification = try Verification(vault)
  }

  /// Goes on verifying, then repairs. Returns how many things were repaired, nil when the slice was over first.
  package func step(_ slice: Slice) throws(VaultError) -> Int? {
    guard let report = try verification.step(slice) else { return nil }
    if let mended = try vault.mend(report, verification.seen, seenAt: verification.ref) {
      return mended
    }
    // Somebody has written meanwhile.
    verification = try Verification(vault)
    return nil
  }
}
