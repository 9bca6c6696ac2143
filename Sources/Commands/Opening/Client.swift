internal import Client
internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import Foundation
internal import JSONText
internal import Requests
internal import Words

/// A keeper that ended without a word: what it had to say it said itself, at the terminal.
struct KeeperLeft: Error { let code: Int32 }

extension KeeperConnection {
  /// An open editor is use. When the session has ended all the same, saving authenticates again.
  func stayAwake() { _ = try? run(KeepAwake()) }
}

extension Invocation {
  /// Somebody who can run requests: the session, or a keeper of this command's own.
  ///
  /// A factor given explicitly is always checked. Without one, the running session serves; without that,
  /// a person at a terminal is asked, and nobody else is.
  func connection() async throws -> KeeperConnection {
    if !hasFactor, let session = try KeeperConnection(session: location) { return session }
    try requireVault()
    return try openKeeper(.single).connection
  }

  /// Starts a keeper and waits until it has opened the diary.
  func openKeeper(
    _ purpose: StartedKeeper.Purpose
  ) throws -> (connection: KeeperConnection, opened: Opened) {
    let keeper = try startKeeper(purpose)
    let opened: Opened
    do {
      opened = try keeper.connection.waitUntilOpened()
    } catch SessionError.gone {
      throw KeeperLeft(code: keeper.exitCode())
    } catch {
      _ = keeper.exitCode()
      throw error
    }
    tell(opened.notices)
    return (keeper.connection, opened)
  }

  /// Opens by passphrase or recovery code, given now, for what would make access permanent.
  func owner() throws -> KeeperConnection {
    try requireVault()
    return try openKeeper(.owner).connection
  }

  /// A keeper that opens nothing by itself: it makes a diary, salvages one, revives a backup.
  func custody() throws -> KeeperConnection { try startKeeper(.custody).connection }

  /// Asks what can be seen of the closed diary, of a keeper that opens nothing and changes nothing.
  func look<R: Request>(_ request: R) throws -> R.Answer {
    if let looking {
      // An interrupt meant for an editor may have ended it.
      do { return try looking.run(request) } catch SessionError.gone { self.looking = nil }
    }
    let started = try startKeeper(.look).connection
    looking = started
    return try started.run(request)
  }

  /// The diary's vault, as anybody sees it.
  func vaultFacts() throws -> VaultFacts { try look(LookAtVault()) }

  /// A keeper that copies sealed files and never has a key.
  func copier() throws -> KeeperConnection { try startKeeper(.copy).connection }

  private func startKeeper(_ purpose: StartedKeeper.Purpose) throws -> StartedKeeper {
    // What was answered before a prompt comes before it.
    try? output.flush()
    // Without a command the state machine is followed, and a diary made where there is none.
    let named = command.isEmpty ? (purpose == .custody ? "init" : "status") : command
    let keeper = try StartedKeeper(purpose, of: location, words: [named] + words)
    keepers.append(keeper)
    keeper.connection.heed = { [unowned self] notices in
      MainActor.assumeIsolated { tell(notices) }
    }
    return keeper
  }

  /// Brings the search index up to date when the diary was opened for this command alone; a session does that by itself.
  ///
  /// An index that cannot be written makes searching slow and nothing wrong: it is no failure of the command.
  func keepIndex(through connection: KeeperConnection) {
    guard keepers.contains(where: \.opensDiary) else { return }
    try? output.flush()
    _ = try? connection.run(UpdateIndex())
  }

  /// Waits until the keepers of this command have closed the vault.
  func endKeepers() {
    for keeper in keepers { keeper.end() }
    keepers = []
    looking = nil
  }

  /// What stands around a recovery code in what is printed: the keeper puts the code between, and prints it.
  ///
  /// - Parameters:
  ///   - more: says what belongs to it, and adds members to the answer in JSON.
  ///   - member: what the code is called in JSON.
  ///   - words: what people hear before it.
  func announcement(
    _ question: OwnerQuestion, as member: String = "recoveryCode",
    _ words: any Message = OpeningMessage.thisIsRecoveryCode,
    _ more: (CodeFacts, inout JSONWriter) throws -> Void
  ) throws -> OwnerReply {
    guard case .announce(let facts) = question else { return .no }
    // A place that no text of ours looks like.
    let place = "\u{0}recovery code\u{0}"
    var json = JSONWriter()
    json.beginObject()
    try more(facts, &json)
    json.member(member, place)
    json.endObject()
    try output.flush()
    guard isJSON else {
      page.warn(words)
      return .announcement(before: "", after: "\n")
    }
    var written = JSONWriter()
    written.value(place)
    let mark = String(decoding: written.bytes, as: UTF8.self)
    let parts = String(decoding: json.bytes, as: UTF8.self).components(separatedBy: mark)
    return .announcement(before: parts[0] + "\"", after: "\"" + parts[1] + "\n")
  }
}

extension KeeperConnection {
  /// The entry a person named.
  func entry(_ reference: EntryReference) throws -> Entry {
    var found: Entry?
    _ = try run(ShowEntries([reference])) { found = $0 }
    guard let found else { throw VaultError(.notFound, .entry, "\(reference)") }
    return found
  }
}
