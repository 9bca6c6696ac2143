package import Access
internal import Authentication
internal import Bytes
internal import DiaryVault
internal import Entries
package import FaceMatching
package import Requests

extension Keeper {
  /// Registers templates with the open vault: all of them, or none.
  ///
  /// - Throws: ``AuthenticationError`` `locked` while closed; ``EnrollmentError``; ``VectorError``.
  package func enroll(
    _ registration: FaceRegistration, _ rights: OwnerRights
  ) throws -> EnrollmentReport {
    try require(rights)
    let (vault, store, keys) = try openParts()
    return try enroll(registration, into: vault, store, keys)
  }

  func enroll(
    _ registration: FaceRegistration, into vault: Vault, _ store: DeviceStore, _ keys: DeviceKeys
  ) throws -> EnrollmentReport {
    let sample = registration.embeddings.firstIndex(where: SampleFaces.contains)
    if let sample, !registration.embeddings.allSatisfy(SampleFaces.contains) {
      throw EnrollmentError.sampleAmongOwn(index: sample)
    }
    let known = try enrolledSet(vault, store, keys)
    var set = try known.set.flatMap { try apart($0, registration) }
    if set?.templates.isEmpty == true { set = nil }
    let model = try model(of: registration, enrolled: set)
    let threshold = try threshold(of: registration, model: model, enrolled: set)
    let faceGuard =
      try set?.faceGuard
      ?? fitting(
        registration.faceGuard ?? FaceModel.named(model)?.faceGuard,
        dimension: registration.embeddings.first?.dimension ?? 0)
    guard registration.calibrated?.isValid ?? true else {
      throw EnrollmentError.thresholdInvalid(
        given: registration.calibrated?.threshold ?? 0, enrolled: nil)
    }
    var enrolment = try Enrolment(
      registration, into: set, model: model, threshold: threshold, faceGuard: faceGuard)
    for index in registration.embeddings.indices { try enrolment.take(shot: index, settings) }
    let templates = enrolment.templates
    guard templates.count <= FaceRegistration.limit else {
      throw EnrollmentError.tooMany(limit: FaceRegistration.limit)
    }
    // An earlier policy may have removed the slot of the faces that are enrolled.
    let lacksSlot = try !vault.hasFaceSlot && vault.sealedPolicy().allowsPlainFaces
    guard !enrolment.report.enrolled.isEmpty || (lacksSlot && !templates.isEmpty),
      let dimension = templates.first?.embedding.dimension
    else {
      throw EnrollmentError.nothingNew
    }
    try commit(
      TemplateSet(
        model: model, dimension: dimension, threshold: threshold,
        calibrated: set == nil ? registration.calibrated : set?.calibrated, faceGuard: faceGuard,
        templates: templates),
      over: known.digest, vault, store, keys, enrolling: true)
    return enrolment.report
  }

  /// What is enrolled; nil where nothing is.
  ///
  /// Templates that cannot be read are replaced, because enrolling takes an open vault. So are those that the vault does not know any more,
  /// after its key was replaced on another device.
  private func enrolledSet(
    _ vault: Vault, _ store: DeviceStore, _ keys: DeviceKeys
  ) throws -> (set: TemplateSet?, digest: [UInt8]?) {
    let kept = try? store.loadTemplates(keys)
    let agreed = try vault.templatesDigest()
    let set = kept.flatMap { kept in
      agreed.map { Digest.areEqual($0, kept.digest) } ?? false ? kept.set : nil
    }
    return (set, agreed)
  }

  /// The templates that the vault and this device agree on; nil when nothing is enrolled.
  ///
  /// - Throws: ``VaultError`` `tampered` for others, which were put back, or whose change another device undid.
  func agreedTemplates(
    _ vault: Vault, _ store: DeviceStore, _ keys: DeviceKeys
  ) throws -> (set: TemplateSet, digest: [UInt8])? {
    let lock = try store.lockTemplates()
    return try withExtendedLifetime(lock) {
      let agreed = try vault.templatesDigest()
      try store.recoverTemplates(knownDigest: agreed)
      guard let agreed, let kept = try store.loadTemplates(keys) else { return nil }
      guard Digest.areEqual(agreed, kept.digest) else {
        throw VaultError(.tampered, .enrolledFaces, .notThoseTheVaultKnows)
      }
      return (kept.set, agreed)
    }
  }

  /// Public sample faces and a person's own are never enrolled together: anybody has the samples.
  ///
  /// - Returns: what stays of those enrolled.
  private func apart(
    _ set: TemplateSet, _ registration: FaceRegistration
  ) throws(EnrollmentError) -> TemplateSet {
    let samples = set.templates.count { SampleFaces.contains($0.embedding) }
    if registration.embeddings.contains(where: SampleFaces.contains) {
      guard samples == set.templates.count else { throw .sampleAmongOwn(index: 0) }
      return set
    }
    guard samples > 0, !registration.embeddings.isEmpty else { return set }
    guard registration.replacesSamples else { throw .samplesEnrolled(count: samples) }
    var own = set
    own.templates.removeAll { SampleFaces.contains($0.embedding) }
    return own
  }

  /// - Throws: ``VectorError`` for a guard of vectors of another length.
  private func fitting(_ faceGuard: FaceGuard?, dimension: Int) throws(VectorError) -> FaceGuard? {
    if let faceGuard, faceGuard.mean.count != dimension {
      throw VectorError(
        .dimensionMismatch(found: dimension, expected: faceGuard.mean.count), in: "guard")
    }
    return faceGuard
  }

