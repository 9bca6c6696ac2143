/// Where an object stands in a space's folder of the store. The hash of its bytes is part of it, so that a partial or
/// changed copy does not fit its name.
package enum ObjectPath: Hashable, Sendable {
  case log(LogEnd)
  case roster(Int, Hash)
  /// A copy of segments without what was purged.
  case pack(Hash)
  /// A photo or file, as the vault's folder has it.
  case object(Hash)
  case request(Identity, Hash)
  case answer(Identity, Hash)

  package var hash: Hash {
    switch self {
    case .log(let end): end.hash
    case .roster(_, let hash), .pack(let hash), .object(let hash), .request(_, let hash),
      .answer(_, let hash):
      hash
    }
  }

  /// Lower-case base32, no dates.
  package var text: String {
    switch self {
    case .log(let end): "log/\(end.device.text)/\(end.sequence)-\(end.hash.text)"
    case .roster(let depth, let hash): "roster/\(depth)-\(hash.text)"
    case .pack(let hash): "pack/\(hash.text)"
    case .object(let hash): "object/\(hash.text)"
    case .request(let join, let hash): "join/\(join.text)/request-\(hash.text)"
    case .answer(let join, let hash): "join/\(join.text)/answer-\(hash.text)"
    }
  }

  /// Returns nil for a name that no version of this program writes, such as another file in the folder.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard let last = parts.last, let kind = parts.first else { return nil }
    let name = last.split(separator: "-", omittingEmptySubsequences: false)
    guard let hash = name.last.flatMap({ Hash(text: String($0)) }) else { return nil }
    let number = name.count == 2 ? Self.number(name[0]) : nil
    switch (kind, parts.count) {
    case ("log", 3):
      guard let device = DeviceID(text: String(parts[1])), let number else { return nil }
      self = .log(LogEnd(device: device, sequence: number, hash: hash))
    case ("roster", 2):
      guard let number, let depth = Int(exactly: number) else { return nil }
      self = .roster(depth, hash)
    case ("pack", 2) where name.count == 1: self = .pack(hash)
    case ("object", 2) where name.count == 1: self = .object(hash)
    case ("join", 3) where name.count == 2:
      guard let join = Identity(text: String(parts[1])) else { return nil }
      switch name[0] {
      case "request": self = .request(join, hash)
      case "answer": self = .answer(join, hash)
      default: return nil
      }
    default: return nil
    }
    guard self.text == text else { return nil }
  }

  private static func number(_ text: Substring) -> UInt64? {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt64(text),
      number > 0
    else { return nil }
    return number
  }
}

extension Identity {
  package var bytes: [UInt8] {
    var writer = ByteWriter(reserving: 16)
    encode(to: &writer)
    return writer.bytes
  }

  /// 16 bytes.
  package init?(bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    var reader = ByteReader(bytes)
    guard let identity = try? Identity(&reader) else { return nil }
    self = identity
  }

  /// 26 base32 characters.
  package var text: String { Base32.encode(bytes) }

  package init?(text: String) {
    guard text.utf8.count == 26, let bytes = Base32.decode(text) else { return nil }
    self.init(bytes: bytes)
  }

  package static func random() -> Identity {
    Identity(high: Randomness.system.uint64(), low: Randomness.system.uint64())
  }
}

extension Hash {
  /// 52 base32 characters.
  package var text: String { Base32.encode(bytes) }

  package init?(text: String) {
    guard text.utf8.count == 52, let bytes = Base32.decode(text), bytes.count == Self.count else {
      return nil
    }
    self.init(bytes)
  }
}
