internal import Bytes
package import Platform

/// Where a diary's parts are.
public struct DiaryLocation: Sendable, Equatable, Codable {
  /// The vault's folder.
  public var vault: String
  /// The directory that holds the device stores of all vaults.
  public var devices: String
  /// The directory for session sockets.
  public var runtime: String
  /// The device or socket of a TPM 2.0, where one keeps the device key.
  public var chip: String

  public init(
    vault: String, devices: String, runtime: String, chip: String = DiaryLocation.systemChip
  ) {
    self.vault = vault
    self.devices = devices
    self.runtime = runtime
    self.chip = chip
  }

  /// The system's own TPM, behind the kernel's resource manager.
  public static let systemChip = "/dev/tpmrm0"

  /// The names of this machine and this device store, for the vault's attempt row: what tells "never
  /// opened here" from "opened here, and the store is gone". Bound to the vault, so the rows of two
  /// vaults cannot be matched.
  package func host(vaultID: [UInt8]) -> [UInt8] {
    var machine = ""
    for path in ["/etc/machine-id", "/var/lib/dbus/machine-id"] {
      if let text = try? String(
        decoding: Descriptor.open(path).readAll(limit: 4096), as: UTF8.self), !text.isEmpty
      {
        machine = text
        break
      }
    }
    let message = Array(machine.utf8) + [0] + Array(devices.utf8) + [0] + vaultID
    return Digest.blake2b(message, count: 16, domain: "FDv1 host")
  }

  /// The folder of typed text that could not be saved, sealed.
  package func keptTexts(of vaultID: [UInt8]) -> DeviceDirectory {
    Self.keptTexts(beside: devices + "/" + Base32.encode(vaultID))
  }

  /// The same, by the path of the device store.
  package static func keptTexts(beside store: String) -> DeviceDirectory {
    DeviceDirectory(store + ".drafts")
  }

  /// The most bytes of one.
  package static let keptTextLimit = 17 << 20 - 64 << 10
}

/// A folder of kept texts.
extension DeviceDirectory {
  private static let keptSuffix = ".sealed"

  /// Keeps a sealed text. While the second of what is returned lives, somebody is writing the text.
  package func keepText(
    _ sealed: [UInt8]
  ) throws(AuthenticationError) -> (name: String, use: FileLock?) {
    let name = Base32.encode(Randomness.system.bytes(10)) + Self.keptSuffix
    try write(name, sealed)
    return (name, use(name))
  }

  /// The names of those that nobody is writing, in order.
  ///
  /// - Throws: when they cannot be listed.
  package func leftTexts() throws(AuthenticationError) -> [String] {
    try keptTexts().filter { !isInUse($0) }
  }

  /// The names of the texts that are kept, in order.
  ///
  /// - Throws: when they cannot be listed.
  package func keptTexts() throws(AuthenticationError) -> [String] {
    try list().filter { $0.hasSuffix(Self.keptSuffix) }.sorted()
  }
}