  private func model(of registration: FaceRegistration, enrolled: TemplateSet?) throws -> String {
    if let model = registration.model { return FaceModel.canonicalName(model) }
    if let model = registration.embeddings.lazy.compactMap(\.model).first { return model }
    if let enrolled { return enrolled.model }
    throw EnrollmentError.modelNeeded
  }

  private func threshold(
    of registration: FaceRegistration, model: String, enrolled: TemplateSet?
  ) throws -> Double {
    if let enrolled, enrolled.model != model {
      throw VectorError(.modelMismatch(found: model, expected: enrolled.model), in: "enrolment")
    }
    if let given = registration.threshold {
      guard (-1...1).contains(given), enrolled == nil || enrolled?.threshold == given else {
        throw EnrollmentError.thresholdInvalid(given: given, enrolled: enrolled?.threshold)
      }
      return given
    }
    if let enrolled { return enrolled.threshold }
    if let saved = registration.saved { return saved }
    guard let known = FaceModel.named(model) else {
      throw EnrollmentError.thresholdNeeded(model: model)
    }
    return known.threshold
  }

  /// What is enrolled, nil when nothing is.
  package func faces(_ rights: OwnerRights) throws -> EnrolledFaces? {
    try require(rights)
    let (vault, store, keys) = try openParts()
    return try agreedTemplates(vault, store, keys).map { EnrolledFaces($0.set) }
  }

  /// How faces are scored here.
  package func scoring() throws -> ScoringFacts? {
    let (vault, store, keys) = try openParts()
    return try agreedTemplates(vault, store, keys).map {
      ScoringFacts(templates: $0.set.templates.count, calibrated: $0.set.calibrated)
    }
  }

  /// Renames a template.
  package func renameFace(
    _ prefix: String, to label: String, _ rights: OwnerRights
  ) throws {
    try require(rights)
    try Enrolment.check(label)
    let (vault, store, keys) = try openParts()
    var known = try find(prefix, vault, store, keys)
    known.set.templates[known.index].label = label
    try commit(known.set, over: known.digest, vault, store, keys)
  }

  /// Gives the enrolled templates another threshold or way of scoring, sealed with them.
  package func recalibrateFaces(
    threshold: Double, calibrated: CalibratedScoring?, faceGuard: FaceGuard?,
    _ rights: OwnerRights
  ) throws {
    try require(rights)
    let (vault, store, keys) = try openParts()
    guard let known = try agreedTemplates(vault, store, keys) else {
      throw AuthenticationError(.noFace, location.vault)
    }
    var set = known.set
    guard (-1...1).contains(threshold), calibrated?.isValid ?? true else {
      throw EnrollmentError.thresholdInvalid(
        given: calibrated?.threshold ?? threshold, enrolled: nil)
    }
    let faceGuard = try fitting(
      faceGuard ?? FaceModel.named(set.model)?.faceGuard, dimension: set.dimension)
    set.faceGuard = faceGuard ?? set.faceGuard
    // A shot that was enrolled before there was a guard is checked against it, too.
    for (index, template) in set.templates.enumerated()
    where !set.admits(template.embedding.unit) {
      throw EnrollmentError.notOneFace(index: index)
    }
    set.threshold = threshold
    set.calibrated = calibrated
    try commit(set, over: known.digest, vault, store, keys)
  }

  /// Removes a template; with the last one the face no longer opens anything.
  package func removeFace(_ prefix: String, _ rights: OwnerRights) throws {
    try require(rights)
    let (vault, store, keys) = try openParts()
    var known = try find(prefix, vault, store, keys)
    known.set.templates.remove(at: known.index)
    guard known.set.templates.isEmpty else {
      return try commit(known.set, over: known.digest, vault, store, keys)
    }
    try vault.dismissFace(over: known.digest)
    afterwards {
      try store.removeTemplates()
      try store.keep(vault.spare)
    }
  }

  private func find(
    _ prefix: String, _ vault: Vault, _ store: DeviceStore, _ keys: DeviceKeys
  ) throws -> (set: TemplateSet, index: Int, digest: [UInt8]) {
    guard let (set, digest) = try agreedTemplates(vault, store, keys) else {
      throw VaultError(.notFound, .face, prefix)
    }
    let wanted = prefix.lowercased()
    let found = set.templates.indices.filter { set.templates[$0].id.hasPrefix(wanted) }
    guard wanted.count >= 4, let index = found.first else {
      throw VaultError(.notFound, .face, prefix)
    }
    guard found.count == 1 else {
      throw VaultError(.ambiguous, .face, prefix, candidates: found.map { set.templates[$0].id })
    }
    return (set, index, digest)
  }

  func openParts() throws -> (Vault, DeviceStore, DeviceKeys) {
    let vault = try vault()
    let store = try store(vault.keyring.vaultID)
    guard let keys = try store.keys() else {
      throw AuthenticationError(.storeGone, store.directory.path)
    }
    return (vault, store, keys)
  }

  /// Staged, then known to the vault, then in place: a kill between any two is mended at the next
  /// opening.
  private func commit(
    _ set: TemplateSet, over before: [UInt8]?, _ vault: Vault, _ store: DeviceStore,
    _ keys: DeviceKeys,
    enrolling: Bool = false
  ) throws {
    let lock = try store.lockTemplates()
    try withExtendedLifetime(lock) {
      let digest = try store.stageTemplates(set, keys)
      try vault.admitFace(
        deviceKey: keys.key, templates: digest, over: before, slot: enrolling)
      // Known to the vault: staged ones are put in their place by the next opening, if not now.
      afterwards { try store.commitTemplates() }
    }
    afterwards {
      try ledger(store, keys, vault: vault.path).reset()
      try store.keep(vault.spare)
    }
  }
}
