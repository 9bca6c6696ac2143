internal import CLibrary
internal import CPlatform

/// This process.
package enum ThisProcess {
  /// The user's home as the system knows it, whatever the environment says; `/` when it knows none.
  ///
  /// From the list of users, else by `getent`, which asks wherever else this system keeps them: the C library would load code for that,
  /// which a static program cannot.
  package static var homeDirectory: String {
    let list = (try? Descriptor.open("/etc/passwd").readAll(limit: 16 << 20)) ?? []
    if let home = home(in: list) { return home }
    let asked = try? ChildProcess.output(
      of: ["/usr/bin/getent", "passwd", String(user)], seconds: 5, limit: 4096)
    return asked.flatMap(home) ?? "/"
  }

  /// The sixth field of this user's line.
  private static func home(in list: [UInt8]) -> String? {
    for line in list.split(separator: 0x0a) {
      let fields = line.split(separator: 0x3a, omittingEmptySubsequences: false)
      guard fields.count >= 6, UInt32(String(decoding: fields[2], as: UTF8.self)) == user,
        fields[5].first == 0x2f
      else { continue }
      return String(decoding: fields[5], as: UTF8.self)
    }
    return nil
  }

  package static var id: Int32 { getpid() }
  package static var user: UInt32 { geteuid() }

  package static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }

  /// The path of a program that can be run: itself where it is a path, else the first of this name in a folder of `PATH`; nil when
  /// there is none.
  package static func installed(_ name: String) -> String? {
    if name.contains("/") { return FileSystem.isExecutable(name) ? name : nil }
    return (variable("PATH") ?? "").split(separator: ":").map { $0 + "/" + name }
      .first(where: FileSystem.isExecutable)
  }

  package static func setVariable(_ name: String, _ value: String, replacing: Bool = true) {
    unsafe setenv(name, value, replacing ? 1 : 0)
  }

  /// As it was: nil for none.
  package static func restoreVariable(_ name: String, _ value: String?) {
    if let value { setVariable(name, value) } else { unsafe unsetenv(name) }
  }

  /// All of the environment, `NAME=value`.
  package static var environment: [String] {
    var result: [String] = []
    var next = unsafe environ
    while let entry = unsafe next.pointee {
      unsafe result.append(String(cString: entry))
      unsafe next += 1
    }
    return result
  }

  /// The words after this program's name.
  package static var arguments: [String] { Array(CommandLine.arguments.dropFirst()) }

  /// Whether every argument is UTF-8: Swift repairs those that are not.
  package static var argumentsAreText: Bool {
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let word = unsafe CommandLine.unsafeArgv[index] else { continue }
      if unsafe String(validatingCString: word) == nil { return false }
    }
    return true
  }

  /// Where this program's file is.
  package static func executable() throws(PlatformError) -> String {
    var path = [CChar](repeating: 0, count: 4096)
    guard unsafe cplatform_executable(&path, UInt32(path.count)) == 0 else {
      throw PlatformError("/proc/self/exe")
    }
    return String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// A stream that was closed when we were started must not become a socket or the vault: whatever is
  /// then written to it fails, as it should.
  package static func occupyStandardStreams() {
    while true {
      let file = unsafe cplatform_open("/dev/null", O_RDONLY | O_CLOEXEC, 0)
      guard (0...2).contains(file) else {
        if file > 2 { close(file) }
        return
      }
    }
  }

  /// The descriptors above the standard streams that our parent left open; ours are close-on-exec.
  package static func givenDescriptors() -> [Int32] {
    ((try? FileSystem.names(in: "/proc/self/fd")) ?? []).compactMap(Int32.init).filter { number in
      number > 2 && fcntl(number, F_GETFD) == 0
    }
  }

  package static func closeDescriptors(_ numbers: [Int32]) {
    for number in numbers { close(number) }
  }

  /// Replaces standard input, output and error by /dev/null, so that a pipe to this process can end.
  package static func releaseStandardStreams() {
    guard let null = try? Descriptor.open("/dev/null", [.readWrite]) else { return }
    for file in 0...2 { null.replace(Int32(file)) }
  }

  /// Leaves the process that started us, its terminal and its directory.
  package static func detach() {
    _ = cplatform_end_with_parent(0)
    setsid()
    unsafe chdir("/")
    umask(0o077)
    releaseStandardStreams()
  }

  /// No core dump, no tracing and no `/proc/PID/mem` for other processes of the user.
  ///
  /// - Throws: when the system refuses; nothing secret may follow.
  package static func forbidDumps() throws(PlatformError) {
    guard cplatform_forbid_dumps() == 0 else { throw PlatformError("core dumps") }
  }

  /// How many threads this process has; nil when the system does not say.
  package static var threadCount: Int? { try? FileSystem.names(in: "/proc/self/task").count }

  /// Ends this process when its parent ends, for whatever reason.
  package static func endWithParent(_ parent: Int32) {
    _ = cplatform_end_with_parent(1)
    // It may be gone already.
    if getppid() != parent { end(1) }
  }

  /// What this process is called in process lists: at most 15 bytes.
  package static func setName(_ name: String) { unsafe cplatform_set_name(name) }

  /// Gives memory that was freed back to the system: `malloc` keeps it for what is asked for next.
  package static func returnFreedMemory() { cplatform_return_memory() }

  package static func end(_ code: Int32) -> Never { exit(code) }

  /// Ends at once, running nothing more of ours.
  package static func endNow(_ code: Int32) -> Never { _exit(code) }

  /// Ends within two seconds, whatever its threads wait for.
  package static func endSoon() {
    signal(SIGALRM, SIG_DFL)
    var mask = sigset_t()
    unsafe sigemptyset(&mask)
    unsafe sigaddset(&mask, SIGALRM)
    unsafe pthread_sigmask(SIG_UNBLOCK, &mask, nil)
    alarm(2)
  }

  /// Stops the main thread where it is, so that what it works with can be wiped.
  package static func freezeMainThread() { cplatform_freeze_main() }
}

