import Testing

@testable import HTTP
@testable import Window

/// The first three rules of the window, each with whom it keeps out.
@Suite struct PageGateTests {
  private static let host = "k2v9.localhost:40123"
  private static let token = String(repeating: "t", count: 52)

  private func gate() -> PageGate {
    let numbers = Counter()
    return PageGate(host: Self.host, files: ["/app.js", "/app.css"], token: Self.token) {
      "random\(numbers.next())"
    }
  }

  private final class Counter: @unchecked Sendable {
    private var count = 0
    func next() -> Int {
      count += 1
      return count
    }
  }

  private static let navigation = [
    "sec-fetch-site": "none", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document",
  ]
  private static let asset = [
    "sec-fetch-site": "same-origin", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "script",
  ]
  private static let call = [
    "origin": "http://" + host, "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors",
    "sec-fetch-dest": "empty", "content-type": "application/json",
  ]

  private func request(
    _ method: HTTPRequest.Method, _ path: String, _ headers: [String: String],
    _ body: String = "", without: String? = nil
  ) -> HTTPRequest {
    var all = ["host": Self.host].merging(headers) { $1 }
    if method == .post { all["content-length"] = "\(body.utf8.count)" }
    if let without { all[without] = nil }
    var request = HTTPRequest(method: method, path: path, headers: all)
    request.body = Array(body.utf8)
    return request
  }

  private func paired(_ gate: inout PageGate) throws -> [String: String] {
    let verdict = gate.judge(request(.post, "/pair", Self.call, Self.token))
    guard case .paired(let cookie, let secret, _) = verdict else {
      throw HTTPProblem(.forbidden)
    }
    return Self.call.merging(["cookie": cookie, PageGate.secretHeader: secret]) { $1 }
  }

  @Test func `the page opens, pairs and asks`() throws {
    var gate = gate()
    #expect(gate.judge(request(.get, "/", Self.navigation)) == .file("/"))
    #expect(gate.judge(request(.get, "/app.js", Self.asset)) == .file("/app.js"))
    let headers = try paired(&gate)
    #expect(gate.judge(request(.post, "/call/list", headers, "{}")) == .call("list"))
    let picture = [
      "sec-fetch-site": "same-origin", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image",
      "cookie": headers["cookie"]!,
    ]
    #expect(gate.judge(request(.get, "/picture/abc", picture)) == .picture("abc"))
  }

  /// After rebinding, a request of another site's page is of the same origin in every way but its name.
  @Test(arguments: [
    "evil.example:40123", "127.0.0.1:40123", "localhost:40123", "k2v9.localhost",
    "k2v9.localhost:40124", "K2V9.localhost:40123", "a.k2v9.localhost:40123", "",
  ])
  func `a name that somebody made point here opens nothing`(_ host: String) throws {
    var gate = gate()
    let headers = try paired(&gate).merging([
      "host": host, "origin": "http://" + host,
    ]) { $1 }
    for made in [
      request(.get, "/", Self.navigation.merging(["host": host]) { $1 }),
      request(.get, "/app.js", Self.asset.merging(["host": host]) { $1 }),
      request(.post, "/call/list", headers, "{}"),
    ] {
      #expect(gate.judge(made) == .refused(.misdirected))
    }
  }

  @Test func `a page of another origin asks nothing`() throws {
    var gate = gate()
    let headers = try paired(&gate)
    for (name, value) in [
      ("origin", "http://evil.example"), ("origin", "null"),
      ("origin", "http://other.localhost:40123"), ("sec-fetch-site", "cross-site"),
      ("sec-fetch-site", "same-site"), ("sec-fetch-site", "none"), ("sec-fetch-mode", "no-cors"),
      ("sec-fetch-mode", "navigate"),
    ] {
      let made = request(.post, "/call/list", headers.merging([name: value]) { $1 }, "{}")
      #expect(gate.judge(made) == .refused(.forbidden), "\(name): \(value)")
    }
    for name in ["origin", "sec-fetch-site", "sec-fetch-mode"] {
      let made = request(.post, "/call/list", headers, "{}", without: name)
      #expect(gate.judge(made) == .refused(.forbidden), "without \(name)")
    }
    // Nor does it load a file or a picture, or frame the page.
    for site in ["cross-site", "same-site", "none"] {
      let made = Self.asset.merging(["sec-fetch-site": site]) { $1 }
      #expect(gate.judge(request(.get, "/app.js", made)) == .refused(.forbidden))
    }
    let framed = Self.navigation.merging([
      "sec-fetch-dest": "iframe", "sec-fetch-site": "cross-site",
    ]) { $1 }
    #expect(gate.judge(request(.get, "/", framed)) == .refused(.forbidden))
  }

