public import FaceMatching

/// How a verifier judged a probe.
public struct Verdict: Sendable, Equatable {
  public let isAccepted: Bool
  /// In [−1, 1], higher is closer. Shown only when accepted: a refusal that told it would guide a
  /// search.
  public let similarity: Double

  public init(isAccepted: Bool, similarity: Double) {
    self.isAccepted = isAccepted
    self.similarity = similarity
  }
}

/// Compares the face somebody shows with the enrolled ones. The pluggable part of the gate.
///
/// A verifier is asked only after an attempt has been counted durably, and what it answers counts:
/// throwing costs the attempt too. It never sees a key; its acceptance only lets the device key be used.
public protocol BiometricVerifier: Sendable {
  /// Judges `probe` (1 to 16 frames) against `templates` (one model and dimension, at least one), whose
  /// threshold was sealed at enrolment.
  ///
  /// It runs where its caller does. If a verifier starts threads, they live on in the process that
  /// opens the diary. That process then cannot give up files for all threads, and says so in
  /// `status --json`.
  nonisolated(nonsending) func verify(_ probe: Probe, against templates: TemplateSet) async throws
    -> Verdict
}

/// The built-in verifier: accepts when the average cosine similarity over all template–frame pairs
/// reaches the threshold, or, with enough shots and frames, when a calibrated way of scoring reaches its
/// own (``TemplateSet/decision``).
///
/// The average has the expectation of one pair and less variance, so a threshold published for one
/// picture against one keeps its false match rate with any number of either. The cosine to the mean
/// template separates better, but at such a threshold lets up to seventy times more strangers in.
///
/// A probe that is not one person's face (``TemplateSet/isOneFace(_:)``) is refused whatever it scores.
public struct CosineVerifier: BiometricVerifier {
  public init() {}

  public nonisolated(nonsending) func verify(_ probe: Probe, against templates: TemplateSet)
    async throws -> Verdict
  {
    guard !templates.templates.isEmpty else {
      return Verdict(isAccepted: false, similarity: -1)
    }
    guard templates.isOneFace(probe) else { return Verdict(isAccepted: false, similarity: -1) }
    let similarity = templates.score(probe)
    // NaN compares false, so it refuses.
    return Verdict(
      isAccepted: similarity >= templates.decision.threshold, similarity: similarity)
  }
}
