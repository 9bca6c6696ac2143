/// A face model whose embeddings are known: how long they are and where a threshold may start.
public struct FaceModel: Sendable, Equatable {
  public let name: String
  public let aliases: [String]
  public let dimension: Int
  /// The similarity at or above which its publisher's tool accepts two pictures as one person.
  public let threshold: Double
  public let source: String
  /// What tells one face from an average; nil where no public faces were at hand to measure it.
  public var faceGuard: FaceGuard? { MeanFaces.all[name] }

  /// The guards that count: a given one, and the model's own, which no file may take the place of.
  package static func guards(
    _ given: FaceGuard?, ofModel name: String, dimension: Int
  ) -> [FaceGuard] {
    let own = named(name).flatMap { $0.dimension == dimension ? $0.faceGuard : nil }
    return [given, own == given ? nil : own].compactMap(\.self)
  }

  /// What ``threshold`` was measured to be worth; nil where no public faces were at hand.
  public var measured: Measured? { Measured.all[name] }

  /// Rates measured by `calibrate` on the public faces that the guard was learnt from.
  public struct Measured: Sendable, Equatable {
    /// With three shots enrolled and one frame shown, at the published threshold.
    public let published: MeasuredRates
    /// With three shots and three frames, calibrated.
    public let calibrated: MeasuredRates

    static let all = [
      "dlib_resnet_v1": Measured(
        published: MeasuredRates(fmr: 0.0004, fnmr: 0.095, chosen: 0.071),
        calibrated: MeasuredRates(fmr: 0.0002, fnmr: 0.0046, chosen: 0.009)),
      "facenet_128": Measured(
        published: MeasuredRates(fmr: 0.0004, fnmr: 0.052, chosen: 0.0064),
        calibrated: MeasuredRates(fmr: 0.001, fnmr: 0, chosen: 0.0047)),
    ]
  }

  /// Whether a file may name a model so: at most 128 bytes that a terminal shows as they are.
  static func isName(_ name: String) -> Bool {
    1...128 ~= name.utf8.count
      && name.unicodeScalars.allSatisfy { scalar in
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: false
        default: true
        }
      }
  }

  /// deepface states distances; a similarity is one minus that.
  private static let deepface =
    "deepface config/threshold.py (cosine distance), not calibrated to a rate"

  /// The models known, by name. A starting point only: families of people collide, none is
  /// calibrated to a false match rate, and how pictures were taken moves every one of them.
  public static let all: [FaceModel] = [
    FaceModel("arcface", ["arcface_r100", "arcface_512"], 512, 0.32),
    FaceModel("buffalo_l", ["insightface_buffalo_l", "w600k_r50"], 512, 0.45),
    FaceModel("deepface", ["fb_deepface"], 4096, 0.77),
    FaceModel("deepid", [], 160, 0.985),
    FaceModel("dlib_resnet_v1", ["dlib", "dlib_resnet", "face_recognition"], 128, 0.93),
    FaceModel("facenet_128", ["facenet"], 128, 0.60),
    FaceModel("facenet_512", ["facenet512"], 512, 0.70),
    FaceModel("ghostfacenet", [], 512, 0.35),
    FaceModel("openface", [], 128, 0.90),
    FaceModel("sface", ["opencv_sface"], 128, 0.407),
    FaceModel("vgg_face", ["vggface"], 4096, 0.32),
  ]

  private init(_ name: String, _ aliases: [String], _ dimension: Int, _ threshold: Double) {
    self.name = name
    self.aliases = aliases
    self.dimension = dimension
    self.threshold = threshold
    source = Self.deepface
  }

  /// The model called `name`, whatever its case, hyphens, underscores and spaces.
  public static func named(_ name: String) -> FaceModel? {
    let key = fold(name)
    return all.first { fold($0.name) == key || $0.aliases.contains { fold($0) == key } }
  }

  /// The table's name for a known model; for another one the name itself, in lower case with
  /// underscores.
  public static func canonicalName(_ name: String) -> String {
    if let known = named(name) { return known.name }
    return String(
      name.lowercased().map { $0 == "-" || $0 == " " ? "_" : $0 })
  }

  private static func fold(_ name: String) -> String {
    name.lowercased().filter { $0 != "-" && $0 != "_" && $0 != " " }
  }
}
