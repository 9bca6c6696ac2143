import Foundation
import Glibc
import HTTP
import Testing

@testable import Platform
@testable import Window

/// The server on a real port, with clients that keep to nothing.
@Suite(.serialized) struct PageServerTests {
  private static let token = String(repeating: "t", count: 52)

  /// A server that runs while a test talks to it.
  private final class Running: @unchecked Sendable {
    let port: UInt16
    let host: String
    private let lock = NSLock()
    private var isOver = false
    private var time: Int64 = 0
    private var most = 0
    private let done = DispatchSemaphore(value: 0)

    init(user: UInt32 = getuid()) throws {
      let listener = try LoopbackListener(LoopbackPort().listener)
      port = listener.port
      host = "k2v9.localhost:\(port)"
      let numbers = (1...100).map { "random\($0)" }
      nonisolated(unsafe) var next = 0
      let gate = PageGate(host: host, files: ["/app.js"], token: PageServerTests.token) {
        next += 1
        return numbers[next % 100]
      }
      let page = PageServer.File(.page, Array("<!doctype html><title>page</title>".utf8))
      let script = PageServer.File(.script, Array("1".utf8))
      nonisolated(unsafe) let server = PageServer(
        listener, gate, files: ["/": page, "/app.js": script], user: user,
        answers: PageServer.Answers(
          call: { name, body, _ in
            name == "large"
              ? HTTPResponse(.ok, .json, [UInt8](repeating: 32, count: 32 << 20))
              : HTTPResponse(.ok, .json, Array("[\"\(name)\",\(body.count)]".utf8))
          }, piece: { _, bytes in HTTPResponse(.ok, .json, Array("\(bytes.count)".utf8)) },
          picture: { _ in HTTPResponse(.ok, .png, [1, 2, 3]) })
      ) { [unowned self] in lock.withLock { time } }
      Thread { [self] in
        while !lock.withLock({ isOver }) {
          server.step(milliseconds: 5)
          lock.withLock { most = max(most, server.connectionCount) }
        }
        server.close()
        done.signal()
      }.start()
    }

    func pass(seconds: Int64) { lock.withLock { time += seconds * 1_000_000_000 } }
    var mostConnections: Int { lock.withLock { most } }

    func end() {
      lock.withLock { isOver = true }
      done.wait()
    }
  }

  /// A connection, as any program of the machine can make one.
  private final class Client {
    let file: Int32

    init(_ port: UInt16) throws {
      file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
      let status = withUnsafePointer(to: address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(file, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      try #require(status == 0)
      var limit = timeval(tv_sec: 10, tv_usec: 0)
      setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(file) }

    func send(_ text: String) { _ = Glibc.send(file, text, text.utf8.count, Int32(MSG_NOSIGNAL)) }

    /// Everything up to the end of the connection, or of one answer.
    func answer(whole: Bool = false) -> String {
      var found: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = recv(file, &buffer, buffer.count, 0)
        guard count > 0 else { break }
        found += buffer[..<count]
        let text = String(decoding: found, as: UTF8.self)
        guard !whole, let head = text.range(of: "\r\n\r\n") else { continue }
        let length =
          text.firstMatch(of: /Content-Length: (\d+)/).flatMap { Int($0.output.1) } ?? 0
        if text[head.upperBound...].utf8.count >= length { break }
      }
      return String(decoding: found, as: UTF8.self)
    }

    func ask(_ text: String) -> String {
      send(text)
      return answer()
    }

    /// Whether the other side has closed it.
    var isClosed: Bool {
      var byte: UInt8 = 0
      return recv(file, &byte, 1, 0) <= 0
    }
  }

  private func post(
    _ path: String, _ body: String, _ host: String, _ more: [String] = []
  ) -> String {
    ([
      "POST \(path) HTTP/1.1", "Host: \(host)", "Origin: http://\(host)",
      "Content-Type: application/json", "Sec-Fetch-Site: same-origin", "Sec-Fetch-Mode: cors",
      "Content-Length: \(body.utf8.count)",
    ] + more).joined(separator: "\r\n") + "\r\n\r\n" + body
  }

