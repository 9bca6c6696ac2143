internal import CommandLine
internal import JSONText
internal import Words

/// `config`: what a person may set once. Nothing here makes the diary easier to open.
@MainActor
enum ConfigCommand {
  static let declaration = Command<Invocation>(
    "config", Form("show", isDefault: true),
    Form(
      "set", Operand("KEY", completion: .words(Configuration.settableKeys)),
      Operand("VALUE", repeats: true)),
    Form("unset", Operand("KEY", completion: .words(Configuration.settableKeys))),
    summary: CommandHelp.config, details: CommandHelp.configDetails
  ) { invocation in
    switch invocation.verb {
    case "set":
      let key = try key(invocation)
      try invocation.configuration().set(key, to: Array(invocation.operands.dropFirst()))
      return .written { $0.note(WritingMessage.settingSaved(key)) }
    case "unset":
      let key = try key(invocation)
      try invocation.configuration().unset(key)
      return .written { $0.note(WritingMessage.settingRemoved(key)) }
    default: return try show(invocation)
    }
  }

  private static func key(_ invocation: Invocation) throws -> String {
    let key = invocation.operands[0]
    guard Configuration.settableKeys.contains(key) else {
      throw Failure(
        .usage, WritingMessage.noSuchSetting(key),
        hint: UsageMessage.oneOf(Configuration.settableKeys.joined(separator: ", ")))
    }
    return key
  }

  private static func show(_ invocation: Invocation) throws -> Outcome {
    let configuration = try invocation.configuration()
    let settings = configuration.settings
    return .object { json in
      json.member("file", configuration.path)
      for (key, value) in settings { json.member(key, value) }
    } text: { page in
      if let path = configuration.path { page.note(WritingMessage.settingsStandIn(path)) }
      for (key, value) in settings {
        try page.line(
          padRight(key, 13) + (value.map { visible($0) } ?? page.text(WritingMessage.settingUnset)))
      }
    }
  }
}
