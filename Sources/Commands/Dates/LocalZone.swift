internal import DiaryVault

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The time zone here, by the C library: `TZ`, else `/etc/localtime`.
struct LocalZone: Sendable {
  /// Seconds east of UTC at an instant.
  func offset(at seconds: Int64) -> Int32 {
    var time = time_t(seconds)
    var parts = unsafe tm()
    unsafe localtime_r(&time, &parts)
    // POSIX lets TZ be a whole day off; the diary's clocks stop at eighteen hours.
    let offset = unsafe Int32(clamping: parts.tm_gmtoff)
    return min(max(offset, ZonedTime.offsets.lowerBound), ZonedTime.offsets.upperBound)
  }

  /// The zone's IANA name, nil when the system does not say.
  var name: String? {
    if let set = unsafe getenv("TZ") {
      let text = unsafe String(cString: set)
      let name = text.hasPrefix(":") ? String(text.dropFirst()) : text
      return Self.isName(name) ? name : nil
    }
    var buffer = [CChar](repeating: 0, count: 1024)
    let count = unsafe readlink("/etc/localtime", &buffer, 1023)
    guard count > 0 else { return nil }
    let path = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard let range = path.range(of: "zoneinfo/") else { return nil }
    let name = String(path[range.upperBound...])
    return Self.isName(name) ? name : nil
  }

  private static func isName(_ text: String) -> Bool {
    unsafe (text == "UTC" || access("/usr/share/zoneinfo/" + text, F_OK) == 0)
      && (text.contains("/") || text == "UTC") && !text.hasPrefix("/") && text.utf8.count <= 64
      && text.allSatisfy { $0.isLetter || $0.isNumber || "/_+-".contains($0) }
  }

  /// The instant a wall clock here shows `secondOfDay` on `day`.
  ///
  /// A time that comes twice is the first one; one that is skipped moves forward by the gap.
  func instant(day: Int, secondOfDay: Int) throws -> ZonedTime {
    let wall = Int64(day) * 86_400 + Int64(secondOfDay)
    guard ZonedTime.range.contains(wall) else {
      throw Failure(.invalid, "a date in the years 1 to 9999")
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

  func now() -> ZonedTime {
    let seconds = min(max(Int64(time(nil)), 0), ZonedTime.range.upperBound - 86_400)
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
