public import Access
internal import Bytes
internal import Entries
public import Sealing

/// Where the device key is kept: a file, or a program in front of a TPM or keyring.
public protocol DeviceKeyStore: Sendable {
  /// The 32 bytes, nil when none are kept.
  ///
  /// - Throws: ``AuthenticationError`` `storeDamaged`, `loose`, `system`.
  func get() throws(AuthenticationError) -> SecretBytes?
  /// Keeps them; durable when this returns.
  func store(_ key: borrowing SecretBytes) throws(AuthenticationError)
  func erase() throws(AuthenticationError)
  /// Whether the key is kept outside the device store. If it is, a missing key is an error, not a new device.
  var isElsewhere: Bool { get }
}

extension DeviceKeyStore {
  public var isElsewhere: Bool { false }
}

/// What a chip counts for a device.
package enum CountedThing: UInt32, Sendable, CaseIterable {
  /// Openings that change something.
  case sessions
  /// Tries at the face.
  case tries
}

/// Counters that can only rise, in a chip.
package protocol DeviceCounter: Sendable {
  /// The value; nil when the chip has lost the counter.
  func value(_ thing: CountedThing, _ keys: DeviceKeys) throws(AuthenticationError) -> UInt64?
  /// Adds one; returns the value then.
  func raise(_ thing: CountedThing, _ keys: DeviceKeys) throws(AuthenticationError) -> UInt64
  /// Makes a new counter in place of a lost one; returns its value.
  func remake(_ thing: CountedThing, _ keys: DeviceKeys) throws(AuthenticationError) -> UInt64
}

/// The device key in a file, 0600 in a 0700 directory; looser is refused.
///
/// `"FDDK1" ‖ key 32 ‖ checksum 16`. Anybody who can read this file and the vault needs no face;
/// a helper with a TPM, or the face+passphrase mode, prevents that.
public struct FileDeviceKeyStore: DeviceKeyStore {
  static let fileName = "device.key"
  private let directory: DeviceDirectory

  package init(_ directory: DeviceDirectory) { self.directory = directory }

  /// - Parameter path: the device store's directory.
  public init(path: String) { self.init(DeviceDirectory(path)) }

  public func get() throws(AuthenticationError) -> SecretBytes? {
    guard directory.exists else { return nil }
    try directory.check()
    guard var bytes = try directory.read(Self.fileName, limit: 4096) else { return nil }
    defer { bytes.wipe() }
    let prefix = Array("FDDK1".utf8)
    guard bytes.count == 5 + 32 + 16, bytes.starts(with: prefix) else { throw damaged }
    var key = Array(bytes[5..<37])
    defer { key.wipe() }
    let sum = Digest.blake2b(key, count: 16, domain: "FDv1 device key checksum")
    guard Digest.areEqual(sum, Array(bytes[37...])) else { throw damaged }
    return try sealing { () throws(SealingError) in try SecretBytes(wiping: &key) }
  }

  public func store(_ key: borrowing SecretBytes) throws(AuthenticationError) {
    try directory.make()
    var raw = unsafe key.withUnsafeBytes { unsafe [UInt8]($0) }
    var bytes = Array("FDDK1".utf8) + raw
    bytes += Digest.blake2b(raw, count: 16, domain: "FDv1 device key checksum")
    defer {
      raw.wipe()
      bytes.wipe()
    }
    try directory.write(Self.fileName, bytes)
  }

  public func erase() throws(AuthenticationError) { try directory.remove(Self.fileName) }

  private var damaged: AuthenticationError {
    AuthenticationError(.storeDamaged, directory.path + "/" + Self.fileName, .malformed)
  }
}

/// Runs `body`, and converts errors of sealing into errors of this module.
func sealing<Result: ~Copyable>(
  _ body: () throws(SealingError) -> Result
) throws(AuthenticationError) -> Result {
  do throws(SealingError) { return try body() } catch {
    switch error {
    case .noLockedMemory, .outOfMemory: throw AuthenticationError(.memory, "locked memory")
    case .unavailable: throw AuthenticationError(.system, "", .noLibsodium)
    default: throw AuthenticationError(.storeDamaged, "device store", .sealDoesNotFit)
    }
  }
}
