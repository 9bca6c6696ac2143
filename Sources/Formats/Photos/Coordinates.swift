internal import Dates
internal import Words

/// Degrees north and east as people read them.
package enum Coordinates {
  /// To about a metre.
  package static func text(latitude: Double, longitude: Double) -> String {
    "\(fixed(latitude)), \(fixed(longitude))"
  }

  private static func fixed(_ degrees: Double) -> String {
    let units = Int((abs(degrees) * 100_000).rounded())
    var digits = String(units % 100_000)
    digits = String(repeating: "0", count: 5 - digits.count) + digits
    return (degrees < 0 && units > 0 ? "-" : "") + "\(units / 100_000).\(digits)"
  }
}
