internal import Access
internal import Bytes
internal import Client
internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import JSONText
internal import Requests
internal import Words

/// `keys`: the ways into the vault.
@MainActor
enum KeysCommand {
  static let declaration = Command<Invocation>(
    "keys", Form("list", isDefault: true),
    Form(
      "add", Operand("KIND", completion: .words(["passphrase", "recovery", "face-passphrase"]))),
    Form("remove", Operand("ID")), Form("rotate"), summary: CommandHelp.keys,
    options: [
      Options.newPassphraseFile, Options.kdf, Options.yes, Options.noPassphraseKept,
      Options.codeDialog,
    ],
    details: CommandHelp.keysDetails
  ) { invocation in
    switch invocation.verb {
    case "add": return try add(invocation)
    case "remove":
      let slots = try invocation.vaultFacts().slots
      let slot = try find(invocation.operands[0], slots)
      // A program that removes it knows what it does, as it did before there was anybody to ask.
      if slot.kind == .recovery, slots.count(where: { $0.kind == .recovery }) == 1,
        Terminal.canAsk
      {
        try invocation.confirm(KeepingMessage.askToRemoveLastCode)
      }
      return outcome(
        try invocation.owner().run(RemoveSlot(slot.id)), KeepingMessage.slotRemoved)
    case "rotate": return try rotate(invocation)
    default: return try await list(invocation)
    }
  }

  /// The ways in as they are now; people are told what was done.
  static func outcome(
    _ slots: [KeySlotFacts], _ done: KeepingMessage
  ) -> Outcome {
    .array(slots) {
      write($1, to: &$0)
    } text: {
      $0.note(done)
    }
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
    json.member("created", slot.created.map(utc))
  }

  /// Without opening the diary, unless a secret is given for it: a locked one does not tell when its slots were made.
  private static func list(_ invocation: Invocation) async throws -> Outcome {
    try invocation.requireVault()
    let facts = try invocation.vaultFacts()
    let open =
      try invocation.hasFactor
      ? await invocation.connection()
      : (try? KeeperConnection(session: invocation.location)).flatMap(\.self)
    let slots = (try? open?.run(ListKeySlots())).flatMap(\.self) ?? facts.slots
    let weakest: KeepingMessage? =
      if slots.contains(where: { $0.kind == .face }) {
        switch try facts.deviceKeyPlace() {
        case .file: .weakestFace
        case .program, .chip: .weakestHelper
        }
      } else {
        slots.contains(where: { $0.kind == .passphrase }) ? .weakestPassphrase : nil
      }
    return .array(slots) {
      write($1, to: &$0)
    } text: { page in
      for slot in slots {
        // A closed diary does not tell when it was made.
        let date = date(slot).map { $0 + "  " } ?? ""
        let work =
          slot.limits.memory > 0
          ? "  Argon2id \(slot.limits.operations) × \(slot.limits.memory >> 20) MiB" : ""
        try page.line(
          "\(Base32.encode(slot.id).prefix(8))  \(date)\(name(slot.kind))\(work)"
        )
      }
      if let weakest { page.note(weakest) }
    }
  }

  private static func date(_ slot: KeySlotFacts) -> String? {
    slot.created.map(localDay)
  }

  private static func find(_ prefix: String, _ slots: [KeySlotFacts]) throws -> KeySlotFacts {
    let wanted = prefix.lowercased()
    let found = slots.filter { Base32.encode($0.id).hasPrefix(wanted) }
    guard wanted.count >= 4, let slot = found.first else {
      throw VaultError(.notFound, .slot, prefix)
    }
    guard found.count == 1 else {
      throw VaultError(.ambiguous, .slot, prefix, candidates: found.map { Base32.encode($0.id) })
    }
    return slot
  }

  private static func add(_ invocation: Invocation) throws -> Outcome {
    let limits = invocation.passphraseLimits
    switch invocation.operands[0] {
    case "passphrase":
      return outcome(
        try invocation.owner().run(AddPassphrase(limits: limits)),
        KeepingMessage.passphraseAdded)
    case "recovery":
      let code = CodeAnnouncement(invocation)
      _ = try code.telling {
        try invocation.owner().run(AddRecoveryCode(), answer: { try code.answer($0) })
      }
      return .written { $0.note(KeepingMessage.codeAdded) }
    case "face-passphrase":
      return outcome(
        try invocation.owner().run(AddFacePassphrase(limits: limits)),
        KeepingMessage.facePassphraseAdded)
    case let other:
      throw Failure(.usage, KeepingMessage.noSuchKind(other), hint: KeepingMessage.slotKinds)
    }
  }

  private static func rotate(_ invocation: Invocation) throws -> Outcome {
    let arguments = invocation.arguments
    guard arguments[Options.yes] || Terminal.canAsk else {
      throw Failure(
        .usage, KeepingMessage.rotateAsks,
        hint: KeepingMessage.lookAtKeys)
    }
    let passphrase: RotateKeys.Passphrase =
      arguments[Options.noPassphraseKept]
      ? .none : arguments.has(Options.newPassphraseFile) ? .new : .given
    let progress = invocation.progress("rotate")
    let code = CodeAnnouncement(invocation)
    func answer(_ question: OwnerQuestion) throws -> OwnerReply {
      if case .replaceKey = question {
        try confirmRotation(invocation)
        return .yes
      }
      return try code.answer(question) { facts, json in
        for slot in facts.dropped {
          invocation.note(
            KeepingMessage.willBeDropped(
              id: "\(Base32.encode(slot.id).prefix(8))", kind: name(slot.kind),
              created: date(slot) ?? "")
          )
        }
        if facts.leavesSpace { invocation.page.warn(KeepingMessage.willLeaveSpace) }
        json.member("dropped", facts.dropped.map { Base32.encode($0.id) })
      }
    }
    _ = try code.telling {
      try invocation.owner().run(
        RotateKeys(
          passphrase: passphrase, limits: invocation.passphraseLimits,
          isExact: arguments.has(Options.kdf)),
        progress: { progress.reach($0, of: $1) }, answer: answer)
    }
    progress.end()
    return .written { $0.note(KeepingMessage.rotated) }
  }

  private static func confirmRotation(_ invocation: Invocation) throws {
    if invocation.arguments[Options.yes] { return }
    guard
      try Terminal.confirm(
        invocation.text(
          KeepingMessage.askToRotate
        ))
    else {
      throw Failure(.declined, KeepingMessage.oldCodeStays)
    }
  }
}
