// swift-tools-version: 6.2
import PackageDescription

/// What every Swift target is built with.
let common: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// The compiler's own flags. A package that another one depends on may have none.
func flags(_ flags: String..., when configuration: BuildConfiguration) -> [SwiftSetting] {
  let isDependency = Context.packageDirectory.contains("/checkouts/")
  return isDependency ? [] : [.unsafeFlags(flags, .when(configuration: configuration))]
}

/// The program and its library. A release can be tested as it is, so that the tests run what people run, and one build serves both.
let settings = common + [.strictMemorySafety()] + flags("-enable-testing", when: .release)

/// A test may poke into memory, and says so by what it tests. Optimised, the tests would take longer to build than they save.
let testSettings = common + flags("-Onone", when: .release)

/// Tests and their libraries that compute what they expect.
let busyTestSettings =
  common + flags("-O", when: .debug) + flags("-enable-testing", when: .release)

/// A room of the house; the arrows of `dependencies` point down only.
func room(_ name: String, _ dependencies: Target.Dependency...) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

/// Without lld a newcomer's first build ends with warnings about `dlopen`, which nothing here calls.
let linker: [LinkerSetting] = [.unsafeFlags(["-use-ld=lld"])]

/// One file that runs on any Linux system, and starts in a quarter of the time. No test depends on such a program, since the tests would
/// be linked so, too; `swift test` builds it all the same.
let staticLinker: [LinkerSetting] = [.unsafeFlags(["-use-ld=lld", "-static-executable"])]

/// A room that works on bytes and texts, optimised in a debug build, too: unspecialised, its generics take five times as long, and the
/// tests do real work. Only where the tests gain more than the compiler needs, which is two minutes for the vault's room.
func busyRoom(_ name: String, _ dependencies: Target.Dependency...) -> Target {
  .target(
    name: name, dependencies: dependencies, swiftSettings: settings + flags("-O", when: .debug))
}

/// The tests of a room, run by `swift test`.
func tests(_ name: String, _ dependencies: Target.Dependency...) -> Target {
  .testTarget(
    name: name + "Tests", dependencies: [.byName(name: name)] + dependencies,
    exclude: name == "Commands" ? ["Helpers"] : [], swiftSettings: testSettings)
}

/// Tests that compute what they expect: optimised like a busy room.
func busyTests(_ name: String, _ dependencies: Target.Dependency...) -> Target {
  .testTarget(
    name: name + "Tests", dependencies: [.byName(name: name)] + dependencies,
    swiftSettings: busyTestSettings)
}

