/// A regular expression that is compiled once, for all threads: a literal in a function is compiled each time that it is reached, which
/// takes longer than what it looks at.
///
/// `Regex` is not `Sendable` because it may hold a closure; one of a literal holds none, and its program is compiled atomically.
package struct Pattern<Output>: @unchecked Sendable {
  package let regex: Regex<Output>

  /// - Parameter regex: a literal.
  package init(_ regex: Regex<Output>) { self.regex = regex }
}
