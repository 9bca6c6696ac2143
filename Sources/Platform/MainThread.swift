internal import CLibrary
internal import CPlatform
internal import Dispatch

extension ThisProcess {
  /// Runs the main actor's work on this thread until the process ends.
  ///
  /// An `await` at the top level, or `dispatchMain`, would end the thread: then it could not be stopped by a signal, and ending it
  /// unwinds it, which takes 20 ms in a static program. A run loop of Foundation does the same as this and brings all of Foundation.
  package static func runMainThread() -> Never {
    let queue = cplatform_main_queue()
    while true {
      var entries = [Poll.Entry(queue)]
      Poll.wait(&entries, milliseconds: -1)
      if entries[0].isReady { cplatform_run_main_queue() }
    }
  }

  /// How many processors this process may use.
  package static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// The environment, by name.
  package static var variables: [String: String] {
    var variables: [String: String] = [:]
    for entry in environment {
      // By bytes: a value may begin with a mark that would make one character of the sign.
      let bytes = entry.utf8
      guard let sign = bytes.dropFirst().firstIndex(of: 0x3d) else { continue }
      variables[String(decoding: bytes[..<sign], as: UTF8.self)] = String(
        decoding: bytes[bytes.index(after: sign)...], as: UTF8.self)
    }
    return variables
  }
}
