/// All secret memory of the process at once.
package enum SecretMemory {
  /// Wipes it. Whoever works with a secret of it must be stopped before, and nothing may follow but the end.
  package static func wipe() { SecretArena.shared?.wipe() }
}
