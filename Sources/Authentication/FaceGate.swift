internal import Access
internal import Entries
package import FaceMatching

/// The gate itself: enrolled templates, the attempt ledger, and a verifier.
package struct FaceGate {
  package let templates: TemplateSet
  private let ledger: AttemptLedger
  private let verifier: any BiometricVerifier

  package init(
    templates: TemplateSet, ledger: AttemptLedger, verifier: any BiometricVerifier
  ) {
    self.templates = templates
    self.ledger = ledger
    self.verifier = verifier
  }

  /// Judges a probe.
  ///
  /// The order matters: a probe that cannot be compared costs nothing; then the attempt is counted in both
  /// places; only then is the verifier asked.
  ///
  /// - Throws: ``VectorError`` for a probe that does not fit; ``AuthenticationError`` `lockedOut`,
  ///   `verifier`; `CancellationError`, which costs nothing before the verifier was asked; what the records' files
  ///   throw. None of them opens anything.
  package nonisolated(nonsending) func judge(_ probe: Probe) async throws -> FaceOutcome {
    guard !templates.templates.isEmpty else { throw AuthenticationError(.noFace, "templates") }
    try probe.checkFits(templates)
    try Task.checkCancellation()
    let left = try ledger.take()
    let verdict: Verdict
    do {
      verdict = try await verifier.verify(probe, against: templates)
    } catch let cancelled as CancellationError {
      throw cancelled
    } catch {
      throw AuthenticationError(.verifier, "verifier", .said("\(error)"))
    }
    return verdict.isAccepted
      ? .accepted(
        similarity: verdict.similarity,
        threshold: templates.decision.threshold)
      : .refused(attemptsLeft: left)
  }
}
