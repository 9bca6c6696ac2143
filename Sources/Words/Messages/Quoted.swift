internal import CommandLine

/// What the system or a reader of some format says in English, for languages that have other words for it.
package enum Quoted: Sendable, Equatable {
  /// Why a call of the system failed, about what.
  case failed(path: String, why: String)
  /// What a reader wants at some place.
  case wanted(String)
}
