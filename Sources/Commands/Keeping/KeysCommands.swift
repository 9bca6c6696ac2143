internal import Authentication
internal import CommandLine
internal import DiaryVault
internal import FaceDiary
internal import JSONText
internal import Platform
internal import Sealing

/// `keys` and `passphrase`: the ways into the vault.
@MainActor
enum KeysCommands {
  static let keys = Command<Invocation>(
    "keys", Form("list", isDefault: true),
    Form(
      "add", Operand("KIND", completion: .words(["passphrase", "recovery", "face-passphrase"]))),
    Form("remove", Operand("ID")), Form("rotate"), summary: "the ways into the diary",
    options: [
      Options.newPassphraseFile, Options.kdf, Options.yes, Options.noPassphraseKept,
    ],
    details: """
      KIND is passphrase, recovery (a new code; the old one stays until it is removed) or face-passphrase (a
      face and a passphrase together; the face alone then opens nothing on this device).

      rotate makes a new vault key and seals everything anew, in one step. Ways in whose secret is not at hand
      are dropped, and are named first; a new recovery code is shown. Old copies of the file still open with
      the old key: it cannot take them back.

      All but list ask for the passphrase or the recovery code now.
      """
  ) { invocation in
    switch invocation.verb {
    case "list":
      try list(invocation)
    case "add":
      try await add(invocation)
    case "remove":
      let slot = try find(invocation.operands[0], try Keeper(at: invocation.location).file())
      try done(
        invocation, try invocation.owner().run(RemoveSlot(slot.id)),
        "removed; old copies of the vault still open with it")
    case "rotate":
      try await rotate(invocation)
    default: break
    }
    return 0
  }

  private static func done(
    _ invocation: Invocation, _ changed: ChangedSlots, _ note: Text
  ) throws {
    invocation.tell(changed.notices)
    guard invocation.isJSON else { return invocation.note(note) }
    try invocation.json { json in json.array(changed.slots) { write($1, to: &$0) } }
  }

  static func name(_ kind: SlotKind) -> String {
    switch kind {
    case .passphrase: "passphrase"
    case .recovery: "recovery"
    case .face: "face"
    case .facePassphrase: "face-passphrase"
    }
  }

  private static func write(_ slot: KeySlotFacts, to json: inout JSONWriter) {
    json.member("id", Base32.encode(slot.id))
    json.member("kind", name(slot.kind))
    json.member("created", utc(slot.created))
  }

  private static func list(_ invocation: Invocation) throws {
    try invocation.requireVault()
    let keeper = Keeper(at: invocation.location)
    let slots = try keeper.file().keyring.slots.map(KeySlotFacts.init)
    if invocation.isJSON {
      return try invocation.json { json in json.array(slots) { write($1, to: &$0) } }
    }
    for slot in slots {
      let work =
        slot.limits.memory > 0
        ? "  Argon2id \(slot.limits.operations) × \(slot.limits.memory >> 20) MiB" : ""
      try invocation.output.line(
        "\(Base32.encode(slot.id).prefix(8))  \(utc(slot.created).prefix(10))  \(name(slot.kind))\(work)"
      )
    }
    if slots.contains(where: { $0.kind == .face }) {
      invocation.note(
        try keeper.deviceHelper() == nil
          ? "the weakest way in is the face: who has this file and the device key's file needs no face; a helper, warm or face-passphrase mode closes that"
          : "the weakest way in is the face, and what the helper that keeps the device key asks for"
      )
    } else if slots.contains(where: { $0.kind == .passphrase }) {
      invocation.note("the weakest way in is the passphrase: it is as strong as it is long")
    }
  }

  private static func find(_ prefix: String, _ file: LockedVault) throws -> KeySlot {
    let wanted = prefix.lowercased()
    let found = file.keyring.slots.filter { Base32.encode($0.id).hasPrefix(wanted) }
    guard wanted.count >= 4, let slot = found.first else {
      throw VaultError(.notFound, prefix, "slot")
    }
    guard found.count == 1 else {
      throw VaultError(.ambiguous, prefix, "slot", candidates: found.map { Base32.encode($0.id) })
    }
    return slot
  }

  private static func add(_ invocation: Invocation) async throws {
    let limits = invocation.passphraseLimits
    switch invocation.operands[0] {
    case "passphrase":
      try done(
        invocation, try invocation.owner().run(AddPassphrase(limits: limits)),
        "added; the passphrases there were stay")
    case "recovery":
      let changed = try invocation.owner().run(
        AddRecoveryCode(), answer: { try invocation.announcement($0) { _, _ in } })
      invocation.tell(changed.notices)
      invocation.note("added; the codes there were stay")
    case "face-passphrase":
      try done(
        invocation, try invocation.owner().run(AddFacePassphrase(limits: limits)),
        "added; from now on this device's face opens the diary only together with that passphrase")
    case let other:
      throw Failure(
        .usage, "no such kind: \(other)", hint: "passphrase, recovery or face-passphrase")
    }
  }

  private static func rotate(_ invocation: Invocation) async throws {
    let arguments = invocation.arguments
    guard arguments[Options.yes] || Terminal.canAsk else {
      throw Failure(
        .usage, "keys rotate drops ways in and asks first; nobody can be asked",
        hint: "look with: facediary keys; then give --yes")
    }
    let passphrase: RotateKeys.Passphrase =
      arguments[Options.noPassphraseKept]
      ? .none : arguments.has(Options.newPassphraseFile) ? .new : .given
    let progress = invocation.progress("rotate")
    let notices = try invocation.owner().run(
      RotateKeys(passphrase: passphrase, limits: invocation.passphraseLimits),
      progress: { progress.reach($0, of: $1) },
      answer: { question in
        if case .replaceKey = question {
          try confirmRotation(invocation)
          return .yes
        }
        return try invocation.announcement(question) { facts, json in
          for slot in facts.dropped {
            invocation.note(
              "will be dropped: \("\(Base32.encode(slot.id).prefix(8))") \(name(slot.kind)), of \("\(utc(slot.created).prefix(10))")"
            )
          }
          json.member("dropped", facts.dropped.map { Base32.encode($0.id) })
        }
      })
    progress.end()
    invocation.tell(notices)
    invocation.note(
      "everything is sealed with a new key. Copies made before open with the old one for ever: delete those you do not need, and make a new backup"
    )
  }

  private static func confirmRotation(_ invocation: Invocation) throws {
    if invocation.arguments[Options.yes] { return }
    guard
      try Terminal.confirm(
        invocation.text(
          "Until you say yes the old recovery code is the right one. Is the new one written down, and shall the key be replaced?"
        ))
    else {
      throw Failure(.declined, "nothing was changed; the old recovery code is still the right one")
    }
  }

  static let passphrase = Command<Invocation>(
    "passphrase", summary: "change the passphrase",
    options: [Options.newPassphraseFile, Options.kdf],
    details: """
      Asks for the passphrase (or the recovery code) now, then for the new one twice. Its work for one guess is
      raised to today's. Old copies of the vault still open with the old passphrase; after it was seen by somebody,
      keys rotate is what helps.
      """
  ) { invocation in
    let limits = invocation.passphraseLimits
    let changed = try invocation.owner().run(
      ChangePassphrase(limits: limits, isExact: invocation.arguments.has(Options.kdf)))
    try done(
      invocation, changed,
      "changed; old copies of the vault still open with the old one (see: facediary keys rotate)")
    return 0
  }
}
