import Foundation
import Scratch
import Synchronization
import TestServers
import Testing

@testable import Bytes
@testable import Commands
@testable import Dates
@testable import Formats
@testable import Platform
@testable import Words

/// The ready camera programs with the real libraries, on drawn pictures, with stand-ins for the weights.
@Suite(.threads) struct CameraTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path
  /// A Python that has the libraries; Debian's has OpenCV at most.
  private static let pythonPath =
    ProcessInfo.processInfo.environment["FACEDIARY_TEST_PYTHON"] ?? "/usr/bin/python3"

  private static func python(_ words: [String], in folder: String? = nil) -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: pythonPath)
    process.arguments = words
    if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return -1 }
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// The programs whose libraries are here: the first, and of the others as many as are to be tried.
  static let cameras = ReadyCamera.all.filter {
    python(["-I", "-c", $0.versionQuestion]) == 0
  }.enumerated().filter { $0.offset == 0 || Thoroughness.tries($0.offset) }.map(\.element.name)

  private static let made = Mutex<[String: [String: Data]]>([:])

  /// Stand-ins for the weights of a program, and pictures drawn for it, by their names; made once.
  private static func materials(_ name: String) throws -> [String: Data] {
    try made.withLock { made in
      if let known = made[name] { return known }
      let folder = Scratch.root + "fc-" + UUID().uuidString
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let tools = root + "/Tests/Cameras/"
      #expect(python(["-B", tools + "standins.py", name, folder]) == 0)
      #expect(
        python(["-B", tools + "draw.py", name == "dlib" ? "heads" : "cells"], in: folder) == 0)
      var files: [String: Data] = [:]
      for file in try FileManager.default.contentsOfDirectory(atPath: folder) {
        files[file] = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + file))
      }
      made[name] = files
      return files
    }
  }

  /// A home with the program, stand-ins and drawn pictures in `camera`, and the probe configured.
  private func desk(_ name: String, source: String = "one.avi", more: String = "") throws -> Home {
    let camera = try #require(ReadyCamera.named(name))
    let home = try Home()
    let folder = home.path + "/camera"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    _ = try home.put("camera/\(name).py", camera.program)
    for (file, bytes) in try Self.materials(name) {
      try bytes.write(to: URL(fileURLWithPath: folder + "/" + file))
    }
    try FileManager.default.createDirectory(
      atPath: home.path + "/.config/facediary", withIntermediateDirectories: true)
    let kind = name == "dlib" ? "dat" : "onnx"
    let command =
      "\(Self.pythonPath) -I \(folder)/\(name).py --weights \(folder)/first.\(kind) "
      + "--weights \(folder)/second.\(kind) --source \(folder)/\(source)" + more
    _ = try home.put(".config/facediary/config.json", #"{"probe": "\#(command)"}"#)
    return home
  }

  @Test(arguments: cameras) func `from a film to an open diary`(camera: String) throws {
    let home = try desk(camera)
    let seen = try home.run(["camera", "test", "--json"])
    #expect(seen.status == 0, "\(seen.err)")
    #expect(seen.object["model"] as? String == ReadyCamera.named(camera)?.model)
    let enrolling = try TerminalSession(
      home, ["enroll", "--camera", "--force", "--passphrase-file", home.passphrase])
    for turn in 1...3 {
      #expect(enrolling.expect("shot \(turn) of 3"))
      enrolling.type("\n")
    }
    #expect(enrolling.end() == 0, "\(enrolling.screen)")
    let unlocking = try TerminalSession(home, ["unlock"])
    #expect(unlocking.end() == 0, "\(unlocking.screen)")
    #expect(unlocking.screen.contains("recognised"))
  }

  /// Films of drawn faces, and a stand-in for the detector whose nose moves with a colour: that the rules are those that are
  /// documented, not what a real face does.
  @Test(
    .enabled(if: cameras.contains("opencv")),
    arguments: [
      ("left.avi", "left", true), ("up.avi", "up", true), ("left.avi", "right", false),
      ("left.avi", "up", false), ("one.avi", "left", false), ("one.avi", "random", false),
    ])
  func `a head that does not turn as it is asked to does not pass`(
    film: String, asked: String, passes: Bool
  ) throws {
    let home = try desk("opencv", source: film, more: " --challenge=\(asked)")
    let run = try home.run(["camera", "test"])
    #expect(run.status == (passes ? 0 : 8), "\(run.err)")
    #expect(run.err.contains("look straight into the camera again") == passes, "\(run.err)")
    #expect(run.err.contains("did not turn") == !passes, "\(run.err)")
    #expect(run.err.contains("head a little") || asked == "up", "\(run.err)")
  }

  /// With the landmarks of each library.
  @Test(arguments: cameras)
  func `a picture that is held still does not pass`(camera: String) throws {
    for asked in ["left", "random"] {
      let run = try desk(camera, more: " --challenge=\(asked)").run(["camera", "test"])
      #expect(run.status == 8 && run.err.contains("did not turn"), "\(run.err)")
    }
  }

  @Test(.enabled(if: cameras.contains("opencv")))
  func `a face that turns as it is asked to opens the diary, and one held still costs no try`()
    throws
  {
    let home = try desk("opencv", source: "left.avi", more: " --challenge=left")
    let enrolling = try TerminalSession(
      home, ["enroll", "--camera", "--force", "--passphrase-file", home.passphrase])
    for turn in 1...3 {
      #expect(enrolling.expect("shot \(turn) of 3"))
      enrolling.type("\n")
    }
    #expect(
      enrolling.end() == 0 && !enrolling.screen.contains("turn your head a little to the left\r"))
    let unlocking = try TerminalSession(home, ["unlock"])
    #expect(unlocking.end() == 0, "\(unlocking.screen)")
    #expect(unlocking.screen.contains("turn your head a little to the left"))
    try home.ok(["lock"])
    let config = home.path + "/.config/facediary/config.json"
    try String(contentsOfFile: config, encoding: .utf8).replacing("left.avi", with: "one.avi")
      .write(toFile: config, atomically: true, encoding: .utf8)
    let still = try home.run(["unlock", "--look"])
    #expect(still.status == 8 && still.err.contains("did not turn"), "\(still.err)")
    #expect(try home.ok(["status", "--json"]).out.contains("\"attemptsLeft\":5"))
  }

  @Test(arguments: cameras)
  func `a photo is enrolled through the same program`(camera: String) throws {
    let home = try desk(camera)
    let photo = home.path + "/camera/one.png"
    let reply = try home.ok(["enroll", photo, "--json"])
    #expect((reply.object["enrolled"] as? [Any])?.count == 1)
    for (picture, words) in [
      ("none", "no face"), ("two", "more than one face"), ("dark", "too dark"),
    ] {
      let run = try home.run([
        "enroll", home.path + "/camera/\(picture).png", "--passphrase-file", home.passphrase,
      ])
      #expect(run.status == 8 && run.err.contains(words), "\(picture): \(run.err)")
    }
  }

  @Test(arguments: cameras)
  func `a camera that is not there or shows nobody is said`(camera: String) throws {
    for (source, status, words) in [
      ("none.avi", 8, "no face"), ("nowhere.avi", 1, "cannot be opened"),
    ] as [(String, Int32, String)] {
      let run = try desk(camera, source: source).run(["camera", "test"])
      #expect(run.status == status && run.err.contains(words), "\(source): \(run.err)")
    }
  }

  @Test(arguments: cameras)
  func `weights and pictures that are none are said`(camera: String) throws {
    let home = try desk(camera)
    let picture = try home.put("camera/broken.png", "\u{89}PNG\r\n\u{1a}\n and no more")
    #expect(try home.run(["enroll", picture, "--passphrase-file", home.passphrase]).status == 8)
    let kind = camera == "dlib" ? "dat" : "onnx"
    _ = try home.put("camera/second.\(kind)", "no weights")
    let run = try home.run(["camera", "test"])
    #expect(run.status == 1 && run.err.contains("cannot be read"), "\(run.err)")
    try FileManager.default.removeItem(atPath: home.path + "/camera/second.\(kind)")
    #expect(try home.run(["camera", "test"]).err.contains("there is no"))
  }

  @Test func `a diary is made with the face in front of the camera, or not at all`() throws {
    let home = try Home(made: false)
    let shown = try home.put("shown", "no vector")
    try FileManager.default.createDirectory(
      atPath: home.path + "/.config/facediary", withIntermediateDirectories: true)
    let configuration = try home.put(
      ".config/facediary/config.json", #"{"probe": "cat \#(shown)"}"#)
    let words = ["init", "--camera", "--kdf", "interactive", "--passphrase-file", home.passphrase]
    let refused = try home.run(words)
    #expect(refused.status == 8 && !FileSystem.exists(home.vault), "\(refused.err)")
    let both = try home.run(words + ["--face", Home.keys + "/owner-1.npy"])
    #expect(both.status == 2 && both.err.contains("not both"), "\(both.err)")
    try FileManager.default.removeItem(atPath: shown)
    try FileManager.default.copyItem(atPath: Home.keys + "/owner-2.json", toPath: shown)
    let made = try home.run(words + ["--json"])
    #expect(made.status == 0, "\(made.err)")
    #expect(made.object["state"] as? String == "authentication")
    #expect(try home.run(["unlock", "--quiet", "--look"]).status == 0)
    try FileManager.default.removeItem(atPath: configuration)
    let other = try home.run(words + ["--vault", home.path + "/other.facediary"])
    #expect(other.status != 0 && other.err.contains("camera setup"), "\(other.err)")
    #expect(!FileSystem.exists(home.path + "/other.facediary"))
  }

  /// Frames of different people in one shot: somebody stepped before the camera.
  @Test func `a shot whose frames are not of one person is taken again`() throws {
    let home = try Home()
    let both = try home.put(
      "both.py",
      """
      import json, random
      random.seed(1)
      one, other = ([random.gauss(0, 1) for _ in range(128)] for _ in range(2))
      print(json.dumps({"model": "sface", "embedding": [one, one, other]}))
      """)
    try FileManager.default.createDirectory(
      atPath: home.path + "/.config/facediary", withIntermediateDirectories: true)
    _ = try home.put(".config/facediary/config.json", #"{"probe": "python3 \#(both)"}"#)
    let enrolling = try TerminalSession(
      home, ["enroll", "--camera", "--model", "sface", "--passphrase-file", home.passphrase])
    for _ in 1...5 {
      #expect(enrolling.expect("shot 1 of 3"))
      enrolling.type("\n")
    }
    #expect(enrolling.end() == 8, "\(enrolling.screen)")
    #expect(enrolling.screen.contains("look like two different people"))
    // A program of one's own reads no photos.
    let photo = try home.put("me.png", "\u{89}PNG\r\n\u{1a}\n")
    let run = try home.run(["enroll", photo, "--passphrase-file", home.passphrase])
    #expect(run.status == 8, "\(run.err)")
  }

  /// With the real curl, of files in place of a server.
  @Test @MainActor
  func `weights are fetched whole, go on where they stopped, and are what they should be`()
    throws
  {
    let home = try Home(made: false)
    guard isInstalled("curl"), isInstalled("zip"), isInstalled("bzip2") else { return }
    let bytes = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 3) })
    var pieces = [Array(bytes), []]
    let digest = SHA256.digest { pieces.removeFirst() }.map { String(format: "%02x", $0) }.joined()
    let shelf = home.path + "/shelf"
    try FileManager.default.createDirectory(atPath: shelf, withIntermediateDirectories: false)
    for name in ["a.bin", "b.bin", "c.bin"] {
      try bytes.write(to: URL(fileURLWithPath: shelf + "/" + name))
    }
    _ = ran("bzip2", "--keep", shelf + "/b.bin")
    _ = ran("zip", "-q", "-r", shelf + "/c.zip", shelf + "/c.bin")
    func file(
      _ name: String, _ source: String, _ packing: ReadyCamera.ModelFile.Packing = .plain,
      sha256: String? = nil
    ) -> ReadyCamera.ModelFile {
      ReadyCamera.ModelFile(
        name: name, source: "file://" + shelf + "/" + source, packing: packing, licence: "none",
        sha256: sha256 ?? digest, size: bytes.count)
    }
    let folder = try CameraFolder(["HOME": home.path])
    try FileManager.default.createDirectory(
      atPath: folder.path, withIntermediateDirectories: true)
    let download = CameraDownload(folder: folder, protocols: "=file", shows: false)
    // Half of it came before.
    try bytes.prefix(150_000).write(to: URL(fileURLWithPath: folder.path + "/a.bin.part"))
    let files = [
      file("a.bin", "a.bin"), file("b.bin", "b.bin.bz2", .bzip2),
      file("c.bin", "c.zip", .zip(wanted: ["c.bin"])),
    ]
    try download.fetch(files)
    for file in files { #expect(try folder.state(of: file) == .right, "\(file.name)") }
    let wrong = file("d.bin", "a.bin", sha256: String(repeating: "0", count: 64))
    #expect(throws: Failure.self) { try download.fetch([wrong]) }
    #expect(throws: ChildProcessError.self) { try download.fetch([file("e.bin", "none")]) }
    // A source that is no https address is not asked for anything.
    #expect(throws: ChildProcessError.self) {
      try CameraDownload(folder: folder, shows: false).fetch([file("f.bin", "a.bin")])
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(Set(names) == ["a.bin", "b.bin", "c.bin"], "\(names)")
  }

  @Test func `a person is asked before anything is downloaded`() throws {
    guard Self.cameras.contains("opencv") else { return }
    let home = try Home()
    let curl = try home.put(
      "bin/curl",
      "#!/bin/sh\nwhile [ $# -gt 1 ]; do [ \"$1\" = --output ] && echo junk > \"$2\"; shift; done\n",
      mode: 0o700)
    let path = FileSystem.parent(of: curl) + ":/usr/local/bin:/usr/bin:/bin"
    let session = try TerminalSession(home, ["camera", "setup", "opencv"], extra: ["PATH": path])
    #expect(session.expect("from github.com? [y/N] ", within: 30), "\(session.screen)")
    session.type("n\n")
    #expect(session.end() == 9, "\(session.screen)")
    let next = try TerminalSession(home, ["camera", "setup", "opencv"], extra: ["PATH": path])
    #expect(next.expect("[y/N] ", within: 30))
    next.type("y\n")
    #expect(next.end() == 8 && next.screen.contains("not the expected file"), "\(next.screen)")
    let run = try home.run(["camera", "setup", "opencv", "--download"], extra: ["PATH": path])
    #expect(run.status == 8 && run.err.contains("not the expected file"), "\(run.err)")
  }

  @Test func `what is missing is named with where it is from, where it goes and its digest`() throws
  {
    let home = try Home()
    #expect(try home.run(["camera", "setup", "nothing"]).status == 6)
    #expect(try home.run(["camera", "test"]).status == 6)
    let list = try home.ok(["camera", "--json"]).array
    #expect(list.first?["name"] as? String == "opencv" && list.first?["command"] is NSNull)
    for name in ["dlib", "insightface"] {
      let run = try home.run(["camera", "setup", name])
      // Without the library its packages are named, with it the weights.
      #expect(run.status == 6 && (run.err.contains("pip install") || run.err.contains("SHA-256")))
    }
    guard Self.cameras.contains("opencv") else {
      #expect(try home.run(["camera", "setup", "opencv"]).err.contains("apt-get install"))
      return
    }
    let missing = try home.run(["camera", "setup", "opencv"])
    #expect(missing.status == 6 && missing.err.contains("https://github.com/opencv/opencv_zoo"))
    #expect(missing.err.contains("SHA-256") && missing.err.contains("licence: MIT"))
    let folder = home.path + "/.local/share/facediary/camera"
    let program = try String(contentsOfFile: folder + "/opencv.py", encoding: .utf8)
    #expect(program == ReadyCamera.openCV.program)
    for name in ["face_detection_yunet_2022mar.onnx", "face_detection_yunet_2023mar.onnx"] {
      try Data("not it".utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
    }
    let other = try home.run(["camera", "setup", "opencv"])
    #expect(other.status == 8 && other.err.contains("not the expected file"), "\(other.err)")
    #expect(!FileManager.default.fileExists(atPath: home.path + "/.config/facediary/config.json"))
  }
}
