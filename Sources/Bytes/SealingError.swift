/// What can go wrong when sealing or opening.
///
/// Deliberately coarse: whatever fails to authenticate is ``notAuthentic``, with no hint at which byte.
public enum SealingError: Error, Equatable, Sendable, Codable {
  /// libsodium could not be initialised; nothing may be sealed or opened.
  case unavailable
  /// No locked memory could be had (`RLIMIT_MEMLOCK`), or the arena is full.
  case noLockedMemory
  /// The bytes are not what this key sealed for this place.
  case notAuthentic
  /// Argon2id limits outside what is accepted; refused before any work.
  case limitsRefused
  /// Argon2id could not get its memory.
  case outOfMemory
  /// A passphrase that is empty, too long, or not UTF-8.
  case passphraseUnusable
  /// A record ends early, or says something impossible about itself.
  case malformed
  /// A record of a version that this program does not know.
  case newer
}
