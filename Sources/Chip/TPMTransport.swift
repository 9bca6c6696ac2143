internal import Entries
internal import Platform

/// A connection to a TPM 2.0: the kernel's device, or the socket of a software TPM.
final class TPMTransport: Sendable {
  /// Seconds that a command may take. The slowest one makes a key, which takes old chips several seconds.
  private static let seconds = 30
  /// No answer to the commands used here is longer.
  private static let longestAnswer = 4096

  private enum Line: Sendable {
    case device(Descriptor)
    case socket(LocalSocket)
  }

  private let line: Line

  /// - Parameter path: a character device, or a socket of this user's or root's.
  init(path: String) throws(ChipError) {
    do throws(PlatformError) {
      let file = try Descriptor.open(path, [.readWrite, .nonBlocking])
      guard try file.status().kind == .other else { throw PlatformError(.notRegular, path) }
      line = .device(file)
      return
    } catch {
      switch error.errno {
      case .noEntry, .notDirectory: throw ChipError(.noChip, path)
      case .accessDenied: throw ChipError(.noRight, path)
      case .noDevice: break
      default: throw ChipError(.unreachable(error.explanation), path)
      }
    }
    // A socket cannot be opened like a file.
    do throws(PlatformError) {
      let (directory, name) = (FileSystem.parent(of: path), FileSystem.name(of: path))
      guard let socket = try LocalSocket.connect(directory, name, patience: Self.seconds)
      else {
        throw PlatformError(.system(.noDevice), path)
      }
      guard let user = socket.peer?.user, user == ThisProcess.user || user == 0 else {
        throw PlatformError(.system(.accessDenied), path)
      }
      socket.setPatience(seconds: 1)
      line = .socket(socket)
    } catch {
      throw ChipError(.unreachable(error.explanation), path)
    }
  }

  /// Whether it is the kernel's device, which any number of processes may hold open.
  var isDevice: Bool { if case .device = line { true } else { false } }

  /// Sends a command and waits for its answer, the header included.
  func exchange(_ command: [UInt8]) throws(PlatformError) -> [UInt8] {
    let end = SystemClock.awake + Int64(Self.seconds) * 1_000_000_000
    switch line {
    case .device(let file):
      try file.write(command)
      var entries = [Poll.Entry(file.number)]
      while !entries[0].isReady, SystemClock.awake < end {
        Poll.wait(&entries, milliseconds: 1000)
      }
      guard entries[0].isReady else { throw PlatformError(.timedOut, file.name) }
      // The device gives a whole answer at once.
      guard let answer = try file.readAvailable(Self.longestAnswer) else {
        throw PlatformError(.timedOut, file.name)
      }
      return answer
    case .socket(let socket):
      try socket.send(command)
      var answer: [UInt8] = []
      while answer.count < TPMAnswer.headerSize || answer.count < TPMAnswer.size(of: answer) {
        let received = try socket.receive(Self.longestAnswer)
        guard SystemClock.awake < end else { throw PlatformError(.timedOut, "socket") }
        guard let more = received else { continue }
        if answer.isEmpty { answer = more } else { answer += more }
        let size = answer.count < TPMAnswer.headerSize ? 0 : TPMAnswer.size(of: answer)
        guard !more.isEmpty, max(size, answer.count) <= Self.longestAnswer else {
          throw PlatformError(.system(.brokenPipe), "socket")
        }
      }
      return answer
    }
  }
}
