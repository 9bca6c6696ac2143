internal import Access
internal import Client
internal import CommandLine
internal import Dates
internal import FaceMatching
internal import Formats
internal import JSONText
internal import Requests
internal import Words

/// `faces`: those enrolled on this device.
@MainActor
enum FacesCommand {
  static let declaration = Command<Invocation>(
    "faces", Form("list", isDefault: true), Form("remove", Operand("ID")),
    Form("rename", Operand("ID"), Operand("LABEL")), Form("recalibrate"),
    summary: CommandHelp.faces, options: [Options.threshold, Options.force],
    details: CommandHelp.facesDetails
  ) { invocation in
    let owner = try invocation.owner()
    switch invocation.verb {
    case "remove":
      let left = try owner.run(RemoveFace(invocation.operands[0]))
      return faces(try owner.run(ListFaces())) { _, page in page.note(FaceMessage.removed(left)) }
    case "rename":
      _ = try owner.run(RenameFace(invocation.operands[0], to: invocation.operands[1]))
      return faces(try owner.run(ListFaces())) { _, _ in }
    case "recalibrate": return try recalibrate(invocation, owner)
    default:
      return faces(try owner.run(ListFaces())) { enrolled, page in
        guard let enrolled else { return }
        for face in enrolled.faces {
          try page.line(
            "\(face.id.prefix(8))  \(localDay(face.created))  \(enrolled.model)  \(rounded(enrolled.decidingThreshold))  \(visible(face.label))"
          )
        }
      }
    }
  }

  /// Those enrolled now, for programs; `text` is for people.
  private static func faces(
    _ enrolled: EnrolledFaces?, text: @escaping (EnrolledFaces?, Page) throws -> Void
  ) -> Outcome {
    .array(enrolled?.faces ?? []) { json, face in
      json.member("id", face.id)
      json.member("label", face.label)
      json.member("model", enrolled?.model)
      json.member("dimension", face.dimension)
      json.member("threshold", enrolled?.threshold)
      json.member("created", utc(face.created))
    } text: {
      try text(enrolled, $0)
    }
  }

  private static func recalibrate(
    _ invocation: Invocation, _ owner: KeeperConnection
  ) throws -> Outcome {
    guard let enrolled = try owner.run(ListFaces()) else { throw AuthenticationError(.noFace, "") }
    let given = invocation.arguments[Options.threshold]
    let saved = try invocation.configuration().models[enrolled.model]
    guard let threshold = given ?? saved?.threshold ?? FaceModel.named(enrolled.model)?.threshold
    else { throw EnrollmentError.thresholdNeeded(model: enrolled.model) }
    try invocation.confirmThreshold(of: enrolled.model)
    // A threshold given by hand is meant for the plain score.
    let calibrated = given == nil ? saved?.calibrated : nil
    _ = try owner.run(
      RecalibrateFaces(
        threshold: threshold, calibrated: calibrated,
        faceGuard: calibrated == nil ? saved?.guard : saved?.calibratedGuard))
    return faces(try owner.run(ListFaces())) { enrolled, page in
      page.note(FaceMessage.accepted(rounded(enrolled?.decidingThreshold ?? threshold)))
      if let calibrated { page.note(FaceSentence.scoring(calibrated)) }
    }
  }
}
