internal import Bytes

/// The entries of one date, for telling duplicates: an import may bring thousands with the same.
struct SameDate {
  /// Dates that are known at once.
  static let most = 1024

  /// Not opened yet, by the size of their bodies.
  private var unopened: [Int: [Header]]
  private var known: Set<[UInt8]> = []

  init(headers: [Header]) {
    unopened = Dictionary(grouping: headers, by: \.bodySize)
  }

  mutating func takeUnopened(size: Int) -> [Header] { unopened.removeValue(forKey: size) ?? [] }

  mutating func note(_ title: String?, _ body: String) { known.insert(Self.digest(title, body)) }

  func holds(_ title: String?, _ body: String) -> Bool { known.contains(Self.digest(title, body)) }

  private static func digest(_ title: String?, _ body: String) -> [UInt8] {
    var writer = ByteWriter(reserving: body.utf8.count + 32)
    writer.put(UInt8(title == nil ? 0 : 1))
    writer.putCounted(title ?? "")
    writer.putCounted(body)
    return Digest.blake2b(writer.bytes, count: 16, domain: "FDv1 duplicate")
  }
}
