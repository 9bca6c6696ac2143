// swift-tools-version: 6.2
import PackageDescription

/// Every Swift target is built alike: Swift 6 mode, strict memory safety, warnings as errors.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// Tests are built alike but for strict memory safety: a test may poke into memory, and says so by
/// what it tests.
let testSettings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// A room of the house; the arrows of `dependencies` point down only.
func room(_ name: String, _ dependencies: Target.Dependency...) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

/// The tests of a room, run by `swift test`.
func tests(_ name: String, _ dependencies: Target.Dependency...) -> Target {
  .testTarget(
    name: name + "Tests", dependencies: [.byName(name: name)] + dependencies,
    exclude: name == "Commands" ? ["Helpers"] : [], swiftSettings: testSettings)
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
    // L1: one library or one format each
    room("Platform", "CPlatform"),
    room("Sealing", "CSodium"),
    room("RowStore", "CSQLite", "Platform"),
    room("JSONText"),
    room("Markdown"),
    // L2
    room("Replication", "Sealing"),
    room("Places", "Platform"),
    room("FaceMatching", "JSONText", "CSimilarity"),
    // L3
    room("DiaryVault", "Sealing", "RowStore", "Platform", "Replication"),
    room("Authentication", "Sealing", "FaceMatching", "Platform"),
    // L4
    room(
      "FaceDiary", "DiaryVault", "Authentication", "FaceMatching", "Replication", "Sealing",
      "Platform"),
    // L5
    room("CommandLine", "Platform", "Sealing"),
    // L6
    room(
      "Commands", "CommandLine", "FaceDiary", "DiaryVault", "Authentication", "FaceMatching",
      "Replication", "Places", "Sealing",
      "JSONText", "Markdown", "Platform"),
    // L7
    .executableTarget(name: "facediary", dependencies: ["Commands"], swiftSettings: settings),
    .executableTarget(
      name: "facediary-bench",
      dependencies: [
        "FaceDiary", "DiaryVault", "FaceMatching", "CSimilarity", "Platform", "RowStore",
        "Sealing",
      ],
      swiftSettings: settings),
    tests("Platform"),
    tests("Sealing"),
    tests("RowStore", "CSQLite"),
    tests("JSONText"),
    tests("Markdown"),
    tests("Replication", "ReplicationSimulation", "Sealing"),
    tests("Places", "Platform", "TestServers"),
    tests("FaceMatching"),
    tests("DiaryVault", "Replication", "Sealing", "RowStore"),
    tests("Authentication", "FaceMatching", "Sealing"),
    tests("FaceDiary", "DiaryVault", "Authentication", "FaceMatching", "Platform", "Sealing"),
    tests("CommandLine"),
    tests(
      "Commands", "CommandLine", "FaceDiary", "DiaryVault", "Platform", "RowStore", "Sealing",
      "facediary", "facediary-quick", "faults", "TestServers"),
    // Histories of devices and a bad store: for the tests, and by the hundred thousand from its command.
    .target(
      name: "ReplicationSimulation", dependencies: ["Replication", "Sealing"],
      path: "Tests/Simulation/Library", swiftSettings: testSettings),
    // Servers that are started for a test: PostgreSQL, Syncthing, whatever rclone serves.
    .target(
      name: "TestServers", dependencies: ["Platform"], path: "Tests/Servers",
      swiftSettings: testSettings),
    .executableTarget(
      name: "replication-simulation", dependencies: ["ReplicationSimulation"],
      path: "Tests/Simulation/Command", swiftSettings: testSettings),
    // The program as the tests run it: `--kdf interactive` costs a thousandth of what it costs a person.
    .executableTarget(
      name: "facediary-quick", dependencies: ["Commands", "Sealing"], path: "Tests/Program",
      swiftSettings: testSettings),
    // Kills the program, or lets its writes fail, at any system call: for the tests alone.
    .executableTarget(name: "faults", path: "Tests/Faults"),
  ]
)

// The fuzz targets bring libFuzzer's own main: only Tests/Fuzz/run builds them.
if Context.environment["FACEDIARY_FUZZING"] != nil {
  package.targets.append(
    .executableTarget(
      name: "facediary-fuzz",
      dependencies: [
        "CommandLine", "Commands", "FaceDiary", "DiaryVault", "Authentication", "FaceMatching",
        "Markdown", "Platform", "Replication", "Sealing",
      ],
      path: "Tests/Fuzz/Sources", swiftSettings: testSettings))
}
