internal import Access
internal import Bytes
internal import CommandLine
internal import Dates
internal import Entries
internal import Inputs
internal import Keeper
internal import Platform
internal import Replication
internal import Requests
internal import Sealing
internal import Words

/// Where a keeper gets secrets, and shows a code: the files that its task names, and the terminal.
@MainActor
final class SecretPrompts: OwnerDesk {
  private let task: KeeperTask
  private let speech: Speech
  private let inputs: Inputs
  /// Which of the two the closed diary opens with: what is asked for when no file was named.
  private let asksFor: () -> SecretFactor
  /// The passphrase of the diary that is being made, which opens it then.
  private var chosen: SecretBytesBox?
  /// Codes that were read already.
  private var knownSpaceCode: SecretBytesBox?
  private var knownPairingCode: (code: SecretBytesBox, space: String)?

  init(
    _ task: KeeperTask, _ speech: Speech, _ inputs: Inputs,
    asksFor: @escaping () -> SecretFactor
  ) {
    self.task = task
    self.speech = speech
    self.inputs = inputs
    self.asksFor = asksFor
  }

  // MARK: Asking

  /// Whether somebody can be asked: at the terminal, or in a window.
  var canAsk: Bool { task.pinentry != nil || Terminal.canAsk }

  /// Asks for a secret, in a window where the task names a program for that, else at the terminal.
  ///
  /// - Parameter trouble: why it is asked for again. A terminal shows that already.
  private func askSecret(
    _ prompt: OpeningMessage, after trouble: OpeningMessage? = nil
  ) throws -> SecretBytes {
    try askSecret(speech.text(prompt), trouble.map { speech.text($0) + "\n\n" } ?? "")
  }

  private func askSecret(_ prompt: String, _ trouble: String = "") throws -> SecretBytes {
    guard let program = task.pinentry else { return try Terminal.askSecret(prompt) }
    let asking = OpeningMessage.asksInWindow(
      command: task.speech.command, vault: task.location.vault)
    return try Pinentry(program: program).ask(
      prompt.trimmed, described(trouble + speech.text(asking)))
  }

  /// What stands in a dialog, with the words by which somebody knows that it is ours.
  private func described(_ text: String) -> String {
    task.dialogWords.map { text + "\n\n" + speech.text(OpeningMessage.wordsOfWindow($0)) } ?? text
  }

  // MARK: What opens the diary

  /// The passphrase or recovery code whose file was named; nil when none was.
  func givenSecret() throws -> GivenSecret? {
    if let path = task.secrets.passphrase {
      return GivenSecret(
        factor: .passphrase, secret: try SecretReading.normalized(try secret(path, .passphrase)))
    }
    if let path = task.secrets.recoveryCode {
      return GivenSecret(
        factor: .recovery, secret: try parseCode(try secret(path, .recoveryCode)))
    }
    return nil
  }

  func secretNow() throws -> GivenSecret {
    if let chosen {
      self.chosen = nil
      return GivenSecret(factor: .passphrase, secret: try chosen.secret.copy())
    }
    if let given = try givenSecret() { return given }
    guard canAsk else {
      throw Failure(
        .needsPassphrase, OpeningMessage.needsSecretNow(task.speech.command),
        hint: OpeningMessage.giveSecretFile)
    }
    return try ask()
  }

  /// Asks at the terminal.
  func ask() throws -> GivenSecret {
    switch asksFor() {
    case .passphrase:
      try typed(askSecret(OpeningMessage.passphrasePrompt))
    case .recovery:
      GivenSecret(
        factor: .recovery,
        secret: try parseCode(
          try askSecret(OpeningMessage.recoveryCodePrompt)))
    }
  }

  /// A passphrase, or the code on paper, which people type where the passphrase is asked for: nothing else is written in its seven
  /// groups with its checksum.
  private func typed(_ secret: consuming SecretBytes) throws -> GivenSecret {
    if let code = Self.code(secret) { return GivenSecret(factor: .recovery, secret: code) }
    return GivenSecret(factor: .passphrase, secret: try SecretReading.normalized(secret))
  }

