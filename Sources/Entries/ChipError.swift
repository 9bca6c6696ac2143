/// Why the chip that keeps a device key, a TPM, does not do what it was asked.
public struct ChipError: Error, Sendable, Equatable, Codable {
  public enum Trouble: Error, Sendable, Equatable, Codable {
    /// Nothing is at the path.
    case noChip
    /// This user may not use it.
    case noRight
    case unreachable(String)
    case silent
    /// Its answer is not one that a TPM gives.
    case nonsense
    /// The key on it asks for a PIN.
    case needsPIN
    case wrongPIN
    /// It takes no PIN for a while, after too many wrong ones.
    case lockedOut
    /// Somebody has taken ownership of it and set an owner authorisation value.
    case ownerAuthorisation
    /// It is not the chip that sealed the key, or it was cleared since.
    case otherChip
    /// The counter of this diary is not in its memory.
    case noCounter
    /// What the device store says of it cannot be read.
    case noteDamaged
    /// Its memory is full.
    case full
    /// A counter is there already.
    case isTaken
    case busy(code: UInt32)
    /// A response code of its own.
    case refused(code: UInt32)
    case noMemory
  }

  public let trouble: Trouble
  /// The device's or socket's file.
  public let path: String

  public init(_ trouble: Trouble, _ path: String) {
    self.trouble = trouble
    self.path = path
  }
}

extension ChipError.Trouble: CustomStringConvertible {
  /// In English.
  public var description: String {
    switch self {
    case .noChip: "there is no TPM"
    case .noRight: "your user has no permission to use the TPM"
    case .unreachable(let why): "the TPM cannot be reached: \(why)"
    case .silent: "the TPM does not answer"
    case .nonsense: "the device that answers is not a TPM 2.0"
    case .needsPIN: "the device key in the TPM needs its PIN"
    case .wrongPIN: "wrong PIN"
    case .lockedOut: "after too many wrong PINs, the TPM accepts no PIN for a while"
    case .ownerAuthorisation: "the TPM asks for its owner's authorisation"
    case .otherChip: "this is not the TPM that sealed the device key, or it was cleared"
    case .noCounter: "the TPM has lost the counter of this diary"
    case .noteDamaged: "the device store's record of the TPM is damaged"
    case .full: "the memory of the TPM is full"
    case .isTaken: "the TPM already has a counter there"
    case .busy(let code): "the TPM is busy (0x\(String(code, radix: 16)))"
    case .refused(let code): "the TPM refused with error 0x\(String(code, radix: 16))"
    case .noMemory: "locked memory"
    }
  }
}
