internal import CSodium

/// The only access to libsodium: it is initialised once, before anything else uses it.
///
/// `sodium_malloc` before `sodium_init` aborts the process, so everything in this module starts
/// here.
package enum Sodium {
  package static let isReady: Bool = sodium_init() >= 0

  package static func require() throws(SealingError) {
    guard isReady else { throw .unavailable }
  }
}
