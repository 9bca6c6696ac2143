/// What is wrong with the two copies of the key slots that stand in a vault.
public enum KeyringProblem: Sendable, Equatable, Codable {
  /// One of the copies, 1 or 2.
  case missing(copy: Int)
  case damaged(copy: Int)
  case unreadable(copy: Int)
  case copiesDiffer
  /// They are not the slots that the state record knows.
  case notTheKnownSlots
  /// This many slots that the state record knows are in neither copy.
  case slotsMissing(Int)
}

extension KeyringProblem: CustomStringConvertible {
  /// In English.
  public var description: String {
    switch self {
    case .missing(let copy): "copy \(copy) is missing"
    case .damaged(let copy): "copy \(copy) is damaged"
    case .unreadable(let copy): "copy \(copy) is unreadable"
    case .copiesDiffer: "the two copies differ"
    case .notTheKnownSlots: "not the slots the state record knows"
    case .slotsMissing(let count): "\(count) key slots are missing"
    }
  }
}
