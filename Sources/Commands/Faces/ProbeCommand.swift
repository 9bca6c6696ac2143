internal import CommandLine
internal import Dates
internal import FaceMatching
internal import Formats
internal import Inputs
internal import JSONText
internal import Platform
internal import Words

/// `probe`: is the camera program what it should be?
@MainActor
enum ProbeCommand {
  static let declaration = Command<Invocation>(
    "probe", summary: CommandHelp.probe,
    options: [Options.command],
    details: CommandHelp.probeDetails
  ) { invocation in
    guard
      let command = try invocation.arguments[Options.command] ?? invocation.configuration().probe
    else {
      throw Failure(
        .usage, FaceMessage.noProbeProgram,
        hint: FaceMessage.nameProbeProgram)
    }
    let words = try ShellWords.split(command)
    let file = try VectorFile(try invocation.inputs.run(words), source: words[0])
    let frames = try file.embeddings()
    let model = frames[0].model
    let norm = frames.reduce(0) { $0 + $1.norm } / Double(frames.count)
    return .object { json in
      json.member("model", model)
      json.member("dimension", frames[0].dimension)
      json.member("norm", norm)
      json.member("frames", frames.count)
    } text: { page in
      try page.line(
        FaceMessage.frames(
          count: frames.count, components: frames[0].dimension, length: rounded(norm),
          model: model))
    }
  }
}
