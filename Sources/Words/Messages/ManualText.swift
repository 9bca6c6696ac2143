/// What the manual adds: exit codes and the environment.
package enum ManualText: Sendable {
  case done
  case systemFailed
  case usageWrong
  case notAuthenticated
  case lockedOut
  case integrity
  case notFound
  case conflict
  case invalid
  case declined
  case runtimeDirectory
  case configurationFile
  case editor
  case pager
  case noColors
}
