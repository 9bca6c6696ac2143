/// What could still be opened of a damaged vault.
package struct Salvaged: Sendable, Equatable, Codable {
  package var entries = 0
  /// Entries of which only an older text opened.
  package var older = 0
  /// Texts whose title, date and tags are lost.
  package var nameless = 0
  package var attachments = 0
  package var lost: [DamagedPart] = []

  package init() {}
}
