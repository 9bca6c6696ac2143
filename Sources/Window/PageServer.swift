package import HTTP
internal import JSONText
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

  /// A call that waits for its answer. It is the connection's number, and counts no more when that is closed.
  package typealias Ticket = Int

  /// What the page asks is answered by these.
  package struct Answers {
    /// nil when the answer comes later, by ``PageServer/answer(_:_:)``.
    package var call: (_ name: String, _ body: [UInt8], _ ticket: Ticket) -> HTTPResponse?
    package var piece: (_ name: String, _ bytes: [UInt8]) -> HTTPResponse
    package var picture: (_ name: String) -> HTTPResponse
    package init(
      call: @escaping (String, [UInt8], Ticket) -> HTTPResponse?,
      piece: @escaping (String, [UInt8]) -> HTTPResponse,
      picture: @escaping (String) -> HTTPResponse
    ) {
      (self.call, self.piece, self.picture) = (call, piece, picture)
    }
  }

  /// A browser opens six at a time. Of more than these, the oldest goes that never showed the page's cookie; where each did, they wait.
  static let connectionLimit = 16
  /// Nanoseconds from the first byte of a request to its last, and from the first byte of an answer to its last.
  static let requestTime: Int64 = 30_000_000_000
  /// Nanoseconds that a connection may stay without a request.
  static let idleTime: Int64 = 300_000_000_000
  /// The most bytes of the body of a call, and of a piece of a file: a text of 16 MiB, every character of it escaped, is longer,
  /// but nobody types one.
  package static let bodyLimit = 20 << 20
  /// The same of a request without the page's cookie and secret: a token has room.
  static let strangerLimit = 256

  private struct Connection {
    let ticket: Ticket
    let socket: LocalSocket
    var reader: HTTPReader
    var output: ArraySlice<UInt8> = []
    var closes = false
    /// Whether its call waits for an answer.
    var waits = false
    /// Whether it made a request with the page's cookie and secret, or paired.
    var isOfPage = false
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
  private var tickets = 0
  /// How often a page has paired.
  package private(set) var pairings = 0

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

  /// Whether a call still waits for its answer: its page has not gone.
  package func isWaiting(_ ticket: Ticket) -> Bool {
    connections.contains { $0.ticket == ticket && $0.waits }
  }

  /// Answers a call that waits.
  package func answer(_ ticket: Ticket, _ response: HTTPResponse) {
    guard let place = connections.firstIndex(where: { $0.ticket == ticket && $0.waits }) else {
      return
    }
    connections[place].waits = false
    let now = clock()
    guard begin(response, on: &connections[place], now) else {
      connections.remove(at: place)
      return
    }
  }

  /// Serves what is there, or comes in the next milliseconds.
  ///
  /// - Parameter others: descriptors that end the waiting, too, when they are readable.
  package func step(milliseconds: Int, also others: [Int32] = []) {
    var entries = [Poll.Entry(listener.number, read: hasRoom)]
    entries += connections.map {
      Poll.Entry($0.socket.number, read: $0.output.isEmpty, write: !$0.output.isEmpty)
    }
    entries += others.map { Poll.Entry($0) }
    Poll.wait(&entries, milliseconds: milliseconds)
    let (now, began) = (clock(), SystemClock.awake)
    let ready = Set(
      zip(connections, entries.dropFirst()).filter { $1.isReady }.map { $0.0.ticket })
    // An answer may be for another connection: each is looked up again.
    for ticket in connections.map(\.ticket) {
      guard let place = connections.firstIndex(where: { $0.ticket == ticket }) else { continue }
      var connection = connections[place]
      let goesOn = !ready.contains(ticket) || serve(&connection, now)
      guard let place = connections.firstIndex(where: { $0.ticket == ticket }) else { continue }
      if goesOn, connection.waits || now < connection.deadline {
        connections[place] = connection
      } else {
        connections.remove(at: place)
      }
    }
    // What this process did meanwhile is not held against those who waited.
    let spent = SystemClock.awake - began
    if spent > 1_000_000_000 {
      for place in connections.indices { connections[place].deadline += spent }
    }
    if entries[0].isReady { accept(clock()) }
  }

  /// Whether one more can be served, if that of a stranger is closed for it.
  private var hasRoom: Bool {
    connections.count < Self.connectionLimit || connections.contains { !$0.isOfPage }
  }

  private func accept(_ now: Int64) {
    // Somebody else may connect without end: so many at a time.
    for _ in 0..<64 where hasRoom {
      guard let (socket, user) = listener.accept() else { return }
      // Nothing is read from, and nothing said to, a program of somebody else.
      guard user == self.user else { continue }
      if connections.count == Self.connectionLimit,
        let stranger = connections.firstIndex(where: { !$0.isOfPage })
      {
        connections.remove(at: stranger)
      }
      tickets += 1
      connections.append(
        Connection(
          ticket: tickets, socket: socket,
          // A body is held in memory before it is judged: a long one comes from the page alone.
          reader: HTTPReader { [unowned self] in
            gate.isOfPage($0) ? Self.bodyLimit : Self.strangerLimit
          }, deadline: now + Self.requestTime))
    }
  }

  /// Reads or writes once; false when the connection is over.
  private func serve(_ connection: inout Connection, _ now: Int64) -> Bool {
    do throws(PlatformError) {
      guard connection.output.isEmpty else { return try write(&connection, now) }
      guard let bytes = try connection.socket.receive() else { return true }
      // Who sends more while a call waits for its answer is no browser.
      guard !bytes.isEmpty, !connection.waits else { return false }
      if connection.reader.isIdle { connection.deadline = now + Self.requestTime }
      guard let response = answer(&connection, bytes) else { return true }
      return begin(response, on: &connection, now)
    } catch {
      return false
    }
  }

  /// Begins to write an answer; false when the connection is over.
  private func begin(
    _ response: HTTPResponse, on connection: inout Connection, _ now: Int64
  ) -> Bool {
    connection.output = response.encoded[...]
    connection.closes = response.closes
    connection.deadline = now + Self.requestTime
    return (try? write(&connection, now)) ?? false
  }

  private func write(_ connection: inout Connection, _ now: Int64) throws(PlatformError) -> Bool {
    while !connection.output.isEmpty {
      guard let count = try connection.socket.sendAvailable(connection.output) else { return true }
      connection.output = connection.output.dropFirst(count)
    }
    connection.deadline = now + Self.idleTime
    return !connection.closes
  }

  /// nil while the request is not whole, and when its answer comes later.
  private func answer(_ connection: inout Connection, _ bytes: [UInt8]) -> HTTPResponse? {
    let request: HTTPRequest
    do throws(HTTPProblem) {
      guard let found = try connection.reader.take(bytes) else { return nil }
      request = found
    } catch {
      return HTTPResponse(error)
    }
    let verdict = gate.judge(request)
    if verdict.isOfPage { connection.isOfPage = true }
    switch verdict {
    case .file(let path):
      guard let file = files[path] else { return refusal(.notFound) }
      return HTTPResponse(.ok, file.content, file.bytes)
    case .paired(let cookie, let secret, let again):
      pairings += 1
      var response = HTTPResponse(
        .ok, .json,
        JSONWriter.object { json in
          json.member("secret", secret)
          json.member("again", again)
        })
      response.cookie = cookie
      return response
    case .call(let name):
      let response = answers.call(name, request.body, connection.ticket)
      connection.waits = response == nil
      return response
    case .piece(let name): return answers.piece(name, request.body)
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