/// Another process of this user.
package struct OtherProcess: Sendable, Equatable {
  package let id: Int32

  package init(id: Int32) { self.id = id }

  /// Those of this user whose name in process lists `matches`; nil when the system does not show them all.
  package static func named(_ matches: (String) -> Bool) -> [OtherProcess]? {
    guard let names = try? FileSystem.names(in: "/proc"), names.contains("self"), !isProcHiding
    else { return nil }
    var found: [OtherProcess] = []
    for id in names.compactMap({ Int32($0) }) where id != ThisProcess.id {
      do throws(PlatformError) {
        let bytes = try Descriptor.open("/proc/\(id)/comm").readAll(limit: 64)
        let name = String(decoding: bytes.prefix { $0 != 0x0a }, as: UTF8.self)
        if matches(name), isOurs(id) { found.append(OtherProcess(id: id)) }
      } catch {
        // It ended as we looked; whatever else is wrong, we cannot say that there is none.
        guard error.isMissing || error.errno == .noProcess else { return nil }
      }
    }
    return found
  }

  /// Whether `/proc` is mounted with `hidepid`: a process that cannot be traced, as a keeper, is then not listed even
  /// for its own user.
  private static var isProcHiding: Bool {
    guard let file = try? Descriptor.open("/proc/self/mountinfo"),
      let bytes = try? file.readAll(limit: 16 << 20)
    else { return true }
    return hidesProcesses(mounts: String(decoding: bytes, as: UTF8.self))
  }

  /// Whether these lines of `/proc/self/mountinfo` mount `/proc` with `hidepid`. The last mount of a place counts.
  static func hidesProcesses(mounts: String) -> Bool {
    let last = mounts.split(separator: "\n").last {
      $0.split(separator: " ").dropFirst(4).first == "/proc"
    }
    let hiding = last?.split(whereSeparator: { $0 == " " || $0 == "," }).last {
      $0.hasPrefix("hidepid=")
    }
    return hiding.map { !["hidepid=0", "hidepid=off"].contains($0) } ?? false
  }

  private static func isOurs(_ id: Int32) -> Bool {
    guard let file = try? Descriptor.open("/proc/\(id)/status"),
      let text = (try? file.readAll(limit: 64 << 10)).map({ String(decoding: $0, as: UTF8.self) }),
      let line = text.split(separator: "\n").first(where: { $0.hasPrefix("Uid:") })
    else { return false }
    let numbers = line.dropFirst(4).split(whereSeparator: \.isWhitespace)
    return numbers.count == 4 && UInt32(numbers[1]) == ThisProcess.user
  }

  /// Readable when it has ended; nil where the system has no such descriptor.
  package var ending: Descriptor? {
    let number = cplatform_process_descriptor(id)
    return number < 0 ? nil : Descriptor(number, name: "process")
  }

  /// Tells it, and those it started in its group, to end.
  package func terminateGroup() {
    kill(-id, SIGTERM)
    kill(id, SIGTERM)
  }

  package func endGroup() {
    kill(-id, SIGKILL)
    kill(id, SIGKILL)
  }

  /// Whether it is gone, waiting up to so long; a zombie is gone.
  package func isGone(within milliseconds: Int) -> Bool {
    var waited = 0
    while true {
      if kill(id, 0) != 0, errno == ESRCH { return true }
      if let file = try? Descriptor.open("/proc/\(id)/stat"),
        let bytes = try? file.readAll(limit: 4096), let end = bytes.lastIndex(of: 0x29),
        bytes.dropFirst(end + 2).first.map({ $0 == 0x5a || $0 == 0x58 }) ?? false
      {
        return true
      }
      guard waited < milliseconds else { return false }
      SystemClock.sleep(milliseconds: 2)
      waited += 2
    }
  }

  /// Asks it to end.
  package func terminate() { kill(id, SIGTERM) }

  /// Ends it, whatever it does.
  package func end() { kill(id, SIGKILL) }
}

/// A thread of our own, for what must run whatever the others do.
package enum BackgroundThread {
  /// - Throws: when the system has no room for one.
  package static func start(_ body: @escaping @Sendable () -> Void) throws(PlatformError) {
    let box = unsafe Unmanaged.passRetained(Body(body))
    var thread = pthread_t()
    let status = unsafe pthread_create(
      &thread, nil,
      { raw in
        guard let raw = unsafe raw else { return nil }
        unsafe Unmanaged<Body>.fromOpaque(raw).takeRetainedValue().run()
        return nil
      }, box.toOpaque())
    guard status == 0 else {
      unsafe box.release()
      throw PlatformError(.system(Errno(rawValue: status)), "thread")
    }
    pthread_detach(thread)
  }

  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
}
