internal import Bytes
package import Entries
internal import Platform
package import Sealing

/// A TPM 2.0, used through the nine commands that keep a secret for this machine and count upwards.
///
/// A sealed secret opens only on this chip, under its storage key and, if one was given, with an authorisation value, whose
/// wrong tries the chip counts. No platform registers are used: a firmware update would lose the diary. The secret crosses
/// the bus in clear. Source: Trusted Computing Group, "TPM 2.0 Library", revision 1.59, and "TCG EK Credential Profile" for the form
/// of the storage key.
package final class TPM: Sendable {
  /// A sealed secret as the chip returns it: two blobs.
  package struct Sealed: Sendable, Equatable {
    package let publicPart: [UInt8]
    package let privatePart: [UInt8]

    package init(publicPart: [UInt8], privatePart: [UInt8]) {
      self.publicPart = publicPart
      self.privatePart = privatePart
    }
  }

  /// Where counters may lie: the owner's part of the chip's memory.
  package static let counterIndices: ClosedRange<UInt32> = 0x0180_0000...0x01BF_FFFF

  private static let owner: UInt32 = 0x4000_0001
  private static let sha256: UInt16 = 0x000B
  private static let null: UInt16 = 0x0010
  /// Nanoseconds to wait for a busy chip.
  private static let patience: Int64 = 10_000_000_000

  private let path: String
  private let transport: TPMTransport

  /// Connects to it.
  ///
  /// - Parameter path: `/dev/tpmrm0`, or the socket of a software TPM.
  package init(path: String) throws(ChipError) {
    self.path = path
    transport = try TPMTransport(path: path)
  }

  /// Whether others can use it while this connection is held.
  package var isShared: Bool { transport.isDevice }

  // MARK: Secrets

  /// Seals a secret for this chip.
  ///
  /// - Parameter authorisation: at most 32 bytes; empty for none.
  package func seal(
    _ secret: borrowing SecretBytes, authorisation: [UInt8]
  ) throws(ChipError) -> Sealed {
    try withStorageKey { parent throws(ChipError) in
      var command = TPMCommand(.create, parent, authorisation: [])
      var plain = unsafe secret.withUnsafeBytes { unsafe [UInt8]($0) }
      var sensitive = TPMWriter()
      sensitive.put(sized: authorisation)
      sensitive.put(sized: plain)
      command.parameters.put(sized: sensitive.bytes)
      var template = TPMWriter()
      // A keyed-hash object of type "data": fixed to chip and parent, opened by its own value, whose tries are counted.
      template.put(UInt16(0x0008))
      template.put(Self.sha256)
      template.put(UInt32(authorisation.isEmpty ? 0x452 : 0x52))
      template.put(sized: [])
      template.put(Self.null)
      template.put(sized: [])
      command.parameters.put(sized: template.bytes)
      Self.putNoOutsideInformation(&command)
      defer {
        plain.wipe()
        sensitive.bytes.wipe()
        command.wipe()
      }
      return try run(command) { answer throws(ChipError.Trouble) in
        _ = try answer.uint32()
        let privatePart = try answer.sized()
        return Sealed(publicPart: try answer.sized(), privatePart: privatePart)
      }
    }
  }

  /// Opens what ``seal(_:authorisation:)`` sealed.
  ///
  /// - Throws: ``ChipError`` `wrongPIN`, `lockedOut`, `otherChip`.
  package func unseal(
    _ sealed: Sealed, authorisation: [UInt8]
  ) throws(ChipError) -> SecretBytes {
    try withStorageKey { parent throws(ChipError) in
      var load = TPMCommand(.load, parent, authorisation: [])
      load.parameters.put(sized: sealed.privatePart)
      load.parameters.put(sized: sealed.publicPart)
      let handle = try run(load) { answer throws(ChipError.Trouble) in try answer.uint32() }
      defer { flush(handle) }
      var plain = try run(TPMCommand(.unseal, handle, authorisation: authorisation)) {
        answer throws(ChipError.Trouble) in
        _ = try answer.uint32()
        return try answer.sized()
      }
      do throws(SealingError) { return try SecretBytes(wiping: &plain) } catch {
        plain.wipe()
        throw ChipError(.noMemory, path)
      }
    }
  }

  /// The storage key of the owner's hierarchy: the chip makes the same one each time.
  private func withStorageKey<Result: ~Copyable>(
    _ body: (UInt32) throws(ChipError) -> Result
  ) throws(ChipError) -> Result {
    var command = TPMCommand(.createPrimary, Self.owner, authorisation: [])
    var sensitive = TPMWriter()
    sensitive.put(sized: [])
    sensitive.put(sized: [])
    command.parameters.put(sized: sensitive.bytes)
    var template = TPMWriter()
    // ECC, NIST P-256: restricted, decrypting, fixed to the chip, with AES-128-CFB for what it protects.
    template.put(UInt16(0x0023))
    template.put(Self.sha256)
    template.put(UInt32(0x0003_0472))
    template.put(sized: [])
    template.put(UInt16(0x0006))
    template.put(UInt16(128))
    template.put(UInt16(0x0043))
    template.put(Self.null)
    template.put(UInt16(0x0003))
    template.put(Self.null)
    template.put(sized: [])
    template.put(sized: [])
    command.parameters.put(sized: template.bytes)
    Self.putNoOutsideInformation(&command)
    let handle = try run(command) { answer throws(ChipError.Trouble) in try answer.uint32() }
    defer { flush(handle) }
    return try body(handle)
  }

  private static func putNoOutsideInformation(_ command: inout TPMCommand) {
    command.parameters.put(sized: [])
    command.parameters.put(UInt32(0))
  }

  /// Best effort: the kernel's resource manager forgets what a closed connection loaded. A software TPM's socket has none, and
  /// keeps what a killed process loaded until it is started again.
  private func flush(_ handle: UInt32) {
    var command = TPMCommand(.flush)
    command.parameters.put(handle)
    try? run(command) { _ in }
  }

  // MARK: Counters

  /// Makes a counter. Its first value is above that of every counter this chip ever had.
  ///
  /// - Parameters:
  ///   - index: one of ``counterIndices``.
  ///   - authorisation: what reading and counting ask for.
  /// - Throws: ``ChipError`` `isTaken`, `full`, `ownerAuthorisation`.
  package func makeCounter(_ index: UInt32, authorisation: [UInt8]) throws(ChipError) -> UInt64 {
    var command = TPMCommand(.defineSpace, Self.owner, authorisation: [])
    command.parameters.put(sized: authorisation)
    var space = TPMWriter()
    space.put(index)
    space.put(Self.sha256)
    // A counter, read and raised with its own authorisation value, whose wrong tries are not counted.
    space.put(UInt32(0x0204_0014))
    space.put(sized: [])
    space.put(UInt16(8))
    command.parameters.put(sized: space.bytes)
    try run(command) { _ in }
    try raise(index, authorisation: authorisation)
    return try value(of: index, authorisation: authorisation)
  }

  /// - Throws: ``ChipError`` `noCounter`.
  package func value(of index: UInt32, authorisation: [UInt8]) throws(ChipError) -> UInt64 {
    var command = TPMCommand(.readSpace, index, index, authorisation: authorisation)
    command.parameters.put(UInt16(8))
    command.parameters.put(UInt16(0))
    return try run(command) { answer throws(ChipError.Trouble) in
      _ = try answer.uint32()
      guard try answer.uint16() == 8 else { throw .nonsense }
      let value = try answer.uint64()
      // No real counter gets there; a forged one would make adding 1 trap.
      guard value < .max else { throw .nonsense }
      return value
    }
  }

  /// Adds one.
  package func raise(_ index: UInt32, authorisation: [UInt8]) throws(ChipError) {
    try run(TPMCommand(.increment, index, index, authorisation: authorisation)) { _ in }
  }

  package func removeCounter(_ index: UInt32) throws(ChipError) {
    try run(TPMCommand(.undefineSpace, Self.owner, index, authorisation: [])) { _ in }
  }

  // MARK: One command

  private func run<Result>(
    _ command: TPMCommand, _ body: (inout TPMAnswer) throws(ChipError.Trouble) -> Result
  ) throws(ChipError) -> Result {
    let end = SystemClock.awake + Self.patience
    while true {
      var bytes = command.encoded
      defer { bytes.wipe() }
      var answered: [UInt8]
      do throws(PlatformError) { answered = try transport.exchange(bytes) } catch {
        throw ChipError(
          error.reason == .timedOut ? .silent : .unreachable(error.explanation), path)
      }
      defer { answered.wipe() }
      do throws(ChipError.Trouble) {
        var answer = try TPMAnswer(answered, to: command)
        return try body(&answer)
      } catch {
        guard case .busy = error, SystemClock.awake < end else { throw ChipError(error, path) }
        SystemClock.sleep(milliseconds: 100)
      }
    }
  }
}
