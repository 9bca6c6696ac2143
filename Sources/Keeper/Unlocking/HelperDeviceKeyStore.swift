public import Access
public import Authentication
internal import Bytes
internal import Entries
internal import Platform
public import Sealing
internal import Synchronization

/// A device key that a program keeps, in a TPM, a Secret Service or a keychain.
///
/// The program is run with `get`, `store` or `erase` as its last word, and reads lines from standard input, the way
/// git's credential helpers do:
///
/// ```
/// vault=<26 base32 characters>
/// key=<26 base32 characters>
/// secret=<64 hexadecimal digits>     (store only)
/// ```
///
/// then an empty line. `get` prints `secret=<64 hexadecimal digits>`, or nothing when it keeps none. It ends with 0; anything
/// else is an error whose last line on standard error is shown. It has 30 seconds and 4 KiB. It is trusted with the
/// key, and with nothing else: what it answers must be the key that was given to it.
public struct HelperDeviceKeyStore: DeviceKeyStore {
  package static let fileName = "helper"
  static let seconds = 30
  private static let limit = 4096

  public var isElsewhere: Bool { true }
  /// The program and its words.
  public let command: [String]
  private let vault: String
  /// What the program knows the key by.
  fileprivate let key: String

  init(command: [String], vaultID: [UInt8], key: String) {
    self.command = command
    vault = Base32.encode(vaultID)
    self.key = key
  }

  /// The one a device store names, nil when it keeps its key in a file.
  ///
  /// `helper` in the store: the key's name, then the words of the command, a line each.
  init?(in directory: DeviceDirectory, vaultID: [UInt8]) throws(AuthenticationError) {
    guard directory.exists, let bytes = try directory.read(Self.fileName, limit: 16 << 10) else {
      return nil
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw AuthenticationError(.storeDamaged, directory.path + "/" + Self.fileName, .notUTF8)
    }
    let lines = text.split(separator: "\n").map(String.init)
    // A path is never resolved against the current directory.
    guard lines.count >= 2, Base32.decode(lines[0])?.count == 16,
      lines[1].hasPrefix("/") || !lines[1].contains("/")
    else {
      throw AuthenticationError(
        .storeDamaged, directory.path + "/" + Self.fileName, .program(.noCommand))
    }
    self.init(command: Array(lines[1...]), vaultID: vaultID, key: lines[0])
  }

  /// Whether the notes in two stores name one key.
  static func nameSameKey(_ one: DeviceDirectory, _ other: DeviceDirectory) -> Bool {
    let keys = [one, other].map { (try? Self(in: $0, vaultID: []))??.key }
    return keys[0] != nil && keys[0] == keys[1]
  }

  func write(to directory: DeviceDirectory) throws(AuthenticationError) {
    guard !command.contains(where: { $0.isEmpty || $0.contains("\n") }) else {
      throw AuthenticationError(
        .helper, command.joined(separator: " "), .program(.wordsWithoutLineBreaks))
    }
    try directory.make()
    try directory.write(
      Self.fileName, Array(([key] + command).joined(separator: "\n").utf8) + [0x0a])
  }