  /// What has the form of a recovery code, as one.
  private static func code(_ typed: borrowing SecretBytes) -> SecretBytes? {
    RecoveryCode.isInGroups(typed) ? try? RecoveryCode.parse(typed) : nil
  }

  /// Whether it would be taken for a recovery code: no passphrase may have its form.
  private static func isCode(_ typed: borrowing SecretBytes) -> Bool {
    if case .some = code(typed) { true } else { false }
  }

  private func parseCode(_ typed: consuming SecretBytes) throws -> SecretBytes {
    do {
      return try RecoveryCode.parse(typed)
    } catch SealingError.malformed {
      throw Failure(
        .wrongSecret, OpeningMessage.notARecoveryCode,
        hint: OpeningMessage.recoveryCodeForm)
    }
  }

  /// A secret from a file a person named; `-` on a terminal asks for it without echo.
  private func secret(_ path: String, _ what: InputPurpose) throws -> SecretBytes {
    if path == "-", Terminal.isTerminal(0), canAsk {
      try inputs.claimStandardInput(for: what)
      return try askSecret(OpeningMessage.prompt(for: what))
    }
    let file = try inputs.open(path, as: what)
    return try SecretReading.contents(of: file.descriptor)
  }

  // MARK: The chip's PIN

  /// The PIN that the chip asks for before it gives the device key.
  func pin() throws -> SecretBytes {
    if let path = task.secrets.pin { return try secret(path, .pin) }
    guard canAsk else {
      throw AuthenticationError(.helper, task.location.chip, .chip(.needsPIN))
    }
    return try askSecret(OpeningMessage.pinPrompt)
  }

  /// Reads a new one from the file that was named, or asks for it twice.
  func newPIN() throws -> SecretBytes {
    // Typed twice, as every new secret.
    if let path = task.secrets.newPIN, path != "-" || !Terminal.isTerminal(0) || !canAsk {
      return try secret(path, .pin)
    }
    guard canAsk else {
      throw Failure(.usage, OpeningMessage.needsNewPIN, hint: OpeningMessage.giveNewPINFile)
    }
    var problem: OpeningMessage?
    for _ in 0..<Self.passphraseTries {
      let first = try askSecret(OpeningMessage.newPINPrompt, after: problem)
      let second = try askSecret(OpeningMessage.sameAgainPrompt)
      if first.isEqual(to: second) { return first }
      problem = .pinsDiffer
      speech.warn(OpeningMessage.pinsDiffer)
    }
    throw Failure(.invalid, OpeningMessage.pinsDiffer)
  }

  // MARK: A new passphrase

  private static let passphraseTries = 3
  /// A passphrase of fewer characters is quickly guessed.
  private static let shortPassphrase = 10

  func newPassphrase() throws -> SecretBytes {
    let new = try readNewPassphrase()
    if task.purpose == .newcomer { chosen = SecretBytesBox(try new.copy()) }
    return new
  }

  /// Reads it from the file that was named, or asks for it twice, and again when the two differ.
  private func readNewPassphrase() throws -> SecretBytes {
    // On a terminal `-` is typed twice, as every new passphrase: a mistake in it would not be seen.
    if let path = task.secrets.newPassphrase,
      path != "-" || !Terminal.isTerminal(0) || !canAsk
    {
      let new = try SecretReading.normalized(try secret(path, .passphrase))
      guard !Self.isCode(new) else { throw Failure(.invalid, OpeningMessage.passphraseIsCode) }
      return new
    }
    guard canAsk else {
      throw Failure(
        .usage, OpeningMessage.needsNewPassphrase(task.speech.command),
        hint: task.secrets.newPassphraseIsOptional
          ? OpeningMessage.givePassphraseOrNone
          : OpeningMessage.giveNewPassphraseFile)
    }
    var problem: OpeningMessage?
    for attempt in 1...Self.passphraseTries {
      let typed: SecretBytes
      do {
        typed = try askSecret(OpeningMessage.newPassphrasePrompt, after: problem)
      } catch UsageError.secretEmpty where attempt < Self.passphraseTries {
        speech.warn(UsageMessage.secretEmpty)
        continue
      }
      let first = try SecretReading.normalized(typed)
      if Self.isCode(first) {
        problem = .passphraseIsCode
        speech.warn(OpeningMessage.passphraseIsCode)
        continue
      }
      // Check the length before it is typed again.
      if Self.characters(in: first) < Self.shortPassphrase {
        problem = .shortPassphrase
        speech.warn(OpeningMessage.shortPassphrase)
        // A window has no such question.
        guard
          try task.pinentry != nil || Terminal.confirm(speech.text(OpeningMessage.askToUseIt))
        else { continue }
      }
      let second = try SecretReading.normalized(
        try askSecret(OpeningMessage.sameAgainPrompt, after: problem))
      if first.isEqual(to: second) { return first }
      problem = .passphrasesDiffer
      speech.warn(OpeningMessage.passphrasesDiffer)
    }
    throw Failure(.invalid, problem ?? .passphrasesDiffer)
  }

