package import Access
internal import Bytes
package import Entries
package import FaceMatching

// What has to hold before a face opens the diary, one thing each. `Keeper.verifyFace` asks them in this order: attempts, camera and
// freshness by the device's own records; then the face; then, with the vault open, templates, freshness and camera by what the vault
// says, because the device's records may have been put back.

/// Five refused faces lock the face out.
package struct AttemptsGate {
  let left: Int

  package init(left: Int) { self.left = left }

  /// - Throws: ``AuthenticationError`` `lockedOut`.
  package func pass() throws(AuthenticationError) {
    guard left > 0 else { throw AuthenticationError(.lockedOut, "face") }
  }
}

/// Where the policy names a program, no face from elsewhere counts.
package struct CameraGate {
  let camera: CameraProgram?

  package init(_ camera: CameraProgram?) { self.camera = camera }

  /// - Throws: ``AuthenticationError`` `needsSecret` for a face from elsewhere.
  package func pass(_ probe: Probe) throws(AuthenticationError) {
    guard let camera, probe.program != camera.identity else { return }
    throw AuthenticationError(.needsSecret, "face", need: .camera)
  }
}

/// A passphrase is due from time to time.
package struct FreshnessGate {
  let need: FreshnessNeed?

  package init(_ need: FreshnessNeed?) { self.need = need }

  /// - Throws: ``AuthenticationError`` `needsSecret`, saying why one is due.
  package func pass() throws(AuthenticationError) {
    guard let need else { return }
    throw AuthenticationError(.needsSecret, "face", need: SecretNeed(need))
  }
}

/// Only a diary whose policy says so is kept warm.
package struct WarmGate {
  let policy: AccessPolicy

  package init(_ policy: AccessPolicy) { self.policy = policy }

  /// - Throws: ``AuthenticationError`` `needsSecret`.
  package func pass() throws(AuthenticationError) {
    guard policy.isWarm else { throw AuthenticationError(.needsSecret, "face", need: .warm) }
  }
}

/// The templates are those the vault last agreed to, by their digest.
package struct TemplatesGate {
  /// What the vault knows; nil when it knows of no face.
  let known: [UInt8]?

  package init(known: [UInt8]?) { self.known = known }

  /// - Returns: whether they are; others may be staged.
  /// - Throws: ``VaultError`` `tampered` when the vault knows of none.
  package func isPassed(by digest: [UInt8]) throws(VaultError) -> Bool {
    guard let known else {
      throw VaultError(.tampered, .enrolledFaces, .vaultKnowsNone)
    }
    return Digest.areEqual(known, digest)
  }
}
