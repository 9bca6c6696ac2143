internal import Bytes
internal import Entries
internal import Sealing

/// What a sealed object is; part of its associated data.
enum ObjectKind: UInt8 {
  case state = 1
  case section = 2
  case page = 3
  case body = 4
  case history = 5
  case register = 6
  case templates = 7
  case replica = 8
}

/// Everything that is made from a vault key. `Vault.rotate` says what happens to each when the key is replaced: leaving one out
/// does not compile.
enum Derived: CaseIterable {
  case state, pages, bodies, objects, index, past, drafts, lineage

  private var context: StaticString {
    switch self {
    case .state: "FDstate_"
    case .pages: "FDpages_"
    case .bodies: "FDbodies"
    case .objects: "FDobject"
    case .index: "FDindex_"
    case .past: "FDpastid"
    case .drafts: "FDdrafts"
    case .lineage: "FDlineag"
    }
  }

  func subkey(of vaultKey: borrowing SecretBytes) throws(SealingError) -> SecretBytes {
    try KeyDerivation.subkey(of: vaultKey, id: 1, context: context)
  }
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
  private let pastKey: SecretBytes
  /// What keys of small objects are made with: see ``ObjectStore``.
  let objectSalt: SecretBytes
  /// What is typed when the session has ended is sealed to it, and waits for the diary to be opened.
  let drafts: SealedBox
  /// Signs the name of the key that follows: ``Lineage``.
  let lineage: SigningKey

  init(_ vaultKey: consuming SecretBytes, vaultID: [UInt8], keyID: [UInt8]) throws(SealingError) {
    guard vaultKey.count == 32 else { throw .malformed }
    stateKey = try Derived.state.subkey(of: vaultKey)
    pageKey = try Derived.pages.subkey(of: vaultKey)
    bodyKey = try Derived.bodies.subkey(of: vaultKey)
    objectSalt = try Derived.objects.subkey(of: vaultKey)
    indexKey = try Derived.index.subkey(of: vaultKey)
    pastKey = try Derived.past.subkey(of: vaultKey)
    drafts = try SealedBox(seed: try Derived.drafts.subkey(of: vaultKey))
    lineage = try SigningKey(seed: try Derived.lineage.subkey(of: vaultKey))
    self.vaultKey = vaultKey
    self.vaultID = vaultID
    self.keyID = keyID
  }

  /// What ``drafts`` is made of, for the state record of the key that follows.
  func draftSeed() throws(SealingError) -> [UInt8] {
    let seed = try Derived.drafts.subkey(of: vaultKey)
    return unsafe seed.withUnsafeBytes { unsafe Array($0) }
  }

  /// `"FDv2" ‖ kind ‖ vault id ‖ key id ‖ object id ‖ revision`, 61 bytes.
  ///
  /// The object id is always a row number (``object(_:)``): what a row holds can be opened even when
  /// everything that names the row is lost.
  func associatedData(
    _ kind: ObjectKind, object: [UInt8], revision: UInt64 = 0
  ) -> [UInt8] {
    var writer = ByteWriter(reserving: 61)
    writer.put("FDv2")
    writer.put(kind.rawValue)
    writer.put(vaultID)
    writer.put(keyID)
    writer.put(object)
    writer.put(revision)
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
    case .section, .page, .register, .templates, .replica:
      return unsafe AEAD.seal(
        plain.span.bytes, associatedData: data.span.bytes, key: pageKey, randomness: randomness)
    case .body, .history:
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
    case .section, .page, .register, .templates, .replica:
      return unsafe try AEAD.open(sealed, associatedData: data.span.bytes, key: pageKey)
    case .body, .history:
      return unsafe try AEAD.open(sealed, associatedData: data.span.bytes, key: bodyKey)
    }
  }

  /// What an edit replaced.
  enum PastPart: UInt8, CaseIterable {
    case header = 1
    case text = 2
  }

  /// The row in which the history keeps it. Without a key, rows show how many edits there were, but not of what.
  func past(_ part: PastPart, of entry: Int64, revision: UInt64) -> Int64 {
    var message = ByteWriter(reserving: 17)
    message.put(part.rawValue)
    message.put(entry)
    message.put(revision)
    return Int64(Digest.number(message.bytes, key: pastKey) >> 1)
  }

  /// The key of a shard of the search index.
  func indexShard(_ id: UInt64) throws(SealingError) -> SecretBytes {
    try KeyDerivation.subkey(of: indexKey, id: id, context: "FDsegmnt")
  }

  /// The object id for kinds of which a vault has only one.
  static let nowhere = [UInt8](repeating: 0, count: 16)

  /// A row number as an object id: eight bytes, then zeros.
  static func object(_ row: Int64) -> [UInt8] {
    var writer = ByteWriter(reserving: 16)
    writer.put(row)
    writer.put(Int64(0))
    return writer.bytes
  }
}

extension KeySlot {
  /// The vault keys that the slot gives for a secret; nil when it is another's.
  ///
  /// - Throws: ``VaultError`` `damaged`; `memory`.
  func keys(
    with secret: borrowing SecretBytes, of keyring: Keyring, leastMemory: UInt64
  ) throws(VaultError) -> VaultKeys? {
    do throws(SealingError) {
      guard
        let key = try open(
          with: secret, vaultID: keyring.vaultID, keyID: keyring.keyID, leastMemory: leastMemory)
      else { return nil }
      return try VaultKeys(key, vaultID: keyring.vaultID, keyID: keyring.keyID)
    } catch {
      throw VaultError(error, .keySlot, part: .keySlot)
    }
  }
}
