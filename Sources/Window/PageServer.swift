package import HTTP
package import Platform

/// Serves the page: one thread, a few connections, one request at a time on each. What a client of another user sends is not even read.
///
/// Everything that comes from outside is bounded: connections, the bytes of a request, and the time that each takes.
package final class PageServer {
  /// A file of the page itself.
  package struct File: Sendable {
    package let content: HTTPResponse.Content
    package let bytes: [UInt8]
    package init(_ content: HTTPResponse.Content, _ bytes: [UInt8]) {
      (self.content, self.bytes) = (content, bytes)
    }
  }

  /// What the page asks is answered by these.
  package struct Answers {
    package var call: (_ name: String, _ body: [UInt8]) -> HTTPResponse
    package var picture: (_ name: String) -> HTTPResponse
    package init(
      call: @escaping (String, [UInt8]) -> HTTPResponse,
      picture: @escaping (String) -> HTTPResponse
    ) {
      (self.call, self.picture) = (call, picture)
    }
  }

  /// A browser opens six at a time; more than these wait until others are closed.
  static let connectionLimit = 16
  /// Nanoseconds from the first byte of a request to its last, and from the first byte of an answer to its last.
  static let requestTime: Int64 = 30_000_000_000
  /// Nanoseconds that a connection may stay without a request.
  static let idleTime: Int64 = 300_000_000_000
  /// The most bytes of the body of a call.
  package static let bodyLimit = 4 << 20

  private struct Connection {
    let socket: LocalSocket
    var reader = HTTPReader { request in
      request.path.hasPrefix("/call/") ? PageServer.bodyLimit : 256
    }
    var output: ArraySlice<UInt8> = []
    var closes = false
    /// When it has to have moved on.
    var deadline: Int64
  }

  private let listener: LoopbackListener
  private var gate: PageGate
  private let files: [String: File]
  private let answers: Answers
  /// Whose connections are served.
  private let user: UInt32
  private let clock: () -> Int64
  private var connections: [Connection] = []

  /// - Parameters:
  ///   - files: by their paths; `/` is the page.
  ///   - clock: nanoseconds, which only go up.
  package init(
    _ listener: LoopbackListener, _ gate: PageGate, files: [String: File], user: UInt32,
    answers: Answers, clock: @escaping () -> Int64 = { SystemClock.awake }
  ) {
    (self.listener, self.gate, self.files, self.user) = (listener, gate, files, user)
    (self.answers, self.clock) = (answers, clock)
  }

  /// How many are connected.
  var connectionCount: Int { connections.count }

  /// Another page may pair; the one before is answered no more.
  package func renew(token: String) { gate.renew(token: token) }

  /// Answers nothing any more, and closes every connection.
  package func close() {
    gate.close()
    connections = []
  }

  /// Serves what is there, or comes in the next milliseconds.
  package func step(milliseconds: Int) {
    var entries = [Poll.Entry(listener.number, read: connections.count < Self.connectionLimit)]
    entries += connections.map {
      Poll.Entry($0.socket.number, read: $0.output.isEmpty, write: !$0.output.isEmpty)
    }
    Poll.wait(&entries, milliseconds: milliseconds)
    let now = clock()
    var left: [Connection] = []
    for (connection, entry) in zip(connections, entries.dropFirst()) {
      var connection = connection
      guard !entry.isReady || serve(&connection, now), now < connection.deadline else {
        continue
      }
      left.append(connection)
    }
    connections = left
    if entries[0].isReady { accept(now) }
  }

  private func accept(_ now: Int64) {
    while connections.count < Self.connectionLimit, let (socket, user) = listener.accept() {
      // Nothing is read from, and nothing said to, a program of somebody else.
      guard user == self.user else { continue }
      connections.append(Connection(socket: socket, deadline: now + Self.requestTime))
    }
  }

  /// Reads or writes once; false when the connection is over.
  private func serve(_ connection: inout Connection, _ now: Int64) -> Bool {
    do throws(PlatformError) {
      guard connection.output.isEmpty else { return try write(&connection, now) }
      guard let bytes = try connection.socket.receive() else { return true }
      guard !bytes.isEmpty else { return false }
      if connection.reader.isIdle { connection.deadline = now + Self.requestTime }
      guard let response = answer(&connection.reader, bytes) else { return true }
      connection.output = response.encoded[...]
      connection.closes = response.closes
      connection.deadline = now + Self.requestTime
      return try write(&connection, now)
    } catch {
      return false
    }
  }

  private func write(_ connection: inout Connection, _ now: Int64) throws(PlatformError) -> Bool {
    while !connection.output.isEmpty {
      guard let count = try connection.socket.sendAvailable(connection.output) else { return true }
      connection.output = connection.output.dropFirst(count)
    }
    connection.deadline = now + Self.idleTime
    return !connection.closes
  }

  /// nil while the request is not whole.
  private func answer(_ reader: inout HTTPReader, _ bytes: [UInt8]) -> HTTPResponse? {
    let request: HTTPRequest
    do throws(HTTPProblem) {
      guard let found = try reader.take(bytes) else { return nil }
      request = found
    } catch {
      return HTTPResponse(error)
    }
    switch gate.judge(request) {
    case .file(let path):
      guard let file = files[path] else { return refusal(.notFound) }
      return HTTPResponse(.ok, file.content, file.bytes)
    case .paired(let cookie, let secret):
      var response = HTTPResponse(.ok, .json, Array("{\"secret\":\"\(secret)\"}".utf8))
      response.cookie = cookie
      return response
    case .call(let name): return answers.call(name, request.body)
    case .picture(let name): return answers.picture(name)
    case .refused(let status): return refusal(status)
    }
  }

  private func refusal(_ status: HTTPStatus) -> HTTPResponse {
    var response = HTTPResponse(status)
    response.closes = true
    return response
  }
}
