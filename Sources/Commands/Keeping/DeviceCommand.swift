internal import Authentication
internal import CommandLine
internal import DiaryVault
internal import FaceDiary
internal import Foundation
internal import JSONText
internal import Platform
internal import Sealing

/// `device`: where the device key is kept.
@MainActor
enum DeviceCommand {
  static let declaration = Command<Invocation>(
    "device", Form("show", isDefault: true), Form("move"), Form("reset"),
    summary: CommandHelp.device,
    options: [Options.helper, Options.backToFile],
    details: CommandHelp.deviceDetails
  ) { invocation in
    let helper = invocation.arguments[Options.helper]
    switch invocation.verb {
    case "show":
      try invocation.requireVault()
      try show(invocation)
    case "move":
      guard (helper != nil) != invocation.arguments[Options.backToFile] else {
        throw Failure(
          .usage, UsageMessage.usage("device move --helper 'CMD …' | --file"),
          hint: UsageMessage.seeHelpOf("device"))
      }
      let words = try helper.map { try Self.resolved(try ChildProcess.split($0)) }
      invocation.tell(try invocation.owner().run(MoveDeviceKey(to: words)))
      invocation.note(
        words == nil
          ? KeepingMessage.deviceKeyInFile
          : KeepingMessage.deviceKeyByHelper)
      if invocation.isJSON { try show(invocation) }
    case "reset":
      _ = try invocation.owner()
      invocation.note(
        KeepingMessage.deviceBegunAnew
      )
      if invocation.isJSON { try show(invocation) }
    default: break
    }
    return 0
  }

  /// Kept with its whole path: it is run from anywhere, by the session, too.
  private static func resolved(_ words: [String]) throws -> [String] {
    let program = words[0]
    var path = program.contains("/") ? Invocation.absolute(program) : nil
    if path == nil {
      let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
      path = folders.lazy.filter { $0.hasPrefix("/") }.map { $0 + "/" + program }
        .first { FileManager.default.isExecutableFile(atPath: $0) }
    }
    guard let path, FileManager.default.isExecutableFile(atPath: path) else {
      throw ChildProcessError(.notFound, program: program)
    }
    return [path] + words.dropFirst()
  }

  private static func show(_ invocation: Invocation) throws {
    let diary = Keeper(at: invocation.location)
    let id = try diary.file().keyring.vaultID
    let path = DeviceStore(base: invocation.location.devices, vaultID: id).directory.path
    let command = try diary.deviceHelper()
    let known: Bool
    do { known = try diary.store(id).keys() != nil } catch { known = false }
    if invocation.isJSON {
      return try invocation.json { json in
        json.beginObject()
        json.member("path", path)
        json.member("key", command == nil ? "file" : "helper")
        json.key("command")
        if let command { json.value(command) } else { json.null() }
        json.member("known", known)
        json.endObject()
      }
    }
    try invocation.output.line(invocation.text(KeepingMessage.deviceStore(path)))
    if let command {
      try invocation.output.line(
        invocation.text(KeepingMessage.keptBy(command.joined(separator: " "))))
    } else {
      try invocation.output.line(invocation.text(KeepingMessage.keptInFile))
    }
    if !known {
      invocation.note(KeepingMessage.deviceKeyMissing)
    }
  }
}
