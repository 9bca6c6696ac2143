internal import CLibrary

/// Functions of the C library that the standard library lacks.
package enum Mathematics {
  package static func log(_ number: Double) -> Double { CLibrary.log(number) }
  package static func log10(_ number: Double) -> Double { CLibrary.log10(number) }
  package static func power(_ base: Double, _ exponent: Double) -> Double {
    CLibrary.pow(base, exponent)
  }
}
