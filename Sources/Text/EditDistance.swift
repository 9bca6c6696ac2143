/// How far two words are apart, for suggesting the one that was meant.
package enum EditDistance {
  /// Levenshtein's distance, with neighbours swapped counting one.
  package static func between<Element: Equatable>(_ one: [Element], _ other: [Element]) -> Int {
    var before = [Int](repeating: 0, count: other.count + 1)
    var last = Array(0...other.count)
    for i in 0..<one.count {
      var row = [i + 1] + [Int](repeating: 0, count: other.count)
      for j in 0..<other.count {
        row[j + 1] = min(last[j + 1] + 1, row[j] + 1, last[j] + (one[i] == other[j] ? 0 : 1))
        if i > 0, j > 0, one[i] == other[j - 1], one[i - 1] == other[j] {
          row[j + 1] = min(row[j + 1], before[j - 1] + 1)
        }
      }
      before = last
      last = row
    }
    return last[other.count]
  }
}
