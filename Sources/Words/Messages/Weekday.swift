/// A day of the week, whole or short.
package enum Weekday: Sendable {
  /// 0 is Sunday.
  case name(Int)
  case short(Int)
}
