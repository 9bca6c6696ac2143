package import Bytes
package import Entries

/// A message between a client and a keeper: `length u32 ‖ kind u8 ‖ payload`.
///
/// Requests and answers are ``Wire`` values; entries and imported items, of which there may be many, are records of
/// their own.
package struct Frame {
  package enum Kind: UInt8 {
    /// Client: its protocol version, then, if it is not one that a person uses, what it is (``Client``). Keeper: its own, then whether the diary is open (1) or waits for a face (0).
    case hello = 1
    /// A request's number, then the request.
    case request = 2
    case items = 3
    case endOfItems = 4
    case entries = 5
    case answer = 6
    /// A ``KeeperError``.
    case failure = 7
    /// Client: end the session, whatever it holds. Understood by every version, before any greeting.
    case end = 9
    /// Client: asks for the session's state. Answered with ``SessionFacts``.
    case askSession = 10
    /// Client: close the diary; a warm one stays ready for a face.
    case lock = 11
    /// Client: a face for a diary that is closed and warm. Answered with a ``FaceAnswer``.
    case showFace = 12
    /// Keeper, to who started it: the diary is open.
    case opened = 13
    /// Keeper, in the middle of an owner's request: something is to be said or decided.
    case question = 15
    case reply = 16
    /// The process that starts a keeper, first of all: what the keeper is for. A ``KeeperTask``.
    case task = 17
    /// Keeper, to a client that watches: something was changed.
    case changed = 18
    /// Client: what its owner had to know was said.
    case heard = 19
  }

  /// What a client of a session is there for.
  package enum Client: UInt8 {
    /// It acts for a person: what it asks for is use of the session.
    case acting = 0
    /// It acts by itself.
    case attending = 1
    /// It asks for nothing, and is told of changes.
    case watching = 2
    /// It acts for a person, and serves others meanwhile: a change that would have to wait for another client's is refused after a moment.
    case serving = 3

    /// Whether what it asks for is use of the session.
    package var isUse: Bool { self == .acting || self == .serving }
  }

  package static let version: UInt8 = 5
  /// In the answer to a greeting: there is no place for this client.
  package static let noPlace: UInt8 = 2
  /// A text of 16 MiB, and what else an entry has.
  package static let sizeLimit = 17 << 20
  /// What every client may send without being counted against the memory of all.
  static let smallSize = 256 << 10

  package let kind: Kind
  package let payload: [UInt8]

  package init(_ kind: Kind, _ payload: [UInt8] = []) {
    self.kind = kind
    self.payload = payload
  }

  package init(_ kind: Kind, encoding value: some Encodable) throws {
    self.init(kind, try Wire.encode(value))
  }

  package init<R: Request>(_ request: R) throws {
    self.init(.request, [R.kind.rawValue] + (try Wire.encode(request)))
  }

  package init(_ error: any Error) {
    self.init(.failure, (try? Wire.encode(KeeperError(error))) ?? [])
  }

  package init(_ entries: [Entry]) {
    var writer = ByteWriter(reserving: 1024)
    writer.put(UInt32(entries.count))
    for entry in entries { entry.write(to: &writer) }
    self.init(.entries, writer.bytes)
  }

  package init(_ items: [ImportItem]) {
    var writer = ByteWriter(reserving: 1024)
    writer.put(UInt32(items.count))
    for item in items { item.write(to: &writer) }
    self.init(.items, writer.bytes)
  }

  package func decoded<Value: Decodable>(_: Value.Type) throws -> Value {
    try Wire.decode(Value.self, from: payload)
  }

  package func entries() throws(SealingError) -> [Entry] {
    var reader = ByteReader(payload)
    var entries: [Entry] = []
    for _ in 0..<(try reader.uint32()) { entries.append(try Entry(&reader)) }
    try reader.expectEnd()
    return entries
  }

  /// - Throws: `malformed` also for more than ``Wire/requestLimit`` items and values in their lists together.
  package func items() throws(SealingError) -> [ImportItem] {
    var reader = ByteReader(payload)
    var items: [ImportItem] = []
    var values = 0
    for _ in 0..<(try reader.uint32()) {
      let item = try ImportItem(&reader)
      values += 1 + item.listed
      guard values <= Wire.requestLimit else { throw .malformed }
      items.append(item)
    }
    try reader.expectEnd()
    return items
  }

  package var encoded: [UInt8] {
    var writer = ByteWriter(reserving: payload.count + 5)
    writer.put(UInt32(payload.count + 1))
    writer.put(kind.rawValue)
    writer.put(payload)
    return writer.bytes
  }

}

/// What has come in from a socket, and the frames in it.
package struct FrameBuffer {
  private var bytes: [UInt8] = []
  private var start = 0

  package init() {}

  package var isEmpty: Bool { start == bytes.count }
  /// Bytes held.
  package var count: Int { bytes.count - start }
  /// Whether the frame that is coming in is one of those that are counted.
  package var isLarge: Bool { ((try? length()) ?? nil).map { $0 > Frame.smallSize } ?? false }

  package mutating func append(_ more: ArraySlice<UInt8>) {
    // Taken frames are dropped now and then, not one by one: a flood of small ones stays linear.
    if start > 1 << 20 || start == bytes.count {
      bytes.removeFirst(start)
      start = 0
    }
    bytes += more
  }

  /// The length of the next frame after its four bytes, nil while they are not there.
  private func length() throws(SealingError) -> Int? {
    guard bytes.count - start >= 5 else { return nil }
    let length = (0..<4).reduce(0) { $0 | Int(bytes[start + $1]) << (8 * $1) }
    guard (1...Frame.sizeLimit).contains(length), Frame.Kind(rawValue: bytes[start + 4]) != nil
    else { throw .malformed }
    return length
  }

  /// Whether the next frame is whole.
  package var hasFrame: Bool {
    guard let length = try? length() else { return false }
    return bytes.count - start >= 4 + length
  }

  /// Takes the next frame, nil while it is not whole.
  ///
  /// - Throws: ``SealingError`` `malformed` for an unknown kind or an impossible length.
  package mutating func next() throws(SealingError) -> Frame? {
    guard let length = try length(), bytes.count - start >= 4 + length,
      let kind = Frame.Kind(rawValue: bytes[start + 4])
    else { return nil }
    let frame = Frame(kind, Array(bytes[(start + 5)..<(start + 4 + length)]))
    start += 4 + length
    return frame
  }
}
