internal import CommandLine
internal import FaceDiary
internal import FaceMatching
internal import JSONText

/// `models`: the face models known, and where their thresholds begin.
@MainActor
enum ModelsCommand {
  static let declaration = Command<Invocation>("models", summary: CommandHelp.models) { _ in
    .array(FaceModel.all) { json, model in
      json.member("name", model.name)
      json.member("dimension", model.dimension)
      json.member("threshold", model.threshold)
      json.member("source", model.source)
      json.member("aliases", model.aliases)
    } text: { page in
      for model in FaceModel.all {
        try page.line(
          padRight(model.name, 16) + " " + padLeft(String(model.dimension), 5) + "  "
            + rounded(model.threshold))
      }
      page.note(FaceMessage.modelThresholds(FaceModel.all[0].source))
    }
  }
}
