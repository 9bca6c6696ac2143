internal import CPlatform

/// What this process can no longer do, even if it is taken over: given up for good, for itself and its children.
package struct Confinement: OptionSet, Sendable, Codable, Equatable {
  package let rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }

  /// Files are reached below the directories named alone (Landlock).
  package static let files = Confinement(rawValue: 1)
  /// No program is started, and nothing is taken from another process or typed in its name (seccomp).
  package static let programs = Confinement(rawValue: 2)
  /// No socket is made, bound or connected (seccomp).
  package static let network = Confinement(rawValue: 4)

  /// Gives up what can be given up here, and tries whether it is gone; what is not is missing in the answer, and no error.
  ///
  /// Landlock binds the thread that asks for it and those that it starts. So a process with other threads has not given up
  /// files, whatever the kernel answers.
  ///
  /// - Parameters:
  ///   - wanted: what to give up.
  ///   - directories: what stays reachable, for reading and writing.
  ///   - readable: files and directories that stay readable.
  package static func enter(
    _ wanted: Confinement, writing directories: [String], reading readable: [String]
  ) -> Confined {
    var given: Confinement = []
    let isAlone = ThisProcess.threadCount == 1
    if wanted.contains(.files), restrictFiles(directories, readable), isAlone {
      given.insert(.files)
    }
    let calls = wanted.intersection([.programs, .network])
    if !calls.isEmpty,
      cplatform_restrict_calls(calls.contains(.programs) ? 1 : 0, calls.contains(.network) ? 1 : 0)
        == 0
    {
      given.formUnion(calls)
    }
    // Here, and on a thread like those that are started from here on.
    var elsewhere: Confinement = []
    let lane = Lane()
    lane.start { elsewhere = refused() }
    let here = refused()
    lane.wait()
    return Confined(tried: wanted, found: given.intersection(here).intersection(elsewhere))
  }

  /// What the system refuses to the thread that asks.
  private static func refused() -> Confinement {
    var refused: Confinement = []
    if unsafe cplatform_is_refused(0, "/") == 1 { refused.insert(.files) }
    // Programs, typing into the terminal, the files that another process has open, attributes of files, and signals
    // by way of the kernel.
    if [1, 3, 4, 5, 6].allSatisfy({ cplatform_is_refused($0, nil) == 1 }) {
      refused.insert(.programs)
    }
    if cplatform_is_refused(2, nil) == 1 { refused.insert(.network) }
    return refused
  }

  private static func restrictFiles(_ directories: [String], _ readable: [String]) -> Bool {
    let rules = cplatform_files_begin()
    guard rules >= 0 else { return false }
    let handle = Descriptor(rules, name: "landlock")
    for path in directories where unsafe cplatform_files_allow(handle.number, path, 1) < 0 {
      return false
    }
    // What is not there need not be reachable.
    for path in readable { _ = unsafe cplatform_files_allow(handle.number, path, 0) }
    return cplatform_files_enforce(handle.number) == 0
  }

  /// As `status --json` names them.
  package var names: [String] {
    [(Confinement.files, "files"), (.programs, "programs"), (.network, "network")]
      .filter { contains($0.0) }.map(\.1)
  }
}

/// What a process tried to give up, and what it found to be gone.
package struct Confined: Sendable {
  package let tried: Confinement
  package let found: Confinement

  /// Of a process that keeps everything.
  package static let nothing = Confined(tried: [], found: [])
}
