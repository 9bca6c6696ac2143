package import Entries
internal import Platform
internal import Words

/// The time zone here, by the C library: `TZ`, else `/etc/localtime`.
package struct LocalZone: Sendable {
  package init() {}

  /// Seconds east of UTC at an instant.
  package func offset(at seconds: Int64) -> Int32 {
    // POSIX lets TZ be a whole day off; the diary's clocks stop at eighteen hours.
    let offset = Int32(clamping: SystemClock.localOffset(at: seconds))
    return min(max(offset, ZonedTime.offsets.lowerBound), ZonedTime.offsets.upperBound)
  }

  /// The zone's IANA name, nil when the system does not say.
  package var name: String? {
    if let text = ThisProcess.variable("TZ") {
      let name = text.hasPrefix(":") ? String(text.dropFirst()) : text
      return Self.isName(name) ? name : nil
    }
    guard let path = FileSystem.linkTarget("/etc/localtime") else { return nil }
    guard let range = path.range(of: "zoneinfo/") else { return nil }
    let name = String(path[range.upperBound...])
    return Self.isName(name) ? name : nil
  }

  private static func isName(_ text: String) -> Bool {
    (text == "UTC" || FileSystem.exists("/usr/share/zoneinfo/" + text, following: true))
      && (text.contains("/") || text == "UTC") && !text.hasPrefix("/") && text.utf8.count <= 64
      && text.allSatisfy { $0.isLetter || $0.isNumber || "/_+-".contains($0) }
  }

  /// The instant a wall clock here shows `secondOfDay` on `day`.
  ///
  /// A time that occurs twice means the first; one that is skipped moves forward by the gap.
  package func instant(day: Int, secondOfDay: Int) throws -> ZonedTime {
    let wall = Int64(day) * 86_400 + Int64(secondOfDay)
    guard ZonedTime.range.contains(wall) else {
      throw Failure(.invalid, WritingMessage.dateYears)
    }
    let before = offset(at: wall - 86_400)
    let after = offset(at: wall + 86_400)
    for candidate in [before, after] {
      let seconds = wall - Int64(candidate)
      if offset(at: seconds) == candidate {
        return try ZonedTime(seconds: seconds, offset: candidate)
      }
    }
    let seconds = wall - Int64(before)
    return try ZonedTime(seconds: seconds, offset: offset(at: seconds))
  }

  /// The zone's name for a time with its offset; nil for a time with another offset.
  package func name(for time: ZonedTime) -> String? {
    offset(at: time.seconds) == time.offset ? name : nil
  }

  package func now() -> ZonedTime {
    let seconds = min(max(SystemClock.wall, 0), ZonedTime.range.upperBound - 86_400)
    // Within the years and hours above, so this cannot fail.
    return try! ZonedTime(seconds: seconds, offset: offset(at: seconds))
  }
}

extension String {
  fileprivate func range(of part: String) -> Range<String.Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(part) { return start..<index(start, offsetBy: part.count) }
      start = index(after: start)
    }
    return nil
  }
}