  /// The headers that a page which has paired sends.
  private func paired(_ server: Running) throws -> [String] {
    let text = try Client(server.port).ask(post("/pair", Self.token, server.host))
    let cookie = try #require(text.firstMatch(of: /Set-Cookie: ([^;]+);/)?.output.1)
    let secret = try #require(text.firstMatch(of: /"secret":"([^"]+)"/)?.output.1)
    return ["Cookie: \(cookie)", "X-FaceDiary-Page: \(secret)"]
  }

  @Test func `a page opens, pairs and asks over connections that stay`() throws {
    let server = try Running()
    defer { server.end() }
    let client = try Client(server.port)
    let page = client.ask(
      "GET / HTTP/1.1\r\nHost: \(server.host)\r\nSec-Fetch-Site: none\r\n"
        + "Sec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n\r\n")
    #expect(page.hasPrefix("HTTP/1.1 200") && page.hasSuffix("</title>"))
    let headers = try paired(server)
    for _ in 0..<3 {
      let answer = client.ask(post("/call/list", "{}", server.host, headers))
      #expect(answer.hasSuffix("[\"list\",2]"), "\(answer)")
    }
  }

  @Test func `what is refused ends its connection`() throws {
    let server = try Running()
    defer { server.end() }
    let headers = try paired(server)
    for text in [
      "GARBAGE\r\n\r\n", "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n",
      post("/call/list", "{}", "127.0.0.1:\(server.port)", headers),
      post("/call/list", "{}", server.host), post("/pair", Self.token, server.host),
      post("/call/list", "{}", server.host, headers) + "GET / HTTP/1.1\r\n",
    ] {
      let client = try Client(server.port)
      client.send(text)
      let answer = client.answer(whole: true)
      #expect(answer.hasPrefix("HTTP/1.1 4") && answer.contains("Connection: close"), "\(answer)")
      #expect(!answer.contains("list\""))
    }
  }

  @Test func `a request that never ends and an answer that nobody takes are given up`() throws {
    let server = try Running()
    defer { server.end() }
    let headers = try paired(server)
    let (slow, idle, deaf) = (
      try Client(server.port), try Client(server.port), try Client(server.port)
    )
    slow.send("POST /call/list HTTP/1.1\r\n")
    deaf.send(post("/call/large", "{}", server.host, headers))
    _ = try Client(server.port).ask(post("/call/list", "{}", server.host, headers))
    server.pass(seconds: 31)
    #expect(slow.isClosed && idle.isClosed)
    #expect(deaf.answer(whole: true).utf8.count < 32 << 20)
    let later = try Client(server.port)
    #expect(later.ask(post("/call/list", "{}", server.host, headers)).hasSuffix("[\"list\",2]"))
    server.pass(seconds: 301)
    #expect(later.isClosed)
  }

  @Test func `very many connections take no more than a few, and others are served after them`()
    throws
  {
    let server = try Running()
    defer { server.end() }
    let headers = try paired(server)
    var many = try (0..<30).map { _ in try Client(server.port) }
    for client in many { client.send("GET / HT") }
    usleep(100_000)
    #expect(server.mostConnections <= PageServer.connectionLimit)
    many = []
    let client = try Client(server.port)
    #expect(client.ask(post("/call/list", "{}", server.host, headers)).hasSuffix("[\"list\",2]"))
  }

  @Test func `connections that never show the page's cookie make room for it`() throws {
    let server = try Running()
    defer { server.end() }
    let headers = try paired(server)
    let page = try Client(server.port)
    let call = post("/call/list", "{}", server.host, headers)
    #expect(page.ask(call).hasSuffix("[\"list\",2]"))
    // As any other page of the browser can open them.
    let idle = try (0..<60).map { _ in try Client(server.port) }
    usleep(200_000)
    #expect(server.mostConnections <= PageServer.connectionLimit)
    #expect(page.ask(call).hasSuffix("[\"list\",2]"))
    #expect(try Client(server.port).ask(call).hasSuffix("[\"list\",2]"))
    withExtendedLifetime(idle) {}
  }

  @Test func `a program of another user is not read`() throws {
    let server = try Running(user: getuid() + 1)
    defer { server.end() }
    let client = try Client(server.port)
    client.send(post("/pair", Self.token, server.host))
    #expect(client.answer(whole: true).isEmpty)
    // And really as another user, where there can be one.
    guard getuid() == 0 else { return }
    let own = try Running()
    defer { own.end() }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
    process.arguments = [
      "--reuid=65534", "--clear-groups", "bash", "-c",
      "exec 3<>/dev/tcp/127.0.0.1/\(own.port); printf 'GET / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n' >&3; cat <&3 2>/dev/null",
    ]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    process.waitUntilExit()
    #expect(output.fileHandleForReading.readDataToEndOfFile().isEmpty)
    #expect(try Client(own.port).ask("GARBAGE\r\n\r\n").hasPrefix("HTTP/1.1 400"))
  }