let package = Package(
  name: "FaceDiary",
  products: [
    .library(name: "FaceDiary", targets: ["FaceDiary"]),
    .executable(name: "facediary", targets: ["facediary"]),
    .executable(name: "facediary-bench", targets: ["facediary-bench"]),
  ],
  targets: [
    // L0: C
    .systemLibrary(
      name: "CSodium", pkgConfig: "libsodium",
      providers: [.apt(["libsodium-dev"])]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"])]),
    .target(name: "CPlatform"),
    .target(name: "CSimilarity"),
    // Unicode's tables, as Tests/Unicode/generate.py writes them.
    .target(name: "CUnicode"),
    // The page of the window, as its files are.
    .target(name: "CPage", exclude: ["page"]),
    // L1: bytes, and one library or one format each
    busyRoom("Bytes", "CSodium"),
    busyRoom("Text", "CUnicode"),
    room("CLibrary"),
    room("Platform", "CLibrary", "CPlatform"),
    busyRoom("Sealing", "Bytes", "CSodium"),
    busyRoom("RowStore", "CSQLite", "Platform"),
    busyRoom("JSONText"),
    busyRoom("Markdown"),
    // What a browser sends, and what it is answered.
    busyRoom("HTTP"),
    // L2
    busyRoom("Replication", "Bytes", "Sealing"),
    room("Places", "Platform"),
    busyRoom("FaceMatching", "JSONText", "CSimilarity"),
    // L3: the words of a diary, without a key
    room("Entries", "Bytes", "Text", "Platform"),
    room("Access", "Bytes", "Entries", "FaceMatching", "Platform"),
    room("Chip", "Bytes", "Entries", "Sealing", "Platform"),
    // L4: one file under its own key; what can be asked, and how it is asked
    busyRoom("SealedFiles", "Bytes", "Sealing", "Entries", "Replication", "Platform"),
    room(
      "Requests", "Bytes", "Entries", "Access", "SealedFiles", "FaceMatching", "JSONText",
      "Platform"),
    room(
      "Client", "Bytes", "Entries", "Access", "SealedFiles", "Requests", "FaceMatching", "Platform"),
    // One sync, step by step.
    room("Meeting", "Bytes", "Entries", "Requests", "SealedFiles", "Places", "Platform"),
    // L5: what holds keys
    room("Authentication", "Bytes", "Entries", "Access", "Sealing", "FaceMatching", "Platform"),
    room(
      "DiaryVault", "Bytes", "Text", "Entries", "Access", "SealedFiles", "Sealing", "RowStore",
      "Platform", "Replication"),
    room(
      "Keeper", "Bytes", "Entries", "Access", "SealedFiles", "Requests", "DiaryVault",
      "Authentication", "Chip", "FaceMatching", "Replication", "Sealing", "Platform"),
    // L6: the library, and the command
    room(
      "FaceDiary", "Keeper", "Bytes", "Entries", "Access", "SealedFiles", "Requests", "DiaryVault",
      "Authentication", "FaceMatching", "Sealing", "Platform"),
    room("CommandLine", "JSONText", "Platform"),
    // The words for people, dates as they type them, and files of other programs.
    room(
      "Words", "CommandLine", "Requests", "Access", "Entries", "Bytes", "FaceMatching", "Places",
      "JSONText", "Platform"),
    room("Dates", "Words", "CommandLine", "Access", "Entries", "Bytes", "Text", "Platform"),
    room(
      "Formats", "Dates", "Words", "CommandLine", "Entries", "Bytes", "Text", "JSONText",
      "Markdown", "Platform"),
    // Faces, files and standard input, for a command and for the keeper that it starts.
    room(
      "Inputs", "Words", "CommandLine", "Requests", "Access", "FaceMatching", "Platform"),
    // The page that a browser shows: a client that holds no key.
    room(
      "Window", "CPage", "HTTP", "Formats", "Dates", "Words", "CommandLine", "Client", "Requests",
      "SealedFiles", "Access", "Entries", "Bytes", "JSONText", "Markdown", "Platform"),
    // The commands import nothing that holds a key; what does stands beside them, and only the program imports both.
    room(
      "Commands", "Window", "Inputs", "Formats", "Dates", "Words", "CommandLine", "Client",
      "Meeting",
      "Requests", "SealedFiles",
      "Access", "Entries", "Bytes", "Text", "FaceMatching", "Places", "JSONText", "Markdown",
      "Platform"),
    room(
      "KeeperProcess", "Inputs", "Words", "Dates", "CommandLine", "Keeper", "Client", "Requests",
      "SealedFiles",
      "Access", "Entries", "Bytes", "Text", "DiaryVault", "Authentication", "FaceMatching",
      "Replication", "Sealing", "Platform"),
    // L7
    .executableTarget(
      name: "facediary",
      dependencies: [
        "Commands", "Words", "Dates", "KeeperProcess", "CommandLine", "FaceDiary", "Authentication",
        "Access",
        "Bytes", "Entries", "FaceMatching", "JSONText", "Keeper", "Platform", "Sealing",
      ], swiftSettings: settings, linkerSettings: staticLinker),
    .executableTarget(
      name: "facediary-bench",
      dependencies: [
        "FaceDiary", "DiaryVault", "FaceMatching", "CSimilarity", "Platform", "RowStore",
        "Sealing", "Bytes", "Entries", "Access", "SealedFiles", "Requests", "Keeper",
      ],
      swiftSettings: settings, linkerSettings: linker),
    busyTests("Text"),
    tests("Platform"),
    tests("Sealing", "Bytes"),
    tests("RowStore", "CSQLite", "Scratch"),
    tests("JSONText"),
    busyTests("Markdown"),
    tests("HTTP"),
    tests("Window", "HTTP", "Platform"),
    busyTests("Replication", "ReplicationSimulation", "Bytes", "Sealing"),
    tests("Places", "Platform", "TestServers"),
    tests(
      "Meeting", "Bytes", "Entries", "Places", "Replication", "Requests", "Scratch", "SealedFiles"),
    busyTests("FaceMatching"),
    tests(
      "DiaryVault", "Bytes", "Text", "Entries", "Access", "SealedFiles", "Replication", "Sealing",
      "RowStore", "Platform", "Scratch"),
    tests(
      "Authentication", "Bytes", "Entries", "Access", "FaceMatching", "Scratch", "Sealing",
      "Platform"),
    tests(
      "FaceDiary", "Scratch", "Bytes", "Text", "Entries", "Access", "SealedFiles", "Requests",
      "Client",
      "Keeper",
      "KeeperProcess", "DiaryVault", "Authentication", "FaceMatching", "Platform", "Sealing"),
    tests("CommandLine"),
    tests(
      "Commands", "Bytes", "Text", "Entries", "Access", "SealedFiles", "Requests", "Client",
      "Keeper",
      "KeeperProcess", "CommandLine", "Dates", "FaceDiary", "DiaryVault", "Platform", "RowStore",
      "Sealing", "faults", "Scratch", "TestServers"),
    // Histories of devices and a bad store: for the tests, and by the hundred thousand from its command.
    .target(
      name: "ReplicationSimulation", dependencies: ["Replication", "Bytes", "Sealing", "CSodium"],
      path: "Tests/Simulation/Library",
      swiftSettings: busyTestSettings),
    // A directory of a test's own, which goes with it.
    .target(name: "Scratch", path: "Tests/Scratch", swiftSettings: testSettings),
    // Servers that are started for a test: PostgreSQL, Syncthing, whatever rclone serves.
    .target(
      name: "TestServers", dependencies: ["Platform", "Scratch"], path: "Tests/Servers",
      swiftSettings: testSettings),
    .executableTarget(
      name: "replication-simulation", dependencies: ["ReplicationSimulation"],
      path: "Tests/Simulation/Command", swiftSettings: testSettings, linkerSettings: linker),
    // The program as the tests run it: `--kdf interactive` costs a thousandth of what it costs a person, and time may pass quickly.
    .executableTarget(
      name: "facediary-quick",
      dependencies: ["Authentication", "Bytes", "Commands", "KeeperProcess", "Platform"],
      path: "Tests/Program",
      swiftSettings: testSettings, linkerSettings: staticLinker),
    // Kills the program, or lets its writes fail, at any system call: for the tests alone.
    .executableTarget(name: "faults", path: "Tests/Faults"),
  ]
)

// What reads bytes from outside: on the corpus by the tests, and by libFuzzer, which brings its own main (Tests/Fuzz/run).
let fuzzed: [Target.Dependency] = [
  "CommandLine", "Commands", "FaceDiary", "DiaryVault", "Authentication", "FaceMatching",
  "Bytes", "Text", "Entries", "Access", "SealedFiles", "Requests", "Client", "Keeper",
  "KeeperProcess", "Words", "Dates", "Formats", "HTTP", "Markdown", "Platform", "Replication",
  "Sealing",
  "Scratch",
]
package.targets.append(
  Context.environment["FACEDIARY_FUZZING"] == nil
    ? .testTarget(
      name: "FuzzTests", dependencies: fuzzed, path: "Tests/Fuzz",
      exclude: ["corpus", "run", "Driver"], sources: ["Targets", "Replay"],
      swiftSettings: testSettings)
    : .executableTarget(
      name: "facediary-fuzz", dependencies: fuzzed, path: "Tests/Fuzz",
      exclude: ["corpus", "run", "Replay"], sources: ["Targets", "Driver"],
      swiftSettings: testSettings))