  public func get() throws(AuthenticationError) -> SecretBytes? {
    // What it prints comes into locked memory and nowhere else.
    var printed = 0
    var failure: AuthenticationError?
    let answer: SecretBytes
    do throws(SealingError) {
      answer = unsafe try SecretBytes(count: Self.limit + 1) { region throws(SealingError) in
        do throws(AuthenticationError) {
          printed = unsafe try run("get", head + [0x0a], into: region)
        } catch {
          failure = error
        }
      }
    } catch {
      throw AuthenticationError(.memory, "locked memory")
    }
    if let failure { throw failure }
    let count = printed
    return unsafe try answer.withUnsafeBytes { bytes throws(AuthenticationError) in
      unsafe try key(in: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
    }
  }

  /// The key in what the program printed, nil when that is nothing.
  private func key(in bytes: UnsafeRawBufferPointer) throws(AuthenticationError) -> SecretBytes? {
    if unsafe bytes.allSatisfy({ $0 == 0x0a || $0 == 0x0d }) { return nil }
    let line = unsafe bytes.prefix { $0 != 0x0a && $0 != 0x0d }
    guard unsafe line.starts(with: Array("secret=".utf8)) else {
      throw failed(.noSecretLine)
    }
    let digits = unsafe UnsafeRawBufferPointer(rebasing: line.dropFirst(7))
    func digit(_ index: Int) -> UInt8? {
      unsafe Character(Unicode.Scalar(digits[index])).hexDigitValue.map { UInt8($0) }
    }
    guard digits.count == 64, (0..<64).allSatisfy({ digit($0) != nil }) else {
      throw failed(.notHexadecimal)
    }
    do throws(SealingError) {
      return unsafe try SecretBytes(count: 32) { target throws(SealingError) in
        for index in 0..<32 {
          unsafe target[index] = digit(2 * index)! << 4 | digit(2 * index + 1)!
        }
      }
    } catch {
      throw AuthenticationError(.memory, "locked memory")
    }
  }

  public func store(_ key: borrowing SecretBytes) throws(AuthenticationError) {
    let symbols = Array("0123456789abcdef".utf8)
    // Of what grows, or is put together, copies would stay behind.
    var line: [UInt8] = []
    line.reserveCapacity(256 + vault.utf8.count + self.key.utf8.count)
    defer { line.wipe() }
    line += head + Array("secret=".utf8)
    unsafe key.withUnsafeBytes { bytes in
      for index in bytes.indices {
        unsafe line += [symbols[Int(bytes[index] >> 4)], symbols[Int(bytes[index] & 15)]]
      }
    }
    line += [0x0a, 0x0a]
    try tell("store", line)
  }

  public func erase() throws(AuthenticationError) { try tell("erase", head + [0x0a]) }

  /// The lines that each request has. An empty one ends it.
  private var head: [UInt8] { Array("vault=\(vault)\nkey=\(key)\n".utf8) }

  /// Runs it where nothing of what it prints is wanted.
  private func tell(_ operation: String, _ request: [UInt8]) throws(AuthenticationError) {
    var answer = [UInt8](repeating: 0, count: Self.limit + 1)
    defer { answer.wipe() }
    var failure: AuthenticationError?
    unsafe answer.withUnsafeMutableBytes { region in
      do throws(AuthenticationError) { _ = unsafe try run(operation, request, into: region) } catch
      {
        failure = error
      }
    }
    if let failure { throw failure }
  }

  /// - Returns: how many bytes it printed.
  private func run(
    _ operation: String, _ request: [UInt8], into region: UnsafeMutableRawBufferPointer
  ) throws(AuthenticationError) -> Int {
    do throws(ChildProcessError) {
      return unsafe try ChildProcess.output(
        of: command + [operation], input: request, seconds: Self.seconds, into: region)
    } catch {
      switch error.problem {
      case .notFound: throw failed(.notOnPath)
      case .cannotStart(let why): throw failed(.cannotStart(why))
      case .timedOut(let seconds), .silent(let seconds):
        throw failed(.noAnswerWithin(seconds: seconds))
      case .tooMuchOutput(let limit): throw failed(.printedMoreThan(limit))
      case .failed(let code, let says):
        let line = says.split(whereSeparator: \.isNewline).last.map(String.init) ?? ""
        throw failed(.ended(operation: operation, code: code, says: line))
      case .badCommand: throw failed(.noCommand)
      }
    }
  }

  private func failed(_ trouble: VaultError.ProgramTrouble) -> AuthenticationError {
    AuthenticationError(.helper, command.first ?? "", .program(trouble))
  }
}

/// A device key that a program keeps, asked for once: each question may cost seconds.
///
/// It is held in locked memory until the diary is closed, or kept warm: then neither this memory nor the program alone
/// may open it.
struct HeldDeviceKeyStore: DeviceKeyStore {
  let base: HelperDeviceKeyStore
  let held: HeldDeviceKeys

  var isElsewhere: Bool { true }

  func get() throws(AuthenticationError) -> SecretBytes? {
    if let box = held[base.key] { return try copying(box.secret) }
    guard let key = try base.get() else { return nil }
    held[base.key] = SecretBytesBox(try copying(key))
    return key
  }

  func store(_ key: borrowing SecretBytes) throws(AuthenticationError) {
    held[base.key] = nil
    try base.store(key)
  }

  func erase() throws(AuthenticationError) {
    held[base.key] = nil
    try base.erase()
  }
}

/// Device keys by the names that programs know them by.
final class HeldDeviceKeys: Sendable {
  private let keys = Mutex<[String: SecretBytesBox]>([:])
  private let givenPIN = Mutex<SecretBytesBox?>(nil)

  subscript(name: String) -> SecretBytesBox? {
    get { keys.withLock { $0[name] } }
    set { keys.withLock { $0[name] = newValue } }
  }

  /// The PIN that the key in a chip asks for.
  var pin: SecretBytesBox? {
    get { givenPIN.withLock { $0 } }
    set { givenPIN.withLock { $0 = newValue } }
  }

  func forget() {
    keys.withLock { $0 = [:] }
    pin = nil
  }
}

/// A copy of a device key.
func copying(_ key: borrowing SecretBytes) throws(AuthenticationError) -> SecretBytes {
  do throws(SealingError) { return try key.copy() } catch {
    throw AuthenticationError(.memory, "locked memory")
  }
}
