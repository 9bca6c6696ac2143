/// All secret memory of the process at once.
package enum SecretMemory {
  /// Wipes it. Stop all threads that use its secrets first. Afterwards the process may only end.
  package static func wipe() { SecretArena.shared?.wipe() }
}
