package import Access
package import Authentication
package import FaceMatching
package import Sealing

/// The keeper of this process as the state machine's service.
@MainActor
package final class KeeperService: SecurityService {
  package let keeper: Keeper

  package init(_ keeper: Keeper) { self.keeper = keeper }

  package func loadFaceData() async throws -> FaceData? { try keeper.loadFaceData() }

  package func policy() async throws -> AccessPolicy { try keeper.policy() }

  package func faceNeedsPassphrase() async throws -> Bool { try keeper.faceNeedsPassphrase() }

  package func verifyFace(
    _ probe: Probe, passphrase: consuming SecretBytes?
  ) async throws -> FaceOutcome {
    try await keeper.verifyFace(probe, passphrase: passphrase)
  }

  package func open(
    _ factor: SecretFactor, _ secret: consuming SecretBytes, _ options: OpeningOptions
  ) async throws {
    try keeper.open(factor, secret, options)
  }

  package func close() async { keeper.close() }
}
