package import Access
internal import Bytes
internal import Entries
package import FaceMatching
package import Platform
package import Sealing

/// What one device keeps of one vault: device key, templates, attempts, anchor, a spare keyring.
package struct DeviceStore: Sendable {
  package let directory: DeviceDirectory
  package let vaultID: [UInt8]
  package let keyStore: any DeviceKeyStore
  /// What counts its sessions; nil where no chip does.
  package let counter: (any DeviceCounter)?

  private static let templates = "templates"
  private static let keyring = "keyring"

  /// - Parameter base: the directory that holds the stores of all vaults.
  /// - Parameter suffix: `.next` for the one that is about to take the other's place.
  package init(
    base: String, vaultID: [UInt8], suffix: String = "", keyStore: (any DeviceKeyStore)? = nil,
    counter: (any DeviceCounter)? = nil
  ) {
    directory = DeviceDirectory(base + "/" + Base32.encode(vaultID) + suffix)
    self.vaultID = vaultID
    self.keyStore = keyStore ?? FileDeviceKeyStore(directory)
    self.counter = counter
  }

  package var exists: Bool { directory.exists }

  /// The device's keys. They are made if there are none.
  ///
  /// - Parameter fresh: whether to fail if the key store already has a key, which it may have made up.
  ///   - untold: what the owner is to be told of it, and where the store is whose place it takes.
  package func makeKeys(
    fresh: Bool = false, untold: UntoldSigns = [], aside: String = ""
  ) throws(AuthenticationError) -> DeviceKeys {
    try directory.make()
    if let known = try keysIfAny() {
      guard !fresh else {
        throw AuthenticationError(.helper, directory.path, .program(.gaveUnknownKey))
      }
      return known
    }
    let key = try sealing { () throws(SealingError) in try SecretBytes.random() }
    // Before there is a key: a store that has one always has this, so that deleting it is noticed.
    let copy = try sealing { () throws(SealingError) in try key.copy() }
    try AccessRecord.begin(self, try DeviceKeys(copy), untold, aside: aside)
    try keyStore.store(key)
    // What keeps the key must give it back before anything is sealed under it.
    guard let kept = try keyStore.get(), kept.isEqual(to: key) else {
      throw AuthenticationError(.helper, directory.path, .program(.didNotKeepKey))
    }
    return try DeviceKeys(key)
  }

  /// The device's keys, nil when there are none.
  package func keys() throws(AuthenticationError) -> DeviceKeys? {
    guard let keys = try keysIfAny() else {
      // If a program was given the key and has none now, this is not a new device.
      guard !keyStore.isElsewhere else {
        throw AuthenticationError(.helper, directory.path, .program(.hasNoKey))
      }
      return nil
    }
    return keys
  }

  /// The device's keys, nil when there are none, even where a program should keep them.
  package func keysIfAny() throws(AuthenticationError) -> DeviceKeys? {
    guard let key = try keyStore.get() else { return nil }
    guard key.count == DeviceKeys.length || !keyStore.isElsewhere else {
      throw AuthenticationError(.helper, directory.path, .program(.gaveUnknownKey))
    }
    return try DeviceKeys(key)
  }

  /// The spare of the slots; no bytes where there is something in its place that is none.
  package func spareKeyring() throws(AuthenticationError) -> [UInt8]? {
    guard directory.exists else { return nil }
    do throws(AuthenticationError) { return try directory.read(Self.keyring) } catch {
      guard Self.isOfOthers(error) else { throw error }
      return []
    }
  }

  /// Whether something stands in the place of a file that this program did not put there.
  private static func isOfOthers(_ error: AuthenticationError) -> Bool {
    [.storeDamaged, .loose].contains(error.code)
  }

  package func keepKeyring(_ encoded: [UInt8]) throws(AuthenticationError) {
    let kept = try spareKeyring()
    if kept == encoded { return }
    if kept == [] { try directory.putAside(Self.keyring) }
    try directory.write(Self.keyring, encoded)
  }

  package func hasAnchor() throws(AuthenticationError) -> Bool {
    try directory.read("anchor") != nil
  }

  // MARK: Templates

  /// The enrolled templates with the digest of their sealed form; nil when there are none.
  ///
  /// - Throws: `storeDamaged` when they are there and do not open.
  package func loadTemplates(
    _ keys: DeviceKeys
  ) throws(AuthenticationError) -> (set: TemplateSet, digest: [UInt8])? {
    guard let sealed = try directory.read(Self.templates, limit: 64 << 20) else { return nil }
    let context = associatedData("FDv1 templates")
    let set = try sealing { () throws(SealingError) in
      unsafe try TemplateSet(
        plain: try AEAD.open(
          sealed.span.bytes, associatedData: context.span.bytes, key: keys.templates))
    }
    return (set, Self.digest(sealed))
  }

  /// Seals templates beside the old ones; they count once ``commitTemplates()`` is called.
  ///
  /// The vault must know their digest first, or a kill in between would leave templates that it refuses.
  package func stageTemplates(
    _ set: TemplateSet, _ keys: DeviceKeys
  ) throws(AuthenticationError) -> [UInt8] {
    let context = associatedData("FDv1 templates")
    let sealed = unsafe AEAD.seal(
      set.plain().span.bytes, associatedData: context.span.bytes, key: keys.templates)
    try directory.write(Self.templates + ".staged", sealed)
    return Self.digest(sealed)
  }

  /// Seals templates without staging them, for a store that is not in use yet.
  package func putTemplates(
    _ set: TemplateSet, _ keys: DeviceKeys
  ) throws(AuthenticationError) -> [UInt8] {
    let digest = try stageTemplates(set, keys)
    try commitTemplates()
    return digest
  }

  package func commitTemplates() throws(AuthenticationError) {
    guard let staged = try directory.read(Self.templates + ".staged", limit: 64 << 20) else {
      throw AuthenticationError(.system, directory.path, .missing)
    }
    try directory.write(Self.templates, staged)
    try directory.remove(Self.templates + ".staged")
  }

  /// After a kill between the vault's commit and ``commitTemplates()``: the staged ones are those the
  /// vault knows.
  package func recoverTemplates(knownDigest: [UInt8]?) throws(AuthenticationError) {
    let staged: [UInt8]?
    do throws(AuthenticationError) {
      staged = try directory.read(Self.templates + ".staged", limit: 64 << 20)
    } catch {
      guard Self.isOfOthers(error) else { throw error }
      return try directory.putAside(Self.templates + ".staged")
    }
    guard let staged else { return }
    if let knownDigest, Digest.areEqual(Self.digest(staged), knownDigest) {
      try commitTemplates()
    } else {
      try directory.remove(Self.templates + ".staged")
    }
  }

  /// Keeps other processes from staging, committing or recovering templates meanwhile.
  package func lockTemplates() throws(AuthenticationError) -> FileLock {
    try directory.lock("templates.lock")
  }

  package func removeTemplates() throws(AuthenticationError) {
    try directory.remove(Self.templates)
  }

  private static func digest(_ sealed: [UInt8]) -> [UInt8] {
    Digest.blake2b(sealed, domain: "FDv1 templates digest")
  }

  package func associatedData(_ what: StaticString) -> [UInt8] {
    var writer = ByteWriter()
    writer.put(what)
    writer.put(vaultID)
    return writer.bytes
  }
}

