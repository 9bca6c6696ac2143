package import Bytes

/// When a face is not enough, and how long the diary stays open.
///
/// Kept sealed in the vault, never in a plain file; the defaults are Face ID's. Setting it needs the passphrase or the
/// recovery code.
public struct AccessPolicy: Sendable, Equatable, Codable {
  /// A face opens nothing if a passphrase or recovery code was last given longer ago than this. Seconds; 1 hour to 1 year.
  public var passphraseAfter: Int64 = 156 * 3600
  /// A face opens nothing if this device has not opened the diary for longer than this. Seconds; 1 hour to 1 year.
  public var unusedAfter: Int64 = 48 * 3600
  /// Whether a face opens nothing until a passphrase or recovery code was given since the machine started.
  public var afterRestart = true
  /// Whether no face slot is on the disk, so that a face only re-opens what a passphrase opened in
  /// a session process that still runs. Cryptography enforces this; it is not just a rule.
  public var isWarm = false
  /// A session ends after this long without use, unless a shorter time is asked for. Seconds; 10 s to 12 h.
  public var idle: Int64 = 300
  /// The longest a session may last. Seconds; 1 minute to 12 h.
  public var life: Int64 = 12 * 3600

  /// The face opens the diary together with a passphrase only; enrolling makes no plain slot.
  public var isWithPassphrase = false

  /// Faces come from this program alone; nil: from anywhere.
  public var camera: CameraProgram?

  /// Flags of a later version, kept as they are. Until that version reads them, no face opens the diary.
  package private(set) var laterRules: UInt8 = 0

  public init() {}

  /// Takes the stricter of the two values in every rule.
  package func stricter(_ other: AccessPolicy) -> AccessPolicy {
    var both = self
    both.passphraseAfter = min(passphraseAfter, other.passphraseAfter)
    both.unusedAfter = min(unusedAfter, other.unusedAfter)
    both.afterRestart = afterRestart || other.afterRestart
    both.isWarm = isWarm || other.isWarm
    both.isWithPassphrase = isWithPassphrase || other.isWithPassphrase
    // A program has no stricter of two: that of the owner's other policy stays.
    both.camera = other.camera ?? camera
    both.idle = min(idle, other.idle)
    both.life = min(life, other.life)
    both.laterRules = laterRules | other.laterRules
    return both
  }

  /// How long a session lasts under this policy.
  public var session: SessionLimits { SessionLimits(idle: .seconds(idle), life: .seconds(life)) }

  /// Whether all values are within their bounds.
  public var isValid: Bool {
    let year: Int64 = 366 * 86_400
    return (3600...year).contains(passphraseAfter) && (3600...year).contains(unusedAfter)
      && (10...43_200).contains(idle) && (60...43_200).contains(life)
      && camera?.isShort != false
  }

  /// `version u8 = 1 ‖ passphraseAfter i64 ‖ unusedAfter i64 ‖ flags u8 (1 restart, 2 warm, 4 face+passphrase,
  /// 8 camera) ‖ idle i64 ‖ life i64`, 34 bytes, and with the last flag the camera program.
  package func encoded() -> [UInt8] {
    var writer = ByteWriter(reserving: 34)
    writer.put(UInt8(1))
    writer.put(passphraseAfter)
    writer.put(unusedAfter)
    writer.put(
      UInt8(
        (afterRestart ? 1 : 0) | (isWarm ? 2 : 0) | (isWithPassphrase ? 4 : 0)
          | (camera == nil ? 0 : 8)) | laterRules)
    writer.put(idle)
    writer.put(life)
    camera?.encode(to: &writer)
    return writer.bytes
  }

  /// Reads a policy. Empty bytes give the default policy.
  package init(_ encoded: [UInt8]) throws(SealingError) {
    guard !encoded.isEmpty else { return }
    var reader = ByteReader(encoded)
    guard try reader.uint8() == 1 else { throw .malformed }
    passphraseAfter = try reader.int64()
    unusedAfter = try reader.int64()
    let flags = try reader.uint8()
    laterRules = flags & 0xf0
    afterRestart = flags & 1 != 0
    isWarm = flags & 2 != 0
    isWithPassphrase = flags & 4 != 0
    idle = try reader.int64()
    life = try reader.int64()
    if flags & 8 != 0 { camera = try CameraProgram(from: &reader) }
    try reader.expectEnd()
    guard isValid else { throw .malformed }
  }
}

/// Why a face is not enough now.
public enum FreshnessNeed: String, Sendable, Equatable, Codable {
  /// The machine was started since a passphrase or recovery code was last given.
  case restart
  /// A passphrase or recovery code was last given too long ago.
  case expired
  /// The diary was not opened here for too long.
  case unused
  /// Neither was ever given on this device, or the record of it is gone.
  case never
  /// Another diary was opened in this place before, and this one was not.
  case place
}
