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
    summary: "where the device key is kept",
    options: [Options.helper, Options.backToFile],
    details: """
      The device key opens the face slot and seals the enrolled faces. In a file, who can read it and the vault needs
      no face; a helper can keep it in a TPM, a Secret Service or a keychain. It is run with get, store or erase as
      its last word and reads vault=…, key=… and, to store, secret=… from standard input; get prints secret=….
      Recipes stand in the documentation of the library, page ThreatModel.

      move makes a new key, so that copies of the old one open nothing; the old one is erased. reset gives this device
      up when its key is lost: faces must be enrolled again. Both ask for the passphrase or the recovery code now.
      """
  ) { invocation in
    let helper = invocation.arguments[Options.helper]
    switch invocation.verb {
    case "show":
      try invocation.requireVault()
      try show(invocation)
    case "move":
      guard (helper != nil) != invocation.arguments[Options.backToFile] else {
        throw Failure(
          .usage, "usage: facediary \("device move --helper 'CMD …' | --file")",
          hint: "facediary device --help")
      }
      let words = try helper.map { try Self.resolved(try ChildProcess.split($0)) }
      invocation.tell(try invocation.owner().run(MoveDeviceKey(to: words)))
      invocation.note(
        words == nil
          ? "a new device key is kept in a file; the old one opens nothing any more"
          : "a new device key is kept by the helper; the old one opens nothing any more")
      if invocation.isJSON { try show(invocation) }
    case "reset":
      _ = try invocation.owner()
      invocation.note(
        "this device begins anew. The face slot of its lost key is still in the vault; look with facediary keys, and take away what you do not know: facediary keys remove ID"
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
    try invocation.output.line(invocation.text("device store: \(path)"))
    if let command {
      try invocation.output.line(
        invocation.text("device key: kept by \(command.joined(separator: " "))"))
    } else {
      try invocation.output.line(invocation.text("device key: in a file there"))
    }
    if !known {
      invocation.note("the device key cannot be had now; see: facediary device --help")
    }
  }
}