/// The device key and what is made of it, in secret memory.
package final class DeviceKeys: Sendable {
  package let key: SecretBytes
  /// The device's public name: 16 bytes.
  package let id: [UInt8]
  let templates: SecretBytes
  let attempts: SecretBytes
  let access: SecretBytes
  package let anchor: SecretBytes
  /// The secret that the authorisation values of the chip's counters are made from.
  package let counter: SecretBytes

  /// Of a device key, in bytes.
  package static let length = 32

  package init(_ key: consuming SecretBytes) throws(AuthenticationError) {
    guard key.count == Self.length else { throw AuthenticationError(.storeDamaged, "device key") }
    do throws(SealingError) {
      templates = try KeyDerivation.subkey(of: key, id: 1, context: "FDtemplt")
      attempts = try KeyDerivation.subkey(of: key, id: 1, context: "FDattmpt")
      access = try KeyDerivation.subkey(of: key, id: 1, context: "FDaccess")
      anchor = try KeyDerivation.subkey(of: key, id: 1, context: "FDanchor")
      counter = try KeyDerivation.subkey(of: key, id: 1, context: "FDchipct")
      let name = try KeyDerivation.subkey(of: key, id: 1, context: "FDdevice", count: 16)
      id = unsafe name.withUnsafeBytes { unsafe [UInt8]($0) }
    } catch {
      throw AuthenticationError(.memory, "locked memory")
    }
    self.key = key
  }
}

