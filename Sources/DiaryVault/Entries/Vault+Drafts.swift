internal import Sealing

extension Vault {
  /// The public key to which text is sealed that could not be saved. It opens nothing.
  package var draftKey: [UInt8] { keys.drafts.publicKey }

  /// Opens what was sealed to ``draftKey``.
  ///
  /// - Throws: ``VaultError`` `damaged`: it is of another diary, or not whole.
  package func openDraft(_ sealed: [UInt8]) throws(VaultError) -> [UInt8] {
    try unsealing("kept text") { () throws(SealingError) in try keys.drafts.open(sealed) }
  }
}
