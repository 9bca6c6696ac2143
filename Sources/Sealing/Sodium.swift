internal import CSodium

/// The one door to libsodium: initialised once, before anything else touches it.
///
/// `sodium_malloc` before `sodium_init` aborts the process, so everything in this room starts here.
enum Sodium {
  static let isReady: Bool = sodium_init() >= 0

  static func require() throws(SealingError) {
    guard isReady else { throw .unavailable }
  }
}
