internal import Text

/// Tags as an entry keeps them.
enum TagList {
  /// Each once, ignoring case and width, as it was written first.
  static func unique(_ tags: [String]) -> [String] {
    var seen: Set<[UInt8]> = []
    return tags.filter { seen.insert(SearchText.fold($0)).inserted }
  }
}
