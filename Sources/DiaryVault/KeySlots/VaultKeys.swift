internal import Sealing

/// What a sealed object is; part of its associated data.
enum ObjectKind: UInt8 {
  case state = 1
  case section = 2
  case page = 3
  case body = 4
  case history = 5
  case register = 6
  case attachment = 7
  case chunk = 8
  case templates = 9
}

/// The vault key and the subkeys made of it, in secret memory for as long as the vault is open.
final class VaultKeys: Sendable {
  let vaultID: [UInt8]
  let keyID: [UInt8]
  let vaultKey: SecretBytes
  private let stateKey: SecretBytes
  private let pageKey: SecretBytes
  private let bodyKey: SecretBytes
  private let indexKey: SecretBytes
  /// What is typed when the session has ended is sealed to it, and waits for the diary to be opened.
  let drafts: SealedBox

  init(_ vaultKey: consuming SecretBytes, vaultID: [UInt8], keyID: [UInt8]) throws(SealingError) {
    guard vaultKey.count == 32 else { throw .malformed }
    stateKey = try KeyDerivation.subkey(of: vaultKey, id: 1, context: "FDstate_")
    pageKey = try KeyDerivation.subkey(of: vaultKey, id: 1, context: "FDpages_")
    bodyKey = try KeyDerivation.subkey(of: vaultKey, id: 1, context: "FDbodies")
    indexKey = try KeyDerivation.subkey(of: vaultKey, id: 1, context: "FDindex_")
    drafts = try SealedBox(seed: try KeyDerivation.subkey(of: vaultKey, id: 1, context: "FDdrafts"))
    self.vaultKey = vaultKey
    self.vaultID = vaultID
    self.keyID = keyID
  }

  /// `"FDv1" ‖ kind ‖ vault id ‖ key id ‖ object id ‖ revision ‖ index ‖ final`, 66 bytes.
  ///
  /// The object id is always a row number (``object(_:)``): what a row holds can be opened even when
  /// everything that names the row is lost.
  func associatedData(
    _ kind: ObjectKind, object: [UInt8], revision: UInt64 = 0, index: UInt32 = 0, final: Bool = true
  ) -> [UInt8] {
    var writer = ByteWriter(reserving: 66)
    writer.put("FDv1")
    writer.put(kind.rawValue)
    writer.put(vaultID)
    // Chunks are sealed by their attachment's own random key, which a new vault key wraps anew: rotating
    // does not have to read every photo.
    writer.put(kind == .chunk ? [UInt8](repeating: 0, count: 16) : keyID)
    writer.put(object)
    writer.put(revision)
    writer.put(index)
    writer.put(UInt8(final ? 1 : 0))
    return writer.bytes
  }

  func seal(
    _ plain: [UInt8], _ kind: ObjectKind, object: [UInt8], revision: UInt64 = 0,
    randomness: Randomness
  ) -> [UInt8] {
    let data = associatedData(kind, object: object, revision: revision)
    switch kind {
    case .state:
      return unsafe AEAD.seal(
        plain.span.bytes, associatedData: data.span.bytes, key: stateKey, randomness: randomness)
    case .section, .page, .register, .templates:
      return unsafe AEAD.seal(
        plain.span.bytes, associatedData: data.span.bytes, key: pageKey, randomness: randomness)
    case .body, .history, .attachment, .chunk:
      return unsafe AEAD.seal(
        plain.span.bytes, associatedData: data.span.bytes, key: bodyKey, randomness: randomness)
    }
  }

  func open(
    _ sealed: RawSpan, _ kind: ObjectKind, object: [UInt8], revision: UInt64 = 0
  ) throws(SealingError) -> [UInt8] {
    let data = associatedData(kind, object: object, revision: revision)
    switch kind {
    case .state: return unsafe try AEAD.open(sealed, associatedData: data.span.bytes, key: stateKey)
    case .section, .page, .register, .templates:
      return unsafe try AEAD.open(sealed, associatedData: data.span.bytes, key: pageKey)
    case .body, .history, .attachment, .chunk:
      return unsafe try AEAD.open(sealed, associatedData: data.span.bytes, key: bodyKey)
    }
  }

  /// Seals an attachment's own key.
  func wrap(
    _ key: borrowing SecretBytes, attachment row: Int64, randomness: Randomness
  ) -> [UInt8] {
    let data = associatedData(.attachment, object: Self.object(row))
    return unsafe key.withUnsafeBytes { plain in
      unsafe AEAD.seal(
        RawSpan(_unsafeBytes: plain), associatedData: data.span.bytes, key: bodyKey,
        randomness: randomness)
    }
  }

  func unwrap(_ sealed: [UInt8], attachment row: Int64) throws(SealingError) -> SecretBytes {
    let data = associatedData(.attachment, object: Self.object(row))
    return unsafe try AEAD.openSecret(
      sealed.span.bytes, associatedData: data.span.bytes, key: bodyKey)
  }

  /// The key of a segment of the search index.
  func indexSegment(_ id: UInt64) throws(SealingError) -> SecretBytes {
    try KeyDerivation.subkey(of: indexKey, id: id, context: "FDsegmnt")
  }

  /// The object id of what there is one of.
  static let nowhere = [UInt8](repeating: 0, count: 16)

  /// A row number as an object id: eight bytes, then zeros.
  static func object(_ row: Int64) -> [UInt8] {
    var writer = ByteWriter(reserving: 16)
    writer.put(row)
    writer.put(Int64(0))
    return writer.bytes
  }
}
