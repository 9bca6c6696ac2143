internal import Authentication
internal import CommandLine
internal import DiaryVault
internal import FaceDiary
internal import FaceMatching
internal import Foundation
internal import JSONText
internal import Platform
internal import Sealing

extension Failure: CommandError {
  /// As it crosses from a keeper to its client.
  package var encoded: [UInt8] { Array((try? JSONEncoder().encode(self)) ?? Data()) }
}

extension Failure {
  /// Any error of the rooms below in words.
  init(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as VaultError: self.init(error)
    case let error as AuthenticationError: self.init(error)
    case let error as VectorError: self.init(error)
    case let error as EnrollmentError: self.init(error)
    case let error as SealingError: self.init(error)
    case KeeperError.command(let bytes):
      self =
        (try? JSONDecoder().decode(Failure.self, from: Data(bytes)))
        ?? Failure(.system, "the keeper's answer cannot be read")
    case KeeperError.other(let text): self.init(.system, Text(verbatim: text))
    case let error as SessionError: self.init(error)
    case let error as ChildProcessError: self.init(error)
    case let error as PlatformError: self.init(error)
    case let error as JSONError:
      self.init(
        .invalid, "line \(error.line), column \(error.column): expected \(term: error.expected)")
    default: self.init(.system, Text(verbatim: "\(error)"))
    }
  }

  private init(_ error: VaultError) {
    let subject = error.subject
    let detail = error.detail
    switch error.code {
    case .noVault:
      self.init(.noVault, "there is no diary at \(subject)", hint: "make one with: facediary init")
    case .vaultExists:
      self.init(.vaultExists, "\(subject) is there already; it was not touched")
    case .notAVault:
      self.init(
        .invalid, "\(subject) is not a diary vault, or its beginning is damaged (\(term: detail))",
        hint: "name the right file with --vault or FACEDIARY_VAULT")
    case .newerFormat:
      self.init(
        .newerFormat, "\(subject) was written by a newer facediary", hint: "update facediary")
    case .damaged:
      self.init(
        .damaged, "damaged: \(subject) (\(term: detail))",
        hint: error.part == .anchor
          ? "if you know why: facediary accept-rollback"
          : "your passphrase is not the cause; look closer with: facediary verify")
    case .tampered:
      self.init(
        .tampered, "\(subject) is not as it was written (\(term: detail))",
        hint: "look closer with: facediary verify")
    case .rolledBack:
      self.init(
        .rolledBack, "an older copy of the diary was put back (\(subject): \(term: detail))",
        hint: "if that was you: facediary accept-rollback")
    case .forked:
      self.init(
        .rolledBack,
        "this copy of the diary was written somewhere else (\(subject): \(term: detail))",
        hint: "to go on from this copy: facediary accept-rollback")
    case .wrongSecret:
      self.init(
        .wrongSecret,
        error.slot == .recovery ? "this is not the recovery code" : "this is not the passphrase")
    case .noSuchSlot:
      self.init(.needsPassphrase, "the diary has no way in by \(term: detail)")
    case .notFound:
      let near = error.candidates.prefix(3).joined(separator: ", ")
      self.init(
        .notFound, "no \(term: detail) \(subject)",
        hint: near.isEmpty ? nil : "did you mean \(near)?")
    case .ambiguous:
      let list = error.candidates.prefix(4).map { String($0.prefix(12)) }.joined(separator: ", ")
      self.init(
        .ambiguous, "\(subject) could be more than one \(term: detail)", hint: "one of \(list)")
    case .conflict: self.init(.conflict, "\(subject): \(term: detail)")
    case .invalid: self.init(.invalid, "\(term: subject): expected \(term: detail)")
    case .busy:
      self.init(.busy, "another process is writing to the diary", hint: "try again in a moment")
    case .readOnly: self.init(.readOnly, "\(subject) cannot be written (\(term: detail))")
    case .diskFull: self.init(.diskFull, "the disk is full")
    case .declined: self.init(.declined, "nothing was changed")
    case .permission: self.init(.system, "no access to \(subject) (\(term: detail))")
    case .memory: self = Self.memory(detail)
    case .system: self.init(.system, "\(subject): \(term: detail)")
    }
  }

  private static func memory(_ what: String) -> Failure {
    Failure(
      .system, "cannot get \(term: what)", hint: "raise the limit with: ulimit -l 1024 (kilobytes)")
  }

  private init(_ error: AuthenticationError) {
    switch error.code {
    case .noFace:
      self.init(
        .needsPassphrase, "no face is enrolled on this device",
        hint: "unlock with the passphrase, then: facediary enroll FILE…")
    case .lockedOut:
      self.init(
        .lockedOut, "the face is locked out after too many refusals",
        hint: "unlock once with the passphrase or the recovery code")
    case .storeDamaged:
      self.init(
        .damaged, "this device's store is damaged: \(error.subject) (\(error.detail))",
        hint: "unlock with the passphrase or the recovery code, then enrol again")
    case .storeGone:
      self.init(
        .needsPassphrase, "the diary was opened here before, and its device store is gone",
        hint: "unlock with the passphrase or the recovery code")
    case .needsSecret:
      let why =
        switch error.need {
        case .restart: "the machine was restarted since it was last given"
        case .expired: "it was last given too long ago"
        case .unused: "the diary was not opened here for too long"
        case .warm: "no session is left that a face could open again"
        case .noSlot:
          "it opens the diary only together with a passphrase, and that way in was taken away"
        case .anotherPassphrase:
          "this face opens the diary together with another passphrase; remove that way in first"
        case .facePassphrase: "this face opens the diary together with it"
        case .never, nil: "it was not given on this device before"
        }
      self.init(
        .needsPassphrase, "a face is not enough now: \(term: why)",
        hint: error.need == .facePassphrase
          ? "give --passphrase-file beside --face"
          : "unlock once with the passphrase or the recovery code; see: facediary policy")
    case .waiting:
      let seconds = error.retryAfter ?? 1
      self.init(
        .lockedOut, "too many wrong passphrases; the next can be tried in \(seconds) s",
        hint: "the recovery code opens the diary without waiting", retryAfter: seconds)
    case .helper:
      self.init(
        .system, "the program that keeps the device key, \(error.subject): \(error.detail)",
        hint: "if it is gone for good: facediary device reset")
    case .loose:
      self.init(
        .system, "\(error.subject): \(error.detail)",
        hint: "others could read or change it; chmod go= '\(error.subject)'")
    case .diskFull: self.init(.diskFull, "the disk is full")
    case .busy:
      self.init(.busy, "another process is using the diary", hint: "try again in a moment")
    case .memory: self = Self.memory("locked memory")
    case .verifier: self.init(.system, "the verifier failed: \(error.detail)")
    case .locked:
      self.init(.locked, "the diary is locked", hint: "open it with: facediary unlock")
    case .notNow: self.init(.conflict, "the diary is open already")
    case .notOwner:
      self.init(
        .needsPassphrase, "this needs the passphrase or the recovery code now",
        hint: "give it with --passphrase-file or --recovery-file")
    case .system: self.init(.system, "\(error.subject): \(error.detail)")
    }
  }

  private init(_ error: SealingError) {
    switch error {
    case .unavailable: self.init(.system, "libsodium could not be started")
    case .noLockedMemory, .outOfMemory: self = Self.memory("locked memory")
    case .passphraseUnusable:
      self.init(.invalid, "a passphrase has 1 to 1024 bytes of UTF-8")
    case .limitsRefused, .malformed, .notAuthentic:
      self.init(.damaged, "damaged data (\("\(error)"))")
    }
  }

  private init(_ error: SessionError) {
    switch error {
    case .gone:
      self.init(.locked, "the session has ended", hint: "open it again with: facediary unlock")
    case .foreign:
      self.init(
        .locked, "the running session is of another version or user",
        hint: "end it with: facediary lock, then unlock again")
    case .silent:
      self.init(
        .busy, "the running session does not answer; it may still hold the diary open",
        hint: "end it with: facediary lock")
    case .outdated:
      self.init(
        .locked, "the running session was of another version and was told to end",
        hint: "open it again with: facediary unlock")
    case .stillOpen(let processes):
      let list = processes.map(String.init).joined(separator: ", ")
      self.init(
        .system, "the diary may still be open: process \(list) could not be ended",
        hint: "end it with: kill -9 \(list)")
    case .unknown:
      self.init(
        .system, "nobody can say whether the diary is closed: /proc cannot be read",
        hint: "end every process named fdk:… yourself")
    case .cannotListen(let why): self.init(.system, "the session's socket cannot be made: \(why)")
    }
  }

  private init(_ error: PlatformError) {
    let path = error.path
    switch error.reason {
    case .system(.noEntry), .system(.notDirectory):
      self.init(.notFound, "\(path): \(error.explanation)")
    case .system(.noSpace), .system(.overQuota): self.init(.diskFull, "\(path): the disk is full")
    case .system(.exists):
      self.init(
        .conflict, "\(path) is there already; it was not touched", hint: "name another with -o")
    case .link, .notRegular:
      self.init(.conflict, "\(path) is not a regular file; it was not touched")
    case .directoryNotPrivate, .fileNotPrivate:
      self.init(
        .system, "\(path): \(error.explanation)",
        hint: "others could read or change it; chmod go= '\(path)'")
    case .busy, .timedOut:
      self.init(.busy, "another process is using the diary", hint: "try again in a moment")
    case .tooLarge(let limit): self.init(.invalid, "\(path): larger than \(limit) bytes")
    case .system: self.init(.system, "\(path): \(error.explanation)")
    }
  }

  private init(_ error: ChildProcessError) {
    let program = error.program
    switch error.problem {
    case .notFound: self.init(.notFound, "program \(program) is not on the PATH")
    case .cannotStart(let why): self.init(.system, "\(program) cannot be started: \(why)")
    case .timedOut(let seconds):
      self.init(.invalid, "\(program) did not answer within \(seconds) seconds")
    case .tooMuchOutput(let limit):
      self.init(.invalid, "\(program) printed more than \(limit) bytes")
    case .failed(let code, let says):
      let line = says.split(whereSeparator: \.isNewline).last.map(String.init) ?? ""
      self.init(.invalid, "\(program) ended with \(code)\(line.isEmpty ? "" : ": " + line)")
    case .badCommand: self.init(.usage, "not a command: \(program)")
    }
  }

  private init(_ error: EnrollmentError) {
    switch error {
    case .modelNeeded:
      self.init(
        .usage, "neither file nor option says which face model made this vector",
        hint: "name it with --model; facediary models lists those known")
    case .thresholdNeeded(let model):
      self.init(
        .usage,
        "no threshold is known for the model \(model), and a guess could let anybody in",
        hint: "give one with --threshold, measured on your own faces")
    case .thresholdInvalid(let given, let enrolled):
      if let enrolled {
        self.init(
          .conflict, "the enrolled faces have the threshold \(enrolled), not \(given)",
          hint: "one diary has one threshold; leave --threshold away")
      } else {
        self.init(
          .invalid, "threshold \(given) is outside [-1, 1]",
          hint: "a threshold is a cosine similarity; higher is closer")
      }
    case .unlike(let index, let similarity, let threshold):
      self.init(
        .invalid,
        "shot \(index + 1) resembles the enrolled ones only by \(rounded(similarity)); the threshold is \(rounded(threshold))",
        hint: "if it is really you: --force")
    case .tooMany(let limit): self.init(.invalid, "a diary keeps at most \(limit) faces")
    case .nothingNew: self.init(.conflict, "every one of these shots is enrolled already")
    }
  }

  private init(_ error: VectorError) {
    let source = error.source
    switch error.problem {
    case .empty: self.init(.invalid, "\(source): there is no vector in it")
    case .unknownFormat:
      self.init(
        .invalid, "\(source): not a vector file",
        hint: "npy, JSON, CSV, fvecs, or raw float32 named .f32")
    case .malformed(let place, let expected):
      self.init(.invalid, "\(source), \(place): expected \(expected)")
    case .notFinite(let row, let component):
      self.init(
        .invalid, "\(source), row \(row), component \(component): expected a finite float32 number")
    case .allZero(let row):
      self.init(.invalid, "\(source), row \(row): all components are zero")
    case .dimension(let count):
      self.init(.invalid, "\(source): \(count) components; expected 16 to 8192")
    case .unequalRows(let row, let count, let expected):
      self.init(.invalid, "\(source), row \(row): \(count) components; expected \(expected)")
    case .elementType(let type):
      self.init(
        .invalid, "\(source): elements of type \(type); expected float16, float32 or float64")
    case .pickled:
      self.init(
        .invalid, "\(source): a pickled Python object, which is never read",
        hint: "save the array with numpy.save(…, allow_pickle=False)")
    case .fortranOrder:
      self.init(
        .invalid, "\(source): rows in Fortran order",
        hint: "save numpy.ascontiguousarray(…)")
    case .shape(let shape):
      self.init(.invalid, "\(source): shape \(shape); expected one vector, or rows of them")
    case .truncated(let expected, let found):
      self.init(.invalid, "\(source): ends at byte \(found); expected \(expected) bytes")
    case .trailingBytes(let offset):
      self.init(.invalid, "\(source): bytes after the data, from byte \(offset)")
    case .tooLarge(let limit):
      self.init(.invalid, "\(source): larger than \(limit) bytes")
    case .tooManyRows(let limit):
      self.init(.invalid, "\(source): more than \(limit) vectors")
    case .dimensionMismatch(let found, let expected):
      self.init(.invalid, "\(source): \(found) components; expected \(expected)")
    case .modelMismatch(let found, let expected):
      self.init(.invalid, "\(source): made by the model \(found); expected \(expected)")
    }
  }
}

/// Four digits: what tells two similarities apart on a screen.
func rounded(_ number: Double) -> String {
  let scaled = (number * 10_000).rounded() / 10_000
  var text = "\(abs(scaled))"
  if let dot = text.firstIndex(of: ".") {
    while text.distance(from: dot, to: text.endIndex) < 5 { text += "0" }
  }
  return (scaled < 0 ? "-" : "") + text
}
