/// A request of a browser: the part of HTTP/1.1 (RFC 9112) that browsers send to a page's own server, and nothing else.
///
/// A request has one form only: lines end with CR LF, no header comes twice, no body is sent in chunks, a target is a path of plain
/// characters. What differs is refused and never interpreted, because two programs that understand a request differently are how
/// one is smuggled past the other.
package struct HTTPRequest: Sendable, Equatable {
  package enum Method: String, Sendable {
    case get = "GET"
    case post = "POST"
  }

  /// The most bytes of the request line and of all headers.
  package static let headLimit = 16 << 10
  package static let headerLimit = 64
  package static let pathLimit = 512

  package let method: Method
  /// Begins with a slash.
  package let path: String
  /// By their names in lower case.
  package let headers: [String: String]
  package internal(set) var body: [UInt8] = []

  /// The length of the body that its head announces, in bytes.
  package var contentLength: Int { headers["content-length"].flatMap { Int($0) } ?? 0 }

  package subscript(name: String) -> String? { headers[name] }
}

/// Why a request is refused. Nothing more is read from a connection that brought one.
package struct HTTPProblem: Error, Sendable, Equatable {
  package let status: HTTPStatus

  init(_ status: HTTPStatus) { self.status = status }
}

/// What an answer says of a request.
package enum HTTPStatus: Int, Sendable {
  case ok = 200
  case noContent = 204
  case badRequest = 400
  case forbidden = 403
  case notFound = 404
  case methodNotAllowed = 405
  case lengthRequired = 411
  case contentTooLarge = 413
  case unsupportedMediaType = 415
  case expectationFailed = 417
  case misdirected = 421
  case headersTooLarge = 431
  case failed = 500
  case notImplemented = 501
  case unavailable = 503
  case versionNotSupported = 505

  var reason: String {
    switch self {
    case .ok: "OK"
    case .noContent: "No Content"
    case .badRequest: "Bad Request"
    case .forbidden: "Forbidden"
    case .notFound: "Not Found"
    case .methodNotAllowed: "Method Not Allowed"
    case .lengthRequired: "Length Required"
    case .contentTooLarge: "Content Too Large"
    case .unsupportedMediaType: "Unsupported Media Type"
    case .expectationFailed: "Expectation Failed"
    case .misdirected: "Misdirected Request"
    case .headersTooLarge: "Request Header Fields Too Large"
    case .failed: "Internal Server Error"
    case .notImplemented: "Not Implemented"
    case .unavailable: "Service Unavailable"
    case .versionNotSupported: "HTTP Version Not Supported"
    }
  }
}