  @Test func `a token is good once, and only the right one`() throws {
    var gate = gate()
    for wrong in ["", "t", Self.token + "t", Self.token.uppercased()] {
      #expect(gate.judge(request(.post, "/pair", Self.call, wrong)) == .refused(.forbidden))
    }
    let headers = try paired(&gate)
    #expect(gate.judge(request(.post, "/pair", Self.call, Self.token)) == .refused(.forbidden))
    // A second page has its own, and then the first one's counts no more.
    gate.renew(token: "another")
    #expect(gate.judge(request(.post, "/call/list", headers, "{}")) == .refused(.forbidden))
    #expect(gate.judge(request(.post, "/pair", Self.call, Self.token)) == .refused(.forbidden))
    guard case .paired = gate.judge(request(.post, "/pair", Self.call, "another")) else {
      Issue.record("the new token does not pair")
      return
    }
    gate.close()
    #expect(gate.judge(request(.post, "/pair", Self.call, "another")) == .refused(.forbidden))
  }

  @Test func `a page that is loaded again pairs by its own token and cookie, once`() throws {
    func again(_ gate: inout PageGate, _ token: String, _ cookie: String?) -> PageGate.Verdict {
      let headers = Self.call.merging(cookie.map { ["cookie": $0] } ?? [:]) { $1 }
      return gate.judge(request(.post, "/pair", headers, token))
    }
    var gate = gate()
    let first = gate.judge(request(.post, "/pair", Self.call, Self.token))
    guard case .paired(let cookie, let secret, let token?) = first else {
      throw HTTPProblem(.forbidden)
    }
    // Neither the token alone, nor the cookie with another token, pairs anybody.
    for (word, sent) in [(token, nil), (token, "page=x"), ("", cookie), (secret, cookie)] {
      #expect(again(&gate, word, sent) == .refused(.forbidden))
    }
    guard case .paired(let next, _, let other?) = again(&gate, token, cookie) else {
      throw HTTPProblem(.forbidden)
    }
    // The page before counts no more.
    let headers = Self.call.merging(["cookie": cookie, PageGate.secretHeader: secret]) { $1 }
    #expect(gate.judge(request(.post, "/call/list", headers, "{}")) == .refused(.forbidden))
    #expect(next != cookie && other != token)
    // One that is loaded twice at once may not have seen its new token, or not even its new cookie, until it has asked something.
    guard case .paired(let third, _, _?) = again(&gate, token, next),
      case .paired(let fourth, let fifth, let last?) = again(&gate, other, third)
    else { throw HTTPProblem(.forbidden) }
    let now = Self.call.merging(["cookie": fourth, PageGate.secretHeader: fifth]) { $1 }
    #expect(gate.judge(request(.post, "/call/list", now, "{}")) == .call("list"))
    for (word, sent) in [(token, cookie), (token, fourth), (other, next), (other, fourth)] {
      #expect(again(&gate, word, sent) == .refused(.forbidden))
    }
    gate.renew(token: "another")
    #expect(again(&gate, last, fourth) == .refused(.forbidden))
    // A browser that may write a page's history to a disk is given none.
    var fixed = PageGate(host: Self.host, files: [], token: Self.token, reloads: false) { "random" }
    guard
      case .paired(let only, _, nil) = fixed.judge(request(.post, "/pair", Self.call, Self.token))
    else { throw HTTPProblem(.forbidden) }
    for word in ["", "random", "null"] {
      #expect(again(&fixed, word, only) == .refused(.forbidden))
    }
  }

  @Test func `neither the cookie nor the page's secret opens anything alone`() throws {
    var gate = gate()
    let headers = try paired(&gate)
    for name in ["cookie", PageGate.secretHeader] {
      for value in [nil, "", "x", headers[name]! + "x", headers[name]! + "; page=x"] {
        var altered = headers
        altered[name] = value
        #expect(gate.judge(request(.post, "/call/list", altered, "{}")) == .refused(.forbidden))
      }
    }
    // A picture needs the cookie, and to be loaded as one.
    let cookie = headers["cookie"]!
    for altered in [
      ["sec-fetch-site": "same-origin", "sec-fetch-dest": "image"],
      ["sec-fetch-site": "same-origin", "sec-fetch-dest": "document", "cookie": cookie],
      ["sec-fetch-site": "cross-site", "sec-fetch-dest": "image", "cookie": cookie],
    ] {
      guard case .refused = gate.judge(request(.get, "/picture/abc", altered)) else {
        Issue.record("\(altered)")
        continue
      }
    }
  }

  @Test(arguments: [
    "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=a",
    "application/json; charset=utf-8", "Application/JSON", "",
  ])
  func `only what a browser asks about first changes anything`(_ type: String) throws {
    var gate = gate()
    let early = request(
      .post, "/pair", Self.call.merging(["content-type": type]) { $1 }, Self.token)
    #expect(gate.judge(early) == .refused(.unsupportedMediaType))
    let headers = try paired(&gate).merging(["content-type": type]) { $1 }
    #expect(
      gate.judge(request(.post, "/call/list", headers, "{}")) == .refused(.unsupportedMediaType))
  }
}
