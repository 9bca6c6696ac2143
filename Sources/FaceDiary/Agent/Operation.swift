package import Authentication
package import DiaryVault
package import FaceMatching

/// What can be asked of an open diary: by the process that opened it, or through the session's socket.
///
/// None of these gives a key, and none makes access permanent: those ask for a passphrase now, and run
/// where it was typed.
package enum Operation: Codable, Sendable {
  /// The session itself.
  case session
  case lock
  /// A face for a diary that is closed and warm.
  case showFace(ShownFace)
  case add(EntryDraft)
  case edit(EntryReference, EntryChange, expected: UInt64?)
  case delete([EntryReference])
  case restore([EntryReference])
  case purge([EntryReference]?)
  case list(EntryFilter, order: EntryOrder, limit: Int?, bodies: Bool, query: SearchQuery?)
  /// A stretch of a list, behind an entry: for who scrolls.
  case stretch(
    EntryFilter, order: EntryOrder, after: EntryReference?, limit: Int, query: SearchQuery?)
  case show([EntryReference], revision: UInt64?, trash: Bool)
  case history(EntryReference)
  /// Journals and kinds.
  case names
  /// How many entries there are, and in the trash.
  case count
  case verify
  /// Rebuilds what can be rebuilt from what verifies.
  case repair
  /// Seals a copied state record as a backup's.
  case sealBackup(state: [UInt8])
  /// Followed by the items.
  case importEntries(dryRun: Bool)
  case change(NamesChange)
  case tally(TallySubject, EntryFilter)
  case statistics(EntryFilter)
  case templates
  /// A nil body removes it.
  case setTemplate(String, body: String?, isNew: Bool)
  /// Followed by pieces of a file, which an entry or an edit then takes.
  case stage(name: String, type: String)
  /// Answers the file's bytes.
  case attachment(EntryReference, name: String)
  /// The public key for text that cannot be saved.
  case draftKey
  /// Saves what was sealed to it.
  indirect case recover(sealed: [UInt8])

  package enum EntryOrder: String, Codable, Sendable { case newestFirst, oldestFirst }

  var writes: Bool {
    switch self {
    case .add, .edit, .delete, .restore, .purge, .importEntries, .change, .setTemplate, .stage,
      .recover, .repair:
      true
    default: false
    }
  }

  /// Whether items follow it.
  var takesItems: Bool {
    switch self {
    case .importEntries, .stage: true
    default: false
    }
  }

  /// Whether it counts as somebody using the diary.
  var isActivity: Bool {
    switch self {
    case .session, .lock, .showFace: false
    default: true
    }
  }
}

/// What an operation answers, after the entries it may have given one by one.
package enum Reply: Codable, Sendable {
  case done
  case session(SessionFacts)
  case written(id: String, revision: UInt64)
  case count(Int)
  case counts(live: Int, trashed: Int)
  case names(journals: [Journal], kinds: [Kind])
  case report(VerifyReport)
  case imported(ImportCounts)
  case tally([TallyCount])
  case statistics(DiaryStatistics)
  case templates([EntryTemplate])
  case staged(StagedAttachment)
  case attachment(Attachment)
  case key([UInt8])
  case sealed([UInt8])
  case recognised(similarity: Double, threshold: Double, SessionFacts)
  case refused(attemptsLeft: Int)
  case notNow(AuthenticationError)
}

/// A face on its way to the process that may open the diary with it.
package struct ShownFace: Codable, Sendable {
  /// Unit vectors.
  let frames: [[Float]]
  let model: String?
  let limits: SessionLimits?

  package init(_ probe: Probe, limits: SessionLimits?) {
    frames = probe.frames.map(\.unit)
    model = probe.frames.lazy.compactMap(\.model).first
    self.limits = limits
  }

  func probe() throws(VectorError) -> Probe {
    var embeddings: [Embedding] = []
    for frame in frames { embeddings.append(try Embedding(frame, model: model)) }
    return try Probe(embeddings)
  }
}

/// What `status` says of a running session.
package struct SessionFacts: Codable, Sendable, Equatable {
  /// `face`, `passphrase` or `recovery`.
  package let method: String
  /// Seconds left in all, and until idleness ends it.
  package let life: Int
  package let idle: Int

  package init(method: String, life: Int, idle: Int) {
    self.method = method
    self.life = life
    self.idle = idle
  }
}

/// Somebody who runs operations.
package protocol DiaryConnection: AnyObject {
  /// Runs `operation`.
  ///
  /// - Parameters:
  ///   - items: what to import, one by one, nil at the end.
  ///   - entry: takes the entries, one by one.
  ///   - piece: takes the bytes of an attachment.
  /// - Throws: ``VaultError``; ``SessionError``; what the closures throw.
  func run(
    _ operation: Operation, items: () throws -> ImportItem?, entry: (Entry) throws -> Void,
    piece: ([UInt8]) throws -> Void
  ) throws -> Reply
}

extension DiaryConnection {
  package func run(
    _ operation: Operation, entry: (Entry) throws -> Void = { _ in }
  ) throws -> Reply {
    try run(operation, items: { nil }, entry: entry, piece: { _ in })
  }

  package func run(
    _ operation: Operation, items: () throws -> ImportItem?
  ) throws -> Reply {
    try run(operation, items: items, entry: { _ in }, piece: { _ in })
  }

  package func run(
    _ operation: Operation, piece: ([UInt8]) throws -> Void
  ) throws -> Reply {
    try run(operation, items: { nil }, entry: { _ in }, piece: piece)
  }
}
