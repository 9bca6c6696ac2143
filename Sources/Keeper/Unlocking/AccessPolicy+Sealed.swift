package import Access
internal import Bytes
package import DiaryVault
internal import Entries

extension AccessPolicy {
  /// As the vault keeps it. Warm mode and face+passphrase leave no face that opens the diary alone.
  package var sealed: SealedPolicy {
    SealedPolicy(encoded(), allowsPlainFaces: !isWarm && !isWithPassphrase)
  }
}

extension SealedPolicy {
  /// The same, but that a face needs no passphrase beside it.
  func withoutPassphrase() throws(VaultError) -> SealedPolicy {
    do throws(SealingError) {
      var policy = try AccessPolicy(bytes)
      policy.isWithPassphrase = false
      return policy.sealed
    } catch {
      throw VaultError(error, .policy)
    }
  }

  /// The stricter of both in everything. One that cannot be read gives way to the other, but for what the vault itself
  /// understands of it.
  package func stricter(_ other: SealedPolicy?) -> SealedPolicy {
    guard let other else { return self }
    var both: SealedPolicy
    switch (try? AccessPolicy(bytes), try? AccessPolicy(other.bytes)) {
    case (let one?, let two?): both = one.stricter(two).sealed
    case (nil, _?): both = other
    case (_, nil): both = self
    }
    both.allowsPlainFaces = both.allowsPlainFaces && allowsPlainFaces && other.allowsPlainFaces
    return both
  }
}
