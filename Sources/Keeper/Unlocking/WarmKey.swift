internal import Bytes
internal import Entries
internal import Sealing

/// The vault key in the memory of a session process, for a face to open the diary again.
///
/// Sealed under `BLAKE2b(key: W, device key ‖ …)` with a random W that is nowhere else: neither this memory without the
/// device key nor the device key without this memory gives the vault key. Letting go of it wipes W.
final class WarmKey: Sendable {
  let keyID: [UInt8]
  private let w: SecretBytes
  private let wrapped: [UInt8]
  private let context: [UInt8]

  init(
    _ vaultKey: consuming SecretBytes, deviceKey: borrowing SecretBytes, vaultID: [UInt8],
    keyID: [UInt8]
  ) throws(SealingError) {
    let w = try SecretBytes.random()
    let context = Array("FDv1 warm".utf8) + vaultID + keyID
    let key = try KeyDerivation.bind(w, to: deviceKey, and: context)
    let wrapped = unsafe vaultKey.withUnsafeBytes { plain in
      unsafe AEAD.seal(
        RawSpan(_unsafeBytes: plain), associatedData: context.span.bytes, key: key)
    }
    self.context = context
    self.wrapped = wrapped
    self.keyID = keyID
    self.w = w
  }

  /// - Throws: ``VaultError`` `noSuchSlot` when the vault's key was replaced since.
  func open(
    with deviceKey: borrowing SecretBytes, keyID: [UInt8]
  ) throws(VaultError) -> SecretBytes {
    guard keyID == self.keyID else { throw VaultError(.noSuchSlot, .session, slot: .face) }
    do throws(SealingError) {
      let key = try KeyDerivation.bind(w, to: deviceKey, and: context)
      let (sealed, data) = (wrapped, context)
      return unsafe try AEAD.openSecret(
        sealed.span.bytes, associatedData: data.span.bytes, key: key)
    } catch {
      throw VaultError(.damaged, .session, .sealDoesNotFit)
    }
  }
}
