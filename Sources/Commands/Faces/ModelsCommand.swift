internal import CommandLine
internal import Dates
internal import FaceMatching
internal import Formats
internal import JSONText
internal import Words

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
      json.member("measured", object: model.measured) { json, measured in
        for (name, rates) in [
          ("published", measured.published), ("calibrated", measured.calibrated),
        ] {
          json.member(name, object: rates) { json, rates in
            json.member("fmr", rates.fmr)
            json.member("fnmr", rates.fnmr)
            json.member("chosen", rates.chosen)
          }
        }
      }
    } text: { page in
      for model in FaceModel.all {
        try page.line(
          padRight(model.name, 16) + " " + padLeft(String(model.dimension), 5) + "  "
            + rounded(model.threshold))
      }
      for model in FaceModel.all where model.measured != nil {
        page.note(
          FaceMessage.thresholdComesFrom(
            threshold: rounded(model.threshold),
            origin: page.text(FaceMessage.published(for: model.name))))
      }
      page.note(FaceMessage.modelThresholds(FaceModel.all[0].source))
    }
  }
}
