internal import Platform

/// A time zone by its IANA name, as the system's database has it (RFC 9636), or by a fixed offset as other programs write it
/// (`GMT+0900`).
///
/// A file may be damaged: what cannot be read is no zone.
package struct NamedZone: Sendable {
  private static let sizeLimit = 1 << 20
  private static let directory = "/usr/share/zoneinfo/"

  package let name: String
  /// When the clock is set, in order, and to which offset: seconds since 1970, seconds east of UTC.
  private let changes: [(at: Int64, offset: Int32)]
  /// Before the first of them.
  private let first: Int32
  /// The rule after the last of them; nil where the offset stays the same.
  private let rule: ZoneRule?

  /// Nil for a name that this system does not know.
  package init?(_ name: String) {
    if let fixed = Self.fixedOffset(name) {
      self.init(name: name, changes: [], first: fixed, rule: nil)
      return
    }
    guard Self.isName(name) else { return nil }
    // An old name may be only in the list of links, where the system packages those files separately.
    guard
      let zone = Self.read(name, as: name) ?? Self.today(name).flatMap({ Self.read($0, as: name) })
    else { return nil }
    self = zone
  }

  private static func read(_ file: String, as name: String) -> NamedZone? {
    guard let bytes = try? Descriptor.open(directory + file).readAll(limit: sizeLimit) else {
      return nil
    }
    return NamedZone(name, bytes)
  }

  /// The present name of a zone that was renamed: `L Asia/Kolkata Asia/Calcutta`.
  private static func today(_ name: String) -> String? {
    let list = (try? Descriptor.open(directory + "tzdata.zi").readAll(limit: sizeLimit)) ?? []
    for line in list.split(separator: 0x0a) where line.first == UInt8(ascii: "L") {
      let words = line.split(separator: 0x20)
      guard words.count == 3, words[2].elementsEqual(name.utf8) else { continue }
      let target = String(decoding: words[1], as: UTF8.self)
      return isName(target) ? target : nil
    }
    return nil
  }

  private init(
    name: String, changes: [(at: Int64, offset: Int32)], first: Int32, rule: ZoneRule?
  ) {
    self.name = name
    self.changes = changes
    self.first = first
    self.rule = rule
  }

  /// No path that leaves the database, and no hidden file.
  private static func isName(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count)
      && name.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte)
          || (0x61...0x7a).contains(byte) || [0x2f, 0x2b, 0x2d, 0x5f].contains(byte)
      } && name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty }
  }

  /// `GMT+0900`, `UTC-3`, `GMT+05:30`.
  private static func fixedOffset(_ name: String) -> Int32? {
    guard name.hasPrefix("GMT") || name.hasPrefix("UTC") else { return nil }
    let rest = name.dropFirst(3)
    guard let sign = rest.first, sign == "+" || sign == "-" else { return nil }
    let digits = rest.dropFirst().filter { $0 != ":" }
    guard (1...4).contains(digits.utf8.count), digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }),
      let number = Int32(digits)
    else { return nil }
    let (hours, minutes) = digits.utf8.count > 2 ? (number / 100, number % 100) : (number, 0)
    guard hours <= 18, minutes < 60 else { return nil }
    return (sign == "-" ? -1 : 1) * (hours * 3600 + minutes * 60)
  }

  /// Seconds east of UTC at an instant.
  package func offset(at seconds: Int64) -> Int32 {
    var (low, high) = (0, changes.count)
    while low < high {
      let middle = (low + high) / 2
      if changes[middle].at <= seconds { low = middle + 1 } else { high = middle }
    }
    if low == changes.count, let rule { return rule.offset(at: seconds) }
    return low == 0 ? first : changes[low - 1].offset
  }

  /// `TZif ‖ version ‖ 15 reserved ‖ six counts u32`, then a block of 32-bit times; from version 2 on the same again with 64-bit
  /// times, and a rule for the time after them between two newlines.
  private init?(_ name: String, _ bytes: [UInt8]) {
    guard let old = Header(bytes, at: 0) else { return nil }
    var (header, width) = (old, 4)
    if old.version >= 0x32 {
      guard let new = Header(bytes, at: old.end(width: 4)) else { return nil }
      (header, width) = (new, 8)
    }
    guard bytes.count >= header.end(width: width), header.types > 0 else { return nil }
    func number(_ at: Int, _ width: Int) -> Int64 {
      let raw = bytes[at..<at + width].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      return width == 8 ? Int64(bitPattern: raw) : Int64(Int32(truncatingIfNeeded: raw))
    }
    let indices = header.start + header.times * width
    let types = indices + header.times
    var offsets: [Int32] = []
    for type in 0..<header.types {
      // No clock is more than a day and an hour from UTC.
      let offset = number(types + type * 6, 4)
      guard abs(offset) <= 26 * 3600 else { return nil }
      offsets.append(Int32(offset))
    }
    var changes: [(at: Int64, offset: Int32)] = []
    for index in 0..<header.times {
      let at = number(header.start + index * width, width)
      let type = Int(bytes[indices + index])
      guard type < offsets.count, changes.last.map({ $0.at < at }) ?? true else { return nil }
      changes.append((at, offsets[type]))
    }
    let footer = bytes[header.end(width: width)...].dropFirst().prefix { $0 != 0x0a }
    self.init(
      name: name, changes: changes, first: offsets[0],
      rule: width == 8 ? ZoneRule(String(decoding: footer, as: UTF8.self)) : nil)
  }

  /// The counts of a block, checked against the size of the file.
  private struct Header {
    let version: UInt8
    /// Where the times begin.
    let start: Int
    let times: Int
    let types: Int
    private let characters: Int
    private let leaps: Int
    private let flags: Int

    init?(_ bytes: [UInt8], at start: Int) {
      guard bytes.count >= start + 44, bytes[start..<start + 4].elementsEqual("TZif".utf8) else {
        return nil
      }
      let counts = (0..<6).map { index in
        bytes[start + 20 + index * 4..<start + 24 + index * 4].reduce(0) { $0 << 8 | Int($1) }
      }
      guard counts.allSatisfy({ $0 <= bytes.count }) else { return nil }
      version = bytes[start + 4]
      self.start = start + 44
      flags = counts[0] + counts[1]
      leaps = counts[2]
      times = counts[3]
      types = counts[4]
      characters = counts[5]
    }

    func end(width: Int) -> Int {
      start + times * (width + 1) + types * 6 + characters + leaps * (width + 4) + flags
    }
  }
}
