internal import Bytes
internal import Dates
internal import Formats
internal import Platform
internal import Words

/// A program that looks through a webcam and prints vectors, ready to be set up.
package struct ReadyCamera: Sendable {
  /// A file of weights that somebody else publishes.
  struct ModelFile: Sendable {
    /// How it is packed where it is offered.
    enum Packing: Sendable {
      case plain, bzip2
      /// Beside other files, these among them.
      case zip(wanted: [String])
    }

    let name: String
    let source: String
    var packing = Packing.plain
    let licence: String
    /// Of the file itself, in hexadecimal.
    let sha256: String
    let size: Int
  }

  /// As `camera setup` names it.
  let name: String
  /// The face model whose vectors it prints.
  let model: String
  /// The Debian packages to install.
  let packages: [String]
  /// The Python packages to install as well.
  var pythonPackages: [String] = []
  /// Prints the version of the library, or fails.
  let versionQuestion: String
  let program: String
  /// The files of weights it needs in their order, by the library's version.
  let files: @Sendable (_ version: [Int]) -> [ModelFile]

  static let all = [openCV, dlib, insightFace]

  static func named(_ name: String) -> ReadyCamera? { all.first { $0.name == name.lowercased() } }

  /// Whether a command runs this program.
  func isRun(by words: [String]) -> Bool {
    words.contains { $0.hasSuffix("/camera/\(name).py") }
  }

  private static let zoo = "https://github.com/opencv/opencv_zoo/raw/main/models/"
  private static let dlibModels =
    "https://github.com/davisking/dlib-models/raw/2a61575dd45d818271c085ff8cd747613a48f20d/"
  /// To build a library for Python, in a place of its own.
  private static let building = ["python3-opencv", "python3-venv", "python3-dev", "cmake", "g++"]

  static let openCV = ReadyCamera(
    name: "opencv", model: "sface", packages: ["python3-opencv"],
    versionQuestion: "import cv2; cv2.FaceDetectorYN, cv2.FaceRecognizerSF; print(cv2.__version__)",
    program: CameraScript.text(CameraLibraries.openCV)
  ) { version in
    // The detector's outputs changed with OpenCV 4.8.
    let isNew = !version.lexicographicallyPrecedes([4, 8])
    return [
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
        size: 38_696_353),
    ]
  }

  static let dlib = ReadyCamera(
    name: "dlib", model: "dlib_resnet_v1", packages: building, pythonPackages: ["dlib"],
    versionQuestion: "import cv2, dlib; print(dlib.__version__)",
    program: CameraScript.text(CameraLibraries.dlib)
  ) { _ in
    [
      ModelFile(
        name: "shape_predictor_5_face_landmarks.dat",
        source: dlibModels + "shape_predictor_5_face_landmarks.dat.bz2", packing: .bzip2,
        licence: "CC0-1.0",
        sha256: "c4b1e9804792707d3a405c2c16a80a20269e6675021f64a41d30fffafbc41888",
        size: 9_150_489),
      ModelFile(
        name: "dlib_face_recognition_resnet_model_v1.dat",
        source: dlibModels + "dlib_face_recognition_resnet_model_v1.dat.bz2", packing: .bzip2,
        licence: "CC0-1.0",
        sha256: "55533b28a95800a551ba546ba62fe69625c7e95a7061c338adffead08719da30",
        size: 22_466_066),
    ]
  }

  static let insightFace = ReadyCamera(
    name: "insightface", model: "buffalo_l", packages: ["python3-opencv", "python3-venv"],
    pythonPackages: ["onnxruntime"],
    versionQuestion: "import cv2, onnxruntime; print(onnxruntime.__version__)",
    program: CameraScript.text(CameraLibraries.insightFace)
  ) { _ in
    let pack = "https://github.com/deepinsight/insightface/releases/download/v0.7/buffalo_l.zip"
    let (detector, recogniser) = ("det_10g.onnx", "w600k_r50.onnx")
    let licence = "non-commercial research only"
    return [
      ModelFile(
        name: detector, source: pack, packing: .zip(wanted: [detector, recogniser]),
        licence: licence,
        sha256: "5838f7fe053675b1c7a08b633df49e7af5495cee0493c7dcf6697200b85b5b91",
        size: 16_923_827),
      ModelFile(
        name: recogniser, source: pack, packing: .zip(wanted: [detector, recogniser]),
        licence: licence,
        sha256: "4c06341c33c2ca1f86781dab0e829f88ad5b64be9fba56e56bc9ebdefc619e43",
        size: 174_383_860),
    ]
  }

}

/// Where a camera program and its files are on this machine.
struct CameraFolder {
  let path: String

  init(_ environment: [String: String]) throws {
    path =
      try Invocation.directory("XDG_DATA_HOME", ".local/share", environment) + "/facediary/camera"
  }

  /// Where Python packages that Debian lacks are installed.
  private var ownPython: String { path + "/python" }

  /// Debian's own Python has Debian's libraries, whatever else stands first on the PATH; one set up here has more.
  var python: String {
    [ownPython + "/bin/python3", "/usr/bin/python3"].first(where: FileSystem.isExecutable)
      ?? "python3"
  }

  /// The commands that install what a program needs.
  func installing(_ camera: ReadyCamera) -> String {
    let debian = "sudo apt-get install " + camera.packages.joined(separator: " ")
    guard !camera.pythonPackages.isEmpty else { return debian }
    let own = ShellWords.quoted(ownPython)
    return debian + " && /usr/bin/python3 -m venv --system-site-packages \(own) && "
      + "\(own)/bin/pip install " + camera.pythonPackages.joined(separator: " ")
  }

  /// The commands that put files of weights in their places.
  func fetching(_ files: [ReadyCamera.ModelFile]) -> String {
    var commands: [String] = []
    for file in files {
      let place = ShellWords.quoted(place(of: file))
      let command: String
      switch file.packing {
      case .plain: command = "curl -L -o \(place) \(file.source)"
      case .bzip2: command = "curl -L \(file.source) | bunzip2 > \(place)"
      case .zip(let wanted):
        let archive = ShellWords.quoted(path + "/weights.zip")
        command =
          "curl -L -o \(archive) \(file.source) && unzip -jo \(archive) "
          + wanted.map { "'*\($0)'" }.joined(separator: " ")
          + " -d \(ShellWords.quoted(path)) && rm \(archive)"
      }
      // One archive may hold several.
      if !commands.contains(command) { commands.append(command) }
    }
    return commands.joined(separator: " && ")
  }

  func place(of file: ReadyCamera.ModelFile) -> String { path + "/" + file.name }

  /// Writes the program, for its owner alone.
  func write(_ camera: ReadyCamera) throws -> String {
    try FileSystem.makeDirectories(path)
    let place = path + "/" + camera.name + ".py"
    let file = try AtomicFile(place)
    try file.write(Array(camera.program.utf8))
    try file.commit()
    return place
  }

  /// Whether a file of weights is there and is the expected one.
  func state(of file: ReadyCamera.ModelFile) throws -> ModelState {
    try Self.state(of: file, at: place(of: file))
  }

  static func state(of file: ReadyCamera.ModelFile, at place: String) throws -> ModelState {
    guard let input = try? Descriptor.open(place, [.noFollow, .nonBlocking]) else {
      return .missing
    }
    let found = try SHA256.digest { try input.read(1 << 20) }.map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
    return found == file.sha256 ? .right : .other(found)
  }

  enum ModelState: Equatable {
    case missing, right
    case other(String)
  }
}
