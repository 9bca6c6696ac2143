package import CommandLine
internal import Dates
internal import Formats
internal import Words

/// What only a process that may hold keys can do. The program's main gives it; no command can see past it.
package struct KeeperSide: Sendable {
  /// Becomes a keeper, with the socket of this number to who started it; returns its exit code.
  package let serve: @MainActor @Sendable (_ socket: Int32) async -> Int32
  package let demo: @MainActor @Sendable (Invocation) async throws -> Outcome

  package init(
    serve: @escaping @MainActor @Sendable (Int32) async -> Int32,
    demo: @escaping @MainActor @Sendable (Invocation) async throws -> Outcome
  ) {
    self.serve = serve
    self.demo = demo
  }
}
