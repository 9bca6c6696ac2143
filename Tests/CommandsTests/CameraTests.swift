import Foundation
import Testing

@testable import Commands

/// The ready camera program with the real OpenCV, on drawn pictures, with stand-ins for the weights.
@Suite struct CameraTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  private static func python(_ words: [String], in folder: String? = nil) -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = words
    if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return -1 }
    process.waitUntilExit()
    return process.terminationStatus
  }

  static let hasOpenCV =
    python(["-c", "import cv2; cv2.FaceDetectorYN, cv2.FaceRecognizerSF"]) == 0

  /// A home with the program, stand-ins and drawn pictures in `camera`, and the probe configured.
  private func desk(source: String = "one.avi") throws -> Home {
    let home = try Home()
    let folder = home.path + "/camera"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    _ = try home.put("camera/opencv.py", OpenCVProgram.text)
    #expect(Self.python([Self.root + "/Tests/Cameras/standins.py", folder]) == 0)
    #expect(Self.python([Self.root + "/Tests/Cameras/draw.py"], in: folder) == 0)
    try FileManager.default.createDirectory(
      atPath: home.path + "/.config/facediary", withIntermediateDirectories: true)
    let command =
      "/usr/bin/python3 \(folder)/opencv.py --detector \(folder)/detector.onnx "
      + "--recogniser \(folder)/recogniser.onnx --source \(folder)/\(source)"
    _ = try home.put(".config/facediary/config.json", #"{"probe": "\#(command)"}"#)
    return home
  }

  @Test(.enabled(if: hasOpenCV, "OpenCV for Python is not here"))
  func `from a film to an open diary`() throws {
    let home = try desk()
    let seen = try home.run(["camera", "test", "--json"])
    #expect(seen.status == 0 && seen.object["model"] as? String == "sface", "\(seen.err)")
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

  @Test(.enabled(if: hasOpenCV, "OpenCV for Python is not here"))
  func `a photo is enrolled through the same program`() throws {
    let home = try desk()
    let photo = home.path + "/camera/one.png"
    let reply = try home.ok(["enroll", photo, "--model", "sface", "--json"])
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

  @Test(.enabled(if: hasOpenCV, "OpenCV for Python is not here"))
  func `a camera that is not there or shows nobody is said`() throws {
    for (source, status, words) in [
      ("none.avi", 8, "no face"), ("nowhere.avi", 1, "cannot be opened"),
    ] as [(String, Int32, String)] {
      let run = try desk(source: source).run(["camera", "test"])
      #expect(run.status == status && run.err.contains(words), "\(source): \(run.err)")
    }
  }

  @Test func `what is missing is named with where it is from, where it goes and its digest`() throws
  {
    let home = try Home()
    #expect(try home.run(["camera", "setup", "nothing"]).status == 6)
    #expect(try home.run(["camera", "test"]).status == 6)
    let list = try home.ok(["camera", "--json"]).array
    #expect(list.first?["name"] as? String == "opencv" && list.first?["command"] is NSNull)
    guard Self.hasOpenCV else {
      #expect(try home.run(["camera", "setup", "opencv"]).err.contains("apt-get install"))
      return
    }
    let missing = try home.run(["camera", "setup", "opencv"])
    #expect(missing.status == 6 && missing.err.contains("https://github.com/opencv/opencv_zoo"))
    #expect(missing.err.contains("SHA-256") && missing.err.contains("licence MIT"))
    let folder = home.path + "/.local/share/facediary/camera"
    let program = try String(contentsOfFile: folder + "/opencv.py", encoding: .utf8)
    #expect(program == OpenCVProgram.text)
    for name in ["face_detection_yunet_2022mar.onnx", "face_detection_yunet_2023mar.onnx"] {
      try Data("not it".utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
    }
    let other = try home.run(["camera", "setup", "opencv"])
    #expect(other.status == 8 && other.err.contains("another file"), "\(other.err)")
    #expect(!FileManager.default.fileExists(atPath: home.path + "/.config/facediary/config.json"))
  }
}
