/// What could still be opened of a damaged vault.
package struct Salvaged: Sendable, Equatable, Codable {
  package var entries = 0
  /// Entries of which only an older text opened.
  package var older = 0
  /// Texts whose title, date and tags are lost.
  package var nameless = 0
  package var attachments = 0
  /// The first of what is lost, and how much more is: anybody can add rows to a file, and a report has an end.
  package private(set) var lost: [DamagedPart] = []
  package private(set) var othersLost = 0

  package init() {}

  package mutating func lose(_ part: DamagedPart) {
    if lost.count < VerifyReport.listed { lost.append(part) } else { othersLost += 1 }
  }
}
