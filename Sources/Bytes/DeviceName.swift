/// What a device may be called, wherever its owner names it and wherever others read it.
package enum DeviceName {
  /// In bytes of UTF-8.
  package static let limit = 128

  package static func isUsable(_ name: String) -> Bool {
    (1...limit).contains(name.utf8.count) && !name.unicodeScalars.contains(where: isUnfit)
  }

  /// Control characters, and those that change the direction of what stands around them.
  private static func isUnfit(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: scalar.properties.isBidiControl
    }
  }
}
