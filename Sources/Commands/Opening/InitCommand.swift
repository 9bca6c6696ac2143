internal import Access
internal import Client
internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import JSONText
internal import Platform
internal import Requests
internal import Words

/// `init`: makes a diary, by options alone or by asking.
@MainActor
enum InitCommand {
  static let declaration = Command<Invocation>(
    "init", summary: CommandHelp.initialize,
    options: Options.faceModel + [
      Options.label, Options.force, Options.noPassphraseAtInit, Options.newPassphraseFileAtInit,
      Options.kdf, Options.codeDialog, Options.camera,
    ],
    details: CommandHelp.initDetails
  ) { try await run($0) }

  static func run(_ invocation: Invocation) async throws -> Outcome {
    let limits = invocation.passphraseLimits
    if FileSystem.exists(invocation.location.vault) {
      throw VaultError(.vaultExists, invocation.location.vault)
    }
    let faces = try faces(invocation)
    if let faces { try invocation.confirmThreshold(of: faces.modelName) }
    let state: AppState = faces == nil ? .onboarding : .authentication
    let hasPassphrase = !invocation.arguments[Options.noPassphraseAtInit]
    if !hasPassphrase {
      for option in [Options.passphraseFile, Options.newPassphraseFile]
      where invocation.arguments.has(option) {
        throw Failure(.usage, OpeningMessage.noPassphraseContradicts(option.spec.name))
      }
    }
    let code = CodeAnnouncement(invocation)
    let created = try code.telling {
      try invocation.custody { $0.secrets.makesPassphrase(isOptional: true) }.run(
        CreateVault(limits: limits, hasPassphrase: hasPassphrase, faces: faces),
        answer: { question in
          try code.answer(question) { facts, json in
            json.member("vault", invocation.location.vault)
            json.member("id", facts.id)
            json.member("state", state.rawValue)
          }
        })
    }
    // The document was printed with the code in it.
    return .written { page in
      page.note(OpeningMessage.made(invocation.location.vault))
      for warning in created.enrolled?.warnings ?? [] { page.warn(FaceSentence.warning(warning)) }
      page.note(state == .onboarding ? OpeningMessage.nextEnroll : .nextUnlock)
      if FileSystem.isWritable(invocation.chip) { page.note(OpeningMessage.chipIsThere) }
    }
  }

  /// The faces that open it from the start, in files or in front of the camera; nil where there are none.
  private static func faces(_ invocation: Invocation) throws -> FaceRegistration? {
    let files = invocation.arguments[Options.face]
    guard invocation.arguments[Options.camera] else {
      return files.isEmpty
        ? nil : try invocation.registration(of: try invocation.vectors(of: files))
    }
    guard files.isEmpty else { throw Failure(.usage, FaceMessage.filesOrCamera) }
    _ = try invocation.requiredProgram()
    return try invocation.registration(of: try invocation.shots {}, source: "camera")
  }
}
