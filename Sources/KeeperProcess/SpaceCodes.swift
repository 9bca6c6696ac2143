internal import Bytes
internal import CommandLine
internal import Commands
internal import Dates
internal import Replication
internal import Sealing
internal import Words

extension Invocation {
  /// The recovery code of the space, from its file or typed.
  func spaceCode() throws -> SecretBytesBox {
    let typed: SecretBytes
    if let path = arguments[Options.spaceCodeFile] {
      typed = try secret(path, .recoveryCode)
    } else {
      guard Terminal.canAsk else {
        throw Failure(.usage, SyncMessage.needsSpaceCode, hint: SyncMessage.giveSpaceCodeFile)
      }
      typed = try Terminal.askSecret(text(SyncMessage.spaceCodePrompt))
    }
    return try parsed(typed, SyncMessage.notASpaceCode)
  }

  /// The code of a pairing, as it stands on the command line, or on standard input.
  func pairingCode() throws -> (code: SecretBytesBox, space: String) {
    let typed = operands.count > 1 ? operands[1] : ""
    var bytes = Array(typed.utf8)
    let given =
      typed == "-" ? try secret(typed, .pairingCode) : try SecretBytes(wiping: &bytes)
    do throws(SealingError) {
      return try Pairing.parse(given)
    } catch {
      guard error == .malformed else { throw error }
      throw Failure(.invalid, SyncMessage.badPairingCode)
    }
  }

  private func parsed(
    _ typed: borrowing SecretBytes, _ message: SyncMessage
  ) throws -> SecretBytesBox {
    do throws(SealingError) {
      return SecretBytesBox(try RecoveryCode.parse(typed))
    } catch {
      guard error == .malformed else { throw error }
      throw Failure(.invalid, message)
    }
  }
}
