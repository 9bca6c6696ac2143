internal import CommandLine
internal import Foundation
internal import Platform
internal import Sealing

/// A program that looks through a webcam and prints vectors, ready to be set up.
struct ReadyCamera: Sendable {
  /// A file of weights that somebody else made and offers.
  struct ModelFile: Sendable {
    let name: String
    let source: String
    let licence: String
    /// In hexadecimal.
    let sha256: String
    let size: Int
  }

  /// As `camera setup` names it.
  let name: String
  /// The face model whose vectors it prints.
  let model: String
  /// What is to be installed, on Debian.
  let packages: [String]
  /// Prints the version of the library, or fails.
  let versionQuestion: String
  let program: String
  /// The files it needs, by the library's version.
  let files: @Sendable (_ version: [Int]) -> (detector: ModelFile, recogniser: ModelFile)

  static let all = [openCV]

  static func named(_ name: String) -> ReadyCamera? { all.first { $0.name == name.lowercased() } }

  private static let zoo = "https://github.com/opencv/opencv_zoo/raw/main/models/"

  static let openCV = ReadyCamera(
    name: "opencv", model: "sface", packages: ["python3-opencv"],
    versionQuestion: "import cv2; cv2.FaceDetectorYN, cv2.FaceRecognizerSF; print(cv2.__version__)",
    program: OpenCVProgram.text
  ) { version in
    // The detector's outputs changed with OpenCV 4.8.
    let isNew = !version.lexicographicallyPrecedes([4, 8])
    return (
      ModelFile(
        name: isNew ? "face_detection_yunet_2023mar.onnx" : "face_detection_yunet_2022mar.onnx",
        source: isNew
          ? zoo + "face_detection_yunet/face_detection_yunet_2023mar.onnx"
          : "https://github.com/opencv/opencv_zoo/raw/c71f7a40d34cd3830086ee9b7a01174e013ad42a/models/"
            + "face_detection_yunet/face_detection_yunet_2022mar.onnx", licence: "MIT",
        sha256: isNew
          ? "8f2383e4dd3cfbb4553ea8718107fc0423210dc964f9f4280604804ed2552fa4"
          : "50ef07f702a31741ca46a4c0d947773b64143b9362780237bf0d427d6c79bab7",
        size: isNew ? 232_589 : 345_478),
      ModelFile(
        name: "face_recognition_sface_2021dec.onnx",
        source: zoo + "face_recognition_sface/face_recognition_sface_2021dec.onnx",
        licence: "Apache-2.0",
        sha256: "0ba9fbfa01b5270c96627c4ef784da859931e02f04419c829e83484087c34e79",
        size: 38_696_353)
    )
  }

  /// What the program says by its exit code of a picture that it makes no vector of.
  enum Refusal: Int32, Sendable {
    case noFace = 10
    case several, light, small, blurred, noCamera, noModel, noPicture
  }
}

/// Where a camera program and its files are on this machine.
struct CameraFolder {
  let path: String

  init(_ environment: [String: String]) throws {
    path =
      try Invocation.directory("XDG_DATA_HOME", ".local/share", environment) + "/facediary/camera"
  }

  /// Debian's own Python has Debian's libraries, whatever else stands first on the PATH.
  static var python: String {
    FileSystem.isExecutable("/usr/bin/python3") ? "/usr/bin/python3" : "python3"
  }

  func place(of file: ReadyCamera.ModelFile) -> String { path + "/" + file.name }

  /// Writes the program, for its owner alone.
  func write(_ camera: ReadyCamera) throws -> String {
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let place = path + "/" + camera.name + ".py"
    let file = try AtomicFile(place)
    try file.write(Array(camera.program.utf8))
    try file.commit()
    return place
  }

  /// Whether a file of weights is there, and the one it should be.
  func state(of file: ReadyCamera.ModelFile) throws -> ModelState {
    guard let input = try? Descriptor.open(place(of: file), [.noFollow, .nonBlocking]) else {
      return .missing
    }
    let found = try SHA256.digest { try input.read(1 << 20) }.map { String(format: "%02x", $0) }
      .joined()
    return found == file.sha256 ? .right : .other(found)
  }

  enum ModelState: Equatable {
    case missing, right
    case other(String)
  }
}
