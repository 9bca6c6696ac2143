internal import Access
internal import Bytes
internal import CommandLine
internal import Entries
internal import FaceMatching
internal import JSONText
internal import Places
internal import Platform
internal import Requests

extension Failure {
  /// Puts any error of the modules below into words.
  package init(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as UsageError: self.init(error)
    case let error as VaultError: self.init(error)
    case let error as AuthenticationError: self.init(error)
    case let error as VectorError: self.init(error)
    case let error as EnrollmentError: self.init(error)
    case let error as SealingError: self.init(error)
    case KeeperError.command(let bytes):
      self = Failure(decoding: bytes) ?? Failure(.system, FailureMessage.answerUnreadable)
    case KeeperError.other(let text): self.init(.system, Verbatim(text))
    case let error as SessionError: self.init(error)
    case let error as ChildProcessError: self.init(error)
    case let error as PlaceError: self.init(error)
    case let error as PlatformError: self.init(error)
    case let error as InputTooLarge:
      self.init(PlatformError(.tooLarge(limit: error.limit), error.path))
    case is BrokenPipe: self.init(PlatformError(.system(.brokenPipe), "standard output"))
    case let error as JSONError:
      self.init(
        .invalid,
        FailureMessage.jsonAt(line: error.line, column: error.column, expected: error.expected))
    default: self.init(.system, Verbatim("\(error)"))
    }
  }

  /// Where a file of entries is not as expected; nil for any other error.
  package init?(_ error: any Error, in file: String) {
    switch error {
    case let error as JSONError:
      self.init(
        .invalid,
        ExchangeMessage.jsonAt(
          name: file, line: error.line, column: error.column,
          expected: Quoted.wanted(error.expected)))
    case let error as ImportProblem:
      self.init(
        .invalid,
        ExchangeMessage.jsonAt(
          name: file, line: error.line, column: error.column, expected: error.expected),
        hint: [.field("date"), .field("body")].contains(error.expected)
          ? ExchangeMessage.otherFormats : nil)
    default: return nil
    }
  }

  private init(_ error: UsageError) {
    switch error {
    case .unknownOption(let name, let near):
      self.init(
        .usage, UsageMessage.unknownOption(name),
        hint: near.map { UsageMessage.didYouMean($0) } ?? UsageMessage.textAfterDashes)
    case .takesNoValue(let name): self.init(.usage, UsageMessage.takesNoValue(name))
    case .needsValue(let name, let value):
      self.init(.usage, UsageMessage.needsValue(option: name, value: value))
    case .givenTwice(let name): self.init(.usage, UsageMessage.givenTwice(name))
    case .notOneOf(let option, let given, let words):
      self.init(
        .usage, UsageMessage.cannotBe(option: option, value: given),
        hint: UsageMessage.oneOf(words.joined(separator: ", ")))
    case .notANumber(let option, let given, let least, let most):
      self.init(
        .usage,
        most.map {
          UsageMessage.wantsNumberBetween(option: option, least: least, most: $0, value: given)
        } ?? UsageMessage.wantsNumberFrom(option: option, least: least, value: given))
    case .unknownVerb(let verb, let command, let near, let all):
      self.init(
        .usage, UsageMessage.cannot(command: command, verb: verb),
        hint: near.map { UsageMessage.didYouMean($0) }
          ?? UsageMessage.oneOf(all.joined(separator: ", ")))
    case .misused(let command, let usage):
      self.init(.usage, UsageMessage.usage(usage), hint: UsageMessage.seeHelpOf(command))
    case .noTerminal: self.init(.locked, UsageMessage.noTerminal)
    case .secretEmpty: self.init(.invalid, UsageMessage.secretEmpty)
    case .secretTooLong: self.init(.invalid, UsageMessage.secretTooLong)
    case .passphraseNotText: self.init(.invalid, UsageMessage.passphraseNotText)
    case .passphraseTooLong: self.init(.invalid, UsageMessage.passphraseSize)
    }
  }

  private init(_ error: SealingError) {
    switch error {
    case .unavailable: self.init(.system, FailureMessage.noLibsodium)
    case .noLockedMemory, .outOfMemory: self = Self.memory(VaultError.Reason.lockedMemory)
    case .passphraseUnusable:
      self.init(.invalid, FailureMessage.passphraseSize)
    case .newer:
      self.init(
        .newerFormat, FailureMessage.newerFormat("\(error)"), hint: FailureMessage.update)
    case .limitsRefused, .malformed, .notAuthentic:
      self.init(.damaged, FailureMessage.damagedData("\(error)"))
    }
  }

  private init(_ error: SessionError) {
    switch error {
    case .gone:
      self.init(.locked, FailureMessage.sessionEnded, hint: FailureMessage.openAgain)
    case .foreign:
      self.init(
        .locked, FailureMessage.foreignSession,
        hint: FailureMessage.lockThenUnlock)
    case .silent:
      self.init(
        .busy, FailureMessage.sessionSilent,
        hint: FailureMessage.endWithLock)
    case .full:
      self.init(.busy, FailureMessage.sessionFull, hint: FailureMessage.tryAgain)
    case .outdated:
      self.init(
        .locked, FailureMessage.sessionOutdated,
        hint: FailureMessage.openAgain)
    case .stillOpen(let processes):
      let list = processes.map(String.init).joined(separator: ", ")
      self.init(
        .system, FailureMessage.stillOpen(list),
        hint: FailureMessage.killProcesses(list))
    case .openElsewhere:
      self.init(
        .system, FailureMessage.openElsewhere,
        hint: FailureMessage.lockThere)
    case .unknown:
      self.init(
        .system, FailureMessage.closedUnknown,
        hint: FailureMessage.endKeepersYourself)
    case .cannotListen(let why): self.init(.system, FailureMessage.socketFailed(why))
    }
  }

  private init(_ error: PlatformError) {
    let path = error.path
    switch error.reason {
    case .system(.noEntry), .system(.notDirectory):
      self.init(.notFound, Quoted.failed(path: path, why: error.explanation))
    case .system(.noSpace), .system(.overQuota):
      self.init(.diskFull, FailureMessage.diskFullAt(path))
    case .system(.readOnly):
      self.init(
        .readOnly, Quoted.failed(path: path, why: error.explanation),
        // What a device remembers is in a folder of the diary's id.
        hint: Identity(text: FileSystem.name(of: FileSystem.parent(of: path))) == nil
          ? nil : FailureMessage.readFromReadOnly)
    case .system(.exists):
      self.init(
        .conflict, FailureMessage.thereAlready(path), hint: FailureMessage.nameAnother)
    case .link, .notRegular:
      self.init(.conflict, FailureMessage.notRegularFile(path))
    case .directoryNotPrivate:
      self.init(
        .system, Quoted.failed(path: path, why: error.explanation),
        hint: FailureMessage.chmodDirectory(path))
    case .fileNotPrivate:
      self.init(
        .system, Quoted.failed(path: path, why: error.explanation),
        hint: FailureMessage.chmodPath(path))
    case .busy, .timedOut:
      self.init(.busy, FailureMessage.diaryBusy, hint: FailureMessage.tryAgain)
    case .tooLarge(let limit):
      self.init(.invalid, FailureMessage.largerThan(path: path, limit: limit))
    case .system: self.init(.system, Quoted.failed(path: path, why: error.explanation))
    }
  }

  private init(_ error: ChildProcessError) {
    let program = error.program
    switch error.problem {
    case .notFound: self.init(.notFound, FailureMessage.notOnPath(program))
    case .cannotStart(let why):
      self.init(.system, FailureMessage.cannotStart(program: program, why: why))
    case .timedOut(let seconds), .silent(let seconds):
      self.init(.invalid, FailureMessage.noAnswer(program: program, seconds: seconds))
    case .tooMuchOutput(let limit):
      self.init(.invalid, FailureMessage.printedTooMuch(program: program, limit: limit))
    case .failed(let code, let says):
      let line = says.split(whereSeparator: \.isNewline).last.map(String.init) ?? ""
      self.init(
        .invalid,
        FailureMessage.programEnded(
          program: program, code: Int(code), says: line.isEmpty ? "" : ": " + line))
    case .badCommand: self.init(.usage, FailureMessage.notCommand(program))
    }
  }

  private init(_ error: EnrollmentError) {
    switch error {
    case .modelNeeded:
      self.init(
        .usage, FaceMessage.modelNeeded,
        hint: FaceMessage.nameModel)
    case .thresholdNeeded(let model):
      self.init(
        .usage,
        FaceMessage.noThresholdOf(model),
        hint: FaceMessage.giveThreshold)
    case .thresholdInvalid(let given, let enrolled):
      if let enrolled {
        self.init(
          .conflict, FaceMessage.otherThreshold(enrolled: "\(enrolled)", given: "\(given)"),
          hint: FaceMessage.oneThreshold)
      } else {
        self.init(
          .invalid, FaceMessage.thresholdOutside("\(given)"),
          hint: FaceMessage.thresholdIsCosine)
      }
    case .unlike(let index, let similarity, let threshold):
      self.init(
        .invalid,
        FaceMessage.shotUnlike(
          shot: index + 1, similarity: rounded(similarity), threshold: rounded(threshold)),
        hint: FaceMessage.forceIfYou)
    case .notOneFace(let index):
      self.init(.invalid, FaceMessage.notOneFace(shot: index + 1))
    case .tooMany(let limit): self.init(.invalid, FaceMessage.atMostFaces(limit))
    case .nothingNew: self.init(.conflict, FaceMessage.nothingNew)
    case .sampleAmongOwn(let index):
      self.init(
        .invalid, FaceMessage.sampleAmongOwn(shot: index + 1), hint: FaceMessage.trySamplesApart)
    case .samplesEnrolled(let count):
      self.init(
        .conflict, FaceMessage.samplesEnrolled(count), hint: FaceMessage.replaceThem)
    }
  }

  private init(_ error: VectorError) {
    let source = error.source
    switch error.problem {
    case .empty: self.init(.invalid, VectorMessage.empty(source))
    case .unknownFormat:
      self.init(
        .invalid, VectorMessage.notVectors(source),
        hint: VectorMessage.vectorForms)
    case .malformed(let place, let expected):
      self.init(.invalid, VectorMessage.malformed(source: source, place: place, expected: expected))
    case .notFinite(let row, let component):
      self.init(
        .invalid, VectorMessage.notFinite(source: source, row: row, component: component))
    case .allZero(let row):
      self.init(.invalid, VectorMessage.allZero(source: source, row: row))
    case .dimension(let count):
      self.init(.invalid, VectorMessage.dimension(source: source, count: count))
    case .unequalRows(let row, let count, let expected):
      self.init(
        .invalid,
        VectorMessage.unequalRows(source: source, row: row, count: count, expected: expected))
    case .elementType(let type):
      self.init(
        .invalid, VectorMessage.elementType(source: source, type: type))
    case .pickled:
      self.init(
        .invalid, VectorMessage.pickled(source),
        hint: VectorMessage.saveWithoutPickle)
    case .fortranOrder:
      self.init(
        .invalid, VectorMessage.fortranOrder(source),
        hint: VectorMessage.saveContiguous)
    case .shape(let shape):
      self.init(.invalid, VectorMessage.shape(source: source, shape: shape))
    case .truncated(let expected, let found):
      self.init(.invalid, VectorMessage.truncated(source: source, found: found, expected: expected))
    case .trailingBytes(let offset):
      self.init(.invalid, VectorMessage.trailingBytes(source: source, offset: offset))
    case .tooLarge(let limit):
      self.init(.invalid, FailureMessage.largerThan(path: source, limit: limit))
    case .tooManyRows(let limit):
      self.init(.invalid, VectorMessage.tooManyRows(source: source, limit: limit))
    case .tooFewFrames(let found, let wanted):
      self.init(
        .invalid, VectorMessage.tooFewFrames(source: source, found: found, wanted: wanted))
    case .dimensionMismatch(let found, let expected):
      self.init(
        .invalid, VectorMessage.otherDimension(source: source, found: found, expected: expected))
    case .modelMismatch(let found, let expected):
      self.init(
        .invalid, VectorMessage.otherModel(source: source, found: found, expected: expected))
    }
  }
}

/// A rate between 0 and 1 in percent, as exact as a ten-thousandth of one.
package func percent(_ rate: Double) -> String {
  let scaled = (rate * 1_000_000).rounded() / 10_000 + 0
  return scaled == scaled.rounded() ? "\(Int(scaled))" : "\(scaled)"
}

/// Four digits: what tells two similarities apart on a screen.
package func rounded(_ number: Double) -> String {
  let scaled = (number * 10_000).rounded() / 10_000
  var text = "\(abs(scaled))"
  if let dot = text.firstIndex(of: ".") {
    while text.distance(from: dot, to: text.endIndex) < 5 { text += "0" }
  }
  return (scaled < 0 ? "-" : "") + text
}
