public import Access
public import Authentication
public import Bytes
package import DiaryVault
package import Entries
public import FaceMatching
public import Keeper
package import Requests
internal import SealedFiles
public import Sealing
internal import Synchronization

/// A diary in a program of yours: one vault file, this device's store of it, and the verifier that guards it.
///
/// It is the ``SecurityService`` behind an ``AuthenticationModel``. Open, verify and close it through the model: a diary
/// that is opened directly is outside of the model's states, and its session does not end by itself.
///
/// ```swift
/// let diary = Diary(at: location, verifier: MyVerifier())
/// let model = AuthenticationModel(service: diary)
/// await model.checkInitialState()
/// try await model.authenticate(probe)
/// if model.state == .authenticated { try await diary.write(draft) }
/// ```
///
/// While it is open it is a ``DiaryReader`` and a ``DiaryWriter``. Operations that make access
/// permanent are methods of ``DiaryOwner``, which needs the passphrase or recovery code:
/// ``owner(_:_:)``. The work of this actor never runs on the main actor.
public actor Diary: SecurityService {
  public nonisolated let location: DiaryLocation
  let keeper: Keeper
  /// Keeps staged files until an entry takes them. While it exists, objects without an entry are not removed.
  var objectStore: ObjectStore?
  /// How many wait for it to close. What reads or imports many entries gives way to them.
  private let closings = Mutex(0)

  public typealias Notice = DiaryNotice

  /// The most templates that one diary keeps.
  public static let templateLimit = FaceRegistration.limit

  /// - Parameters:
  ///   - verifier: judges faces; the default compares cosine similarities.
  ///   - deviceKeyStore: makes what keeps the device key, given the device store's directory; the
  ///     default is a file there, or the program it was moved to.
  ///   - clock: what freshness and waits are measured with.
  ///   - randomness: for nonces, salts and ids; keys always come from the system's generator.
  public init(
    at location: DiaryLocation, verifier: any BiometricVerifier = CosineVerifier(),
    deviceKeyStore: (@Sendable (_ directory: String) -> any DeviceKeyStore)? = nil,
    clock: any AccessClock = SystemAccessClock(), randomness: Randomness = .system
  ) {
    self.init(
      at: location, verifier: verifier, deviceKeyStore: deviceKeyStore, clock: clock,
      settings: VaultSettings(randomness: randomness))
  }

  package init(
    at location: DiaryLocation, verifier: any BiometricVerifier = CosineVerifier(),
    deviceKeyStore: (@Sendable (_ directory: String) -> any DeviceKeyStore)? = nil,
    clock: any AccessClock = SystemAccessClock(), settings: VaultSettings
  ) {
    self.location = location
    keeper = Keeper(
      at: location, verifier: verifier, deviceKeyStore: deviceKeyStore, clock: clock,
      settings: settings)
  }

  public var isOpen: Bool { keeper.isOpen }

  /// The notices since the last call.
  public func takeNotices() throws -> [Notice] {
    let notices = try keeper.takeNotices()
    try keeper.noticesWereTold()
    return notices
  }

  // MARK: SecurityService

  public func loadFaceData() async throws -> FaceData? { try keeper.loadFaceData() }

  public func faceNeedsPassphrase() async throws -> Bool { try keeper.faceNeedsPassphrase() }

  public func verifyFace(
    _ probe: Probe, passphrase: consuming SecretBytes?
  ) async throws -> FaceOutcome {
    try await keeper.verifyFace(probe, passphrase: passphrase)
  }

  public func open(
    _ factor: SecretFactor, _ secret: consuming SecretBytes, _ options: OpeningOptions
  ) async throws {
    try keeper.open(factor, secret, options)
  }

  /// Forgets the keys. A ``DiaryReader/forEachEntry(_:_:)`` or an import that is under way ends with an error before its next entry.
  public nonisolated func close() async {
    closings.withLock { $0 += 1 }
    await forgetKeys()
    closings.withLock { $0 -= 1 }
  }

  private func forgetKeys() {
    objectStore = nil
    keeper.close()
  }

  /// - Throws: ``AuthenticationError`` `locked` when the diary is to close.
  nonisolated func giveWay() throws(AuthenticationError) {
    guard closings.withLock({ $0 == 0 }) else {
      throw AuthenticationError(.locked, location.vault)
    }
  }

  // MARK: Before it is open

  /// Makes the vault, its device store, and the recovery code; leaves the diary closed.
  ///
  /// Everything is built under another name and given its own at the end, so a kill on the way leaves
  /// no half vault.
  ///
  /// - Parameters:
  ///   - passphrase: UTF-8, 1 to 1024 bytes; nil for a diary without one.
  ///   - faces: registered at once.
  ///   - announce: shows the recovery code. When it throws there is no diary: one whose code nobody saw
  ///     could not be recovered.
  /// - Throws: ``VaultError`` `vaultExists`, with the file untouched, and those of writing;
  ///   ``VectorError``, ``EnrollmentError`` for the faces; ``AuthenticationError`` for the store.
  @discardableResult
  public func create(
    passphrase: consuming SecretBytes?, limits: Argon2Cost = .moderate,
    faces: FaceRegistration? = nil,
    announce: @Sendable (CreatedDiary) throws -> Void = { _ in }
  ) throws -> CreatedDiary {
    try keeper.create(passphrase: passphrase, limits: limits, faces: faces, announce: announce)
  }

  /// Why a face is not enough now; nil when it is, or when none is enrolled.
  public func freshness() throws -> FreshnessNeed? { try keeper.freshness() }

  /// Whether this device's face opens the diary only together with a passphrase.
  public func faceNeedsPassphrase() throws -> Bool { try keeper.faceNeedsPassphrase() }

  /// Seconds until a passphrase may be tried; 0 for now.
  public func passphraseWait() throws -> Int64 { try keeper.passphraseWait() }

  /// The policy: of the open vault, else as this device last saw it.
  public func policy() throws -> AccessPolicy { try keeper.policy() }

  /// After a passphrase opened the diary under the warm policy: keeps what a face needs to open it again.
  public func keepWarm() throws { try keeper.keepWarm() }

  /// Whether a face can open the closed diary again without a slot on the disk.
  public var isWarm: Bool { keeper.isWarm }

  /// Wipes what ``keepWarm()`` kept when a passphrase is due. Call this from time to time.
  public func checkWarm() { keeper.checkWarm() }

  // MARK: Its owner

  /// The owner's rights, in exchange for a passphrase or recovery code given now. They end when the diary is closed.
  ///
  /// - Throws: ``AuthenticationError`` `locked` while closed, `waiting`; ``VaultError`` `wrongSecret`.
  public func owner(
    _ factor: SecretFactor, _ secret: consuming SecretBytes
  ) throws -> DiaryOwner {
    DiaryOwner(diary: self, rights: try keeper.proveOwner(factor, secret))
  }

  /// The same, right after a passphrase or recovery code opened the diary. Works once; nil when a face opened it,
  /// and a minute after the opening.
  public func owner() -> DiaryOwner? {
    keeper.claimOwner().map { DiaryOwner(diary: self, rights: $0) }
  }

  // MARK: Requests

  /// Runs a request on the open diary.
  package func run<R: VaultServed>(
    _ request: R, items: () throws -> ImportItem? = { nil }
  ) throws -> R.Answer {
    try keeper.run(
      request,
      items: {
        try giveWay()
        return try items()
      })
  }

  /// The entries a request gives.
  func collect<R: VaultServed>(_ request: R) throws -> [Entry] {
    var entries: [Entry] = []
    try each(request) { entries.append($0) }
    return entries
  }

  /// The same, one after the other.
  func each<R: VaultServed>(_ request: R, _ body: (Entry) throws -> Void) throws {
    _ = try keeper.run(
      request,
      entry: {
        try giveWay()
        try body($0)
      })
  }
}
