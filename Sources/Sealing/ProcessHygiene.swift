internal import CPlatform

/// What a process that will hold secrets does first.
package enum ProcessHygiene {
  /// No core dump and, on Linux, no tracing and no `/proc/PID/mem` for other processes of the user.
  ///
  /// - Throws: ``SealingError/unavailable`` when the system refuses; nothing secret may follow.
  package static func forbidDumps() throws(SealingError) {
    guard cplatform_forbid_dumps() == 0 else { throw .unavailable }
  }
}