  @Test func `who connects is found in the kernel's table`() {
    let table = Array(
      """
        sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
         0: 0100007F:9C40 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 1 1
         1: 0100007F:9C40 0100007F:C350 01 00000000:00000000 00:00000000 00000000  1000        0 2 1
         2: 0100007F:C350 0100007F:9C40 01 00000000:00000000 00:00000000 00000000  1001        0 3 1
         3: 0200007F:C352 0100007F:9C40 01 00000000:00000000 00:00000000 00000000  1002        0 3 1
         4: 0100007F:C353 0100007F:9C40 06 00000000:00000000 00:00000000 00000000  1002        0 3 1
         5: 0200007F:C350 0100007F:9C40 01 00000000:00000000 00:00000000 00000000  1002        0 3 1
      """.utf8)
    #expect(LoopbackListener.user(in: table, from: 0xc350, to: 0x9c40) == 1001)
    // Another port, another address, and one that is over.
    for port in 0xc351...0xc353 as ClosedRange<UInt16> {
      #expect(LoopbackListener.user(in: table, from: port, to: 0x9c40) == nil)
    }
  }

  /// Somebody who waits for our end, with all that lets two sockets share a port.
  @Test(arguments: ["127.0.0.1", "0.0.0.0", "127.0.0.2", "::1", "::"])
  func `nobody takes the port of a server that has ended`(_ address: String) throws {
    var port: LoopbackPort? = try LoopbackPort()
    let held = try #require(port?.held)
    let number = try #require(port?.number)
    // With the server, what listened has gone; the browser has the rest.
    port = nil
    let family = address.contains(":") ? AF_INET6 : AF_INET
    let taken = socket(family, Int32(SOCK_STREAM.rawValue), 0)
    try #require(taken >= 0)
    defer { close(taken) }
    var on: Int32 = 1
    for option in [SO_REUSEADDR, SO_REUSEPORT] {
      setsockopt(taken, SOL_SOCKET, option, &on, socklen_t(MemoryLayout<Int32>.size))
    }
    func take<Address>(_ address: Address) -> Int32 {
      withUnsafeBytes(of: address) {
        bind(
          taken, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
      }
    }
    var four = sockaddr_in()
    var six = sockaddr_in6()
    (four.sin_family, four.sin_port) = (sa_family_t(AF_INET), number.bigEndian)
    (six.sin6_family, six.sin6_port) = (sa_family_t(AF_INET6), number.bigEndian)
    inet_pton(AF_INET, address, &four.sin_addr)
    inet_pton(AF_INET6, address, &six.sin6_addr)
    let status = family == AF_INET ? take(four) : take(six)
    // Another address of the machine is another's to have; nobody is led there.
    #expect((status == 0) == (address == "127.0.0.2"), "\(address): \(errno)")
    withExtendedLifetime(held) {}
  }

  @Test func `what is served of the page is what the browser reads of it`() {
    let text = """
      // Said once.
      /** A function.
       * - Parameter a: a number.
       */
      function f(a) {
        return a * 2; // as it is

        /* alone */
      }
      const link = "https://example.org";
      """
    #expect(
      PageProcess.compact(Array(text.utf8))
        == Array(
          """
          function f(a) {
          return a * 2; // as it is
          }
          const link = "https://example.org";

          """.utf8))
    let files = PageProcess.files(in: "en")
    let weight = files.filter { $0.key.hasSuffix(".js") || $0.key.hasSuffix(".css") }
    #expect(weight.count > 10)
    #expect(weight.values.reduce(0) { $0 + $1.bytes.count } < 150 << 10)
    // Taking lines away changes nothing but comments: no text goes over several lines.
    for (name, file) in weight {
      for line in file.bytes.split(separator: 0x0a) {
        #expect(line.count { $0 == UInt8(ascii: "`") }.isMultiple(of: 2), "\(name)")
      }
    }
  }
}
