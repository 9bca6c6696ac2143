internal import Entries
internal import Sealing

/// A command to a TPM, as "Trusted Platform Module Library, Part 3: Commands" lays it out: big-endian, with sizes before
/// everything that has one.
struct TPMCommand {
  /// The commands that are used here.
  enum Code: UInt32 {
    case undefineSpace = 0x122
    case defineSpace = 0x12A
    case createPrimary = 0x131
    case increment = 0x134
    case readSpace = 0x14E
    case create = 0x153
    case load = 0x157
    case unseal = 0x15E
    case flush = 0x165
  }

  let code: Code
  private let handles: [UInt32]
  /// The authorisation value of the first handle; nil for a command without one.
  let authorisation: [UInt8]?
  var parameters = TPMWriter()

  init(_ code: Code, _ handles: UInt32..., authorisation: [UInt8]? = nil) {
    self.code = code
    self.handles = handles
    self.authorisation = authorisation
  }

  /// Wipes its parameters. The authorisation value belongs to the caller.
  mutating func wipe() { parameters.bytes.wipe() }

  /// A password session: the value itself stands in the command.
  private static let passwordSession: UInt32 = 0x4000_0009

  /// In one piece of memory, which the sender wipes.
  var encoded: [UInt8] {
    // Handle, empty nonce, attributes, counted value.
    let area = authorisation.map { 4 + 2 + 1 + 2 + $0.count } ?? 0
    let size =
      TPMAnswer.headerSize + 4 * handles.count + (authorisation == nil ? 0 : 4 + area)
      + parameters.bytes.count
    var whole = TPMWriter()
    whole.put(authorisation == nil ? UInt16(0x8001) : 0x8002)
    whole.put(UInt32(size))
    whole.put(code.rawValue)
    for handle in handles { whole.put(handle) }
    if let authorisation {
      whole.put(UInt32(area))
      whole.put(Self.passwordSession)
      whole.put(sized: [])
      whole.put(UInt8(1))
      whole.put(sized: authorisation)
    }
    whole.bytes += parameters.bytes
    return whole.bytes
  }
}

/// What is put into it stays in one piece of memory: it may be secret, and is wiped.
struct TPMWriter {
  var bytes: [UInt8] = []

  init() { bytes.reserveCapacity(2048) }

  mutating func put(_ value: UInt8) { bytes.append(value) }
  mutating func put(_ value: UInt16) { bytes += [UInt8(value >> 8), UInt8(value & 0xff)] }
  mutating func put(_ value: UInt32) {
    put(UInt16(value >> 16))
    put(UInt16(value & 0xffff))
  }
  mutating func put(sized content: [UInt8]) {
    put(UInt16(content.count))
    bytes += content
  }
}

/// What a TPM answered, read from the front. It is not trusted: an answer that is too short is an error.
struct TPMAnswer {
  static let headerSize = 10

  private var rest: ArraySlice<UInt8>

  /// The size that an answer says it has.
  static func size(of bytes: [UInt8]) -> Int {
    bytes[2..<6].reduce(0) { $0 << 8 | Int($1) }
  }

  /// - Throws: ``ChipError`` for bytes that are not an answer, and for a refusal.
  init(_ bytes: [UInt8], to command: TPMCommand) throws(ChipError.Trouble) {
    guard bytes.count >= Self.headerSize, Self.size(of: bytes) == bytes.count else {
      throw .nonsense
    }
    rest = bytes[6...]
    let code = try uint32()
    guard code == 0 else {
      throw TPMRefusal(code).trouble(of: command.code)
    }
  }

  mutating func bytes(_ count: Int) throws(ChipError.Trouble) -> [UInt8] {
    guard rest.count >= count else { throw .nonsense }
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  mutating func uint16() throws(ChipError.Trouble) -> UInt16 {
    try bytes(2).reduce(0) { $0 << 8 | UInt16($1) }
  }

  mutating func uint32() throws(ChipError.Trouble) -> UInt32 {
    try bytes(4).reduce(0) { $0 << 8 | UInt32($1) }
  }

  mutating func uint64() throws(ChipError.Trouble) -> UInt64 {
    try bytes(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  mutating func sized() throws(ChipError.Trouble) -> [UInt8] { try bytes(Int(try uint16())) }
}

/// Why a TPM does not do what it was told: a response code of "Part 2: Structures", 6.6.
struct TPMRefusal {
  let code: UInt32

  /// Without the number of the handle, session or parameter that it is about.
  private var kind: UInt32 { code & 0x80 == 0 ? code : code & 0xBF }

  init(_ code: UInt32) { self.code = code }

  /// The chip is busy for a moment, protects its memory from too many writes, or has no room for an object or a session beside those
  /// of other programs.
  static let passing: Set<UInt32> = [0x902, 0x903, 0x904, 0x908, 0x90A, 0x920, 0x922, 0x923]
  var isPassing: Bool { Self.passing.contains(code) }

  func trouble(of command: TPMCommand.Code) -> ChipError.Trouble {
    switch (kind, command) {
    case (0x921, _): .lockedOut
    // The authorisation value is wrong, with and without counting the try.
    case (0x8E, .unseal), (0xA2, .unseal): .wrongPIN
    case (0x8E, .increment), (0x8E, .readSpace), (0xA2, .increment), (0xA2, .readSpace): .noCounter
    case (0x8E, _), (0xA2, _): .ownerAuthorisation
    // A key that this chip did not make, or not since it was cleared.
    case (0x9F, .load), (0x95, .load), (0x8B, .load): .otherChip
    case (0x8B, .increment), (0x8B, .readSpace), (0x14A, .readSpace): .noCounter
    case (0x14B, .defineSpace): .full
    case (0x14C, .defineSpace): .isTaken
    default: isPassing ? .busy(code: code) : .refused(code: code)
    }
  }
}
