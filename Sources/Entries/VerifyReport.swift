/// The result of checking a whole vault.
public struct VerifyReport: Sendable, Equatable, Codable {
  public struct Problem: Sendable, Equatable, Codable {
    public enum Severity: String, Sendable, Codable {
      /// Something cannot be read any more.
      case lost
      /// Everything reads, but not as it was written.
      case suspicious
      /// A redundant copy is damaged; nothing is lost.
      case minor
    }

    public let severity: Severity
    /// What is affected.
    public let what: DamagedPart
    public let error: VaultError

    public init(_ severity: Severity, _ what: DamagedPart, _ error: VaultError) {
      self.severity = severity
      self.what = what
      self.error = error
    }

    /// Whether it is a file of an entry that is lost: all else of the entry is there.
    package var isOfFile: Bool { if case .attachment = what { true } else { false } }
  }

  public var entries = 0
  public var revisions = 0
  public var attachments = 0
  /// Attachments that were being taken in when their process died; emptying the trash removes them.
  public var unfinished = 0
  public var problems: [Problem] = []

  package init() {}

  /// How many files of entries are not there or not whole.
  public var lostFiles: Int { problems.count { $0.isOfFile } }

  /// What keeps this from being a diary again: the first thing that is lost, a file aside.
  package var obstacle: Problem? { problems.first { $0.severity == .lost && !$0.isOfFile } }

  /// Whether no problem was found. A damaged redundant copy is a problem, too.
  public var isWhole: Bool { problems.isEmpty }

  package mutating func note(_ databaseProblems: [String]) {
    problems += databaseProblems.map {
      Problem(.suspicious, .thing(.database), VaultError(.damaged, .database, .said($0)))
    }
  }
}
