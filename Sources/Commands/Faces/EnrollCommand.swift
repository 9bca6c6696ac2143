internal import Access
internal import Client
internal import CommandLine
internal import Dates
internal import Entries
internal import FaceMatching
internal import Formats
internal import JSONText
internal import Requests
internal import Words

/// `enroll`: faces that open the diary from now on.
@MainActor
enum EnrollCommand {
  static let declaration = Command<Invocation>(
    "enroll", Form(Operand("FILE", optional: true, repeats: true, completion: .file)),
    summary: CommandHelp.enroll,
    options: Options.faceModel + [
      Options.label, Options.force, Options.camera, Options.replaceSamples,
    ],
    details: CommandHelp.enrollDetails
  ) { invocation in
    try invocation.requireVault()
    let usesCamera = invocation.arguments[Options.camera]
    guard usesCamera == invocation.operands.isEmpty else {
      throw usesCamera
        ? Failure(.usage, FaceMessage.filesOrCamera)
        : Failure(
          .usage, UsageMessage.usage("enroll FILE… | --camera"),
          hint: UsageMessage.seeHelpOf("enroll"))
    }
    let owner: KeeperConnection
    var registration: FaceRegistration
    if usesCamera {
      _ = try invocation.requiredProgram()
      // Ask for the passphrase first, so that nobody takes shots that then cannot be enrolled.
      owner = try invocation.owner()
      registration = try invocation.registration(
        of: try invocation.shots { _ = try? known(owner) }, source: "camera")
    } else {
      registration = try invocation.registration(
        of: try invocation.vectors(of: invocation.operands))
      owner = try invocation.owner()
    }
    registration.replacesSamples = invocation.arguments[Options.replaceSamples]
    if try known(owner)?.faces.allSatisfy(\.isSample) ?? true {
      try invocation.confirmThreshold(of: registration.modelName)
    }
    let report: EnrollmentReport
    do {
      report = try owner.run(EnrollFaces(registration))
    } catch EnrollmentError.samplesEnrolled(let count) where Terminal.canAsk {
      guard try Terminal.confirm(invocation.text(FaceMessage.askToReplaceSamples(count))) else {
        throw Failure(.declined, FailureMessage.nothingChanged)
      }
      registration.replacesSamples = true
      report = try owner.run(EnrollFaces(registration))
    }
    let warnings = report.warnings.map(FaceSentence.warning)
    let enrolled = try known(owner)
    let calibrated = enrolled?.calibrated
    let threshold = enrolled?.decidingThreshold ?? report.threshold
    return .object { json in
      json.member("enrolled", array: report.enrolled) { json, face in
        json.member("id", face.id)
        json.member("label", face.label)
        json.member("model", face.model)
        json.member("dimension", face.dimension)
      }
      json.member("state", AppState.authentication.rawValue)
      json.member("warnings", warnings.map { $0.text(in: .english) })
    } text: { page in
      for face in report.enrolled { try page.line("\(face.id.prefix(8))  \(visible(face.label))") }
      for warning in warnings { page.warn(warning) }
      if let calibrated {
        page.note(FaceSentence.scoring(calibrated))
      } else if report.enrolled.count < 3 {
        page.note(FaceMessage.threeShots)
      }
      page.note(
        FaceMessage.registered(
          count: report.enrolled.count, threshold: rounded(threshold)))
    }
  }

  /// What is enrolled; nil also when it cannot be read, or is not what the vault knows: enrolling replaces that.
  private static func known(_ owner: KeeperConnection) throws -> EnrolledFaces? {
    do { return try owner.run(ListFaces()) } catch let error as AuthenticationError
      where error.code == .storeDamaged
    {
      return nil
    } catch let error as VaultError where error.reason == .notThoseTheVaultKnows {
      return nil
    }
  }
}