extension TemplateSet {
  /// `version u8 = 2 ‖ model ‖ dimension u32 ‖ threshold f64 ‖ calibrated u8 [‖ scoring u8 ‖ K u32 ‖ P u32 ‖
  /// threshold f64] ‖ guard u8 [‖ mean f32 × dimension ‖ frame bound f64 ‖ probe bound f64 ‖ likeness f64 ‖ weight f64] ‖
  /// count u32 ‖ templates`.
  func plain() -> [UInt8] {
    var writer = ByteWriter(reserving: templates.count * (dimension * 4 + 64) + 64)
    writer.put(UInt8(2))
    writer.putCounted(model)
    writer.put(UInt32(dimension))
    writer.put(threshold.bitPattern)
    writer.put(UInt8(calibrated == nil ? 0 : 1))
    if let calibrated {
      writer.put(calibrated.scoring.rawValue)
      writer.put(UInt32(calibrated.enroll))
      writer.put(UInt32(calibrated.frames))
      writer.put(calibrated.threshold.bitPattern)
    }
    writer.put(UInt8(faceGuard == nil ? 0 : 1))
    if let faceGuard {
      for component in faceGuard.mean { writer.put(component.bitPattern) }
      for bound in [
        faceGuard.frameBound, faceGuard.probeBound, faceGuard.likeness, faceGuard.weight,
      ] {
        writer.put(bound.bitPattern)
      }
    }
    writer.put(UInt32(templates.count))
    for template in templates {
      writer.putCounted(template.id)
      writer.putCounted(template.label)
      writer.put(template.created)
      for component in template.embedding.unit { writer.put(component.bitPattern) }
    }
    return writer.bytes
  }

  init(plain: [UInt8]) throws(SealingError) {
    var reader = ByteReader(plain)
    guard try reader.uint8() == 2 else { throw .malformed }
    let model = try reader.text()
    let dimension = Int(try reader.uint32())
    guard Embedding.dimensions.contains(dimension) else { throw .malformed }
    let threshold = Double(bitPattern: try reader.uint64())
    guard (-1...1).contains(threshold) else { throw .malformed }
    var calibrated: CalibratedScoring?
    if try reader.uint8() == 1 {
      guard let scoring = Scoring(rawValue: try reader.uint8()) else { throw .malformed }
      let enroll = Int(try reader.uint32())
      let frames = Int(try reader.uint32())
      let own = Double(bitPattern: try reader.uint64())
      guard CalibratedScoring.shotCounts.contains(enroll),
        CalibratedScoring.frameCounts.contains(frames), (-1...1).contains(own)
      else { throw .malformed }
      calibrated = CalibratedScoring(
        scoring: scoring, enroll: enroll, frames: frames, threshold: own)
    }
    var faceGuard: FaceGuard?
    if try reader.uint8() == 1 {
      var mean: [Float] = []
      for _ in 0..<dimension { mean.append(try reader.float32()) }
      let bounds = (
        Double(bitPattern: try reader.uint64()), Double(bitPattern: try reader.uint64()),
        Double(bitPattern: try reader.uint64()), Double(bitPattern: try reader.uint64())
      )
      faceGuard = try? FaceGuard(
        mean: mean, frameBound: bounds.0, probeBound: bounds.1, likeness: bounds.2,
        weight: bounds.3)
      // A guard that cannot be read must not count as no guard.
      guard faceGuard != nil else { throw .malformed }
    }
    var templates: [FaceTemplate] = []
    for _ in 0..<(try reader.uint32()) {
      let id = try reader.text()
      let label = try reader.text()
      let created = try reader.int64()
      var components: [Float] = []
      for _ in 0..<dimension { components.append(try reader.float32()) }
      guard let embedding = try? Embedding(components, model: model) else { throw .malformed }
      templates.append(
        FaceTemplate(id: id, label: label, embedding: embedding, created: created))
    }
    try reader.expectEnd()
    self.init(
      model: model, dimension: dimension, threshold: threshold, calibrated: calibrated,
      faceGuard: faceGuard, templates: templates)
  }
}
