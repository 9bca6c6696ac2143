internal import CommandLine
internal import Dates
package import FaceMatching
internal import Formats
internal import Inputs
internal import Platform
internal import Requests
internal import Words

extension Invocation {
  /// The vectors in a file, standard input or what a program prints, as a person names them.
  ///
  /// - Throws: ``Failure``, ``VectorError``, ``ChildProcessError``.
  package func vectors(_ named: String, limit: Int = VectorFile.sizeLimit) throws -> VectorFile {
    try inputs.vectors(try VectorSource(named), limit: limit)
  }

  /// The directory for relative paths in a configured program's words: never the current directory.
  var programDirectory: String { environment["HOME"] ?? "/" }

  /// The program that looks when no face was shown; nil when there is none.
  func configuredProgram() throws -> ConfiguredProgram? {
    try configuration().probe.map {
      ConfiguredProgram(try ShellWords.split($0), in: programDirectory)
    }
  }

  func requiredProgram() throws -> ConfiguredProgram {
    guard let program = try configuredProgram() else {
      throw Failure(
        .notFound, FaceMessage.noProbeProgram, hint: Verbatim("facediary camera setup opencv"))
    }
    return program
  }

  /// The face shown with `--face`, nil when none was.
  func probe() throws -> Probe? { try inputs.probe(try shownFaces()) }

  /// The face before the configured program; nil when there is none.
  func configuredProbe() throws -> Probe? {
    try configuredProgram().map { try inputs.probe(through: $0) }
  }

  private func shownFaces() throws -> [VectorSource] {
    try arguments[Options.face].map { try VectorSource($0) }
  }

  /// Where a keeper gets faces.
  func faceSources() throws -> KeeperTask.FaceSources {
    var faces = KeeperTask.FaceSources()
    faces.shown = try shownFaces()
    // A passphrase opens the diary all the same.
    do { faces.variables = try configuration().environment } catch {
      faces.trouble = KeeperError(error)
    }
    do { faces.configured = try configuredProgram() } catch {
      faces.noProgram = KeeperError(error)
    }
    return faces
  }
}
