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
  /// Files of texts that are kept on this device and not saved yet.
  public var kept = 0
  /// The first thousand problems; of more, those of what is lost come before others.
  public private(set) var problems: [Problem] = []
  /// How many more there are.
  public private(set) var others = 0
  /// How many files of entries are not there or not whole.
  public private(set) var lostFiles = 0
  /// What keeps this from being a diary again: the first thing that is lost, a file aside.
  package private(set) var obstacle: Problem?

  package init() {}

  /// How many are listed: anybody can add rows to a file, and a report has an end.
  package static let listed = 1_000

  /// Whether something is lost.
  package var hasLost: Bool { obstacle != nil || lostFiles > 0 }

  /// Whether no problem was found. A damaged redundant copy is a problem, too.
  public var isWhole: Bool { problems.isEmpty }

  package mutating func note(_ problem: Problem) {
    if problem.isOfFile {
      lostFiles += 1
    } else if problem.severity == .lost, obstacle == nil {
      obstacle = problem
    }
    guard problems.count >= Self.listed else {
      problems.append(problem)
      return
    }
    others += 1
    if problem.severity == .lost, let last = problems.last, last.severity != .lost {
      let place = problems.firstIndex { $0.severity != .lost } ?? problems.count - 1
      problems.removeLast()
      problems.insert(problem, at: place)
    }
  }

  package mutating func note(_ databaseProblems: [String]) {
    for said in databaseProblems {
      note(Problem(.suspicious, .thing(.database), VaultError(.damaged, .database, .said(said))))
    }
  }
}
