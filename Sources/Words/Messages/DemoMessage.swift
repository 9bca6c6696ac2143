package import CommandLine

/// `demo`.
package enum DemoMessage: Sendable {
  case noSamples
  case nameSamples
  case wrong(any Message)
  case looking(String)
  case notOnboarding
  case none(String)
  case notAsked
  case made(shots: Int, state: String)
  case noRecoveryCode
  case strangerLetIn
  case strangerRefused(left: Int, state: String)
  case ownerRefused
  case ownerShown(similarity: String, threshold: String, state: String)
  case written(String)
  case searchFailed
  case found(String)
  case notWhole
  case verified(Int)
  case stillOpen
  case closed(String)
  case plaintext(String)
  case scanned(word: String, files: Int)
  case yourOwn
}
