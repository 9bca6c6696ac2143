internal import Bytes
package import HTTP

/// The one gate that every request to the window's server passes.
///
/// Any program on the machine can connect to the server's port, and any page in any browser can send it requests. So a request counts
/// only when it names the server's own random host, comes from its own origin, and, for everything but the empty page, carries both what
/// the browser keeps (a cookie that scripts cannot read) and what the page keeps (a secret that no other page has). Both are given once,
/// for a token that only the browser was told which the program started. A page that is loaded again has its cookie and another token,
/// which is good once, too, and with that cookie alone; the page before it then counts no more.
package struct PageGate: Sendable {
  /// What a request may be.
  package enum Verdict: Equatable, Sendable {
    /// The empty page or one of its files. Nothing of the diary is in them.
    case file(String)
    /// The page pairs with the server; the cookie and the secret it gets, and the token by which it pairs when it is loaded again; nil
    /// where it cannot be.
    case paired(cookie: String, secret: String, again: String?)
    /// Something that the page asks, by name.
    case call(String)
    /// A piece of a file that the page brings, by the name of the upload.
    case piece(String)
    /// A picture, by the random name that the page was given for it.
    case picture(String)
    case refused(HTTPStatus)

    /// Whether it is the page's, or made its sender the page.
    var isOfPage: Bool {
      switch self {
      case .paired, .call, .piece, .picture: true
      case .file, .refused: false
      }
    }
  }

  /// The header in which the page sends its secret.
  package static let secretHeader = "x-facediary-page"
  private static let cookieName = "page"

  /// As a browser names it: `<random>.localhost:<port>`. A name that somebody made point here is another one.
  package let host: String
  private var origin: String { "http://" + host }
  /// The names of files that belong to the page itself.
  private let files: Set<String>
  /// Good for one pairing.
  private var token: String?
  private var page: (cookie: String, secret: String, again: String?)?
  /// What the page before had: one that is loaded twice at once shows that again, as long as the new page has asked nothing.
  private var before: (cookie: String, again: String)?
  /// Whether a page that is loaded again may pair.
  private let reloads: Bool
  private let random: @Sendable () -> String

  /// - Parameters:
  ///   - token: 256 random bits, as text.
  ///   - reloads: whether the browser keeps what a page puts into its history in memory alone, so that one that is loaded again may pair.
  ///   - random: makes another such text.
  package init(
    host: String, files: Set<String>, token: String, reloads: Bool = true,
    random: @escaping @Sendable () -> String
  ) {
    (self.host, self.files, self.token, self.random) = (host, files, token, random)
    self.reloads = reloads
  }

  /// Another page may pair, with a new token; what the page before was given counts no more.
  package mutating func renew(token: String) {
    (self.token, page, before) = (token, nil, nil)
  }

  /// The page is over: nothing is answered any more.
  package mutating func close() { (token, page, before) = (nil, nil, nil) }

  package mutating func judge(_ request: HTTPRequest) -> Verdict {
    guard request["host"] == host else { return .refused(.misdirected) }
    switch request.method {
    case .get: return judgeGet(request)
    case .post:
      // A page of another origin, and one that was opened from a file, cannot send this.
      guard request["origin"] == origin, request["sec-fetch-site"] == "same-origin",
        request["sec-fetch-mode"] == "cors" || request["sec-fetch-mode"] == "same-origin"
      else { return .refused(.forbidden) }
      return request.path == "/pair" ? pair(request) : judgeCall(request)
    }
  }

  private func judgeGet(_ request: HTTPRequest) -> Verdict {
    let site = request["sec-fetch-site"]
    guard request.contentLength == 0, request["origin"].map({ $0 == origin }) ?? true else {
      return .refused(.forbidden)
    }
    if request.path == "/" {
      // The address was typed, or comes from the file that the program wrote for the browser. The page is empty until it pairs.
      guard request["sec-fetch-dest"] == "document", request["sec-fetch-mode"] == "navigate",
        ["none", "same-origin", "cross-site"].contains(site)
      else { return .refused(.forbidden) }
      return .file("/")
    }
    guard site == "same-origin" else { return .refused(.forbidden) }
    if files.contains(request.path) { return .file(request.path) }
    guard request.path.hasPrefix("/picture/"), request["sec-fetch-dest"] == "image",
      hasCookie(request)
    else { return .refused(page == nil ? .forbidden : .notFound) }
    return .picture(String(request.path.dropFirst(9)))
  }

  private mutating func pair(_ request: HTTPRequest) -> Verdict {
    if let refused = Self.refusedType(request) { return refused }
    let isFirst = token.map { Self.areEqual(request.body, Array($0.utf8)) } ?? false
    guard isFirst || isAgain(request) else { return .refused(.forbidden) }
    // Good once, whatever comes of it.
    token = nil
    before = isFirst ? nil : page.flatMap { page in page.again.map { (page.cookie, $0) } }
    let made = (cookie: random(), secret: random(), again: reloads ? random() : nil)
    page = made
    return .paired(
      cookie: Self.cookieName + "=" + made.cookie, secret: made.secret, again: made.again)
  }

  /// Whether the page was loaded again.
  private func isAgain(_ request: HTTPRequest) -> Bool {
    if let again = page?.again, hasCookie(request),
      Self.areEqual(request.body, Array(again.utf8))
    {
      return true
    }
    guard let before, hasCookie(request) || Self.has(before.cookie, request) else { return false }
    return Self.areEqual(request.body, Array(before.again.utf8))
  }

  private mutating func judgeCall(_ request: HTTPRequest) -> Verdict {
    let isPiece = request.path.hasPrefix("/piece/")
    guard isPiece || request.path.hasPrefix("/call/") else { return .refused(.notFound) }
    guard isOfPage(request) else { return .refused(.forbidden) }
    before = nil
    if isPiece {
      return Self.refusedType(request, .file) ?? .piece(String(request.path.dropFirst(7)))
    }
    return Self.refusedType(request) ?? .call(String(request.path.dropFirst(6)))
  }

  /// A form, and a text that happens to be JSON, are sent without asking the server first; these types are not.
  private static func refusedType(
    _ request: HTTPRequest, _ type: HTTPResponse.Content = .json
  ) -> Verdict? {
    request["content-type"] == type.rawValue ? nil : .refused(.unsupportedMediaType)
  }

  /// Whether a request carries what the page was given, both parts.
  func isOfPage(_ request: HTTPRequest) -> Bool {
    guard let page, hasCookie(request) else { return false }
    return Self.areEqual(Array((request[Self.secretHeader] ?? "").utf8), Array(page.secret.utf8))
  }

  /// Whether the one cookie that this server gave is the only one that came.
  private func hasCookie(_ request: HTTPRequest) -> Bool {
    page.map { Self.has($0.cookie, request) } ?? false
  }

  private static func has(_ cookie: String, _ request: HTTPRequest) -> Bool {
    guard let sent = request["cookie"] else { return false }
    return areEqual(Array(sent.utf8), Array((cookieName + "=" + cookie).utf8))
  }

  private static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    Digest.areEqual(
      Digest.blake2b(one, domain: "FDv2 page"), Digest.blake2b(other, domain: "FDv2 page"))
  }
}
