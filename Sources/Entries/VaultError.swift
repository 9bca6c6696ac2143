public import Bytes
package import Platform

/// Why a vault did not do what was asked.
///
/// Two failures have different codes if a user should act differently. Equality is on the code
/// alone.
public struct VaultError: Error, Sendable, Equatable, Codable {
  public enum Code: String, Sendable, Codable {
    /// No file there.
    case noVault
    /// A file is there already; it was not touched.
    case vaultExists
    /// The file is no vault, or another program's database.
    case notAVault
    /// Written by a version of this program from before its first release.
    case olderFormat
    /// Written by a later version of this program.
    case newerFormat
    /// The bytes are not what was written; the passphrase is not the cause.
    case damaged
    /// Every part opens, but they do not belong together: a row is missing, old, doubled or moved.
    case tampered
    /// An older copy of the vault was put back.
    case rolledBack
    /// A copy was written elsewhere and this one too.
    case forked
    /// No slot opens with this secret.
    case wrongSecret
    /// The vault has no slot of the kind asked for.
    case noSuchSlot
    case notFound, ambiguous, conflict, invalid
    /// Another process is writing and did not finish in time.
    case busy
    case readOnly, diskFull, permission
    /// A file of the device store that others may read or write, or that is a link.
    case loose
    /// The person who was asked said no.
    case declined
    /// No locked memory, or no memory for Argon2id.
    case memory
    case system
  }

  public let code: Code
  /// What it is about, where there is a word for it.
  public let thing: Thing?
  /// Which one: a path, a name, an entry's id, `state record`, …
  public let name: String
  public let reason: Reason
  /// What could have been meant: ids of ambiguous entries, the nearest names.
  public let candidates: [String]

  /// Which part is damaged, where that decides what to do.
  public enum Part: String, Sendable, Codable {
    /// A key slot: whether a secret is right cannot be said.
    case keySlot
    /// What this device remembers of the vault.
    case anchor
    /// The root of everything: it does not open with this key.
    case stateRecord
  }

  public let part: Part?
  /// The kind of slot that a secret was tried on, or that there is none of.
  public let slot: SlotKind?

  /// What it is about, in English: `entry 01abc…`, a path.
  public var subject: String {
    [thing?.rawValue ?? "", name].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// What exactly, in English. Never contents.
  public var detail: String { reason.description }

  public init(
    _ code: Code, _ thing: Thing?, _ name: String, _ reason: Reason = .none,
    candidates: [String] = [], part: Part? = nil, slot: SlotKind? = nil
  ) {
    self.code = code
    self.thing = thing
    self.name = name
    self.reason = reason
    self.candidates = candidates
    self.part = part
    self.slot = slot
  }

  /// The same about another path.
  package func naming(_ path: String) -> VaultError {
    VaultError(code, thing, path, reason, candidates: candidates, part: part, slot: slot)
  }

  /// About a file, which has no name among the owner's things.
  public init(
    _ code: Code, _ path: String, _ reason: Reason = .none, part: Part? = nil,
    slot: SlotKind? = nil
  ) {
    self.init(code, nil, path, reason, part: part, slot: slot)
  }

  /// About something of which there is one.
  public init(
    _ code: Code, _ thing: Thing, _ reason: Reason = .none, part: Part? = nil,
    slot: SlotKind? = nil
  ) {
    self.init(code, thing, "", reason, part: part, slot: slot)
  }

  /// `invalid`: a value that is not as it must be.
  public init(_ thing: Thing, expected reason: Reason) { self.init(.invalid, thing, reason) }

  public static func == (one: Self, other: Self) -> Bool { one.code == other.code }

  package init(
    _ error: SealingError, _ thing: Thing?, _ name: String = "", part: Part? = nil
  ) {
    switch error {
    case .noLockedMemory: self.init(.memory, thing, name, .lockedMemory)
    case .outOfMemory: self.init(.memory, thing, name, .memoryForArgon2id)
    case .unavailable: self.init(.system, thing, name, .noLibsodium)
    case .notAuthentic: self.init(.damaged, thing, name, .sealDoesNotFit, part: part)
    case .malformed: self.init(.damaged, thing, name, .malformed, part: part)
    case .limitsRefused: self.init(.damaged, thing, name, .limitsRefused, part: part)
    case .newer: self.init(.newerFormat, thing, name, .laterVersion, part: part)
    case .passphraseUnusable: self.init(.passphrase, expected: .passphraseOfBytes(1...1024))
    }
  }
}

/// Runs `body`, naming what was being opened or read.
package func unsealing<Result: ~Copyable>(
  _ thing: VaultError.Thing?, _ name: @autoclosure () -> String = "", part: VaultError.Part? = nil,
  _ body: () throws(SealingError) -> Result
) throws(VaultError) -> Result {
  do throws(SealingError) { return try body() } catch {
    throw VaultError(error, thing, name(), part: part)
  }
}

extension VaultError {
  package init(_ error: PlatformError) {
    let code: Code =
      error.isDiskFull
      ? .diskFull
      : error.isExisting
        ? .vaultExists
        : error.errno == .readOnly
          ? .readOnly : error.errno == .accessDenied ? .permission : .system
    self.init(code, error.path, .said(error.explanation))
  }
}

/// Runs `body`, and converts errors of the operating system into errors of this module.
package func onDisk<Result>(
  _ body: () throws(PlatformError) -> Result
) throws(VaultError) -> Result {
  do throws(PlatformError) { return try body() } catch { throw VaultError(error) }
}
