package import Access
internal import Bytes
package import Sealing

/// A passphrase or recovery code that somebody gave, and which of the two it is. It may be tried more than once.
package final class GivenSecret: Sendable {
  package let factor: SecretFactor
  package let secret: SecretBytes

  package init(factor: SecretFactor, secret: consuming SecretBytes) {
    self.factor = factor
    self.secret = secret
  }

  /// - Parameter secret: of a recovery code, its 16 bytes or the code as it was shown; what is neither opens nothing.
  package convenience init(
    _ factor: SecretFactor, typed secret: consuming SecretBytes
  ) throws {
    guard factor == .recovery, secret.count != RecoveryCode.secretBytes else {
      self.init(factor: factor, secret: secret)
      return
    }
    do throws(SealingError) {
      self.init(factor: factor, secret: try RecoveryCode.parse(secret))
    } catch {
      guard error == .malformed else { throw error }
      self.init(factor: factor, secret: secret)
    }
  }

  /// The slots it may open.
  var kind: SlotKind { factor == .passphrase ? .passphrase : .recovery }
}
