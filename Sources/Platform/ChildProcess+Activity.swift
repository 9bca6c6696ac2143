extension ChildProcess {
  /// What shows that a program and those it started do something.
  package enum Activity: Sendable {
    /// Bytes that they read or write.
    case bytes
    /// The same, and any time they spend running: for programs that do nothing at all while they wait. Bytes that a program
    /// takes from a socket by `recv` are not counted by the kernel.
    case bytesAndWork
  }

  /// How long a program may do nothing before it is ended.
  package struct Silence: Sendable {
    let seconds: Int
    let activity: Activity

    package init(seconds: Int, _ activity: Activity) {
      self.seconds = seconds
      self.activity = activity
    }
  }

  /// What a program and those it started have read, written and, if that counts, worked until now; nil where the kernel does not say.
  static func activity(of child: Int32, _ kind: Activity) -> [Int64]? {
    var found: [Int64] = []
    var open = [child]
    while let process = open.popLast() {
      let folder = "/proc/\(process)"
      func read(_ name: String) -> String? {
        (try? Descriptor.open(folder + "/" + name).readAll(limit: 1 << 16)).map {
          String(decoding: $0, as: UTF8.self)
        }
      }
      guard let counts = read("io") else {
        if process == child { return nil }
        continue
      }
      for line in counts.split(separator: "\n")
      where line.hasPrefix("rchar") || line.hasPrefix("wchar") {
        found.append(Int64(line.split(separator: " ").last ?? "") ?? 0)
      }
      // Each thread works and starts programs by itself.
      for thread in (try? FileSystem.names(in: folder + "/task")) ?? [] {
        if kind == .bytesAndWork {
          let worked = read("task/" + thread + "/schedstat")?.split(separator: " ").first
          found.append(Int64(worked ?? "") ?? 0)
        }
        open += (read("task/" + thread + "/children") ?? "").split(separator: " ")
          .compactMap { Int32($0) }
      }
    }
    return found
  }
}
