import Testing

@testable import HTTP

@Suite struct HTTPReaderTests {
  private static let browser = """
    POST /call/list HTTP/1.1\r
    Host: k2v9.localhost:40123\r
    Connection: keep-alive\r
    Content-Length: 2\r
    sec-ch-ua: "Chromium";v="156", "Not?A_Brand";v="24"\r
    Content-Type: application/json\r
    Origin: http://k2v9.localhost:40123\r
    Sec-Fetch-Site: same-origin\r
    Cookie: page=abc\r
    \r
    {}
    """

  private func read(_ text: String, limit: Int = 1 << 20) throws(HTTPProblem) -> HTTPRequest? {
    var reader = HTTPReader { _ in limit }
    return try reader.take(Array(text.utf8))
  }

  @Test func `a browser's request is read, in whatever pieces it comes`() throws {
    let bytes = Array(Self.browser.utf8)
    for size in [1, 2, 3, 7, 100, bytes.count] {
      var reader = HTTPReader { _ in 100 }
      var found: HTTPRequest?
      for start in stride(from: 0, to: bytes.count, by: size) {
        #expect(found == nil)
        found = try reader.take(bytes[start..<min(bytes.count, start + size)])
      }
      let request = try #require(found)
      #expect(request.method == .post && request.path == "/call/list")
      #expect(request["host"] == "k2v9.localhost:40123" && request["cookie"] == "page=abc")
      #expect(request.body == Array("{}".utf8) && reader.isIdle)
      // The connection goes on with the next one.
      #expect(try reader.take(bytes)?.path == "/call/list")
    }
  }

  private static let refused: [(String, HTTPStatus)] = [
    ("GET / HTTP/1.1\nHost: a\n\n\r\n\r\n", .badRequest),
    ("GET / HTTP/1.1\r\nHost: a\rX: b\r\n\r\n", .badRequest),
    ("GET / HTTP/1.1\r\n\r\n", .badRequest),
    ("GET / HTTP/1.1\r\nHost:\r\n\r\n", .badRequest),
    ("GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n", .badRequest),
    ("GET / HTTP/1.1\r\nHost: a\r\n folded: b\r\n\r\n", .badRequest),
    ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", .badRequest),
    ("GET / HTTP/1.1\r\nHost: a\r\nX\r\n\r\n", .badRequest),
    ("GET / HTTP/1.1\r\nHost: a\r\nX: caf\u{e9}\r\n\r\n", .badRequest),
    ("GET / HTTP/1.1\r\nHost: a\r\nX: b \r\n\r\n", .badRequest),
    ("GET / HTTP/1.1\r\nHost: a\r\nX:\tb\r\n\r\n", .badRequest),
    ("GET  / HTTP/1.1\r\nHost: a\r\n\r\n", .badRequest),
    ("GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n", .badRequest),
    ("GET * HTTP/1.1\r\nHost: a\r\n\r\n", .badRequest),
    ("GET /a/../b HTTP/1.1\r\nHost: a\r\n\r\n", .badRequest),
    ("GET //a HTTP/1.1\r\nHost: a\r\n\r\n", .badRequest),
    ("GET /a/ HTTP/1.1\r\nHost: a\r\n\r\n", .badRequest),
    ("GET /a?b HTTP/1.1\r\nHost: a\r\n\r\n", .badRequest),
    ("GET /%61 HTTP/1.1\r\nHost: a\r\n\r\n", .badRequest),
    ("GET /a#b HTTP/1.1\r\nHost: a\r\n\r\n", .badRequest),
    ("GET /a\0 HTTP/1.1\r\nHost: a\r\n\r\n", .badRequest),
    ("GET / HTTP/1.0\r\nHost: a\r\n\r\n", .versionNotSupported),
    ("GET / HTTP/2\r\nHost: a\r\n\r\n", .versionNotSupported),
    ("GET / SHTTP/1.1\r\nHost: a\r\n\r\n", .badRequest),
    ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", .badRequest),
    ("get / HTTP/1.1\r\nHost: a\r\n\r\n", .methodNotAllowed),
    ("OPTIONS / HTTP/1.1\r\nHost: a\r\n\r\n", .methodNotAllowed),
    ("CONNECT / HTTP/1.1\r\nHost: a\r\n\r\n", .methodNotAllowed),
    ("POST / HTTP/1.1\r\nHost: a\r\n\r\n", .lengthRequired),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", .notImplemented),
    (
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: x\r\n\r\n",
      .notImplemented
    ),
    ("GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n\r\n", .notImplemented),
    ("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n", .expectationFailed),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", .badRequest),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\n", .badRequest),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 01\r\n\r\n", .badRequest),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 1\r\n\r\n", .badRequest),
    (
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n", .badRequest
    ),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n", .badRequest),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 101\r\n\r\n", .contentTooLarge),
    ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n", .badRequest),
    // Two at a time, and what comes behind a body.
    ("GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", .badRequest),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nab", .badRequest),
    ("GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: "x", count: 20_000), .headersTooLarge),
    (
      "GET / HTTP/1.1\r\nHost: a\r\n" + (0..<70).map { "x\($0): y\r\n" }.joined() + "\r\n",
      .headersTooLarge
    ),
    ("GET /" + String(repeating: "a", count: 600) + " HTTP/1.1\r\nHost: a\r\n\r\n", .badRequest),
  ]

  @Test func `what no browser sends is refused, and says why`() {
    for (text, status) in Self.refused {
      let failure = #expect(throws: HTTPProblem.self, "\(text.prefix(60).debugDescription)") {
        try read(text, limit: 100)
      }
      #expect(failure?.status == status, "\(text.prefix(60).debugDescription)")
    }
  }

  @Test func `what is not whole is waited for`() throws {
    for text in ["", "G", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: a\r\n\r"] {
      #expect(try read(text) == nil)
    }
    #expect(try read("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nab") == nil)
    #expect(try read("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")?.path == "/")
  }

  @Test func `an answer keeps a page to itself and says how long it is`() {
    var answer = HTTPResponse(.ok, .json, Array("{}".utf8))
    answer.cookie = "page=a"
    let text = String(decoding: answer.encoded, as: UTF8.self)
    #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n") && text.hasSuffix("\r\n\r\n{}"))
    #expect(text.contains("\r\nContent-Length: 2\r\n"))
    #expect(text.contains("\r\nSet-Cookie: page=a; Path=/; HttpOnly; SameSite=Strict\r\n"))
    for (name, _) in HTTPResponse.headers { #expect(text.contains("\r\n\(name): ")) }
    #expect(text.contains("default-src 'none'") && !text.contains("unsafe"))
    let refusal = String(
      decoding: HTTPResponse(HTTPProblem(.badRequest)).encoded, as: UTF8.self)
    #expect(refusal.contains("\r\nConnection: close\r\n") && refusal.contains("Content-Length: 0"))
    let file = String(decoding: HTTPResponse(.ok, .file, [1]).encoded, as: UTF8.self)
    #expect(file.contains("Content-Disposition: attachment"))
  }
}