  /// How many characters the UTF-8 of a secret has.
  private static func characters(in secret: borrowing SecretBytes) -> Int {
    unsafe secret.withUnsafeBytes { bytes in
      unsafe bytes.count { $0 & 0xc0 != 0x80 }
    }
  }

  // MARK: Other secrets

  func backupPassphrase() throws -> SecretBytesBox? {
    try task.secrets.backupPassphrase.map {
      SecretBytesBox(try SecretReading.normalized(try secret($0, .backupPassphrase)))
    }
  }

  /// Reads the code with which a diary that is made now comes into a space: nothing is made for one that is mistyped.
  func readCode() throws {
    if task.secrets.pairingCode.isEmpty {
      knownSpaceCode = try spaceCode()
    } else {
      knownPairingCode = try pairingCode()
    }
  }

  func spaceCode() throws -> SecretBytesBox {
    if let knownSpaceCode { return knownSpaceCode }
    let typed: SecretBytes
    if let path = task.secrets.spaceCode {
      typed = try secret(path, .spaceCode)
    } else {
      guard canAsk else {
        throw Failure(.usage, SyncMessage.needsSpaceCode, hint: SyncMessage.giveSpaceCodeFile)
      }
      typed = try askSecret(OpeningMessage.spaceCodePrompt)
    }
    do throws(SealingError) {
      return SecretBytesBox(try RecoveryCode.parse(typed))
    } catch {
      guard error == .malformed else { throw error }
      throw Failure(.invalid, SyncMessage.notASpaceCode)
    }
  }

  func pairingCode() throws -> (code: SecretBytesBox, space: String) {
    if let knownPairingCode { return knownPairingCode }
    let typed = task.secrets.pairingCode
    var bytes = Array(typed.utf8)
    let given =
      typed == "-" ? try secret(typed, .pairingCode) : try SecretBytes(wiping: &bytes)
    do throws(SealingError) {
      return try Pairing.parse(given)
    } catch {
      guard error == .malformed else { throw error }
      throw Failure(.invalid, SyncMessage.badPairingCode)
    }
  }

  func confirms(_ words: String) throws -> Bool {
    guard task.showsCodeInDialog, let program = task.pinentry else { throw SessionError.foreign }
    return try Pinentry(program: program).confirms(
      described(words), yes: speech.text(WindowMessage.yes), no: speech.text(WindowMessage.no))
  }

  func show(_ code: borrowing SecretBytes, before: String, after: String) throws {
    if task.showsCodeInDialog, let program = task.pinentry {
      return try Pinentry(program: program).show(
        code, described(before), written: speech.text(OpeningMessage.codeIsWritten),
        stop: speech.text(OpeningMessage.codeIsNotWritten))
    }
    var text: [UInt8] = []
    text.reserveCapacity(before.utf8.count + code.count + after.utf8.count)
    defer { text.wipe() }
    text += before.utf8
    unsafe code.withUnsafeBytes { unsafe text.append(contentsOf: $0) }
    text += after.utf8
    do { try Output.write(text, to: .standardOutput) } catch is BrokenPipe {
      // Nobody has seen it: what it belongs to is not made.
      throw PlatformError(.system(.brokenPipe), "standard output")
    }
  }
}
