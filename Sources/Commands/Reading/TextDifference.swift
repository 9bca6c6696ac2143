internal import Dates
internal import Formats
internal import Words

/// What changed from one text to the next, line by line.
struct TextDifference {
  enum Line: Equatable {
    case same(String)
    case removed(String)
    case added(String)
    /// A number of lines that did not change.
    case gap(Int)
  }

  /// Unchanged lines shown on either side of a change.
  private static let context = 2
  /// Beyond this length the shortest difference is not searched for, because that takes quadratic
  /// time.
  private static let longest = 3000

  let lines: [Line]

  init(from old: String, to new: String) {
    let (old, new) = (Self.lines(old), Self.lines(new))
    var start = 0
    while start < min(old.count, new.count), old[start] == new[start] { start += 1 }
    var end = 0
    while end < min(old.count, new.count) - start,
      old[old.count - 1 - end] == new[new.count - 1 - end]
    { end += 1 }
    var lines = old[..<start].map(Line.same)
    lines += Self.middle(
      Array(old[start..<(old.count - end)]), Array(new[start..<(new.count - end)]))
    lines += old[(old.count - end)...].map(Line.same)
    self.lines = Self.folded(lines)
  }

  private static func lines(_ text: String) -> [String] {
    text.isEmpty
      ? [] : text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  private static func middle(_ old: [String], _ new: [String]) -> [Line] {
    guard old.count + new.count <= longest else {
      return old.map(Line.removed) + new.map(Line.added)
    }
    let difference = new.difference(from: old)
    var removed = Set<Int>()
    var added = Set<Int>()
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): added.insert(offset)
      }
    }
    var lines: [Line] = []
    var (before, after) = (0, 0)
    while before < old.count || after < new.count {
      if removed.contains(before) {
        lines.append(.removed(old[before]))
        before += 1
      } else if added.contains(after) {
        lines.append(.added(new[after]))
        after += 1
      } else {
        lines.append(.same(old[before]))
        before += 1
        after += 1
      }
    }
    return lines
  }

  /// Long stretches that did not change become a gap.
  private static func folded(_ lines: [Line]) -> [Line] {
    let changes = lines.indices.filter { if case .same = lines[$0] { false } else { true } }
    var shown = [Bool](repeating: false, count: lines.count)
    for change in changes {
      for index in max(0, change - context)...min(lines.count - 1, change + context) {
        shown[index] = true
      }
    }
    var result: [Line] = []
    var hidden = 0
    for (index, line) in lines.enumerated() {
      guard shown[index] else {
        hidden += 1
        continue
      }
      if hidden > 0 { result.append(.gap(hidden)) }
      hidden = 0
      result.append(line)
    }
    return hidden > 0 && !changes.isEmpty ? result + [.gap(hidden)] : result
  }
}
