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

  /// The slots it may open.
  var kind: SlotKind { factor == .passphrase ? .passphrase : .recovery }
}
