extension StringProtocol {
  /// With the wide digits, colons, signs and spaces of a Japanese keyboard as ASCII ones.
  var halfWidth: String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.map {
          if $0.value == 0x3000 { return " " }
          // Minus signs and dashes.
          if $0.value == 0x2212 || (0x2010...0x2015).contains($0.value) { return "-" }
          guard (0xff01...0xff5e).contains($0.value) else { return $0 }
          return Unicode.Scalar($0.value - 0xfee0) ?? $0
        }))
  }

  /// Decimal digits of any script as ASCII ones. 十 is a number and no digit.
  var asciiDigits: String {
    String(
      map { character in
        guard let digit = character.wholeNumberValue, (0...9).contains(digit) else {
          return character
        }
        return Character(Unicode.Scalar(UInt8(0x30 + digit)))
      })
  }
}
