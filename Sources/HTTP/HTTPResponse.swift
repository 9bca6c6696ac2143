/// An answer to a browser. Every one has the headers that keep a page to itself: it loads nothing from elsewhere, nobody frames it,
/// nothing of it is kept, and no other page reads it.
package struct HTTPResponse: Sendable {
  /// What a body is. Only these are ever served as something that a browser shows.
  package enum Content: String, Sendable, CaseIterable {
    case page = "text/html; charset=utf-8"
    case script = "text/javascript; charset=utf-8"
    case style = "text/css; charset=utf-8"
    case json = "application/json"
    case jpeg = "image/jpeg"
    case png = "image/png"
    case webp = "image/webp"
    case gif = "image/gif"
    /// To be saved, whatever it is.
    case file = "application/octet-stream"
  }

  package var status: HTTPStatus
  package var content: Content?
  package var body: [UInt8]
  /// `name=value`, for this page alone until the browser is closed.
  package var cookie: String?
  /// Whether the connection ends with it.
  package var closes = false

  package init(_ status: HTTPStatus, _ content: Content? = nil, _ body: [UInt8] = []) {
    (self.status, self.content, self.body) = (status, content, body)
  }

  /// The refusal of a request, after which the connection ends.
  package init(_ problem: HTTPProblem) {
    self.init(problem.status)
    closes = true
  }

  /// What every answer says, in this order.
  package static let headers: [(name: String, value: String)] = [
    (
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
        + "media-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
        + "frame-ancestors 'none'"
    ),
    ("Cache-Control", "no-store"),
    ("Referrer-Policy", "no-referrer"),
    (
      "Permissions-Policy",
      "camera=(self), microphone=(), geolocation=(), display-capture=(), clipboard-read=()"
    ),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Embedder-Policy", "require-corp"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("X-Content-Type-Options", "nosniff"),
    ("X-DNS-Prefetch-Control", "off"),
  ]

  package var encoded: [UInt8] {
    var head = "HTTP/1.1 \(status.rawValue) \(status.reason)\r\n"
    for (name, value) in Self.headers { head += "\(name): \(value)\r\n" }
    if let content { head += "Content-Type: \(content.rawValue)\r\n" }
    if content == .file { head += "Content-Disposition: attachment\r\n" }
    if let cookie { head += "Set-Cookie: \(cookie); Path=/; HttpOnly; SameSite=Strict\r\n" }
    if status != .noContent { head += "Content-Length: \(body.count)\r\n" }
    if closes { head += "Connection: close\r\n" }
    return Array((head + "\r\n").utf8) + (status == .noContent ? [] : body)
  }
}
