internal import CSodium

/// The one door to libsodium: initialised once, before anything else touches it.
///
/// `sodium_malloc` before `sodium_init` aborts the process, so everything in this room starts here.
package enum Sodium {
  package static let isReady: Bool = sodium_init() >= 0

  package static func require() throws(SealingError) {
    guard isReady else { throw .unavailable }
  }
}
