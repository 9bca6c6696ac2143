/// What several commands have in common and each would have to explain again.
package enum HelpTopic: String, CaseIterable, Sendable {
  case ids, dates, vectors, search, text, sync
}
