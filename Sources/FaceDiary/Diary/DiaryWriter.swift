internal import Access
internal import DiaryVault
public import Entries
internal import Keeper
internal import Requests
internal import SealedFiles

/// Operations that change an open diary. Every change is durable when the call returns.
///
/// Each of these throws ``AuthenticationError`` `locked` while the diary is closed, and ``VaultError``: `invalid`
/// naming the field, `notFound`, `conflict`, `busy`, `diskFull`, `readOnly`. A call that throws
/// changes nothing.
public protocol DiaryWriter: Sendable {
  /// Adds an entry.
  func write(_ draft: EntryDraft) async throws -> EntryID
  /// Makes a new revision and returns its number.
  ///
  /// - Parameter expected: the revision the edit began from; `conflict` when it is not the newest.
  func edit(
    _ entry: EntryReference, _ change: EntryChange, expected: UInt64?
  ) async throws -> UInt64
  /// Moves entries to the trash, or out of it, or removes trashed ones for good (all of them for nil).
  func delete(_ entries: [EntryID]) async throws
  func restore(_ entries: [EntryID]) async throws
  func purge(_ entries: [EntryID]?) async throws
  /// Changes journals or kinds and returns how many entries this changed.
  func change(_ names: NamesChange) async throws -> Int
  /// Keeps a text to start from; a nil body removes it.
  func setTemplate(_ name: String, body: String?) async throws
  /// Seals a file in the vault; an entry or an edit then takes it.
  ///
  /// - Parameter pieces: its bytes, a piece a call, nil at the end.
  func stage(
    name: String, type: String, _ pieces: @Sendable () throws -> [UInt8]?
  ) async throws -> SealedAttachment
  /// Takes in what comes from elsewhere: all of it, or nothing.
  ///
  /// - Parameters:
  ///   - isDryRun: only count.
  ///   - items: journals, kinds, files before the entry they belong to, and entries; nil at the end.
  func importEntries(
    isDryRun: Bool, onConflict: ImportConflict, _ items: @Sendable () throws -> ImportItem?
  ) async throws -> ImportCounts
}

extension Diary: DiaryWriter {
  @discardableResult
  public func write(_ draft: EntryDraft) throws -> EntryID { try run(AddEntry(draft)).id }

  @discardableResult
  public func edit(
    _ entry: EntryReference, _ change: EntryChange, expected: UInt64? = nil
  ) throws -> UInt64 { try run(EditEntry(entry, change, expected: expected)).revision }

  public func delete(_ entries: [EntryID]) throws {
    _ = try run(DeleteEntries(entries.map(EntryReference.id)))
  }

  public func restore(_ entries: [EntryID]) throws {
    _ = try run(RestoreEntries(entries.map(EntryReference.id)))
  }

  public func purge(_ entries: [EntryID]?) throws {
    // What was staged and not taken by now goes, too.
    objectStore = nil
    _ = try run(PurgeEntries(entries?.map(EntryReference.id)))
  }

  @discardableResult
  public func change(_ names: NamesChange) throws -> Int { try run(ChangeNames(names)) }

  public func setTemplate(_ name: String, body: String?) throws {
    _ = try run(SetTemplate(name, body: body))
  }

  public func stage(
    name: String, type: String, _ pieces: @Sendable () throws -> [UInt8]?
  ) throws -> SealedAttachment {
    // A long file is sealed under a key of its own, which a closed diary does not keep from being made.
    _ = try keeper.vault()
    let store = objectStore ?? makeObjectStore()
    // What it sealed is kept for an entry to take while the diary is open.
    objectStore = store
    return try store.seal(name: name, type: type, pieces)
  }

  public func importEntries(
    isDryRun: Bool = false, onConflict: ImportConflict = .refuse,
    _ items: @Sendable () throws -> ImportItem?
  ) throws -> ImportCounts {
    let sealer = ImportSealer(makeObjectStore(isDry: isDryRun))
    return try run(
      ImportEntries(isDryRun: isDryRun, onConflict: onConflict), items: { try sealer.next(items) })
  }

  private func makeObjectStore(isDry: Bool = false) -> ObjectStore {
    let keeper = keeper
    return ObjectStore(VaultFolder(location.vault), isDry: isDry) {
      try keeper.vault().objectKey(of: $0)
    }
  }

  /// Writes a consistent copy to `path`, which must not exist: sealed, readable with the same secrets, never written.
  public func backup(to path: String) throws {
    let vault = try keeper.vault()
    let begun = try vault.beginBackup()
    try Vault.makeBackup(of: location.vault, as: path, settings: keeper.settings) { state in
      try vault.sealBackup(state: state, since: begun)
    }
  }
}
