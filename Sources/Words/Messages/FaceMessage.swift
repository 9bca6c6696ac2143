/// Faces: enrolling, comparing, probes.
package enum FaceMessage: Sendable {
  case threeShots
  case registered(count: Int, threshold: String)
  case enrolledAlready(Int)
  case shotsUnlike(one: Int, other: Int, similarity: String, threshold: String)
  case constantDirection(shot: Int, share: String)
  case registeredUnlike(shot: Int, similarity: String, threshold: String)
  case calibrated(shots: Int, frames: Int, scoring: String, threshold: String)
  case calibrationWantsShots(shots: Int, more: Int)
  case removed(Int)
  case accepted(String)
  case modelThresholds(String)
  case similarity(String)
  case noThresholdKnown
  case nameModelOrThreshold
  case given
  case calibratedFor(String)
  case publishedFor(String)
  case matchAccepted(above: String, threshold: String, source: String)
  case matchRefused(below: String, threshold: String, source: String)
  case belowThreshold
  case thresholdComesFrom(threshold: String, origin: String)
  case measuredRates(fmr: String, fnmr: String, chosen: String)
  case notMeasured
  case publishedMeasured(
    model: String, fmr: String, fnmr: String, chosen: String, fewerRefused: String,
    fewerChosen: String)
  case doubtfulThreshold(String)
  case askDoubtfulThreshold(String)
  case forceIfMeasured
  case notOneFace(shot: Int)
  case noProbeProgram
  case nameProbeProgram
  case frames(count: Int, components: Int, length: String, model: String?)
  case thresholdOutside(String)
  case thresholdIsCosine
  case modelNeeded
  case nameModel
  case noThresholdOf(String)
  case giveThreshold
  case otherThreshold(enrolled: String, given: String)
  case oneThreshold
  case shotUnlike(shot: Int, similarity: String, threshold: String)
  case forceIfYou
  case atMostFaces(Int)
  case closeCallMoreShots
  case closeCallMoreFrames
  case nothingNew
  case samplesArePublic
  case sampleAmongOwn(shot: Int)
  case trySamplesApart
  case samplesEnrolled(Int)
  case replaceThem
  case askToReplaceSamples(Int)
  case cameraSetUp
  case cameraNotSetUp(String)
  case noReadyCamera(String)
  case libraryMissing(String)
  case askToDownload(size: String, from: String)
  case downloadFailed(String, Int)
  case downloadGoesOn
  case weightsMissing([String])
  case weightsOther(String, found: String, expected: String)
  case weights(String, size: String, licence: String, sha256: String)
  case cameraSees(frames: Int, model: String, components: Int)
  case cameraRefused(CameraRefusal, String)
  case photoNeedsReadyCamera(String)
  case framesUnlike
  case shotPrompt(Int, of: Int)
  case shotComes(Int, of: Int)
  case filesOrCamera
}
