internal import CLibrary
internal import CPlatform

/// Why a program did not do its part.
package struct ChildProcessError: Error, Sendable, Equatable, Codable {
  package enum Problem: Sendable, Equatable, Codable {
    case notFound
    case cannotStart(String)
    case timedOut(seconds: Int)
    /// It and what it started neither read nor wrote anything for this long.
    case silent(seconds: Int)
    case tooMuchOutput(limit: Int)
    /// It ended with this code; the end of what it wrote to standard error.
    case failed(code: Int32, says: String)
    /// The command line's quotes do not close, or it is empty.
    case badCommand
  }

  package let problem: Problem
  package let program: String

  package init(_ problem: Problem, program: String) {
    self.problem = problem
    self.program = program
  }
}

/// Programs we start: split by shell quoting rules without expansion, found on `PATH`, with a small
/// environment and no descriptors but the first three.
package enum ChildProcess {
  /// For a program that must run the same for every caller: nothing from the caller's environment, and no Python module
  /// that somebody put beside its script (from Python 3.11 on) or among the user's own.
  private static var fixedEnvironment: [String] {
    [
      "PATH=/usr/local/bin:/usr/bin:/bin", "HOME=\(ThisProcess.homeDirectory)", "LANG=C.UTF-8",
      "PYTHONSAFEPATH=1", "PYTHONNOUSERSITE=1",
    ]
  }

  /// What a program we start gets of our environment.
  ///
  /// - Parameter names: of more variables; one that ends in `_` stands for all that begin so.
  package static func environment(adding names: [String] = []) -> [String] {
    let passed: Set<String> = [
      "PATH", "HOME", "USER", "LANG", "TZ", "TERM", "DISPLAY", "WAYLAND_DISPLAY",
      "XDG_RUNTIME_DIR", "TMPDIR",
    ]
    return ThisProcess.environment.filter { entry in
      let name = String(entry.prefix { $0 != "=" })
      return passed.contains(name) || name.hasPrefix("LC_")
        || names.contains { $0 == name || $0.hasSuffix("_") && name.hasPrefix($0) }
    }
  }

  /// How a program on our terminal ended.
  package enum ForegroundEnd: Sendable, Equatable {
    /// Its exit code as a shell would show it.
    case ended(Int32)
    /// We were told to end meanwhile, by this signal; the program was given two seconds to save and is gone.
    case interrupted(signal: Int32)
  }

  /// Seconds a program has to save what it holds when the terminal goes away.
  private static let farewell = 2

  /// Runs a program on the terminal we have and waits for it: an editor.
  ///
  /// A signal that would end us (the terminal was closed, the machine shuts down) ends the program first, and is
  /// reported instead: what it saved until then can still be kept.
  ///
  /// - Parameters:
  ///   - directory: where it runs; nil for where we do.
  ///   - holding: the descriptor of a lock that it is to have, too.
  ///   - meanwhile: called every few seconds while it runs.
  ///   - afterwards: called when it has ended; a signal still waits then.
  package static func runInForeground(
    _ words: [String], extraEnvironment: [String] = [], directory: String? = nil,
    holding: Int32? = nil, meanwhile: () -> Void = {},
    afterwards: (ForegroundEnd) throws -> Void = { _ in }
  ) throws -> ForegroundEnd {
    let signals = try Signals.redirectToPipe()
    defer { Signals.stopRedirecting() }
    let child = try spawn(
      words, files: [0, 1, 2] + (holding.map { [$0] } ?? []), ownGroup: false,
      environment: extraEnvironment, directory: directory)
    let end = try foreground(child, signals, meanwhile)
    try afterwards(end)
    Signals.stopRedirecting()
    guard case .ended = end, let signal = try signals.readAvailable(1)?.first else { return end }
    return .interrupted(signal: Int32(signal))
  }

  private static func foreground(
    _ child: Int32, _ signals: Descriptor, _ meanwhile: () -> Void
  ) throws -> ForegroundEnd {
    guard let watch = OtherProcess(id: child).ending else { return .ended(wait(for: child)) }
    while true {
      var entries = [Poll.Entry(watch.number), Poll.Entry(signals.number)]
      Poll.wait(&entries, milliseconds: 5000)
      var signal = entries[1].isReady ? try signals.readAvailable(1)?.first : nil
      if signal == nil, entries[0].isReady {
        let status = wait(for: child)
        // The terminal that went away ends both, and the program may have been faster.
        signal = try signals.readAvailable(1)?.first
        return signal.map { .interrupted(signal: Int32($0)) } ?? .ended(status)
      }
      guard let signal else {
        meanwhile()
        continue
      }
      kill(child, Int32(signal))
      var last = [Poll.Entry(watch.number)]
      Poll.wait(&last, milliseconds: farewell * 1000)
      if !last[0].isReady { kill(child, SIGKILL) }
      _ = wait(for: child)
      return .interrupted(signal: Int32(signal))
    }
  }

  /// Runs a program and collects what it prints.
  ///
  /// Its output is limited, its time too; then its whole process group is killed.
  ///
  /// - Parameters:
  ///   - input: what it reads, at most 4096 bytes: a pipe holds that, however slowly it is read.
  ///   - mayGoOn: asked several times a second; where it says no the program is ended, as one that printed too much.
  package static func output(
    of words: [String], input: [UInt8] = [], seconds: Int, limit: Int, silence: Silence? = nil,
    extraEnvironment: [String] = [], directory: String? = nil,
    isolated: Bool = false, mayGoOn: () -> Bool = { true }, heard: (String) -> Void = { _ in }
  ) throws(ChildProcessError) -> [UInt8] {
    var failure: ChildProcessError?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit + 1) { region, count in
      do throws(ChildProcessError) {
        count = unsafe try output(
          of: words, input: input, seconds: seconds, into: UnsafeMutableRawBufferPointer(region),
          silence: silence, extraEnvironment: extraEnvironment, directory: directory,
          isolated: isolated, mayGoOn: mayGoOn, heard: heard)
      } catch {
        failure = error
        count = 0
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// The same into the caller's memory and nowhere else. `region` has room for one byte more than may be printed.
  ///
  /// - Returns: how many bytes it printed.
  package static func output(
    of words: [String], input: [UInt8] = [], seconds: Int,
    into region: UnsafeMutableRawBufferPointer, silence: Silence? = nil,
    extraEnvironment: [String] = [], directory: String? = nil, isolated: Bool = false,
    mayGoOn: () -> Bool = { true }, heard: (String) -> Void = { _ in }
  ) throws(ChildProcessError) -> Int {
    let program = words[0]
    precondition(input.count <= 4096)
    let (child, out, err) = try startForOutput(
      words, input, extraEnvironment, directory, isolated)
    defer { ExitCleanup.remove(child: child) }
    var collected = 0
    var said: [UInt8] = []
    let problem = unsafe collect(
      child, out.number, err.number, seconds: seconds, silence, into: region, &collected, &said,
      mayGoOn, heard)
    // A program that closed its output may still run, but its time is over.
    let status = (problem == nil ? waitBriefly(for: child) : nil) ?? end(child)
    if let problem { throw ChildProcessError(problem, program: program) }
    guard let status else { throw ChildProcessError(.timedOut(seconds: seconds), program: program) }
    guard status == 0 else {
      throw ChildProcessError(
        .failed(code: status, says: String(decoding: said.suffix(1000), as: UTF8.self)),
        program: program)
    }
    return collected
  }

  /// Starts it with its input written; gives the reading ends of its output and of its errors.
  private static func startForOutput(
    _ words: [String], _ input: [UInt8], _ environment: [String], _ directory: String?,
    _ isolated: Bool
  ) throws(ChildProcessError) -> (child: Int32, output: Descriptor, errors: Descriptor) {
    guard let out = try? Descriptor.pipe(), let err = try? Descriptor.pipe(),
      let given = try? Descriptor.pipe(), (try? given.write.write(input)) != nil
    else { throw ChildProcessError(.cannotStart("no pipe"), program: words[0]) }
    let child = try ExitCleanup.start { () throws(ChildProcessError) in
      try spawn(
        words, files: [given.read.number, out.write.number, err.write.number], ownGroup: true,
        environment: environment, directory: directory, isolated: isolated)
    }
    return (child, out.read, err.read)
  }

  private static func collect(
    _ child: Int32, _ out: Int32, _ err: Int32, seconds: Int, _ silence: Silence?,
    into region: UnsafeMutableRawBufferPointer,
    _ collected: inout Int, _ said: inout [UInt8], _ mayGoOn: () -> Bool,
    _ heard: (String) -> Void
  ) -> ChildProcessError.Problem? {
    let end = SystemClock.sinceBoot + Int64(seconds) * 1_000_000_000
    var open = [out, err]
    var chunk = [UInt8](repeating: 0, count: 4096)
    var (seen, seenAt, lookedAt) = ([Int64](), SystemClock.sinceBoot, SystemClock.sinceBoot)
    var isOver = false
    while open.contains(out) || !open.isEmpty {
      let left = (end - SystemClock.sinceBoot) / 1_000_000
      if left <= 0 { return .timedOut(seconds: seconds) }
      guard mayGoOn() else { return .tooMuchOutput(limit: region.count - 1) }
      if let silence, SystemClock.sinceBoot - lookedAt > 1_000_000_000 {
        lookedAt = SystemClock.sinceBoot
        let now = activity(of: child, silence.activity)
        if now == nil || now != seen { (seen, seenAt) = (now ?? [], lookedAt) }
        if lookedAt - seenAt > Int64(silence.seconds) * 1_000_000_000 {
          return .silent(seconds: silence.seconds)
        }
      }
      var polls = open.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      let ready = unsafe poll(&polls, nfds_t(polls.count), isOver ? 0 : Int32(min(left, 250)))
      if ready < 0, errno != EINTR { return .cannotStart("poll") }
      if ready == 0 {
        // One that it started may keep the pipes open. What it wrote before its end is there by now, and is read first.
        if isOver { return nil }
        isOver = hasEnded(child)
      }
      for entry in polls where entry.revents != 0 {
        let room = unsafe UnsafeMutableRawBufferPointer(rebasing: region[collected...])
        let count =
          entry.fd == out
          ? unsafe read(out, room.baseAddress, room.count)
          : unsafe read(entry.fd, &chunk, chunk.count)
        if count < 0, errno == EINTR || errno == EAGAIN { continue }
        if count <= 0 {
          open.removeAll { $0 == entry.fd }
        } else if entry.fd == out {
          collected += count
          guard collected < region.count else {
            return .tooMuchOutput(limit: region.count - 1)
          }
        } else {
          said = (said + chunk[..<count]).suffix(4096)
          for line in chunk[..<count].split(separator: 0x0a) {
            heard(String(decoding: line, as: UTF8.self))
          }
        }
      }
    }
    return nil
  }

  private static let busyTries = 10

  /// Starts a program; `files` become its descriptors 0, 1, 2, …
  ///
  /// - Parameters:
  ///   - passing: a descriptor that it gets besides, under its own number; then it also gets those that we
  ///     were given ourselves, which a path like /dev/fd/63 may name. Else it gets no others.
  ///   - ownSession: whether it has no terminal.
  package static func spawn(
    _ words: [String], files: [Int32], passing: Int32? = nil, ownGroup: Bool,
    ownSession: Bool = false, environment names: [String] = [], keepingEnvironment: Bool = false,
    directory: String? = nil,
    isolated: Bool = false
  ) throws(ChildProcessError) -> Int32 {
    guard let program = words.first, !program.isEmpty else {
      throw ChildProcessError(.badCommand, program: "")
    }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    if let directory { unsafe cplatform_change_directory(&actions, directory) }
    for (target, file) in files.enumerated() {
      unsafe posix_spawn_file_actions_adddup2(&actions, file, Int32(target))
    }
    if let passing {
      // Onto itself: that alone takes close-on-exec away.
      unsafe posix_spawn_file_actions_adddup2(&actions, passing, passing)
    } else {
      unsafe cplatform_close_from(&actions, Int32(files.count))
    }
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var flags = Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK)
    if ownGroup, !ownSession { flags |= Int16(POSIX_SPAWN_SETPGROUP) }
    if ownSession { flags |= cplatform_spawn_session }
    unsafe posix_spawnattr_setflags(&attributes, flags)
    setSignals(&attributes)
    var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
    var variables =
      unsafe (isolated ? fixedEnvironment : environment(adding: names)).map { unsafe strdup($0) }
      + [nil]
    defer {
      for index in unsafe arguments.indices { unsafe free(arguments[index]) }
      for index in unsafe variables.indices { unsafe free(variables[index]) }
    }
    var child: pid_t = 0
    var status: Int32 = 0
    // A process that was forked meanwhile may, for a moment, still hold a script that was just written.
    for attempt in 0..<busyTries {
      status =
        keepingEnvironment
        ? unsafe posix_spawn(&child, program, &actions, &attributes, &arguments, environ)
        : unsafe posix_spawnp(&child, program, &actions, &attributes, &arguments, &variables)
      guard status == ETXTBSY else { break }
      SystemClock.sleep(milliseconds: 1 << min(attempt, 6))
    }
    guard status == 0 else {
      let reason = unsafe String(cString: strerror(status))
      // If a directory of the PATH may not be searched, a missing program is reported as "permission".
      let isNowhere = status == ENOENT || (status == EACCES && !isAnywhere(program))
      throw ChildProcessError(isNowhere ? .notFound : .cannotStart(reason), program: program)
    }
    return child
  }

  /// None blocked, and those that we handle or ignore as they are for everybody.
  private static func setSignals(_ attributes: inout posix_spawnattr_t) {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT, SIGTSTP, SIGTTIN, SIGTTOU, SIGXFSZ] {
      unsafe sigaddset(&signals, signal)
    }
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
  }

  private static func isAnywhere(_ program: String) -> Bool {
    if program.contains("/") { return unsafe access(program, F_OK) == 0 }
    guard let set = unsafe getenv("PATH") else { return false }
    let path = unsafe String(cString: set)
    return path.split(separator: ":").contains { unsafe access($0 + "/" + program, F_OK) == 0 }
  }

  /// Waits for a child; its exit code, or 128 + its signal.
  package static func wait(for child: Int32) -> Int32 {
    var status: Int32 = 0
    while unsafe waitpid(child, &status, 0) < 0 {
      guard errno == EINTR else { return -1 }
    }
    return cplatform_exit_status(status)
  }

  /// Whether it has ended; its status stays to be waited for.
  private static func hasEnded(_ child: pid_t) -> Bool {
    var found = unsafe siginfo_t()
    let status = unsafe waitid(P_PID, id_t(child), &found, WEXITED | WNOHANG | WNOWAIT)
    return unsafe status == 0 && found.si_signo == SIGCHLD
  }

  /// Waits for its end for a second; nil when it goes on.
  private static func waitBriefly(for child: pid_t) -> Int32? {
    var status: Int32 = 0
    for _ in 0..<500 {
      let done = unsafe waitpid(child, &status, WNOHANG)
      if done == child { return cplatform_exit_status(status) }
      if done < 0, errno != EINTR { return -1 }
      usleep(2_000)
    }
    return nil
  }

  /// Kills a child and its group; nil when it cannot be ended, because it runs as another user or the kernel holds it.
  private static func end(_ child: pid_t) -> Int32? {
    kill(-child, SIGKILL)
    // It may have left its group.
    kill(child, SIGKILL)
    return waitBriefly(for: child)
  }
}
